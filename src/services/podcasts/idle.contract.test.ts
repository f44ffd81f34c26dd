/** An empty server has nothing to do every few seconds: work on the index is planned by what writes to it. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { Directory } from "../../../tests/support/podcasts.ts";

onBothDatabases(
  "an idle directory",
  (instance, on) => {
    const directory = new Directory(instance);
    const waiting = async () => {
      const { body } = await instance().bearer("GET", "/_medley/jobs?state=waiting&limit=1000");
      return body.jobs.filter(({ job }: { job: string }) => job === "podcasts.join-pieces").length;
    };
    it("joins pieces of its index after changes alone, where the database has pieces", async () => {
      await instance().clock.freeze();
      expect(await waiting()).toBe(0);
      const list = { title: "Bread", description: "", source_url: "", podcast_ids: [] };
      const made = await directory.send("POST", "/curated_podcasts", { body: list });
      expect(made.status, made.text).toBeLessThan(300);
      const planned = on === "sqlite" ? 1 : 0;
      expect(await waiting()).toBe(planned);
      await directory.send("DELETE", `/curated_podcasts/${made.body.id}`);
      expect(await waiting()).toBe(planned);
      await instance().clock.advance("31s");
      expect(await waiting()).toBe(0);
      await instance().clock.advance("1d");
      expect(await waiting()).toBe(0);
    });
  },
  { services: ["podcasts"] },
);

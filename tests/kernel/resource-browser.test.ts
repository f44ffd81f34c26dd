/** The browser over the catalogue: kinds, filters, sorting, pages, links between resources, and the search over everything. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../support/medley.ts";

const arnOf = (name: string) => `arn:vendor:storage:us-east-1:111111111111:bucket/${name}`;

onBothDatabases(
  "the resource browser",
  (instance) => {
    const ask = async (path: string, as: "first" | "second" = "first") =>
      (await instance().bearer("GET", `/_medley/${path}`, { as })).body;
    const put = (name: string, tags: Record<string, string>, details: Record<string, unknown> = {}) =>
      instance().bearer("PUT", "/_medley/resources", {
        body: { arn: arnOf(name), type: "Vendor::Storage::Bucket", name, tags, details },
      });
    const namesOf = ({ resources }: { resources: { name: string }[] }) => resources.map(({ name }) => name);

    it("filters by text and tag, sorts either way, and goes page by page", async () => {
      for (const [name, stage] of [
        ["delta_1", "test"],
        ["Alpha%", "live"],
        ["charlie", "test"],
        ["bravo", "live"],
      ] as const)
        await put(name, { stage });
      expect(namesOf(await ask("resources?sort=name&type=Vendor::Storage::Bucket"))).toEqual([
        "Alpha%",
        "bravo",
        "charlie",
        "delta_1",
      ]);
      expect(namesOf(await ask("resources?text=%25"))).toEqual(["Alpha%"]);
      expect(namesOf(await ask("resources?text=_1"))).toEqual(["delta_1"]);
      expect(namesOf(await ask("resources?text=ALPHA"))).toEqual(["Alpha%"]);
      expect(namesOf(await ask("resources?tag=stage=test&sort=-name"))).toEqual(["delta_1", "charlie"]);
      expect(namesOf(await ask("resources?tag=stage&sort=-updated"))).toHaveLength(4);
      const seen: string[] = [];
      let next = "";
      do {
        const page = await ask(`resources?sort=-updated&limit=1&nextToken=${encodeURIComponent(next)}`);
        seen.push(...namesOf(page));
        next = page.nextToken ?? "";
      } while (next !== "");
      expect(seen.sort()).toEqual(["Alpha%", "bravo", "charlie", "delta_1"]);
      expect((await instance().bearer("GET", "/_medley/resources?sort=colour")).status).toBe(400);
    });

    it("tells of one resource what it refers to and what refers to it, and nothing of another account's", async () => {
      await put("source", {});
      await put("copy", {}, { of: { bucket: arnOf("source") } });
      const copy = await ask(`resources/one?arn=${encodeURIComponent(arnOf("copy"))}`);
      expect(copy.refersTo).toMatchObject([{ name: "source" }]);
      const source = await ask(`resources/one?arn=${encodeURIComponent(arnOf("source"))}`);
      expect(source.referredBy).toMatchObject([{ name: "copy" }]);
      expect(source.history).toMatchObject([{ change: "made" }]);
      const address = `/_medley/resources/one?arn=${encodeURIComponent(arnOf("source"))}`;
      expect((await instance().bearer("GET", address, { as: "second" })).status).toBe(404);
    });

    it("tells fifty of what refers to a resource and of its changes, and looks at its first two hundred names", async () => {
      const one = (name: string) => ask(`resources/one?arn=${encodeURIComponent(arnOf(name))}`);
      const many = (count: number) => Array.from({ length: count }, (_, index) => arnOf(`missing-${index}`));
      await put("hub", {});
      for (let count = 1; count <= 50; count += 1) await put(`spoke-${count}`, {}, { of: arnOf("hub") });
      expect((await one("hub")).referredBy).toHaveLength(50);
      await put("spoke-51", {}, { of: arnOf("hub") });
      expect((await one("hub")).referredBy).toHaveLength(50);

      for (let change = 1; change <= 49; change += 1) await put("hub", { change: `${change}` });
      expect((await one("hub")).history).toHaveLength(50);
      const to = (count: number) => ({
        to: Array.from({ length: count }, (_, at) => arnOf(`spoke-${at + 1}`)),
      });
      await put("hub", {}, to(50));
      const { history, refersTo } = await one("hub");
      expect([history.length, refersTo.length]).toEqual([50, 50]);
      await put("hub", {}, to(51));
      expect((await one("hub")).refersTo).toHaveLength(50);

      for (const [missing, found] of [
        [199, 1],
        [200, 0],
      ] as const) {
        await put("hub", {}, { of: [...many(missing), arnOf("spoke-1")] });
        expect((await one("hub")).refersTo).toHaveLength(found);
      }
    });

    it("counts by service and kind, and finds operations, documentation and resources by all their words", async () => {
      const { services } = await ask("resources/tree");
      expect(services).toMatchObject([{ name: "outside", types: [{ type: "Vendor::Storage::Bucket" }] }]);
      expect((await ask("resources/tree", "second")).services).toEqual([]);
      expect((await ask("search?q=source")).results[0]).toMatchObject({
        kind: "resource",
        id: arnOf("source"),
      });
      expect((await ask("search?q=source", "second")).results).not.toContainEqual(
        expect.objectContaining({ kind: "resource" }),
      );
      const { results } = await ask("search?q=moves%20time");
      expect(results).toContainEqual(
        expect.objectContaining({ kind: "operation", id: "medley.clock.advance" }),
      );
      expect((await ask("search?q=Admin%20interface&limit=1")).results).toHaveLength(1);
      expect((await ask("search?q=zzz%20nothing")).results).toEqual([]);
    });
  },
  { services: [] },
);

/** Saving, clearing and loading state; blobs; the catalogue; an older export. */
import { expect, it } from "vitest";
import { type Instance, onBothDatabases } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const admin = { authorization: "Bearer first-token-0001" };
const put = (instance: Instance, service: string, id: string, as: "first" | "second") =>
  instance.apiKey("x-vendor-key", "PUT", `/${service}/notes/${id}`, { as, body: { text: `${as} ${id}` } });
const has = async (instance: Instance, id: string, as: "first" | "second") =>
  (await instance.apiKey("x-vendor-key", "GET", `/sample-key/notes/${id}`, { as })).status === 200;

onBothDatabases(
  "state",
  (instance) => {
    it("goes out, is cleared and comes back, whole", async () => {
      for (const as of ["first", "second"] as const) await put(instance(), "sample-key", "kept", as);
      const saved = await instance().send("GET", "/_medley/state", { headers: admin });
      expect(saved.headers.get("content-type")).toContain("ndjson");
      await put(instance(), "sample-key", "later", "first");
      expect(
        (await instance().send("POST", "/_medley/state/reset", { headers: admin, body: {} })).status,
      ).toBe(204);
      expect(await has(instance(), "kept", "first")).toBe(false);
      const loaded = await instance().send("PUT", "/_medley/state", {
        headers: { ...admin, "content-type": "application/x-ndjson" },
        body: saved.text,
      });
      expect(loaded.status).toBe(200);
      expect([
        await has(instance(), "kept", "first"),
        await has(instance(), "kept", "second"),
        await has(instance(), "later", "first"),
      ]).toEqual([true, true, false]);
    });
    it("moves one account of one service alone", async () => {
      for (const as of ["first", "second"] as const) await put(instance(), "sample-key", "alone", as);
      const saved = await instance().send("GET", "/_medley/state?service=sample-key&account=111111111111", {
        headers: admin,
      });
      expect(saved.text).not.toContain("222222222222");
      await instance().send("POST", "/_medley/state/reset", {
        headers: admin,
        body: { service: "sample-key", account: "111111111111" },
      });
      expect([await has(instance(), "alone", "first"), await has(instance(), "alone", "second")]).toEqual([
        false,
        true,
      ]);
      await instance().send("PUT", "/_medley/state", { headers: admin, body: saved.text });
      expect(await has(instance(), "alone", "first")).toBe(true);
    });
    it("refuses what is no export and changes nothing", async () => {
      await put(instance(), "sample-key", "safe", "first");
      for (const text of [
        "{}",
        "nonsense",
        '{"medley":1,"migrations":["kernel/999-future"]}',
        '{"medley":1,"filter":{},"migrations":[]}\n{"table":"pg_shadow","row":{}}',
      ]) {
        expect((await instance().send("PUT", "/_medley/state", { headers: admin, body: text })).status).toBe(
          400,
        );
      }
      expect((await instance().send("GET", "/_medley/state?service=none", { headers: admin })).status).toBe(
        400,
      );
      expect(await has(instance(), "safe", "first")).toBe(true);
    });
    it("registers outside resources and lists them", async () => {
      const arn = "arn:vendor:storage:us-east-1:111111111111:bucket/photos";
      const entry = { arn, type: "Vendor::Storage::Bucket", region: "us-east-1", tags: { stage: "test" } };
      expect(
        (await instance().send("PUT", "/_medley/resources", { headers: admin, body: entry })).body,
      ).toMatchObject({ name: "photos", external: true });
      const { body } = await instance().send("GET", "/_medley/resources?type=Vendor::Storage::Bucket", {
        headers: admin,
      });
      expect(body.resources).toMatchObject([{ arn, tags: { stage: "test" } }]);
      expect(
        (
          await instance().send("DELETE", `/_medley/resources?arn=${encodeURIComponent(arn)}`, {
            headers: admin,
          })
        ).status,
      ).toBe(204);
      expect(
        (
          await instance().send("DELETE", `/_medley/resources?arn=${encodeURIComponent(arn)}`, {
            headers: admin,
          })
        ).status,
      ).toBe(404);
    });
  },
  options,
);

/** Saving, clearing and loading state; work under way; several nodes; the catalogue. */
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { createDatabase, type Instance, onBothDatabases, startInstance } from "../support/medley.ts";
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
    it("takes one service or one account out of an export of everything", async () => {
      const bearer = (as: "first" | "second", method: string, id: string) =>
        instance().bearer(method, `/sample-bearer/v1/notes/${id}`, {
          as,
          ...(method === "PUT" && { body: { text: "x" } }),
        });
      for (const as of ["first", "second"] as const) {
        await put(instance(), "sample-key", "parted", as);
        await bearer(as, "PUT", "parted");
      }
      const saved = await instance().send("GET", "/_medley/state", { headers: admin });
      const load = (query: string) =>
        instance().send("PUT", `/_medley/state?${query}`, { headers: admin, body: saved.text });
      const found = async () => [
        await has(instance(), "parted", "first"),
        await has(instance(), "parted", "second"),
        (await bearer("first", "GET", "parted")).status === 200,
        (await bearer("second", "GET", "parted")).status === 200,
      ];
      await instance().send("POST", "/_medley/state/reset", { headers: admin, body: {} });
      await put(instance(), "sample-key", "own", "second");
      expect((await load("service=sample-key&account=111111111111")).status).toBe(200);
      expect(await found()).toEqual([true, false, false, false]);
      expect(await has(instance(), "own", "second")).toBe(true);
      expect((await load("account=222222222222")).status).toBe(200);
      expect(await found()).toEqual([true, true, false, true]);
      expect(await has(instance(), "own", "second")).toBe(false);
      expect((await load("service=sample-bearer")).status).toBe(200);
      expect(await found()).toEqual([true, true, true, true]);
      for (const query of ["service=none", "account=12", "acount=111111111111"])
        expect([query, (await load(query)).status]).toEqual([query, 400]);
      const part = await instance().send("GET", "/_medley/state?service=sample-key", { headers: admin });
      const beyond = await instance().send("PUT", "/_medley/state?service=sample-bearer", {
        headers: admin,
        body: part.text,
      });
      expect([beyond.status, beyond.body.error.message]).toEqual([
        400,
        "The export covers the service sample-key only.",
      ]);
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
    it("lets work that was under way when it was saved begin anew, at once", async () => {
      await put(instance(), "sample-key", "busy", "first");
      const headers = { "x-vendor-key": "first-api-key-0001" };
      await instance().send("POST", "/sample-key/notes/busy:count", { headers, body: { waitMs: 4000 } });
      await eventually(async () => {
        const { body } = await instance().send("GET", "/_medley/jobs?state=running", { headers: admin });
        return body.jobs.length > 0;
      });
      const saved = await instance().send("GET", "/_medley/state", { headers: admin });
      expect(saved.text).toMatch(/"state":"running"/);
      const other = await startInstance({ ...options, jobLeaseSeconds: 600 });
      expect((await other.send("PUT", "/_medley/state", { headers: admin, body: saved.text })).status).toBe(
        200,
      );
      const count = async () => (await other.send("GET", "/sample-key/notes/busy", { headers })).body.count;
      await eventually(async () => (await count()) === 1);
      const { body } = await other.send("GET", "/_medley/jobs?kind=sample-key.slow", { headers: admin });
      expect(body.jobs).toMatchObject([{ state: "done", attempts: 1 }]);
      await other.stop();
    });
    it("once cleared, stays untouched by slow work that was under way", async () => {
      const headers = { "x-vendor-key": "first-api-key-0001" };
      const ended = async () => {
        const { text } = await instance().send("GET", "/_medley/metrics");
        return [...text.matchAll(/^medley_jobs_total\{job="sample-key.slow".*\} (\d+)$/gm)]
          .map(([, count]) => Number(count))
          .reduce((sum, count) => sum + count, 0);
      };
      await put(instance(), "sample-key", "cleared", "first");
      const before = await ended();
      await instance().send("POST", "/sample-key/notes/cleared:count", { headers, body: { waitMs: 3000 } });
      await eventually(async () => {
        const { body } = await instance().send("GET", "/_medley/jobs?state=running", { headers: admin });
        return body.jobs.length > 0;
      });
      await instance().send("POST", "/_medley/state/reset", { headers: admin, body: {} });
      await put(instance(), "sample-key", "cleared", "first");
      await eventually(async () => (await ended()) > before, "the end of the work");
      const { body } = await instance().send("GET", "/sample-key/notes/cleared", { headers });
      expect(body).toMatchObject({ text: "first cleared", count: 0 });
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

it("cleared by one node is forgotten by the others as well", async () => {
  const shared = { database: await createDatabase(), services: ["resource-manager"] };
  const nodes = [await startInstance(shared), await startInstance(shared)] as const;
  const group = "/management/subscriptions/shared-sub/resourceGroups/one?api-version=2021-04-01";
  const body = { location: "westeurope" };
  const claim = (node: Instance, as: "first" | "second") => node.bearer("PUT", group, { as, body });
  for (const node of nodes) expect((await claim(node, "first")).status).toBeLessThan(300);
  expect((await claim(nodes[1], "second")).status).toBeGreaterThanOrEqual(400);
  expect((await nodes[0].bearer("POST", "/_medley/state/reset", { body: {} })).status).toBe(204);
  expect((await claim(nodes[0], "second")).status).toBeLessThan(300);
  await eventually(async () => (await claim(nodes[1], "second")).status < 300);
  expect((await claim(nodes[1], "first")).status).toBeGreaterThanOrEqual(400);
  await Promise.all(nodes.map((node) => node.stop()));
});

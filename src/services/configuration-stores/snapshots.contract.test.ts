/** Snapshots of a store, old revisions and storage, over HTTP. */
import { expect, it } from "vitest";
import { sendSigned } from "../../../tests/support/configuration-data.ts";
import * as support from "../../../tests/support/configuration-stores.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "snapshots and storage of a store",
  (instance) => {
    const { call, put } = support.dataStage(instance);
    const snapshot = (name: string, body: unknown) =>
      call("PUT", `/snapshots/${encodeURIComponent(name)}?${support.DATA_VERSION}`, { body });

    it("makes snapshots by durable work that can be asked for", async () => {
      await put("snap:a", "1");
      await put("snap:a", "2", "&label=x");
      const made = await snapshot("release/1", {
        filters: [{ key: "snap:*", label: "*" }],
        composition_type: "key_label",
        tags: { by: "ci" },
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        name: "release/1",
        status: "provisioning",
        composition_type: "key_label",
        items_count: 2,
        retention_period: 2_592_000,
        tags: { by: "ci" },
        filters: [{ key: "snap:*", label: "*" }],
      });
      const location = made.headers.get("operation-location")!;
      expect(location).toBe(
        `${instance().url}/configuration/wire-store/operations?snapshot=release%2F1&api-version=2023-11-01`,
      );
      const operation = await eventually(async () => {
        const { body } = await call("GET", `/operations?snapshot=release%2F1&${support.DATA_VERSION}`);
        return body.status !== "Running" && body;
      });
      expect(operation).toEqual({ id: "release/1", status: "Succeeded", error: null });
      const items = await call("GET", `/kv?snapshot=release%2F1&${support.DATA_VERSION}`);
      expect(items.body.items.map(({ value }: { value: string }) => value)).toEqual(["1", "2"]);
      expect((await call("GET", `/kv?snapshot=nothing&${support.DATA_VERSION}`)).body.items).toEqual([]);
      const listed = await call(
        "GET",
        `/snapshots?name=release*&status=ready&$select=name,status&${support.DATA_VERSION}`,
      );
      expect(listed.body.items).toEqual([{ name: "release/1", status: "ready" }]);
    });

    it("takes a zero character in a snapshot's label for no label", async () => {
      const made = await snapshot("no-label", { filters: [{ key: "snap:*", label: "\0" }] });
      expect(made.body).toMatchObject({ items_count: 1 });
    });

    it("fails a snapshot that is too large, and tells so", async () => {
      const store = "large-store";
      const [key] = await support.keysOfNewStore(instance(), store);
      await Promise.all(
        Array.from({ length: 110 }, (_, i) =>
          sendSigned(instance(), key!, "PUT", `/configuration/${store}/kv/k${i}?${support.DATA_VERSION}`, {
            body: { value: "x".repeat(10_000) },
          }),
        ),
      );
      const send = (method: string, path: string, body?: unknown) =>
        sendSigned(instance(), key!, method, `/configuration/${store}${path}`, { body });
      expect(
        (await send("PUT", `/snapshots/big?${support.DATA_VERSION}`, { filters: [{ key: "*" }] })).status,
      ).toBe(201);
      await instance().clock.advance("1s");
      expect((await send("GET", `/operations?snapshot=big&${support.DATA_VERSION}`)).body).toMatchObject({
        status: "Failed",
        error: { code: "QuotaExceeded" },
      });
      const archived = await send("PATCH", `/snapshots/big?${support.DATA_VERSION}`, { status: "archived" });
      expect([archived.status, archived.body.type]).toEqual([
        409,
        "https://azconfig.io/errors/invalid-state",
      ]);
      const version = support.DATA_VERSION;
      for (let at = 100; at < 110; at += 1) await send("DELETE", `/kv/k${at}?${version}`);
      const taken = async (name: string, filled: number) => {
        await send("PUT", `/kv/rest?${version}`, { value: "x".repeat(filled % 10_000) });
        for (let at = 0; at < Math.floor(filled / 10_000); at += 1)
          await send("PUT", `/kv/more${at}?${version}`, { value: "x".repeat(10_000) });
        await send("PUT", `/snapshots/${name}?${version}`, { filters: [{ key: "*" }] });
        await instance().clock.advance("1s");
        const { body } = await send("GET", `/snapshots/${name}?${version}`);
        return [body.status, body.size];
      };
      const [, size] = await taken("with-room", 40_000);
      const rest = 1_048_576 - size;
      expect(await taken("full", 40_000 + rest)).toEqual(["ready", 1_048_576]);
      expect(await taken("too-full", 40_001 + rest)).toEqual(["failed", 0]);
    });

    it.each([
      ["no filters", { filters: [] }, "filters"],
      ["four filters", { filters: Array.from({ length: 4 }, () => ({ key: "*" })) }, "filters"],
      ["many labels without key_label", { filters: [{ key: "*", label: "a,b" }] }, "filters[0].label"],
      ["a bad key filter", { filters: [{ key: "a*b" }] }, "filters[0].key"],
      ["too short a retention", { filters: [{ key: "*" }], retention_period: 10 }, "retention_period"],
      ["too long a retention", { filters: [{ key: "*" }], retention_period: 9_000_000 }, "retention_period"],
    ])("refuses a snapshot with %s", async (_what, body, name) => {
      const answer = await snapshot("never", body);
      expect([answer.status, answer.body.name]).toEqual([400, name]);
      expect((await call("GET", `/snapshots/never?${support.DATA_VERSION}`)).status).toBe(404);
    });

    it("clears old revisions away", async () => {
      const store = "free-store";
      const [key] = await support.keysOfNewStore(instance(), store, "Free");
      const send = (method: string, path: string, body?: unknown) =>
        sendSigned(instance(), key!, method, `/configuration/${store}${path}`, { body });
      for (let i = 0; i < 5; i += 1) await send("PUT", `/kv/k?${support.DATA_VERSION}`, { value: String(i) });
      const revisions = async () =>
        (await send("GET", `/revisions?${support.DATA_VERSION}`)).body.items.length;
      expect(await revisions()).toBe(5);
      const answer = await send("PUT", `/snapshots/s?${support.DATA_VERSION}`, {
        filters: [{ key: "*" }],
        retention_period: 864_000,
      });
      expect(answer.status).toBe(400);
      const ran = await instance().clock.advance("8d");
      expect(ran.some(({ name }) => name === "configuration-stores.tidy")).toBe(true);
      expect(await revisions()).toBe(1);
      expect((await send("GET", `/kv/k?${support.DATA_VERSION}`)).body.value).toBe("4");
    });

    it("holds a store to the storage of its tier", async () => {
      const store = "brim-full-store";
      const [key] = await support.keysOfNewStore(instance(), store, "Free");
      const send = (method: string, path: string, body?: unknown) =>
        sendSigned(instance(), key!, method, `/configuration/${store}${path}`, { body });
      expect((await send("PUT", `/kv/k?${support.DATA_VERSION}`, { value: "1" })).status).toBe(200);
      const state = await instance().bearer("GET", "/_medley/state?service=configuration-stores");
      const unchecked = state.text.replace(/,"check":\{[^}]*\}/, "");
      const overfull = unchecked.replace(
        /("name":"brim-full-store"[^\n]*"used_bytes":)\d+/,
        (_, before: string) => `${before}10485761`,
      );
      expect(overfull).not.toBe(unchecked);
      const loaded = await instance().bearer("PUT", "/_medley/state", { body: overfull });
      expect(loaded.status).toBe(200);
      const value = "2";
      const full = await send("PUT", `/kv/one-more?${support.DATA_VERSION}`, { value });
      expect(full.status).toBe(429);
      expect(full.headers.get("retry-after-ms")).toBe("1000");
      expect(full.body).toMatchObject({
        type: "https://azconfig.io/errors/too-many-requests",
        title: "Resource utilization has surpassed the assigned quota",
        policy: "Storage",
      });
      expect((await send("GET", `/kv/k?${support.DATA_VERSION}`)).body.value).toBe("1");
      await instance().clock.advance("6h");
      expect((await send("PUT", `/kv/one-more?${support.DATA_VERSION}`, { value })).status).toBe(200);
    });
  },
  { services: support.configurationServices },
);

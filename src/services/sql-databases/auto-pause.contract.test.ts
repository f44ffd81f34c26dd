/** Serverless databases that pause by themselves, on a clock that is stopped and moved. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createDatabase,
  type Instance,
  onBothDatabases,
  startInstance,
} from "../../../tests/support/medley.ts";
import { sqlDatabaseServices as services, VERSION } from "../../../tests/support/sql-databases.ts";

const SERVERLESS = { name: "GP_S_Gen5_2" };

let counter = 0;
/** A server of its own with the calls that the tests make. */
function newServer(instance: () => Instance) {
  counter += 1;
  const base = `/subscriptions/pausing-${counter}/resourceGroups/data/providers/Vendor.Sql/servers`;
  const id = (name: string, server = "main") => `${base}/${server}/databases/${name}`;
  const at = (name: string, server?: string, action = "") =>
    `/management${id(name, server)}${action}?${VERSION}`;
  return {
    id,
    put: (name: string, properties: object = {}, sku: object | undefined = SERVERLESS, server?: string) =>
      instance().bearer("PUT", at(name, server), {
        body: { location: "westeurope", properties, ...(sku && { sku }) },
      }),
    patch: (name: string, body: object) => instance().bearer("PATCH", at(name), { body }),
    post: (name: string, action: string, body?: object) =>
      instance().bearer("POST", at(name, undefined, `/${action}`), { body }),
    remove: (name: string, server?: string) => instance().bearer("DELETE", at(name, server)),
    get: async (name: string, server?: string) =>
      (await instance().bearer("GET", at(name, server))).body.properties,
    status: async (name: string, server?: string) =>
      (await instance().bearer("GET", at(name, server))).body.properties.status,
  };
}
const refusal = ({
  status,
  body,
}: {
  status: number;
  body: { error: { code: string; target?: string } };
}) => [status, body.error.code, body.error.target];

onBothDatabases(
  "a serverless database",
  (instance) => {
    const advance = (by: string) => instance().clock.advance(by);
    const nowIso = () => new Date(instance().clock.nowMs()).toISOString();
    beforeAll(() => instance().clock.freeze());

    it("pauses after an hour without use unless told otherwise", async () => {
      const { put, get, status } = newServer(instance);
      expect((await put("usual")).body.properties).toMatchObject({ status: "Online", autoPauseDelay: 60 });
      const never = await put("never", { autoPauseDelay: -1 });
      expect([never.status, never.body.properties.autoPauseDelay]).toEqual([201, -1]);
      await advance("59m");
      expect(await status("usual")).toBe("Online");
      await advance("1m");
      const pausedAt = nowIso();
      await advance("30d");
      const paused = await get("usual");
      expect(paused).toMatchObject({ status: "Paused", pausedDate: pausedAt });
      expect(paused.resumedDate).toBeUndefined();
      expect(await status("never")).toBe("Online");
    });

    it.each([15, 61, 10_080])("may wait %i minutes", async (minutes) => {
      const { put, status } = newServer(instance);
      expect((await put("patient", { autoPauseDelay: minutes })).body.properties.autoPauseDelay).toBe(
        minutes,
      );
      await advance(`${minutes - 1}m`);
      expect(await status("patient")).toBe("Online");
      await advance("1m");
      expect(await status("patient")).toBe("Paused");
    });

    it.each([14, 0, 10_081])("may not wait %i minutes", async (minutes) => {
      const { put } = newServer(instance);
      expect(refusal(await put("hasty", { autoPauseDelay: minutes }))).toEqual([
        400,
        "FeatureDisabledOnSelectedEdition",
        "properties.autoPauseDelay",
      ]);
    });

    it("begins to wait anew with every change; being looked at is no use", async () => {
      const { put, patch, get, status } = newServer(instance);
      await put("used", { autoPauseDelay: 30 });
      await advance("20m");
      expect((await patch("used", { tags: { team: "shop" } })).status).toBe(200);
      await advance("20m");
      expect(await status("used")).toBe("Online");
      expect((await get("used")).resumedDate).toBeUndefined();
      await advance("10m");
      expect(await status("used")).toBe("Paused");
    });

    it.each([
      ["a PATCH", ({ patch }: ReturnType<typeof newServer>) => patch("asleep", { tags: { a: "b" } })],
      ["a PUT", ({ put }: ReturnType<typeof newServer>) => put("asleep", { minCapacity: 1 })],
      ["resuming it", ({ post }: ReturnType<typeof newServer>) => post("asleep", "resume")],
    ])("is woken by %s and pauses again later", async (_what, wake) => {
      const server = newServer(instance);
      await server.put("asleep", { autoPauseDelay: 15 });
      await advance("15m");
      expect(await server.status("asleep")).toBe("Paused");
      await advance("5h");
      const woken = await wake(server);
      expect([woken.status, woken.body.properties.status]).toEqual([200, "Online"]);
      expect(woken.body.properties).toMatchObject({ resumedDate: nowIso(), autoPauseDelay: 15 });
      expect(woken.body.properties.pausedDate).toBeUndefined();
      await advance("14m");
      expect(await server.status("asleep")).toBe("Online");
      await advance("1m");
      expect(await server.get("asleep")).toMatchObject({ status: "Paused", pausedDate: nowIso() });
    });

    it("follows the delay when it is changed", async () => {
      const { put, patch, status } = newServer(instance);
      await put("changed", { autoPauseDelay: 30 });
      await patch("changed", { properties: { autoPauseDelay: -1 } });
      await advance("10d");
      expect(await status("changed")).toBe("Online");
      await patch("changed", { properties: { autoPauseDelay: 15 } });
      await advance("15m");
      expect(await status("changed")).toBe("Paused");
    });

    it("cannot be paused by hand, and resuming it while it is online changes nothing", async () => {
      const { put, post } = newServer(instance);
      await put("busy", { autoPauseDelay: 30 });
      expect(refusal(await post("busy", "pause")).slice(0, 2)).toEqual([
        400,
        "FeatureDisabledOnSelectedEdition",
      ]);
      const resumed = await post("busy", "resume");
      expect([resumed.status, resumed.body.properties.status]).toEqual([200, "Online"]);
      expect(resumed.body.properties.resumedDate).toBeUndefined();
    });

    it("no longer pauses once it is provisioned, and the other way round", async () => {
      const { put, patch, get, status } = newServer(instance);
      await put("scaled", { autoPauseDelay: 15, minCapacity: 1 });
      const provisioned = await patch("scaled", { sku: { name: "GP_Gen5_2" } });
      expect(provisioned.status).toBe(200);
      expect(provisioned.body.properties).not.toHaveProperty("autoPauseDelay");
      expect(provisioned.body.properties).not.toHaveProperty("minCapacity");
      expect(refusal(await patch("scaled", { properties: { autoPauseDelay: 60 } }))).toEqual([
        400,
        "FeatureDisabledOnSelectedEdition",
        "properties.autoPauseDelay",
      ]);
      await advance("1d");
      expect(await status("scaled")).toBe("Online");
      await patch("scaled", { sku: SERVERLESS });
      expect((await get("scaled")).autoPauseDelay).toBe(60);
      await advance("60m");
      expect(await status("scaled")).toBe("Paused");
    });

    it("is woken to be copied; the copy waits for itself", async () => {
      const { put, get, status, id } = newServer(instance);
      await put("source", { autoPauseDelay: 15 });
      await advance("15m");
      const copy = await put("copy", { createMode: "Copy", sourceDatabaseId: id("source") }, undefined);
      expect([copy.status, copy.body.properties.autoPauseDelay]).toEqual([201, 60]);
      expect(await get("source")).toMatchObject({ status: "Online", resumedDate: nowIso() });
      await advance("15m");
      expect([await status("source"), await status("copy")]).toEqual(["Paused", "Online"]);
      await advance("45m");
      expect(await status("copy")).toBe("Paused");
    });

    it("stays online while it has a secondary or a primary", async () => {
      const { put, remove, status, id } = newServer(instance);
      await put("twin", { autoPauseDelay: 15 });
      const origin = { createMode: "Secondary", sourceDatabaseId: id("twin"), autoPauseDelay: 15 };
      expect((await put("twin", origin, undefined, "other")).status).toBe(201);
      await advance("1d");
      expect([await status("twin"), await status("twin", "other")]).toEqual(["Online", "Online"]);
      await remove("twin", "other");
      await advance("15m");
      expect(await status("twin")).toBe("Paused");
    });

    it("pauses once its primary is gone", async () => {
      const { put, remove, status, id } = newServer(instance);
      await put("twin", { autoPauseDelay: -1 });
      const origin = { createMode: "Secondary", sourceDatabaseId: id("twin"), autoPauseDelay: 15 };
      await put("twin", origin, undefined, "other");
      await advance("1d");
      await remove("twin");
      await advance("15m");
      expect(await status("twin", "other")).toBe("Paused");
    });

    it("pauses under its new name; renaming wakes it", async () => {
      const { put, post, get, status, id } = newServer(instance);
      await put("old", { autoPauseDelay: 15 });
      await advance("10m");
      expect((await post("old", "move", { id: id("new") })).status).toBe(200);
      await advance("10m");
      expect(await status("new")).toBe("Online");
      await advance("5m");
      expect(await status("new")).toBe("Paused");
      expect((await post("new", "move", { id: id("newer") })).status).toBe(200);
      expect(await get("newer")).toMatchObject({ status: "Online", resumedDate: nowIso() });
    });

    it("can be deleted while paused, and leaves nothing behind", async () => {
      const { put, remove, status } = newServer(instance);
      await put("gone", { autoPauseDelay: 15 });
      await advance("15m");
      expect((await remove("gone")).status).toBe(200);
      await put("gone", { autoPauseDelay: 15 });
      await advance("10m");
      await remove("gone");
      await put("gone", { autoPauseDelay: 60 });
      await advance("59m");
      expect(await status("gone")).toBe("Online");
    });

    it("does not make other databases pause", async () => {
      const { put, status } = newServer(instance);
      await put("provisioned", {}, { name: "GP_Gen5_2" });
      await put("warehouse", {}, { name: "DW400" });
      await advance("30d");
      expect([await status("provisioned"), await status("warehouse")]).toEqual(["Online", "Online"]);
    });
  },
  { services },
);

describe.each(["sqlite", "postgres"] as const)("a serverless database that takes its time on %s", (on) => {
  it("passes through Pausing and Resuming", async () => {
    const instance = await startInstance({ on, services, provisioningSeconds: 60 });
    await instance.clock.freeze();
    const { put, patch, post, get, status } = newServer(() => instance);
    expect((await put("slow", { autoPauseDelay: 15 })).status).toBe(202);
    await instance.clock.advance("1m");
    expect(await status("slow")).toBe("Online");
    await instance.clock.advance("15m");
    expect(await status("slow")).toBe("Pausing");
    expect((await patch("slow", { tags: {} })).status).toBe(409);
    await instance.clock.advance("1m");
    expect(await status("slow")).toBe("Paused");
    expect((await post("slow", "resume")).status).toBe(202);
    expect(await status("slow")).toBe("Resuming");
    await instance.clock.advance("1m");
    expect((await get("slow")).resumedDate).toBe(new Date(instance.clock.nowMs()).toISOString());
    await instance.clock.advance("16m");
    expect(await status("slow")).toBe("Paused");
    await instance.stop();
  });

  it("still pauses after a restart", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-auto-pause-"));
    const place = on === "postgres" ? { database: await createDatabase() } : { data };
    let instance = await startInstance({ services, ...place });
    await instance.clock.freeze();
    const { put, get, status } = newServer(() => instance);
    await put("lasting", { autoPauseDelay: 15 });
    await instance.clock.advance("10m");
    await instance.stop();
    instance = await startInstance({ services, ...place });
    await instance.clock.advance("4m");
    expect(await status("lasting")).toBe("Online");
    await instance.clock.advance("1m");
    const pausedDate = new Date(instance.clock.nowMs()).toISOString();
    await instance.stop();
    instance = await startInstance({ services, ...place });
    expect(await get("lasting")).toMatchObject({ status: "Paused", pausedDate });
    await instance.stop();
    rmSync(data, { recursive: true, force: true });
  });
});

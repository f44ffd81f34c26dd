/** Configuration stores that take time to be made, and what a restart leaves of them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sendSigned } from "../../../tests/support/configuration-data.ts";
import {
  keysOf,
  configurationServices as services,
  storeBody,
  storePath,
  withVersion,
} from "../../../tests/support/configuration-stores.ts";
import { createDatabase, onBothDatabases, startInstance } from "../../../tests/support/medley.ts";

onBothDatabases(
  "configuration stores that take time to be made",
  (instance) => {
    it("pass through their states on the clock", async () => {
      const call = (method: string, path: string, body?: unknown) =>
        instance().bearer(method, withVersion(path), { body });
      const state = async (path: string) => (await call("GET", path)).body.properties?.provisioningState;
      await instance().clock.freeze();
      const path = storePath("slow-store");
      const created = await call("PUT", path, storeBody);
      expect([created.status, created.body.properties.provisioningState]).toEqual([201, "Creating"]);
      expect(created.headers.get("azure-asyncoperation")).toContain("/management/subscriptions/sub-1/");
      expect((await call("PATCH", path, { tags: { a: "b" } })).status).toBe(409);
      await instance().clock.advance("61s");
      expect(await state(path)).toBe("Succeeded");
      const changed = await call("PATCH", path, { tags: { a: "b" } });
      expect([changed.status, changed.body.properties.provisioningState]).toEqual([201, "Updating"]);
      await instance().clock.advance("61s");
      const replaced = await call("PUT", path, storeBody);
      expect([replaced.status, replaced.body.properties.provisioningState]).toEqual([201, "Updating"]);
      await instance().clock.advance("61s");
      const connection = `${path}/privateEndpointConnections/office`;
      const made = await call("PUT", connection, { properties: { privateLinkServiceConnectionState: {} } });
      expect([made.status, made.body.properties.provisioningState]).toEqual([201, "Creating"]);
      await instance().clock.advance("61s");
      expect((await call("DELETE", connection)).status).toBe(202);
      expect(await state(connection)).toBe("Deleting");
      await instance().clock.advance("61s");
      expect((await call("GET", connection)).status).toBe(404);
      const deleting = await call("DELETE", path);
      expect(deleting.status).toBe(202);
      expect(await state(path)).toBe("Deleting");
      await instance().clock.advance("61s");
      expect((await call("GET", path)).status).toBe(404);
      expect(
        (await instance().bearer("GET", deleting.headers.get("azure-asyncoperation")!)).body.status,
      ).toBe("Succeeded");
    });
  },
  { services, provisioningSeconds: 60 },
);
describe.each(["sqlite", "postgres"] as const)("configuration stores after a restart on %s", (on) => {
  it("keep keys, data and work under way; secrets are nowhere in plain text", async () => {
    const folder = mkdtempSync(join(tmpdir(), "configuration-"));
    const options = { services, provisioningSeconds: 2, secretKey: "a key for the box" };
    const where = on === "sqlite" ? { data: folder } : { database: await createDatabase() };
    let instance = await startInstance({ ...options, ...where });
    try {
      const path = storePath("lasting-store");
      await instance.bearer("PUT", withVersion(path), { body: storeBody });
      const [key] = await keysOf(instance, "lasting-store");
      const item = "/configuration/lasting-store/kv/k?api-version=1.0";
      const written = await sendSigned(instance, key!, "PUT", item, { body: { value: "kept" } });
      await sendSigned(
        instance,
        key!,
        "PUT",
        "/configuration/lasting-store/snapshots/s?api-version=2023-11-01",
        {
          body: { filters: [{ key: "*" }] },
        },
      );
      await instance.stop();
      if (on === "sqlite") expect(readFileSync(join(folder, "medley.db")).includes(key!.value)).toBe(false);
      instance = await startInstance({ ...options, ...where });
      expect((await sendSigned(instance, key!, "GET", item)).body.etag).toBe(written.body.etag);
      await instance.clock.advance("10s");
      expect((await instance.bearer("GET", withVersion(path))).body.properties.provisioningState).toBe(
        "Succeeded",
      );
      const snapshot = await sendSigned(
        instance,
        key!,
        "GET",
        "/configuration/lasting-store/snapshots/s?api-version=2023-11-01",
      );
      expect(snapshot.body).toMatchObject({ status: "ready", items_count: 1 });
    } finally {
      await instance.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

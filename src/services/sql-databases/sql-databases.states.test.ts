/** Databases that take time to make and to change: their states while the clock moves, on both databases. */
import { describe, expect, it } from "vitest";
import { startInstance } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/sql-databases.ts";

describe.each(["sqlite", "postgres"] as const)("databases that take their time on %s", (on) => {
  it("pass through their states on the clock and answer 202 meanwhile", async () => {
    const instance = await startInstance({
      on,
      services: support.sqlDatabaseServices,
      provisioningSeconds: 60,
    });
    await instance.clock.freeze();
    const { at, idOf } = support.newPlace();
    const status = async (name: string) => (await instance.bearer("GET", at(name))).body.properties.status;
    expect((await support.put(instance, at("plain"), {}, "S0")).status).toBe(202);
    const made = await support.put(instance, at("wh"), {}, "DW400");
    expect(made.status).toBe(202);
    expect(made.headers.get("azure-asyncoperation")).toContain("operationStatuses");
    expect(await status("wh")).toBe("Creating");
    expect(support.refusal(await support.put(instance, at("wh"), {}, "DW500"))).toEqual([
      409,
      "ConflictingDatabaseOperation",
    ]);
    await instance.clock.advance("61s");
    expect(await status("wh")).toBe("Online");
    const copied = await support.put(instance, at("copy"), {
      createMode: "Copy",
      sourceDatabaseId: idOf("plain"),
    });
    expect(copied.status).toBe(202);
    expect(await status("copy")).toBe("Copying");
    for (const [action, meanwhile, after] of [
      ["/pause", "Pausing", "Paused"],
      ["/resume", "Resuming", "Online"],
      ["/upgradeDataWarehouse", "OnlineChangingDwPerformanceTiers", "Online"],
    ] as const) {
      expect((await instance.bearer("POST", at("wh", action))).status).toBe(202);
      expect(await status("wh")).toBe(meanwhile);
      if (action === "/pause")
        expect(support.refusal(await instance.bearer("POST", at("wh", action)))).toEqual([
          400,
          "CannotDeactivateWhenDeactivatingInProgress",
        ]);
      await instance.clock.advance("61s");
      expect(await status("wh")).toBe(after);
    }
    const patched = await instance.bearer("PATCH", at("wh"), { body: { sku: { name: "DW500c" } } });
    expect(patched.status).toBe(202);
    expect((await instance.bearer("GET", at("wh"))).body.properties).toMatchObject({
      status: "Scaling",
      currentServiceObjectiveName: "DW400c",
      requestedServiceObjectiveName: "DW500c",
    });
    await instance.clock.advance("61s");
    expect((await instance.bearer("GET", at("wh"))).body.properties.currentServiceObjectiveName).toBe(
      "DW500c",
    );
    expect((await instance.bearer("DELETE", at("wh"))).status).toBe(202);
    await instance.clock.advance("61s");
    expect((await instance.bearer("GET", at("wh"))).status).toBe(404);
    await instance.stop();
  });
});

/** Provisioning outlives its node: stopped or killed with -9 on the way, another start carries it to its end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { eventually, pause } from "../support/eventually.ts";
import { createDatabase, startInstance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { databasesHere } from "../support/test-part.ts";

const SERVICES = ["hardware-security-modules", "resource-manager"];
const VERSION = "api-version=2018-10-31-preview";
const pathOf = (name: string) =>
  `/management/subscriptions/fault-sub/resourceGroups/rg/providers/Vendor.HardwareSecurityModules/dedicatedHSMs/${name}?${VERSION}`;
const body = { location: "westus", sku: { name: "SafeNet Luna Network HSM A790" }, properties: {} };
const credentialsFile = join(import.meta.dirname, "../support/credentials.json");

const folders: string[] = [];
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "medley-provisioning-"));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe.each(databasesHere())("provisioning on %s", (kind) => {
  test("goes on after a restart, at the state it was in", async () => {
    const data = newFolder();
    const options = {
      services: SERVICES,
      provisioningSeconds: 40,
      data,
      ...(kind === "postgres" && { database: await createDatabase() }),
    };
    const before = await startInstance(options);
    await before.clock.freeze();
    const made = await before.bearer("PUT", pathOf("hsm-1"), { body });
    expect(made.body.properties.provisioningState).toBe("CheckingQuota");
    await before.clock.advance("15s");
    await before.stop();
    const after = await startInstance(options);
    const state = async () => (await after.bearer("GET", pathOf("hsm-1"))).body.properties.provisioningState;
    expect(await state()).toBe("Allocating");
    expect((await after.bearer("PUT", pathOf("hsm-1"), { body })).status).toBe(409);
    await after.clock.advance("25s");
    expect(await state()).toBe("Succeeded");
    const status = new URL(made.headers.get("azure-asyncoperation") as string);
    const polled = await after.bearer("GET", `${status.pathname}${status.search}`);
    expect(polled.body.status).toBe("Succeeded");
    await after.clock.resume();
    await after.stop();
  });

  test("goes on after a kill -9", async () => {
    const words = [
      ...["--data", newFolder(), "--credentials", credentialsFile, "--services", SERVICES.join(",")],
      ...["--provisioning-seconds", "2", "--job-poll-ms", "25"],
      ...(kind === "postgres" ? ["--database", await createDatabase()] : []),
    ];
    const send = async (node: NodeProcess, method: string, name: string) => {
      const response = await fetch(`${node.url}${pathOf(name)}`, {
        method,
        headers: { authorization: "Bearer first-token-0001", "content-type": "application/json" },
        ...(method === "PUT" && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        state: text === "" ? "" : JSON.parse(text).properties?.provisioningState,
      };
    };
    const before = await startServe(...words);
    const names = Array.from({ length: 8 }, (_, n) => `hsm-${n}`);
    for (const name of names) expect((await send(before, "PUT", name)).status).toBe(201);
    await pause(700);
    await before.kill("SIGKILL");
    const after = await startServe(...words);
    for (const name of names)
      await eventually(
        async () => (await send(after, "GET", name)).state === "Succeeded",
        `${name}'s success`,
      );
    expect((await send(after, "PUT", "hsm-0")).status).toBe(200);
    await after.kill("SIGTERM");
  });
});

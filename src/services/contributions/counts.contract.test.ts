/** How much people and accounts may have at once: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Newsroom, openNewsroom } from "../../../tests/support/contributions.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const data = mkdtempSync(join(tmpdir(), "medley-newsroom-"));
let instance: Instance;
let room: Newsroom;
beforeAll(async () => {
  instance = await startInstance({ services: ["contributions", "identity"], data });
  room = await openNewsroom(instance);
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("two thousand subscriptions of an account", async () => {
  const subscribe = async () => {
    const body = { types: ["contribution.approved"], includeBody: false, email: "a@example.org" };
    return (await room.ann.send("POST", "/subscriptions", body)).status;
  };
  expect(await subscribe()).toBe(200);
  const changed = { id: "copied.id || n", user_id: "'somebody'" };
  copyRow(data, { table: "contributions_subscription", count: 1998, changed });
  expect(await subscribe()).toBe(200);
  expect(await subscribe()).toBe(409);
});

it("five exports of a person under way", async () => {
  const begin = async () => (await room.ann.send("POST", "/export")).status;
  expect(await begin()).toBe(202);
  const leave = (count: number): void => {
    changeRows(data, (database) => database.exec("update contributions_export set finished_at = 1"));
    const changed = { id: `copied.id || '-${count}-' || n`, finished_at: "null" };
    copyRow(data, { table: "contributions_export", count, changed });
  };
  leave(4);
  expect(await begin()).toBe(202);
  leave(5);
  expect(await begin()).toBe(409);
});

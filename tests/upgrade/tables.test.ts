/** Nothing is forgotten when state is saved: every table is part of an export, or is named here with its reason. */
import { expect, it } from "vitest";
import { openKernel } from "../../src/app/index.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { accountTables, sharedTables } from "../../src/kernel/runtime/tables.ts";

const leftOut: Record<string, string> = {
  medley_migration: "what this database has been through",
  medley_setting: "clock, faults and keys of this instance",
  medley_session: "who is signed in at the console, which is no state",
  medley_snapshot: "state that was set aside, which must not hold itself",
  medley_snapshot_chunk: "the same",
  medley_unnamed_object: "what a sweep saw in the store of this instance, which it sees again",
  contributions_stamp: "triggers of the contributions themselves make it",
  identity_signing_key: "an instance's own; what it has signed is checked by its own keys",
};

it("every table is saved, cleared and loaded, and says whose its rows are", async () => {
  const { kernel } = await openKernel({ ...defaultConfig, memory: true, logLevel: "silent" });
  const saved = [
    ...accountTables,
    ...sharedTables,
    ...kernel.services.flatMap(({ tables = [], accountTables: own = [] }) => [...tables, ...own]),
  ] as string[];
  expect(new Set(saved).size).toBe(saved.length);
  const rows = await kernel.database.read
    .selectFrom("sqlite_master")
    .select(["name", "sql"])
    .where("type", "=", "table")
    .execute();
  const made = rows.filter(({ name }) => !/^sqlite_|_fts(_|$)/.test(name));
  expect(made.map(({ name }) => name).sort()).toEqual([...saved, ...Object.keys(leftOut)].sort());
  for (const { name, sql } of made)
    if (saved.includes(name) && name !== "medley_account")
      expect([name, sql]).toEqual([name, expect.stringMatching(/"account"/)]);
  for (const { name, sql } of made)
    if ((sharedTables as readonly string[]).includes(name))
      expect([name, sql]).toEqual([name, expect.stringMatching(/"service"/)]);
  await kernel.database.close();
});

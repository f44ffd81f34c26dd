/** How much of a job's history is kept, to the entry and to the instant, on both databases. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase } from "../../../tests/support/medley.ts";
import { openKernel } from "../../app/app.ts";
import { defaultConfig } from "../../kernel/config/index.ts";
import type { Kernel } from "../../kernel/runtime/index.ts";
import scheduler from "./index.ts";
import { historyLimits, insertHistory, listHistory, pruneHistory } from "./store.ts";
import type { HistoryRow } from "./tables.ts";

const account = "111111111111";
const NOW_MS = 1_900_000_000_000;
const entry = (key: string, position: number, endedAtMs = NOW_MS): HistoryRow => ({
  account,
  job_key: key,
  position,
  action_name: "MainAction",
  status: "Completed",
  retry_count: 0,
  repeat_count: 0,
  message: "",
  expected_at: endedAtMs,
  started_at: endedAtMs,
  ended_at: endedAtMs,
});

describe.each(["sqlite", "postgres"] as const)("a job's history on %s", (kind) => {
  let kernel: Kernel;
  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, memory: true, databaseUrl, logLevel: "silent" as const };
    ({ kernel } = await openKernel(config, [scheduler]));
  });
  afterAll(() => kernel.database.close());

  const add = (...entries: HistoryRow[]) =>
    kernel.database.transact(async (db) => {
      for (const one of entries) await insertHistory(db, one);
    });
  const positions = async (key: string, endedAfterMs = 0) => {
    const choice = { before: Number.MAX_SAFE_INTEGER, endedAfterMs, limit: 10_000 };
    const rows = await listHistory(kernel.database.read, account, key, choice);
    return rows.map(({ position }) => Number(position)).reverse();
  };

  it("keeps as many entries as it may, and gives up the oldest for one more", async () => {
    const { entriesMax } = historyLimits;
    await add(entry("full", 1), entry("full", 2), entry("full", entriesMax));
    expect(await positions("full")).toEqual([1, 2, entriesMax]);
    await add(entry("full", entriesMax + 1));
    expect(await positions("full")).toEqual([2, entriesMax, entriesMax + 1]);
  });

  it("keeps entries until they are as old as they may be", async () => {
    const oldest = NOW_MS - historyLimits.ageMsMax;
    await add(entry("old", 1, oldest), entry("old", 2, oldest + 1));
    expect(await positions("old", oldest)).toEqual([2]);
    await kernel.database.transact((db) => pruneHistory(db, oldest));
    expect(await positions("old")).toEqual([2]);
  });
});

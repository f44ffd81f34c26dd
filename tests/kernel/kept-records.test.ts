/** How many messages and how many bytes of snapshots are kept: the last that fits, and the first that does not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openKernel } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import { pruneOutbox } from "../../src/kernel/events/index.ts";
import { pruneFinished } from "../../src/kernel/jobs/queue-store.ts";
import type { Kernel } from "../../src/kernel/runtime/index.ts";
import { takeSnapshot } from "../../src/kernel/state/index.ts";

const MESSAGES_MAX = 20_000;
const SNAPSHOT_BYTES_MAX = 1024 * 1024 * 1024;
const AT_ONCE = 1000;

let kernel: Kernel;
beforeAll(async () => {
  ({ kernel } = await openKernel({ ...defaultConfig, memory: true, logLevel: "silent" }, []));
});
afterAll(() => kernel.database.close());

it("twenty thousand messages of an account", async () => {
  const { database } = kernel;
  await kernel.transactAs("medley", "1", ({ outbox }) => outbox.send({ kind: "log", target: "first" }));
  const first = await database.read.selectFrom("medley_outbox").selectAll().executeTakeFirstOrThrow();
  const add = (from: number, count: number) => {
    const rows = Array.from({ length: count }, (_, index) => ({
      ...first,
      id: `${first.id}-${String(from + index).padStart(6, "0")}`,
      target: "later",
    }));
    return database.transact((db) => db.insertInto("medley_outbox").values(rows).execute());
  };
  const kept = async () => {
    await pruneOutbox({ db: database.read, transact: (step) => database.transact((db) => step({ db })) });
    const rows = await database.read.selectFrom("medley_outbox").select("target").orderBy("id").execute();
    return [rows.length, rows[0]?.target];
  };
  for (let made = 0; made < MESSAGES_MAX - AT_ONCE; made += AT_ONCE) await add(made, AT_ONCE);
  await add(MESSAGES_MAX - AT_ONCE, AT_ONCE - 1);
  expect(await kept()).toEqual([MESSAGES_MAX, "first"]);
  await add(MESSAGES_MAX, 1);
  expect(await kept()).toEqual([MESSAGES_MAX, "later"]);
  await database.transact((db) => db.deleteFrom("medley_outbox").execute());
});

it("a thousand jobs that are done, and a thousand that failed", async () => {
  const { database } = kernel;
  const kept = async (state: "done" | "failed", count: number) => {
    const rows = Array.from({ length: count }, (_, at) => ({
      id: `${state}-${at}`,
      account: "1",
      service: "medley",
      name: "x",
      dedupe_key: null,
      payload: "{}",
      state,
      run_at: 0,
      attempts: 1,
      lease_owner: null,
      lease_until: null,
      error: null,
      created_at: 0,
      finished_at: at + 1,
    }));
    await database.transact(async (db) => {
      await db.deleteFrom("medley_job").where("state", "=", state).execute();
      await db.insertInto("medley_job").values(rows).execute();
    });
    while (await database.transact((db) => pruneFinished(db)));
    const left = await database.read
      .selectFrom("medley_job")
      .select("id")
      .where("state", "=", state)
      .execute();
    return left.length;
  };
  for (const state of ["done", "failed"] as const)
    expect([await kept(state, 1000), await kept(state, 1001)]).toEqual([1000, 1000]);
});

it("a gibibyte of all snapshots together", async () => {
  const { bytes } = await takeSnapshot(kernel, "first", {});
  const leave = (room: number) =>
    kernel.database.transact((db) =>
      db
        .updateTable("medley_snapshot")
        .set({ bytes: SNAPSHOT_BYTES_MAX - room })
        .where("name", "=", "first")
        .execute(),
    );
  await leave(bytes);
  expect((await takeSnapshot(kernel, "second", {})).bytes).toBe(bytes);
  await leave(bytes - 1);
  await expect(takeSnapshot(kernel, "second", {})).rejects.toThrow(`may take ${SNAPSHOT_BYTES_MAX} bytes`);
});

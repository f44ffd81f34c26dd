/**
 * Removes objects that nothing names. One that is noticed for the first time stays for the grace time: its row may
 * not have committed yet, or a reader may have begun. A killed sweep is continued by the next.
 */
import type { AnyDb } from "../db/database.ts";
import type { NameRange, Upkeep } from "./names.ts";
import { getStore, walk } from "./walk.ts";

export type Swept = { readonly removed: number; readonly waiting: number };

const SECOND_MS = 1000;
const NAMES_AT_ONCE = 500;
const REMOVED_AT_ONCE = 8;

export async function sweepObjects(upkeep: Upkeep): Promise<Swept> {
  const swept = { removed: 0, waiting: 0 };
  for await (const page of walk(upkeep)) {
    const unnamed = [...page.listed.keys()].filter((name) => !page.named.has(name));
    const due = await noteUnnamed(upkeep, page.range, unnamed);
    await removeAll(upkeep, due);
    swept.removed += due.length;
    swept.waiting += unnamed.length - due.length;
  }
  return swept;
}

/** Answers those whose grace time is over. */
function noteUnnamed(
  { database, clock, config }: Upkeep,
  range: NameRange,
  unnamed: readonly string[],
): Promise<string[]> {
  const nowMs = clock.machineNowMs();
  const dueMs = nowMs - config.objectsGraceSeconds * SECOND_MS;
  return database.transact(async (db) => {
    const known = await listNoted(db, range);
    const still = new Set(unnamed);
    await forget(
      db,
      [...known.keys()].filter((name) => !still.has(name)),
    );
    const fresh = unnamed.filter((name) => !known.has(name));
    for (const names of batches(fresh))
      await db
        .insertInto("medley_unnamed_object")
        .values(names.map((name) => ({ name, noticed_at: nowMs })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return unnamed.filter((name) => (known.get(name) ?? Infinity) <= dueMs);
  });
}
async function listNoted(db: AnyDb, { after, until }: NameRange): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("medley_unnamed_object")
    .selectAll()
    .where("name", ">", after)
    .$if(until !== undefined, (query) => query.where("name", "<=", until))
    .execute();
  return new Map(rows.map(({ name, noticed_at }) => [name, Number(noticed_at)]));
}
async function forget(db: AnyDb, gone: readonly string[]): Promise<void> {
  for (const names of batches(gone))
    await db.deleteFrom("medley_unnamed_object").where("name", "in", names).execute();
}
async function removeAll(upkeep: Upkeep, due: readonly string[]): Promise<void> {
  const store = getStore(upkeep);
  for (const names of batches(due, REMOVED_AT_ONCE))
    await Promise.all(names.map((name) => store.remove(name)));
  await upkeep.database.transact((db) => forget(db, due));
}
const batches = <T>(all: readonly T[], size = NAMES_AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

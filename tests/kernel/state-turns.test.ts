/** Much state is saved and loaded in small steps: others have their turns, memory does not grow with it, and it is all or nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openKernel } from "../../src/app/app.ts";
import { defaultConfig } from "../../src/kernel/config/index.ts";
import type { Kernel } from "../../src/kernel/runtime/index.ts";
import { exportState, importState } from "../../src/kernel/state/index.ts";
import { BATCH_ROWS } from "../../src/kernel/state/rows.ts";
import { createDatabase } from "../support/medley.ts";
import { samples } from "../support/sample.ts";

const NOTES = 20_000;
const MADE_AT_ONCE = 500;
const account = "111111111111";
const table = "sample_key_note";

/** How often the event loop came round while the work went on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work();
  over = true;
  return turns;
}
async function piecesOf(source: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(piece);
  return pieces;
}
const countNotes = async ({ database }: Kernel) =>
  Number(
    (
      await database.read
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as("count"))
        .executeTakeFirstOrThrow()
    ).count,
  );

describe.each(["sqlite", "postgres"] as const)("much state on %s", (kind) => {
  const dataFolder = mkdtempSync(join(tmpdir(), "medley-much-"));
  let kernel: Kernel;
  let saved: Buffer[];
  const source = (pieces: readonly Buffer[]) => ({
    async *chunks() {
      yield* pieces;
    },
  });
  beforeAll(async () => {
    const databaseUrl = kind === "postgres" ? await createDatabase() : undefined;
    const config = { ...defaultConfig, dataFolder, databaseUrl, logLevel: "error" as const };
    ({ kernel } = await openKernel(config, [samples.key]));
    for (let start = 0; start < NOTES; start += MADE_AT_ONCE)
      await kernel.database.transact(async (db) => {
        const rows = Array.from({ length: MADE_AT_ONCE }, (_, i) => ({
          account,
          id: `note-${start + i}`,
          text: `${start + i} `.repeat(20),
          count: i,
        }));
        await db.insertInto(table).values(rows).execute();
      });
  });
  afterAll(async () => {
    await kernel?.database.close();
    rmSync(dataFolder, { recursive: true, force: true });
  });

  it("several exports are written one after another", async () => {
    const order: string[] = [];
    const exported = async (name: string, filter: { readonly account?: string }) => {
      const pieces = await exportState(kernel, filter);
      order.push(name);
      await piecesOf(pieces);
    };
    await Promise.all([exported("all", {}), exported("nothing", { account: "999999999999" })]);
    expect(order).toEqual(["all", "nothing"]);
  });
  it("ten exports wait behind one that is written", async () => {
    const read = async (saving: Promise<AsyncIterable<Buffer>>) => (await piecesOf(await saving)).length;
    const nothing = { account: "999999999999" };
    const saving = Array.from({ length: 12 }, () => read(exportState(kernel, nothing)));
    const outcomes = await Promise.allSettled(saving);
    const refused = outcomes.flatMap((one, at) =>
      one.status === "rejected" ? [at, one.reason.message] : [],
    );
    expect(refused).toEqual([11, "10 exports wait already: try again later."]);
    expect(await read(exportState(kernel, nothing))).toBeGreaterThan(0);
  });
  it("goes out a batch a turn", async () => {
    const turns = await turnsDuring(async () => {
      saved = await piecesOf(await exportState(kernel, {}));
    });
    expect(turns).toBeGreaterThanOrEqual(NOTES / BATCH_ROWS);
    expect(saved.length).toBeGreaterThan(2);
    expect(kernel.bytesOnDisk.held).toBe(0);
  });

  it("is one moment's, whatever is written meanwhile", async () => {
    const saving = exportState(kernel, {});
    let written = 0;
    const writing = (async () => {
      for (; written < 20; written += 1)
        await kernel.database.transact((db) =>
          db
            .insertInto(table)
            .values({ account, id: `later-${written}`, text: "", count: 0 })
            .execute(),
        );
    })();
    const text = Buffer.concat(await piecesOf(await saving)).toString();
    await writing;
    const later = [...text.matchAll(/"later-(\d+)"/g)].map(([, id]) => Number(id)).sort((a, b) => a - b);
    // Whatever it holds of them is a beginning without a gap.
    expect(later).toEqual(later.map((_, i) => i));
  });

  it("comes in a batch a turn, all of it", async () => {
    const turns = await turnsDuring(() => importState(kernel, source(saved), { caller: account }));
    // Once to judge it, once to put it in, and the deletion of what was there.
    expect(turns).toBeGreaterThanOrEqual((2 * NOTES) / BATCH_ROWS);
    expect(await countNotes(kernel)).toBe(NOTES);
  });

  it("comes in whole or not at all", async () => {
    const cut = [...saved.slice(0, -1), saved.at(-1)!.subarray(0, -10)];
    await expect(importState(kernel, source(cut), { caller: account })).rejects.toThrow(/not JSON/);
    expect(await countNotes(kernel)).toBe(NOTES);
  });
});

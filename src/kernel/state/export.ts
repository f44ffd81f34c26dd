/** Saving state, whole or by service and account. */
import { TemporaryFile } from "../blobs/temporary-file.ts";
import type { AnyDb } from "../db/database.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { ArchiveWriter, checkSize } from "./archive.ts";
import { pacedRows, type Row } from "./rows.ts";
import { sealForExport } from "./seal.ts";
import { narrow, objectTablesOf, type StateFilter, type TablePart, tablesFor } from "./tables.ts";
import { migrationNamesOf, migrationSetsOf } from "./versions.ts";

/** The growth by base64. */
const BYTES_GROW = 4 / 3;

/** An export whose caller has left is written nevertheless, so those that wait are limited. */
const WAITING_MAX = 10;

type Waiting = { count: number; last: Promise<unknown> };
const waitingExports = new WeakMap<Kernel, Waiting>();
/** One after another. Each yields to others after a batch, so many at once would take a batch each before others. */
export async function exportState(kernel: Kernel, filter: StateFilter): Promise<AsyncIterable<Buffer>> {
  const waiting = waitingExports.get(kernel) ?? { count: 0, last: Promise.resolve() };
  waitingExports.set(kernel, waiting);
  if (waiting.count > WAITING_MAX)
    throw kernelErrors.throttled(`${WAITING_MAX} exports wait already: try again later.`);
  waiting.count += 1;
  const exporting = waiting.last.then(() => writeState(kernel, filter));
  waiting.last = exporting
    .catch(() => undefined)
    .finally(() => {
      waiting.count -= 1;
    });
  return exporting;
}

/**
 * A consistent export. It is written to disk first, so that a slow reader blocks nobody. An export that is too
 * large is refused, not cut. The caller must read it to the end or call `return`.
 */
async function writeState(kernel: Kernel, filter: StateFilter): Promise<AsyncIterable<Buffer>> {
  const parts = tablesFor(kernel.services, filter);
  const file = await TemporaryFile.open(kernel.temporaryFolder, kernel.bytesOnDisk);
  try {
    const { note, reseal } = sealForExport(kernel);
    const objectTables = new Set(objectTablesOf(kernel.services));
    const archive = new ArchiveWriter(
      {
        exportedAt: kernel.clock.nowIso(),
        filter,
        migrations: migrationNamesOf(migrationSetsOf(kernel)),
        secrets: note,
      },
      (piece) => file.append(piece),
    );
    await kernel.database.snapshot(async (db) => {
      await checkBlobs(db, parts, filter);
      for (const part of parts) {
        const query = narrow(db.selectFrom(part.table).selectAll(), part, filter);
        // Few rows at a time: a store answers slower than the database, which waits for the next batch.
        const mayBeApart = objectTables.has(part.table);
        for await (const row of pacedRows(query, part.table, mayBeApart || undefined))
          await archive.add({
            table: part.table,
            row: reseal(mayBeApart ? await withBytes(kernel, row) : row),
          });
      }
    });
    return readOnce(await archive.finish(), file);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Checked before the work begins, because bytes are the largest part. */
async function checkBlobs(db: AnyDb, parts: readonly TablePart[], filter: StateFilter): Promise<void> {
  const part = parts.find(({ table }) => table === "medley_blob");
  if (!part) return;
  const sum = db.selectFrom("medley_blob").select((e) => e.fn.sum<number | null>("size").as("bytes"));
  const { bytes } = await narrow(sum, part, filter).executeTakeFirstOrThrow();
  checkSize(Number(bytes ?? 0) * BYTES_GROW);
}

/** An export stands by itself: it holds the bytes of objects, not their names. */
async function withBytes({ objects }: Kernel, row: Row): Promise<Row> {
  const { bytes, object } = row;
  if (typeof object !== "string" || !Buffer.isBuffer(bytes)) return row;
  return { ...row, bytes: Buffer.from(await objects.load({ bytes, object })), object: null };
}

/** A generator that never started would not clean up. */
function readOnce(header: Buffer, file: TemporaryFile): AsyncIterable<Buffer> {
  async function* pieces(): AsyncGenerator<Buffer> {
    yield header;
    yield* file.chunks();
  }
  const reading = pieces();
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const next = await reading.next();
        if (next.done) await file.close();
        return next;
      },
      async return() {
        await file.close();
        return { done: true, value: undefined };
      },
    }),
  };
}

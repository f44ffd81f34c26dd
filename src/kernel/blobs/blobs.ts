/**
 * Bytes: uploads, media, archives. They are chunks in the database, so they commit with the rows that name them. A
 * chunk may also be an object of a store; then the row that names the object commits.
 */
import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import type { Objects, ObjectTable, Stored } from "../objects/objects.ts";
import type { Scope } from "../runtime/scope.ts";
import type { BlobRow } from "../runtime/tables.ts";

/** All chunks of a blob but the last have this size. */
export const CHUNK_BYTES = 1024 * 1024;

export type Blob = {
  readonly id: string;
  readonly size: number;
  readonly sha256: string;
  readonly type: string;
};

/** Where chunks are, for services whose blobs may be objects. */
export const BLOB_CHUNKS: ObjectTable = { table: "medley_blob_chunk", key: ["blob_id", "position"] };

/** Bytes on their way into a blob: still to be read, or in the object store already. */
export type Prepared =
  | { readonly source: () => AsyncIterable<Uint8Array> }
  | { readonly chunks: readonly Stored[]; readonly size: number; readonly sha256: string };

const blobOf = (row: BlobRow): Blob => ({ id: row.id, size: row.size, sha256: row.sha256, type: row.type });

const joined = (parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);

/** Takes ownership of the parts: one that is already a chunk is not copied. */
export async function* inChunks(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const taken = part.subarray(start, start + CHUNK_BYTES - size);
      waiting.push(taken);
      size += taken.length;
      start += taken.length;
      if (size < CHUNK_BYTES) continue;
      yield joined(waiting);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield joined(waiting);
}

type BlobScope = Scope & { readonly objects: Objects };

/** Bound to one service and account. It cannot reach the bytes of other accounts. */
export class Blobs {
  readonly #scope: BlobScope;
  constructor(scope: BlobScope) {
    this.#scope = scope;
  }
  async put(bytes: Uint8Array, type: string): Promise<Blob> {
    const { account, service, db, ids, clock } = this.#scope;
    const id = ids.next("blob");
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const row = { id, account, service, type, size: bytes.length, sha256, created_at: clock.nowMs() };
    await db.insertInto("medley_blob").values(row).execute();
    for (let start = 0, position = 0; start < bytes.length; start += CHUNK_BYTES, position += 1) {
      const chunk = bytes.subarray(start, start + CHUNK_BYTES);
      await this.#insert(id, position, { bytes: chunk, object: null });
    }
    return blobOf(row);
  }
  /**
   * The first half of keeping a stream, outside of transactions: an object store takes the bytes now. They are never
   * in memory as a whole.
   */
  async prepare(source: () => AsyncIterable<Uint8Array>): Promise<Prepared> {
    const { objects } = this.#scope;
    if (!objects.isApart) return { source };
    const hash = createHash("sha256");
    const chunks: Stored[] = [];
    let size = 0;
    for await (const bytes of inChunks(source())) {
      hash.update(bytes);
      size += bytes.length;
      chunks.push(await objects.store(bytes));
    }
    return { chunks, size, sha256: hash.digest("hex") };
  }
  /** The second half, in a transaction. */
  async keep(prepared: Prepared, type: string): Promise<Blob> {
    const id = this.#scope.ids.next("blob");
    const facts = "source" in prepared ? await this.#writeAll(id, prepared.source()) : prepared;
    if ("chunks" in prepared)
      for (const [position, stored] of prepared.chunks.entries()) await this.#insert(id, position, stored);
    const { size, sha256 } = facts;
    await this.complete(id, { size, sha256, type });
    return { id, size, sha256, type };
  }
  async #writeAll(id: string, parts: AsyncIterable<Uint8Array>): Promise<Omit<Blob, "id" | "type">> {
    const hash = createHash("sha256");
    let position = 0;
    let size = 0;
    for await (const bytes of inChunks(parts)) {
      hash.update(bytes);
      size += bytes.length;
      await this.#insert(id, position, { bytes, object: null });
      position += 1;
    }
    return { size, sha256: hash.digest("hex") };
  }
  async #insert(id: string, position: number, { bytes, object }: Stored): Promise<void> {
    const { account, service, db } = this.#scope;
    await db
      .insertInto("medley_blob_chunk")
      .values({ blob_id: id, position, account, service, bytes, object })
      .execute();
  }
  /**
   * For bytes that come over several short transactions. The writer stores the id until `complete`, because nobody
   * else knows of the chunks before. Writes or replaces one chunk, which `context.objects` has stored.
   */
  async writeChunk(id: string, position: number, stored: Stored): Promise<void> {
    const { account, db } = this.#scope;
    await db
      .deleteFrom("medley_blob_chunk")
      .where("blob_id", "=", id)
      .where("position", "=", position)
      .where("account", "=", account)
      .execute();
    await this.#insert(id, position, stored);
  }
  async complete(id: string, facts: Omit<Blob, "id">): Promise<void> {
    const { account, service, db, clock } = this.#scope;
    await db
      .insertInto("medley_blob")
      .values({ id, account, service, ...facts, created_at: clock.nowMs() })
      .execute();
  }
  async find(id: string): Promise<Blob | undefined> {
    const { account, service, db } = this.#scope;
    const row = await db
      .selectFrom("medley_blob")
      .selectAll()
      .where("id", "=", id)
      .where("account", "=", account)
      .where("service", "=", service)
      .executeTakeFirst();
    return row && blobOf(row as BlobRow);
  }
  /** The whole content; undefined if there is no blob with that id. */
  async read(id: string): Promise<Buffer | undefined> {
    if (!(await this.find(id))) return undefined;
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.chunks(id)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  /** From the byte `start` on, up to `end` if given. */
  async *chunks(
    id: string,
    { start = 0, end = Number.POSITIVE_INFINITY }: { start?: number; end?: number } = {},
  ): AsyncGenerator<Uint8Array> {
    const { account, db, objects } = this.#scope;
    const firstPosition = Math.floor(start / CHUNK_BYTES);
    for (let position = firstPosition; position * CHUNK_BYTES < end; position += 1) {
      // An embedded database answers at once: without this, a large blob would be read in one event-loop turn.
      if (position > firstPosition) await turn();
      const row = await db
        .selectFrom("medley_blob_chunk")
        .select(["bytes", "object"])
        .where("blob_id", "=", id)
        .where("position", "=", position)
        .where("account", "=", account)
        .executeTakeFirst();
      if (!row) return;
      const first = position * CHUNK_BYTES;
      const bytes = await objects.load(row);
      yield bytes.subarray(Math.max(0, start - first), end - first);
    }
  }
  async remove(id: string): Promise<void> {
    const { account, service, db } = this.#scope;
    for (const [table, column] of [
      ["medley_blob_chunk", "blob_id"],
      ["medley_blob", "id"],
    ] as const) {
      await db
        .deleteFrom(table)
        .where(column, "=", id)
        .where("account", "=", account)
        .where("service", "=", service)
        .execute();
    }
  }
}

/** An archive that grows in the blob store. Committed bytes stay. After a crash the next run overwrites the rest. */
import { createDeflateRaw, deflateRawSync } from "node:zlib";
import { CHUNK_BYTES, Checksum } from "#kernel/blobs";
import { crcOf } from "#kernel/bytes";
import type { Stored } from "#kernel/objects";
import type { ContributionsContext } from "../state.ts";
import { centralHeader, dataDescriptor, endOfArchive, localHeader, type ZipEntry } from "./zip.ts";

type Named = { readonly name: string; readonly atMs: number };
/** Smaller texts only grow when compressed. */
const DEFLATED_FROM_BYTES = 64;
/** Bytes of one transaction: fewer would wait longer for the disk, more would block other changes. */
const CHUNKS_AT_ONCE = 4;
/** Smaller files stay in memory between checksum and write, instead of being read twice. */
const HELD_BYTES_MAX = 16 * 1024 * 1024;

export class Archive {
  readonly #context: ContributionsContext;
  readonly #blobId: string;
  /** The current chunk, and its fill level. */
  #tail = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #tailBytes: number;
  /** Complete chunks, written or waiting. */
  #chunks: number;
  #waiting: Buffer[] = [];
  #entries: ZipEntry[] = [];
  /** The checksum of the whole archive, if this run wrote all of it. */
  readonly #checksum: Checksum | undefined;

  private constructor(context: ContributionsContext, blobId: string, tail: Uint8Array, chunks: number) {
    this.#context = context;
    this.#blobId = blobId;
    this.#chunks = chunks;
    this.#checksum = chunks === 0 && tail.length === 0 ? new Checksum() : undefined;
    this.#tail.set(tail);
    this.#tailBytes = tail.length;
  }
  /** `size`: the number of committed bytes. */
  static async open(context: ContributionsContext, blobId: string, size: number): Promise<Archive> {
    const chunks = Math.floor(size / CHUNK_BYTES);
    let tail: Uint8Array = Buffer.alloc(0);
    for await (const bytes of context.blobs.chunks(blobId, { start: chunks * CHUNK_BYTES, end: size }))
      tail = bytes;
    return new Archive(context, blobId, tail, chunks);
  }
  get size(): number {
    return this.#chunks * CHUNK_BYTES + this.#tailBytes;
  }
  async #write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - this.#tailBytes);
      this.#tail.set(part, this.#tailBytes);
      this.#tailBytes += part.length;
      at += part.length;
      if (this.#tailBytes < CHUNK_BYTES) continue;
      this.#waiting.push(this.#tail);
      this.#tail = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      this.#tailBytes = 0;
      this.#chunks += 1;
      if (this.#waiting.length < CHUNKS_AT_ONCE) continue;
      const bytesWaiting = this.#waiting.length * CHUNK_BYTES;
      const stored = await this.#storeWaiting();
      await this.#context.transact((within) => this.#writeStored(within, stored), bytesWaiting);
      await this.#letWaitingGo();
    }
  }
  /** The chunks stay in `#waiting` until they are committed, because the checksum needs them. */
  async #storeWaiting(...last: readonly Uint8Array[]): Promise<Stored[]> {
    const stored: Stored[] = [];
    for (const chunk of [...this.#waiting, ...last]) stored.push(await this.#context.objects.store(chunk));
    return stored;
  }
  /** Needs a transaction. It may be retried. */
  async #writeStored({ blobs }: ContributionsContext, stored: readonly Stored[]): Promise<void> {
    const first = this.#chunks - this.#waiting.length;
    for (const [at, chunk] of stored.entries()) await blobs.writeChunk(this.#blobId, first + at, chunk);
  }
  /** Drops the written chunks. Only the checksum still needs them. */
  async #letWaitingGo(): Promise<void> {
    const written = this.#waiting;
    this.#waiting = [];
    for (const chunk of written) await this.#checksum?.add(chunk);
  }
  /** Adds a text, compressed if that helps. */
  async addText(named: Named, text: string): Promise<void> {
    const plain = Buffer.from(text);
    const deflated = plain.length < DEFLATED_FROM_BYTES ? plain : deflateRawSync(plain);
    const isDeflated = deflated.length < plain.length;
    const content = isDeflated ? deflated : plain;
    const facts = {
      ...named,
      crc: crcOf(plain),
      size: plain.length,
      compressedSize: content.length,
      isDeflated,
      isStreamed: false,
    };
    const entry = { ...facts, offset: this.size };
    await this.#write(Buffer.concat([localHeader(facts), content]));
    this.#entries.push(entry);
  }
  /** Adds a file uncompressed: media do not get smaller. The checksum precedes it, so a large file is read twice. */
  async addContent(named: Named, size: number, read: () => AsyncIterable<Uint8Array>): Promise<void> {
    const held: Uint8Array[] = [];
    let crc = 0;
    for await (const bytes of read()) {
      crc = crcOf(bytes, crc);
      if (size <= HELD_BYTES_MAX) held.push(bytes);
    }
    const facts = { ...named, crc, size, compressedSize: size, isDeflated: false, isStreamed: false };
    const entry = { ...facts, offset: this.size };
    await this.#write(localHeader(facts));
    if (size <= HELD_BYTES_MAX) for (const bytes of held) await this.#write(bytes);
    else for await (const bytes of read()) await this.#write(bytes);
    this.#entries.push(entry);
  }
  /** Adds a text of any length. */
  async addLongText(named: Named, texts: AsyncIterable<string>): Promise<void> {
    const offset = this.size;
    const facts = { ...named, isDeflated: true, isStreamed: true };
    await this.#write(localHeader({ ...facts, crc: 0, size: 0, compressedSize: 0 }));
    const deflating = createDeflateRaw();
    let [crc, size, compressedSize] = [0, 0, 0];
    const feed = async (): Promise<void> => {
      for await (const text of texts) {
        const bytes = Buffer.from(text);
        crc = crcOf(bytes, crc);
        size += bytes.length;
        if (!deflating.write(bytes)) await new Promise((resolve) => deflating.once("drain", resolve));
      }
      deflating.end();
    };
    const fed = feed().catch((error) => deflating.destroy(error as Error));
    for await (const bytes of deflating) {
      compressedSize += (bytes as Buffer).length;
      await this.#write(bytes as Buffer);
    }
    await fed;
    await this.#write(dataDescriptor({ crc, size, compressedSize }));
    this.#entries.push({ ...facts, crc, size, compressedSize, offset });
  }
  /** Commits everything written since the last call, together with the changes of `note`. */
  async commit(
    note: (within: ContributionsContext, entries: readonly ZipEntry[]) => Promise<void>,
  ): Promise<void> {
    const entries = this.#entries;
    const tail = this.#tail.subarray(0, this.#tailBytes);
    const stored = await this.#storeWaiting(...(tail.length > 0 ? [tail] : []));
    await this.#context.transact(async (within) => {
      await this.#writeStored(within, stored);
      await note(within, entries);
    });
    this.#entries = [];
    await this.#letWaitingGo();
  }
  /** Writes the directory at the end. */
  async finish(
    entries: AsyncIterable<ZipEntry>,
    note: (within: ContributionsContext, size: number) => Promise<void>,
  ): Promise<void> {
    const start = this.size;
    let count = 0;
    for await (const entry of entries) {
      await this.#write(centralHeader(entry));
      count += 1;
    }
    await this.#write(endOfArchive(count, start, this.size - start));
    const size = this.size;
    await this.commit(async () => {});
    const sha256 = await (this.#checksum ? this.#completed(this.#checksum) : this.#checksumOfWritten(size));
    await this.#context.transact(async (within) => {
      await within.blobs.complete(this.#blobId, { size, sha256, type: "application/zip" });
      await note(within, size);
    });
  }
  /** Stops before the end. Committed bytes stay. */
  giveUp(): void {
    this.#checksum?.forget();
  }
  async #completed(checksum: Checksum): Promise<string> {
    await checksum.add(this.#tail.subarray(0, this.#tailBytes));
    return checksum.digest();
  }
  async #checksumOfWritten(size: number): Promise<string> {
    const checksum = new Checksum();
    for await (const bytes of this.#context.blobs.chunks(this.#blobId, { end: size }))
      await checksum.add(bytes);
    return checksum.digest();
  }
}

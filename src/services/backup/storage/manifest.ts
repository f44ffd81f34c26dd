/**
 * The manifest of a recovery point: one line for each entry, in walk order, stored in chunks like content.
 */
import { letGo } from "./conversation.ts";
import type { VaultKeys } from "./keys.ts";
import { type ChunkSink, type Extent, Packer } from "./packer.ts";
import { open } from "./sealing.ts";

/** Paths are bytes, one character for each, because names of files need not be text. */
export type Entry = {
  readonly path: string;
  readonly kind: "folder" | "file" | "link" | "stream";
  readonly size?: number;
  readonly mode?: number;
  readonly modifiedNs?: string;
  /** With size and time of change: whether a file is still the same. */
  readonly changedNs?: string;
  readonly inode?: string;
  readonly target?: string;
  readonly extents?: readonly Extent[];
};
/** The first chunk of a recovery point. */
export type Root = {
  readonly format: 1;
  /** The chunks that entries are written in. */
  readonly chunks: readonly string[];
  readonly entries: number;
  readonly bytes: number;
};
/** Read access to the chunks of a vault. */
export type ChunkSource = { fetch(ids: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> };

const NEWLINE = 0x0a;

export class ManifestWriter {
  readonly #packer: Packer;
  #entries = 0;
  #bytes = 0;

  constructor(keys: VaultKeys, sink: ChunkSink) {
    this.#packer = new Packer(keys, sink);
  }
  async add(entry: Entry): Promise<void> {
    this.#entries += 1;
    this.#bytes += entry.size ?? 0;
    await this.#packer.write(Buffer.from(`${JSON.stringify(entry)}\n`));
  }
  /** Answers the name of the chunk that leads to all others. */
  async end(): Promise<{ readonly root: string; readonly bytes: number; readonly entries: number }> {
    this.#packer.align();
    const chunks = this.#packer.extentsOf(0, this.#packer.position).map(([id]) => id);
    const root: Root = { format: 1, chunks, entries: this.#entries, bytes: this.#bytes };
    const id = await this.#packer.add(Buffer.from(JSON.stringify(root)));
    await this.#packer.end();
    return { root: id, bytes: this.#bytes, entries: this.#entries };
  }
}

export async function readRoot(keys: VaultKeys, source: ChunkSource, id: string): Promise<Root> {
  const [bytes] = await source.fetch([id]);
  const content = await open(keys, id, bytes);
  const root = JSON.parse(content.toString("utf8")) as Root;
  letGo([bytes, content]);
  return root;
}

/** One after the other, however many there are. */
export async function* readEntries(
  keys: VaultKeys,
  source: ChunkSource,
  { chunks }: Root,
): AsyncGenerator<Entry> {
  let rest = Buffer.alloc(0);
  for (const id of chunks) {
    const [bytes] = await source.fetch([id]);
    const content = await open(keys, id, bytes);
    const text = Buffer.concat([rest, content]);
    letGo([bytes, content, rest]);
    let start = 0;
    for (let end = text.indexOf(NEWLINE); end >= 0; end = text.indexOf(NEWLINE, start)) {
      yield JSON.parse(text.toString("utf8", start, end)) as Entry;
      start = end + 1;
    }
    rest = text.subarray(start);
  }
}

/** Compares paths in walk order: a folder before its entries, names by their bytes. */
export function comparePaths(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    if (left[at] === right[at]) continue;
    if (left[at] === "/") return -1;
    if (right[at] === "/") return 1;
    return left.charCodeAt(at) - right.charCodeAt(at);
  }
  return left.length - right.length;
}

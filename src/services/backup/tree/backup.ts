/** Backs up a tree of files. Files that have not changed since the last recovery point are not read again. */
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { CHUNK_BYTES_MIN } from "../storage/cutter.ts";
import type { VaultKeys } from "../storage/keys.ts";
import { comparePaths, type Entry, ManifestWriter } from "../storage/manifest.ts";
import { type ChunkSink, type Extent, Packer } from "../storage/packer.ts";
import { openPlace, sameFile, whyClosed } from "./place.ts";
import { type Found, measure, walk } from "./walk.ts";

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;
const READ_BYTES = 512 * 1024;
const NAMED_MAX = 10;
const REFERRED_AT_ONCE = 500;

export type Skipped = { readonly path: string; readonly why: string };
export type TreeResult = {
  readonly root: string;
  readonly bytes: number;
  readonly entries: number;
  readonly skipped: readonly Skipped[];
  readonly skippedCount: number;
};
export type Progress = (bytes: number, bytesTotal: number, newBytes: number) => Promise<void>;
export type TreeTask = {
  readonly roots: readonly string[];
  readonly path: string;
  /** Entries of the last recovery point of the same place. */
  readonly earlier: AsyncGenerator<Entry> | undefined;
};

type Pending = { entry: Entry; readonly start?: number; readonly end?: number };

/** A chunk of the earlier recovery point is not there: everything has to be read anew. */
export class EarlierPointGoneError extends Error {}

export class TreeBackup {
  readonly #keys: VaultKeys;
  readonly #sink: ChunkSink;
  readonly #progress: Progress;
  readonly #packer: Packer;
  readonly #manifest: ManifestWriter;
  readonly #pending: Pending[] = [];
  readonly #referred = new Set<string>();
  readonly #skipped: Skipped[] = [];
  #skippedCount = 0;
  #earlier: AsyncGenerator<Entry> | undefined;
  #earlierEntry: Entry | undefined;
  #bytes = 0;
  #bytesTotal = 0;
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);

  constructor(keys: VaultKeys, sink: ChunkSink, progress: Progress) {
    this.#keys = keys;
    this.#sink = sink;
    this.#progress = progress;
    this.#packer = new Packer(this.#keys, sink);
    this.#manifest = new ManifestWriter(keys, sink);
  }

  async run({ roots, path, earlier }: TreeTask): Promise<TreeResult> {
    const { folder, name } = openPlace(roots, path);
    try {
      this.#bytesTotal = measure(folder, name);
      this.#earlier = earlier;
      this.#earlierEntry = await this.#nextEarlier();
      for (const found of walk(folder, name, (at, why) => this.#skip(at, why))) {
        await this.#take(found);
        await this.#settle();
      }
    } finally {
      folder.close();
    }
    await this.#packer.end();
    await this.#settle();
    await this.#refer(true);
    await this.#progress(this.#bytes, this.#bytesTotal, this.#packer.position);
    const { root, bytes, entries } = await this.#manifest.end();
    return { root, bytes, entries, skipped: this.#skipped, skippedCount: this.#skippedCount };
  }

  #skip(path: string, why: string): void {
    this.#skippedCount += 1;
    if (this.#skipped.length < NAMED_MAX) this.#skipped.push({ path, why });
  }
  async #take(found: Found): Promise<void> {
    const { path, stats, folder, name } = found;
    const common = { path, mode: Number(stats.mode & 0o7777n), modifiedNs: String(stats.mtimeNs) };
    if (stats.isDirectory()) this.#pending.push({ entry: { ...common, kind: "folder" } });
    else if (stats.isSymbolicLink()) {
      const target = readlinkSync(folder.pathOf(name), "latin1");
      this.#pending.push({ entry: { ...common, kind: "link", target } });
    } else if (stats.isFile()) await this.#takeFile(found, common);
    else this.#skip(path, "it is neither a file nor a folder nor a link");
  }
  async #takeFile(found: Found, common: Omit<Entry, "kind">): Promise<void> {
    const { stats, path } = found;
    const entry: Entry = {
      ...common,
      kind: "file",
      size: Number(stats.size),
      changedNs: String(stats.ctimeNs),
      inode: String(stats.ino),
    };
    const same = await this.#findSame(entry);
    if (same) {
      for (const [id] of same) this.#referred.add(id);
      if (this.#referred.size >= REFERRED_AT_ONCE) await this.#refer(false);
      this.#bytes += entry.size ?? 0;
      this.#pending.push({ entry: { ...entry, extents: same } });
    } else {
      await this.#read(found, entry).catch((error) => {
        if ((error as { code?: string }).code === undefined) throw error;
        this.#skip(path, whyClosed(error, "it"));
      });
    }
    await this.#progress(this.#bytes, this.#bytesTotal, this.#packer.position);
  }
  async #read({ folder, name, stats, path }: Found, entry: Entry): Promise<void> {
    const handle = openSync(folder.pathOf(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const before = fstatSync(handle, { bigint: true });
      if (!before.isFile() || !sameFile(before as never, stats))
        return this.#skip(path, "it was replaced while it was looked at");
      const isLarge = before.size >= BigInt(CHUNK_BYTES_MIN);
      if (isLarge) this.#packer.align();
      const start = this.#packer.position;
      await this.#readInto(handle, Number(before.size));
      if (isLarge) this.#packer.align();
      const after = fstatSync(handle, { bigint: true });
      if (after.size !== before.size || after.mtimeNs !== before.mtimeNs)
        this.#skip(path, "it changed while it was read, and is kept as it was read");
      const end = this.#packer.position;
      this.#pending.push({ entry: { ...entry, size: end - start }, start, end });
    } finally {
      closeSync(handle);
    }
  }
  async #readInto(handle: number, size: number): Promise<void> {
    for (let left = size; left > 0; ) {
      const read = readSync(handle, this.#buffer, 0, Math.min(left, READ_BYTES), null);
      if (read === 0) return;
      left -= read;
      this.#bytes += read;
      await this.#packer.write(this.#buffer.subarray(0, read));
      await this.#progress(this.#bytes, this.#bytesTotal, this.#packer.position);
    }
  }

  /**
   * Writes entries to the manifest in walk order, from the head of the queue, as soon as their content is in
   * chunks.
   */
  async #settle(): Promise<void> {
    let head = this.#pending[0];
    while (head && (head.end === undefined || head.end <= this.#packer.settledUntil)) {
      this.#pending.shift();
      const { entry, start, end } = head;
      const extents: readonly Extent[] | undefined =
        start === undefined || end === undefined ? entry.extents : this.#packer.extentsOf(start, end);
      await this.#manifest.add(extents ? { ...entry, extents } : entry);
      head = this.#pending[0];
    }
  }
  async #refer(all: boolean): Promise<void> {
    const ids = [...this.#referred];
    if (ids.length === 0 || !(all || ids.length >= REFERRED_AT_ONCE)) return;
    this.#referred.clear();
    if ((await this.#sink.hold(ids)).length > 0) throw new EarlierPointGoneError();
  }

  async #nextEarlier(): Promise<Entry | undefined> {
    const next = await this.#earlier?.next();
    return next?.done ? undefined : next?.value;
  }
  /** The chunks of an unchanged file in the earlier recovery point; undefined if the file seems changed. */
  async #findSame(entry: Entry): Promise<readonly Extent[] | undefined> {
    while (this.#earlierEntry && comparePaths(this.#earlierEntry.path, entry.path) < 0)
      this.#earlierEntry = await this.#nextEarlier();
    const earlier = this.#earlierEntry;
    const isSame =
      earlier?.kind === "file" &&
      earlier.path === entry.path &&
      earlier.size === entry.size &&
      earlier.modifiedNs === entry.modifiedNs &&
      earlier.changedNs === entry.changedNs &&
      earlier.inode === entry.inode;
    return isSame ? (earlier.extents ?? []) : undefined;
  }
}

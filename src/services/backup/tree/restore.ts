/** Restores a tree of files with modes, times and links, to a new folder or over an existing one. */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  ftruncateSync,
  futimesSync,
  lstatSync,
  lutimesSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { Entry } from "../storage/manifest.ts";
import type { Extent } from "../storage/packer.ts";
import type { Reader } from "../storage/reader.ts";
import { checkName, type Folder, makeFolder, openPlace, TreeError, whyClosed } from "./place.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
/** Who restores owns the files, so bits that lend the owner's rights are left out. */
const MODE_MASK = 0o1777;
const AHEAD_CHUNKS = 8;
const AHEAD_ENTRIES_MAX = 2000;
const HOLE_BYTES = 4096;
const NS_PER_SECOND = 1e9;

type Open = { readonly path: string; readonly folder: Folder; readonly entry: Entry };
type Place = { readonly folder: Folder; readonly name: Buffer | undefined };
export type RestoreOptions = {
  readonly roots: readonly string[];
  readonly path: string;
  /** Whether existing files are overwritten. Files that the backup does not contain remain. */
  readonly inPlace: boolean;
  /** Otherwise the name, beside the place, under which it grows until it is whole. */
  readonly scratchName: string;
};

const secondsOf = (ns: string | undefined): number => Number(ns ?? "0") / NS_PER_SECOND;

/** Some entries at a time, so that the chunks they need are fetched together. */
async function* inWindows(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let window: Entry[] = [];
  const chunks = new Set<string>();
  for await (const entry of entries) {
    window.push(entry);
    for (const [id] of entry.extents ?? []) chunks.add(id);
    if (chunks.size < AHEAD_CHUNKS && window.length < AHEAD_ENTRIES_MAX) continue;
    yield window;
    window = [];
    chunks.clear();
  }
  if (window.length > 0) yield window;
}

export class TreeRestore {
  readonly #options: RestoreOptions;
  readonly #reader: Reader;
  readonly #progress: (bytes: number) => Promise<void>;
  readonly #open: Open[] = [];
  #top: Place | undefined;
  /** Whether files may exist already at the target. */
  #replaces = true;
  #bytes = 0;

  constructor(options: RestoreOptions, reader: Reader, progress: (bytes: number) => Promise<void>) {
    this.#options = options;
    this.#reader = reader;
    this.#progress = progress;
  }

  async run(entries: AsyncIterable<Entry>): Promise<void> {
    const final = openPlace(this.#options.roots, this.#options.path, { make: true });
    this.#top = final;
    try {
      if (!this.#options.inPlace) this.#top = this.#beside(final);
      for await (const window of inWindows(entries)) {
        await this.#reader.fetch(window.flatMap(({ extents = [] }) => extents.map(([id]) => id)));
        for (const entry of window) await this.#restore(entry);
      }
      this.#leave(0);
      if (!this.#options.inPlace) this.#appear(final);
    } finally {
      for (const { folder } of this.#open.splice(0)) folder.close();
      final.folder.close();
    }
  }
  /** Continues in the temporary folder of an earlier attempt, if there is one. */
  #beside({ folder, name }: Place): Place {
    const { path, scratchName } = this.#options;
    if (name === undefined)
      throw new TreeError(`${path} is itself a root: it can be restored in place alone`);
    refuseTaken(folder, name, path);
    const scratch = Buffer.from(scratchName);
    this.#replaces = lstatSync(folder.pathOf(scratch), { throwIfNoEntry: false }) !== undefined;
    return { folder, name: scratch };
  }
  #appear({ folder, name }: Place): void {
    const { path, scratchName } = this.#options;
    refuseTaken(folder, name as Buffer, path);
    renameSync(folder.pathOf(Buffer.from(scratchName)), folder.pathOf(name as Buffer));
  }

  async #restore(entry: Entry): Promise<void> {
    const slash = entry.path.lastIndexOf("/");
    const outer = slash < 0 ? "" : entry.path.slice(0, slash);
    const depth = entry.path === "" ? 0 : this.#open.findIndex(({ path }) => path === outer) + 1;
    if (entry.path !== "" && depth === 0)
      throw new TreeError(`the backup holds ${JSON.stringify(entry.path)} outside its folders`);
    this.#leave(depth);
    const { folder, name } = this.#placeOf(entry, slash);
    try {
      if (entry.kind === "folder") this.#enter(folder, name, entry);
      else if (entry.kind === "link") this.#link(folder, name as Buffer, entry);
      else await this.#write(folder, name as Buffer, entry);
    } catch (error) {
      if ((error as { code?: string }).code === undefined) throw error;
      throw new TreeError(whyNotWritten(error, entry.path || this.#options.path));
    }
  }
  #placeOf(entry: Entry, slash: number): Place {
    if (entry.path === "") return this.#top as Place;
    const name = Buffer.from(entry.path.slice(slash + 1), "latin1");
    checkName(name);
    return { folder: (this.#open.at(-1) as Open).folder, name };
  }
  #enter(folder: Folder, name: Buffer | undefined, entry: Entry): void {
    if (name !== undefined) makeFolder(folder, name);
    const inner = folder.openFolder(name ?? Buffer.from("."));
    this.#open.push({ path: entry.path, folder: inner, entry });
  }
  /** A folder gets its mode and times after its last entry was written. */
  #leave(depth: number): void {
    while (this.#open.length > depth) {
      const { folder, entry } = this.#open.pop() as Open;
      fchmodSync(folder.handle, (entry.mode ?? 0o755) & MODE_MASK);
      futimesSync(folder.handle, secondsOf(entry.modifiedNs), secondsOf(entry.modifiedNs));
      folder.close();
    }
  }
  #link(folder: Folder, name: Buffer, { target = "", modifiedNs }: Entry): void {
    const path = folder.pathOf(name);
    if (this.#replaces) this.#clear(path);
    symlinkSync(Buffer.from(target, "latin1"), path);
    lutimesSync(path, secondsOf(modifiedNs), secondsOf(modifiedNs));
  }
  #clear(path: Buffer): void {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there && !there.isDirectory()) unlinkSync(path);
  }
  /** In place a file appears whole or not at all. */
  async #write(folder: Folder, name: Buffer, entry: Entry): Promise<void> {
    const final = folder.pathOf(name);
    const path = this.#replaces ? folder.pathOf(Buffer.from(`.medley-${randomUUID()}`)) : final;
    const handle = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    try {
      await this.#fill(handle, entry.extents ?? [], entry.size ?? 0);
      fchmodSync(handle, (entry.mode ?? 0o644) & MODE_MASK);
      futimesSync(handle, secondsOf(entry.modifiedNs), secondsOf(entry.modifiedNs));
      if (path !== final) renameSync(path, final);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    } finally {
      closeSync(handle);
    }
  }
  async #fill(handle: number, extents: readonly Extent[], size: number): Promise<void> {
    let at = 0;
    for await (const bytes of this.#reader.read(extents)) {
      writeAround(handle, bytes, at);
      at += bytes.length;
      this.#bytes += bytes.length;
      await this.#progress(this.#bytes);
    }
    ftruncateSync(handle, size);
  }
}

/** A place that is free, or an empty folder. */
function refuseTaken(folder: Folder, name: Buffer, path: string): void {
  const there = lstatSync(folder.pathOf(name), { throwIfNoEntry: false });
  if (!there || (there.isDirectory() && readdirSync(folder.pathOf(name)).length === 0)) return;
  throw new TreeError(`${path} is there already, and not empty; say inPlace to write over what is there`);
}

const NOTHING = Buffer.alloc(HOLE_BYTES);
const isHole = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0 &&
  bytes.length - at >= HOLE_BYTES &&
  bytes.compare(NOTHING, 0, HOLE_BYTES, at, at + HOLE_BYTES) === 0;

/** Long stretches of zeros stay holes, so that a sparse file takes no more room than it did. */
function writeAround(handle: number, bytes: Buffer, position: number): void {
  let from = 0;
  for (let at = 0; at < bytes.length; at += HOLE_BYTES) {
    if (!isHole(bytes, at)) continue;
    writeAll(handle, bytes, from, at, position);
    from = at + HOLE_BYTES;
  }
  writeAll(handle, bytes, from, bytes.length, position);
}
function writeAll(handle: number, bytes: Buffer, from: number, to: number, position: number): void {
  for (let done = from; done < to; ) done += writeSync(handle, bytes, done, to - done, position + done);
}

function whyNotWritten(error: unknown, path: string): string {
  const { code = "" } = error as { code?: string };
  if (code === "ENOSPC") return `there is no room left for ${path}`;
  return whyClosed(error, path).replace("may not be read", "may not be written");
}

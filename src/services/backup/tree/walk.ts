/** Walks a tree: a folder before its entries, names by their bytes. */
import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { type Folder, TreeError, whyClosed } from "./place.ts";

/** Each level keeps a folder open. */
const DEPTH_MAX = 200;

export type Found = {
  /** From the place on, one character for each byte; empty for the place itself. */
  readonly path: string;
  readonly stats: BigIntStats;
  readonly folder: Folder;
  readonly name: Buffer;
};
/** `note` is called for unreadable entries; the walk continues. */
type Note = (path: string, why: string) => void;

const byBytes = (left: Dirent<Buffer>, right: Dirent<Buffer>): number =>
  Buffer.compare(left.name, right.name);

function* walkInto(folder: Folder, path: string, depth: number, note: Note): Generator<Found> {
  let names: Dirent<Buffer>[];
  try {
    names = readdirSync(folder.self, { withFileTypes: true, encoding: "buffer" }) as Dirent<Buffer>[];
  } catch (error) {
    note(path, whyClosed(error, "the folder"));
    return;
  }
  for (const { name } of names.sort(byBytes)) {
    const below = path === "" ? name.toString("latin1") : `${path}/${name.toString("latin1")}`;
    yield* walkOne(folder, name, below, depth, note);
  }
}
function* walkOne(folder: Folder, name: Buffer, path: string, depth: number, note: Note): Generator<Found> {
  let stats: BigIntStats;
  try {
    stats = lstatSync(folder.pathOf(name), { bigint: true });
  } catch (error) {
    note(path, whyClosed(error, "it"));
    return;
  }
  if (!stats.isDirectory()) {
    yield { path, stats, folder, name };
    return;
  }
  if (depth >= DEPTH_MAX) {
    note(path, `it lies deeper than ${DEPTH_MAX} folders`);
    return;
  }
  let inner: Folder;
  try {
    inner = folder.openFolder(name);
  } catch (error) {
    note(path, whyClosed(error, "the folder"));
    return;
  }
  try {
    yield { path, stats, folder, name };
    yield* walkInto(inner, path, depth + 1, note);
  } finally {
    inner.close();
  }
}

/** `name`: the entry of the folder to back up; without it, the folder itself. */
export function* walk(folder: Folder, name: Buffer | undefined, note: Note): Generator<Found> {
  if (name !== undefined) {
    const at = lstatSync(folder.pathOf(name), { bigint: true, throwIfNoEntry: false });
    if (!at) throw new TreeError(`${name.toString("utf8")} is not there`);
    yield* walkOne(folder, name, "", 0, note);
    return;
  }
  const dot = Buffer.from(".");
  yield { path: "", stats: lstatSync(folder.pathOf(dot), { bigint: true }), folder, name: dot };
  yield* walkInto(folder, "", 0, note);
}

/** How many bytes of files there are. */
export function measure(folder: Folder, name: Buffer | undefined): number {
  let bytes = 0n;
  for (const { stats } of walk(folder, name, () => {})) if (stats.isFile()) bytes += stats.size;
  return Number(bytes);
}

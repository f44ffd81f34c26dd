/**
 * Opens files and folders below an allowed root, so that no link and no name can lead outside. Each folder from the
 * root down is opened without following links. Its entries are reached through the open folder, never by their whole
 * path.
 */
import { closeSync, constants, existsSync, type fstatSync, mkdirSync, openSync } from "node:fs";
import { isAbsolute, normalize, sep } from "node:path";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
const OPEN_FOLDERS = "/proc/self/fd";
const reachesThroughOpenFolders = existsSync(OPEN_FOLDERS);

/** In words for the job that met it. */
export class TreeError extends Error {}

/** An open folder. */
export class Folder {
  readonly #handle: number;
  readonly #path: Buffer;
  private constructor(handle: number, path: Buffer) {
    this.#handle = handle;
    this.#path = path;
  }
  static openRoot(path: string): Folder {
    return new Folder(openSync(path, O_RDONLY | O_DIRECTORY), Buffer.from(path));
  }
  get handle(): number {
    return this.#handle;
  }
  /** The path of an entry through the open folder. On systems without such paths, the plain path. */
  pathOf(name: Buffer): Buffer {
    const folder = reachesThroughOpenFolders ? Buffer.from(`${OPEN_FOLDERS}/${this.#handle}`) : this.#path;
    return Buffer.concat([folder, Buffer.from("/"), name]);
  }
  /** For listing. */
  get self(): Buffer {
    return reachesThroughOpenFolders ? Buffer.from(`${OPEN_FOLDERS}/${this.#handle}/`) : this.#path;
  }
  openFolder(name: Buffer): Folder {
    const path = this.pathOf(name);
    const handle = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return new Folder(handle, Buffer.concat([this.#path, Buffer.from("/"), name]));
  }
  close(): void {
    closeSync(this.#handle);
  }
}

const NAME_BYTES_MAX = 255;
/** Refuses names that are not a single path component. */
export function checkName(name: Buffer): void {
  const isPlain =
    name.length > 0 && name.length <= NAME_BYTES_MAX && !name.includes(0) && !name.includes(0x2f);
  const text = name.toString("latin1");
  if (!isPlain || text === "." || text === "..")
    throw new TreeError(`${JSON.stringify(text)} is not a file name`);
}

/** Returns the normalised path. Throws if it is not below one of the roots. */
export function rootOf(roots: readonly string[], path: string): { root: string; names: Buffer[] } {
  if (!isAbsolute(path) || path.includes("\0"))
    throw new TreeError(`${JSON.stringify(path)} is not an absolute path`);
  const plain = normalize(path);
  for (const given of roots) {
    const root = normalize(given).replace(/\/$/, "");
    if (plain === root || plain === `${root}${sep}`) return { root: root || sep, names: [] };
    if (!plain.startsWith(`${root}${sep}`)) continue;
    const names = plain.slice(root.length + 1).split(sep);
    return { root: root || sep, names: names.filter((name) => name !== "").map((name) => Buffer.from(name)) };
  }
  throw new TreeError(
    roots.length === 0
      ? "folders of the machine are not backed up here: --backup-roots names none"
      : `${path} lies below none of the folders that --backup-roots names`,
  );
}

const isError = (error: unknown, code: string): boolean => (error as { code?: string }).code === code;

/** The folder that holds the last name of the path, and that name; a root itself has no name. */
export function openPlace(
  roots: readonly string[],
  path: string,
  { make = false } = {},
): { folder: Folder; name: Buffer | undefined } {
  const { root, names } = rootOf(roots, path);
  let folder = openedRoot(root);
  const last = names.pop();
  for (const name of names) {
    const outer = folder;
    try {
      if (make) makeFolder(outer, name);
      folder = outer.openFolder(name);
    } catch (error) {
      throw new TreeError(whyClosed(error, path));
    } finally {
      outer.close();
    }
  }
  return { folder, name: last };
}
function openedRoot(root: string): Folder {
  try {
    return Folder.openRoot(root);
  } catch (error) {
    throw new TreeError(whyClosed(error, root));
  }
}
export function makeFolder(folder: Folder, name: Buffer): boolean {
  try {
    mkdirSync(folder.pathOf(name), 0o700);
    return true;
  } catch (error) {
    if (isError(error, "EEXIST")) return false;
    throw error;
  }
}
/** In words. */
export function whyClosed(error: unknown, path: string): string {
  const { code = "" } = error as { code?: string };
  const reasons: Record<string, string> = {
    ENOENT: "is not there",
    ENOTDIR: "is, or lies behind, a link or something else than a folder",
    ELOOP: "is a link, which is not followed",
    EACCES: "may not be read",
    EPERM: "may not be read",
  };
  return `${path} ${reasons[code] ?? `cannot be opened (${code || String(error)})`}`;
}

export const sameFile = (
  left: ReturnType<typeof fstatSync>,
  right: { readonly dev: number | bigint; readonly ino: number | bigint },
): boolean => BigInt(left.dev) === BigInt(right.dev) && BigInt(left.ino) === BigInt(right.ino);

/** Unpacks an uploaded archive, and refuses one whose content differs from its declarations. */
import { createWriteStream } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import { crcOf } from "#kernel/bytes";

export const FILES_MAX = 20_000;
const BYTES_MAX = 512 * 1024 * 1024;
const NAME_BYTES_MAX = 1024;
/** Of all entries together. Usual writers add some 40 bytes to an entry. */
const EXTRA_BYTES_MAX = 4 * 1024 * 1024;
const FILE_KIND = 0o170000;
const LINK = 0o120000;
const FOLDER = 0o040000;
const PLAIN = 0o100000;
const ENCRYPTED = 0x1;

/** The problem of an archive, as a message for its owner. */
export class BadArchive extends Error {}

/** What the archive says of itself, before anything is written. */
type Declared = {
  readonly names: Set<string>;
  /** A name of a kilobyte needs up to five hundred. */
  readonly folders: Set<string>;
  bytes: number;
  extraBytes: number;
};
type Places = { readonly folder: string; bytes: number };

/** Into a folder that exists and is empty. Throws a BadArchive, and leaves what it has written. */
export async function unpack(file: string, folder: string): Promise<void> {
  const archive = await opened(file);
  try {
    if (archive.entryCount > FILES_MAX)
      throw new BadArchive(
        `The archive holds ${archive.entryCount} files, more than the ${FILES_MAX} allowed.`,
      );
    if (archive.entryCount === 0) throw new BadArchive("The archive is empty.");
    const entries = await checkedEntries(archive);
    const places: Places = { folder, bytes: 0 };
    for (const entry of entries) await take(archive, entry, places);
  } catch (error) {
    throw isOurs(error) ? error : new BadArchive(`The archive cannot be read: ${problemOf(error)}.`);
  } finally {
    archive.close();
  }
}
const ONE_NAME = "a file has the name of a folder";
/** What the system says to names that cannot be used. Its own messages name a folder of this machine. */
const NAME_FAULTS: ReadonlyMap<string, string> = new Map([
  ["EEXIST", ONE_NAME],
  ["EISDIR", ONE_NAME],
  ["ENAMETOOLONG", "a name is too long"],
  ["ENOTDIR", ONE_NAME],
]);
const problemOf = (error: unknown): string =>
  NAME_FAULTS.get((error as NodeJS.ErrnoException).code ?? "") ?? (error as Error).message;
/** A full disk is no fault of the archive's. */
function isOurs(error: unknown): boolean {
  const { errno, code = "" } = error as NodeJS.ErrnoException;
  return error instanceof BadArchive || (typeof errno === "number" && !NAME_FAULTS.has(code));
}

async function opened(file: string): Promise<ZipFile> {
  const { openPromise } = await import("yauzl");
  try {
    return await openPromise(file, { strictFileNames: true, validateEntrySizes: true, autoClose: false });
  } catch (error) {
    throw new BadArchive(`The source is not a zip archive: ${(error as Error).message}.`);
  }
}

async function take(archive: ZipFile, entry: Entry, places: Places): Promise<void> {
  const { fileName } = entry;
  const path = join(places.folder, fileName);
  if (fileName.endsWith("/")) {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const content = await archive.openReadStreamPromise(entry);
  let checksum = 0;
  // The declared sizes are not trusted, so the bytes are counted.
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      places.bytes += chunk.length;
      checksum = crcOf(chunk, checksum);
      done(places.bytes > BYTES_MAX ? tooLarge() : null, chunk);
    },
  });
  await pipeline(content, counted, createWriteStream(path, { flags: "wx" }));
  if (checksum !== entry.crc32)
    throw new BadArchive(`The archive is damaged: "${fileName}" does not have the checksum it should have.`);
  if ((modeOf(entry) & 0o111) !== 0) await chmod(path, 0o755);
}
const tooLarge = () => new BadArchive(`The archive takes more than ${BYTES_MAX} bytes when it is unpacked.`);
const modeOf = ({ externalFileAttributes }: Entry): number => externalFileAttributes >>> 16;

async function checkedEntries(archive: ZipFile): Promise<readonly Entry[]> {
  const declared: Declared = { names: new Set(), folders: new Set(), bytes: 0, extraBytes: 0 };
  const entries: Entry[] = [];
  for await (const entry of archive.eachEntry()) {
    check(entry, declared);
    entries.push(withoutExtras(entry));
  }
  return entries;
}
/** The fields that nothing reads later. Extra fields take fifty times as much memory as in the archive. */
function withoutExtras(entry: Entry): Entry {
  const none = Buffer.alloc(0);
  const emptied = { extraFields: [], extraFieldRaw: none, fileNameRaw: none, fileCommentRaw: none };
  return Object.assign(entry, emptied, { fileComment: "", comment: "" });
}
function check(entry: Entry, declared: Declared): void {
  const { fileName, generalPurposeBitFlag, uncompressedSize } = entry;
  const kind = modeOf(entry) & FILE_KIND;
  declared.extraBytes += entry.extraFieldLength + entry.fileCommentLength;
  if (declared.extraBytes > EXTRA_BYTES_MAX)
    throw new BadArchive(
      `The archive holds more than ${EXTRA_BYTES_MAX} bytes of extra fields and comments.`,
    );
  if (fileName.length === 0 || Buffer.byteLength(fileName) > NAME_BYTES_MAX || hasControl(fileName))
    throw new BadArchive("The archive holds a file whose name cannot be used.");
  if ((generalPurposeBitFlag & ENCRYPTED) !== 0)
    throw new BadArchive(`The archive is encrypted at "${fileName}".`);
  if (kind === LINK) throw new BadArchive(`The archive holds a link, "${fileName}", which is not allowed.`);
  if (kind !== 0 && kind !== FOLDER && kind !== PLAIN)
    throw new BadArchive(`The archive holds "${fileName}", which is neither file nor folder.`);
  const name = fileName.toLowerCase();
  if (declared.names.has(name)) throw new BadArchive(`The archive holds "${fileName}" twice.`);
  declared.names.add(name);
  noteFolders(fileName, declared);
  declared.bytes += uncompressedSize;
  if (declared.bytes > BYTES_MAX) throw tooLarge();
}
function noteFolders(name: string, { folders }: Declared): void {
  let folder = posix.dirname(`${name}.`);
  for (; folder !== "." && !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  if (folders.size > FILES_MAX)
    throw new BadArchive(`The archive holds more than the ${FILES_MAX} folders allowed.`);
}
function hasControl(name: string): boolean {
  for (let index = 0; index < name.length; index += 1) if (name.charCodeAt(index) < 32) return true;
  return false;
}

/** How much a function's own folder holds, and how much it may. */
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

export const FOLDER_BYTES_MAX = 512 * 1024 ** 2;
export const ENTRIES_MAX = 20_000;
const BLOCK_BYTES = 512;
const HIDDEN: ReadonlySet<string> = new Set(["EACCES", "ENAMETOOLONG"]);

export type Measured = { readonly bytes: number; readonly isOverfull: boolean };

/**
 * Looks no further than it needs to. A folder that was shut against us, or is too deep to be opened, counts as full.
 * `deletedBytes` are held by files that are still open.
 */
export async function measureFolder(folder: string, deletedBytes = 0): Promise<Measured> {
  const folders = [folder];
  let bytes = deletedBytes;
  let entries = 0;
  const isFull = () => bytes > FOLDER_BYTES_MAX || entries > ENTRIES_MAX;
  try {
    for (const one of folders)
      for await (const entry of await opendir(one)) {
        const path = join(one, entry.name);
        if (entry.isDirectory()) folders.push(path);
        entries += 1;
        bytes += await bytesOf(path);
        if (isFull()) return { bytes, isOverfull: true };
      }
    return { bytes, isOverfull: isFull() };
  } catch (error) {
    return { bytes, isOverfull: HIDDEN.has((error as NodeJS.ErrnoException).code ?? "") };
  }
}
/** Zero for files that were deleted in the meantime. */
const bytesOf = (path: string): Promise<number> =>
  lstat(path).then(
    ({ blocks }) => blocks * BLOCK_BYTES,
    () => 0,
  );

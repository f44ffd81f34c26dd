/** Whether a function's own folder holds more than it may. */
import { lstat, opendir } from "node:fs/promises";
import { join } from "node:path";

export const FOLDER_BYTES_MAX = 512 * 1024 ** 2;
export const ENTRIES_MAX = 20_000;
const BLOCK_BYTES = 512;

/** Looks no further than it needs to. A folder that was shut against us counts as full. */
export async function isOverfull(folder: string): Promise<boolean> {
  const folders = [folder];
  let bytes = 0;
  let entries = 0;
  try {
    for (const one of folders)
      for await (const entry of await opendir(one)) {
        const path = join(one, entry.name);
        if (entry.isDirectory()) folders.push(path);
        entries += 1;
        bytes += await bytesOf(path);
        if (bytes > FOLDER_BYTES_MAX || entries > ENTRIES_MAX) return true;
      }
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES";
  }
}
/** None of what was removed meanwhile. */
const bytesOf = (path: string): Promise<number> =>
  lstat(path).then(
    ({ blocks }) => blocks * BLOCK_BYTES,
    () => 0,
  );

/** Removes a tree that a restore has put somewhere, and nothing beyond it. */
import { readdir, rmdir, unlink } from "node:fs/promises";
import { type Folder, openPlace } from "./place.ts";

const isCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? "");

/** What is in a folder is reached through the open folder, so that no link put there meanwhile leads elsewhere. */
async function remove(folder: Folder, name: Buffer): Promise<void> {
  let inner: Folder;
  try {
    inner = folder.openFolder(name);
  } catch (error) {
    if (isCode(error, "ENOENT")) return;
    if (!isCode(error, "ENOTDIR", "ELOOP")) throw error;
    await unlink(folder.pathOf(name));
    return;
  }
  try {
    for (const each of await readdir(inner.self, { encoding: "buffer" })) await remove(inner, each);
  } finally {
    inner.close();
  }
  await rmdir(folder.pathOf(name));
}

/** What is gone already is no problem; links are removed, not followed. */
export async function removeTree(roots: readonly string[], path: string): Promise<void> {
  const { folder, name } = openPlace(roots, path);
  try {
    if (name === undefined) throw new Error(`${path} is a root itself`);
    await remove(folder, name);
  } finally {
    folder.close();
  }
}

/** Deletes a restored tree, and nothing outside it. */
import { readdir, rmdir, unlink } from "node:fs/promises";
import { type Folder, openPlace } from "./place.ts";

const isCode = (error: unknown, ...codes: string[]): boolean =>
  codes.includes((error as { code?: string }).code ?? "");

/**
 * Entries are reached through the open folder, so that a link created in the meantime cannot redirect the
 * deletion.
 */
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

/** A missing tree is not an error. Links are removed, not followed. */
export async function removeTree(roots: readonly string[], path: string): Promise<void> {
  const { folder, name } = openPlace(roots, path);
  try {
    if (name === undefined) throw new Error(`${path} is a root itself`);
    await remove(folder, name);
  } finally {
    folder.close();
  }
}

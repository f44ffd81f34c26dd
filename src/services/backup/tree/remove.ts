/** Removes a tree that a restore has put somewhere, and nothing beyond it. */
import { rm } from "node:fs/promises";
import { openPlace } from "./place.ts";

/** What is gone already is no problem; links are removed, not followed. */
export async function removeTree(roots: readonly string[], path: string): Promise<void> {
  const { folder, name } = openPlace(roots, path);
  if (name === undefined) {
    folder.close();
    throw new Error(`${path} is a root itself`);
  }
  try {
    await rm(folder.pathOf(name), { recursive: true, force: true });
  } finally {
    folder.close();
  }
}

/** Atomic writes of files, by default readable by their owner only. */
import { randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";

export const OWNER_ONLY_MODE = 0o600;
export const EVERYBODY_READS_MODE = 0o644;
const OWNER_ONLY_FOLDER_MODE = 0o700;

export async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER_MODE });
  await chmod(folder, OWNER_ONLY_FOLDER_MODE);
}

export async function findFile(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  await viaTemporaryFile(file, text, mode, (temporary) => rename(temporary, file));
}

/** Creates the file unless it exists, and returns its content: of several concurrent processes, the first wins. */
export async function createFile(file: string, text: string, mode: number): Promise<string> {
  try {
    await viaTemporaryFile(file, text, mode, (temporary) => link(temporary, file));
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return readFile(file, "utf8");
  }
}

async function viaTemporaryFile(
  file: string,
  text: string,
  mode: number,
  publish: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeDurably(temporary, text, mode);
    await publish(temporary);
    await syncFolder(path.dirname(file));
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeDurably(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, "wx", mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(text, "utf8");
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

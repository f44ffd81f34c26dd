/** State of the watched folder on this node, and the start of the watch. */
import { stat } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import type { Context, Instance, WorkKind } from "#kernel/operation";
import { type WatchedFolder, watchedFolderOf } from "../settings.ts";

const BEGIN_AFTER_MS = 500;

export const folderWork: WorkKind<Record<string, never>> = {
  name: "podcasts.folder",
  payload: Type.Object({}),
};
/** The key ensures that only one node scans the folder. */
export async function scheduleFolder(context: Pick<Context, "enqueue">, runAtMs: number): Promise<void> {
  await context.enqueue(folderWork, {}, { key: "folder", runAtMs });
}

export class FolderWatch {
  readonly folder: WatchedFolder | undefined;
  readonly #instance: Instance;
  readonly #timer: NodeJS.Timeout | undefined;
  /** Size and modification time of each file at its last read. An unchanged file is not read again. */
  readonly #seen = new Map<string, string>();

  constructor(instance: Instance) {
    this.#instance = instance;
    this.folder = watchedFolderOf(instance.config);
    if (this.folder) this.#timer = setInterval(() => void this.#begin(), BEGIN_AFTER_MS).unref();
  }
  /** Retried until the database accepts the job. */
  async #begin(): Promise<void> {
    const instance = this.#instance;
    try {
      await instance.transactAs("podcasts", this.folder?.account ?? "", (context) =>
        scheduleFolder(context, context.clock.nowMs()),
      );
      clearInterval(this.#timer);
    } catch (error) {
      instance.log.error("the watch of a folder of feeds has not begun yet", { error: String(error) });
    }
  }
  async hasChanged(path: string): Promise<boolean> {
    const found = await stat(path).catch(() => undefined);
    const looks = found ? `${found.size} ${found.mtimeMs}` : "";
    if (this.#seen.get(path) === looks) return false;
    this.#seen.set(path, looks);
    return found !== undefined;
  }
  /** Call it after a failed read, so that the next scan reads the file again. */
  forgetFile(path: string): void {
    this.#seen.delete(path);
  }
  keepOnly(paths: ReadonlySet<string>): void {
    for (const path of this.#seen.keys()) if (!paths.has(path)) this.#seen.delete(path);
  }
  forget(): void {
    this.#seen.clear();
  }
  stop(): void {
    clearInterval(this.#timer);
  }
}

/** What a node remembers of the watched folder, and how the watch begins. */
import { stat } from "node:fs/promises";
import { Type } from "@sinclair/typebox";
import type { Context, Instance, WorkKind } from "#kernel/operation";
import { type WatchedFolder, watchedFolderOf } from "../settings.ts";

const BEGIN_AFTER_MS = 500;

export const folderWork: WorkKind<Record<string, never>> = {
  name: "podcasts.folder",
  payload: Type.Object({}),
};
/** Of all nodes one looks. */
export async function scheduleFolder(context: Pick<Context, "enqueue">, runAtMs: number): Promise<void> {
  await context.enqueue(folderWork, {}, { key: "folder", runAtMs });
}

export class FolderWatch {
  readonly folder: WatchedFolder | undefined;
  readonly #instance: Instance;
  readonly #timer: NodeJS.Timeout | undefined;
  /** How each file looked when it was read last: one that looks the same is not read again. */
  readonly #seen = new Map<string, string>();

  constructor(instance: Instance) {
    this.#instance = instance;
    this.folder = watchedFolderOf(instance.config);
    if (this.folder) this.#timer = setInterval(() => void this.#begin(), BEGIN_AFTER_MS).unref();
  }
  /** Once the database takes it. */
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
  /** It could not be taken, and is looked at again. */
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

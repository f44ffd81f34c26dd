/** In-memory state of one running instance for pictures and films. */
import type { MemoryBudget } from "#kernel/workers";
import { type ArtifactMaker, createArtifactMaker } from "./index.ts";
import { findFfmpegVersion } from "./poster.ts";

export type MediaWork = {
  readonly maker: ArtifactMaker;
  /** The memory budget for decoding, shared with all services. */
  readonly memory: MemoryBudget;
  /** Searched once, at the first film. */
  hasFfmpeg(): Promise<boolean>;
  /** A lock: chunks of several uploads in one commit would block other changes for too long. */
  oneChunkAtATime<T>(write: () => Promise<T>): Promise<T>;
};

export function startMediaWork(memory: MemoryBudget): MediaWork {
  let looked: Promise<string | undefined> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return {
    maker: createArtifactMaker(),
    memory,
    async hasFfmpeg() {
      looked ??= findFfmpegVersion();
      return (await looked) !== undefined;
    },
    oneChunkAtATime(write) {
      const mine = last.then(write);
      last = mine.catch(() => {});
      return mine;
    },
  };
}
export const stopMediaWork = ({ maker }: MediaWork): Promise<void> => maker.close();

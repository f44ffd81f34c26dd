/** What one running instance keeps for pictures and films. */
import type { MemoryTurns } from "#kernel/workers";
import { type ArtifactMaker, createArtifactMaker } from "./index.ts";
import { findFfmpegVersion } from "./poster.ts";

export type MediaWork = {
  readonly maker: ArtifactMaker;
  /** Shared with whoever else decodes pictures. */
  readonly memory: MemoryTurns;
  /** Looked for once, when the first film comes. */
  hasFfmpeg(): Promise<boolean>;
  /** Chunks of several uploads in one commit would hold everybody up for as long as all of them take. */
  oneChunkAtATime<T>(write: () => Promise<T>): Promise<T>;
};

export function startMediaWork(memory: MemoryTurns): MediaWork {
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

/** What one running instance keeps for pictures and films. */
import { type ArtifactMaker, createArtifactMaker } from "./index.ts";
import { findFfmpegVersion } from "./poster.ts";

export type MediaWork = {
  readonly maker: ArtifactMaker;
  /** Looked for once, when the first film comes. */
  hasFfmpeg(): Promise<boolean>;
};

export function startMediaWork(): MediaWork {
  let looked: Promise<string | undefined> | undefined;
  return {
    maker: createArtifactMaker(),
    async hasFfmpeg() {
      looked ??= findFfmpegVersion();
      return (await looked) !== undefined;
    },
  };
}
export const stopMediaWork = ({ maker }: MediaWork): Promise<void> => maker.close();

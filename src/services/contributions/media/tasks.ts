/** What the main thread asks of a worker, and what comes back. */
import type { FormatName } from "./format.ts";

export type Task = {
  /** In pieces. Absent where there is no picture to be had: a placeholder is drawn. */
  readonly picture?: readonly Uint8Array[];
  readonly format: FormatName;
  /** Of a film, in place of the picture: where it lies as a file. */
  readonly film?: { readonly path: string; readonly durationSeconds: number };
  readonly width: number;
  readonly height: number;
};
export type MadeArtifact = {
  readonly label: string;
  readonly contentType: string;
  readonly fileExtension: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
};
export type Result = {
  readonly artifacts: readonly MadeArtifact[];
  /** Why a placeholder stands for the picture. */
  readonly problem?: string;
};

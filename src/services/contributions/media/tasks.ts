/** Messages between the main thread and a worker. */
import type { FormatName } from "./format.ts";

export type Task = {
  /** In pieces. Absent if there is no picture: the worker draws a placeholder. */
  readonly picture?: readonly Uint8Array[];
  readonly format: FormatName;
  /** For a film, instead of the picture: the path of its file. */
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
  /** Why a placeholder replaces the picture. */
  readonly problem?: string;
};

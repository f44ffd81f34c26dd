/** What the threads are asked. */
import type { VersionContent } from "../domain/content.ts";
import type { FoundPrebuilt, PrebuiltsWanted } from "../recognition/prebuilts.ts";

export type TrainTask = { readonly content: VersionContent };
export type TrainResult = { readonly bytes: Uint8Array };

export type FindTask = PrebuiltsWanted & { readonly text: string };
export type FindResult = { readonly found: readonly FoundPrebuilt[] };

/** Messages between the main thread and the thread that reads `.lu` text. */
import type { ThreadMeter } from "#kernel/workers";
import type { ReadLu } from "../transfer/lu-read.ts";

export type LuTask = { readonly source: string; readonly meter: ThreadMeter };
/** `problem`: why the text is refused. */
export type LuResult = ReadLu | { readonly problem: string };

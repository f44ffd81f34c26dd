/** Reads `.lu` text. Long texts are read in worker threads, because the longest may take ten seconds. */
import { createReader, workerFile } from "#kernel/workers";
import { errors } from "../errors.ts";
import { type ReadLu, readLu } from "../transfer/lu-read.ts";
import type { LuText } from "./tasks.ts";

/** Shorter texts are read in a few milliseconds. */
const SHORT_LENGTH_MAX = 16 * 1024;

const readLong = createReader<LuText, ReadLu>({
  file: workerFile(import.meta.url, "services/language/reading/worker.js"),
  // The longest text takes a sixth of it.
  processorMsMax: 60_000,
  threadsMax: 1,
  documents: "texts",
  tooMuch: "The text takes too much time or memory.",
  problemOf: (message) => errors.badArgument(message),
});

export const readLuText = async (account: string, source: string): Promise<ReadLu> =>
  source.length <= SHORT_LENGTH_MAX ? readLu(source) : readLong(account, { source });

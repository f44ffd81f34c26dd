/** Worker entry: reads `.lu` text. */
import { ServiceError } from "#kernel/operation";
import { type Metered, type Read, startThreadMeter } from "#kernel/workers";
import { checkRoom, textKeyOf, UTTERANCES_MAX } from "../domain/limits.ts";
import { type ReadLu, readLu } from "../transfer/lu-read.ts";
import type { LuText } from "./tasks.ts";

export function run({ source, meter }: Metered<LuText>): Read<ReadLu> {
  startThreadMeter(meter);
  try {
    const read = readLu(source);
    // The main thread does not get what it would refuse.
    const texts = new Set(read.app.utterances?.map(({ text }) => textKeyOf(text ?? "")));
    checkRoom("utterances in a version", texts.size, UTTERANCES_MAX);
    return read;
  } catch (error) {
    if (error instanceof ServiceError) return { problem: error.message };
    throw error;
  }
}

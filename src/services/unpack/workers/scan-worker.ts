/** Worker side of scanning: strings of a file, and rules applied to it. */
import { createHash } from "node:crypto";
import { startThreadMeter } from "#kernel/workers";
import { rankedOf } from "../domain/ranking.ts";
import { rangesOf } from "../domain/sections.ts";
import { stringsOf } from "../domain/strings.ts";
import { beQuiet } from "./quiet-thread.ts";
import type { Refused, RulesApplied, RulesTask, StringsFound, StringsTask } from "./tasks.ts";
import { applyRules } from "./yara.ts";

beQuiet();

const hashOf = (algorithm: string, content: Uint8Array): string =>
  createHash(algorithm).update(content).digest("hex");

function findStrings({ content, lengthMin, ignored }: StringsTask): StringsFound | Refused {
  const ranges = rangesOf(content);
  if (!ranges)
    return { problem: "The file is not an executable: it has no header that says where its sections are." };
  const { strings, leftOut } = stringsOf(content, ranges, { lengthMin, ignored: new Set(ignored) });
  return {
    hashes: {
      md5sum: hashOf("md5", content),
      sha256sum: hashOf("sha256", content),
      sha512sum: hashOf("sha512", content),
    },
    strings,
    leftOut,
    ranked: rankedOf(strings),
  };
}

export function run(task: StringsTask | RulesTask): StringsFound | RulesApplied | Refused {
  startThreadMeter(task.meter);
  if (task.kind === "strings") return findStrings(task);
  try {
    return applyRules(task.content, task.rules);
  } catch {
    // After a failure, such as out of memory, the engine's state is undefined. The thread ends.
    process.exit(1);
  }
}

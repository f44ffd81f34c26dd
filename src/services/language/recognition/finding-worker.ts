/**
 * The worker for slow searches, such as prebuilt entities and large expressions, so that they do not block
 * the main thread.
 */
import type { FindResult, FindTask } from "../learning/tasks.ts";
import { foundByRegex } from "./findings.ts";
import { findPrebuilts } from "./prebuilts.ts";
import { compileRegex } from "./regexes.ts";

export async function run({ text, longRegexes, ...wanted }: FindTask): Promise<FindResult> {
  return {
    prebuilts: wanted.names.length === 0 ? [] : await findPrebuilts(text, wanted),
    longRegexes: longRegexes.flatMap(({ entity, expression }) =>
      foundByRegex(entity, compileRegex(expression).find(text)),
    ),
  };
}

/** The worker's side of finding everyday entities: the library's rules can take long, and must hold up nobody else. */
import type { FindResult, FindTask } from "../learning/tasks.ts";
import { findPrebuilts } from "./prebuilts.ts";

export async function run({ text, ...wanted }: FindTask): Promise<FindResult> {
  return { found: await findPrebuilts(text, wanted) };
}

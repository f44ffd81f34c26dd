/** The worker's side of training: one version after the other. */
import { handOver } from "#kernel/workers";
import type { TrainResult, TrainTask } from "./tasks.ts";
import { train } from "./train.ts";

export async function run({ content }: TrainTask): Promise<TrainResult> {
  const bytes = await train(content);
  return handOver({ bytes }, bytes.buffer);
}

/** The worker's side of training: one version after the other. */
import { handOver } from "#kernel/workers";
import type { TrainResult, TrainTask } from "./tasks.ts";
import { train } from "./train.ts";

export async function run({ content, progress }: TrainTask): Promise<TrainResult> {
  const bytes = await train(content, (percent) => Atomics.store(progress, 0, percent));
  return handOver({ bytes }, bytes.buffer);
}

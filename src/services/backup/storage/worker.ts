/** The thread that performs storage tasks. */
import { Asking } from "./conversation.ts";
import { perform } from "./tasks.ts";
import type { StorageResult, StorageTask } from "./work.ts";

export async function run({ port, ...task }: StorageTask): Promise<StorageResult> {
  const asking = new Asking(port);
  try {
    return await perform(task, asking);
  } finally {
    asking.end();
  }
}

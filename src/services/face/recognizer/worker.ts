/** Worker side: processes one picture at a time. The first picture loads the networks. */
import { look } from "./look.ts";
import { PictureError } from "./pictures/picture.ts";
import type { Result, Task } from "./tasks.ts";

export async function run(task: Task): Promise<Result> {
  try {
    return await look(task);
  } catch (error) {
    if (error instanceof PictureError) return { problem: error.problem, message: error.message };
    throw error;
  }
}

/** Between two pieces of work that hold up the main thread: requests are served there. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** The first immediate still belongs to the turn that asks for it. */
export async function othersTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Deadlines of records. The bank's `jobs.ts` defines what happens to each kind at its deadline. */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { BankContext } from "./state.ts";

export const deadline = {
  name: "bank.deadline",
  payload: Type.Object({ kind: Type.String(), id: Type.Integer() }),
} satisfies WorkKind<{ kind: string; id: number }>;

const keyOf = (kind: string, id: number): string => `deadline:${kind}:${id}`;
/** Setting it again moves it. */
export async function setDeadline(
  context: BankContext,
  kind: string,
  id: number,
  runAtMs: number,
): Promise<void> {
  await context.enqueue(deadline, { kind, id }, { key: keyOf(kind, id), runAtMs });
}
export async function clearDeadline(context: BankContext, kind: string, id: number): Promise<void> {
  await context.cancelJob(deadline, keyOf(kind, id));
}

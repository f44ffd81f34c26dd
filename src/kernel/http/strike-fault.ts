/** A fault that a rule causes for a request: a delay, an error instead of the answer, or both. */
import type { FaultTarget } from "../observe/faults.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { findFault } from "./known-errors.ts";

/** `prolong` is called before a delay begins. */
export async function strikeFault(
  { faults, ids }: Pick<Kernel, "faults" | "ids">,
  target: FaultTarget,
  unavailable: readonly [code: string, status: number],
  prolong: (delayMs: number) => void = () => {},
): Promise<void> {
  const rule = await faults.strike(target, () => ids.fraction());
  if (!rule) return;
  if (rule.latencyMs !== undefined) {
    prolong(rule.latencyMs);
    await new Promise((resolve) => setTimeout(resolve, rule.latencyMs));
  }
  const fault = findFault(rule, unavailable);
  if (fault) throw fault;
}

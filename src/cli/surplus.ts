/** Rejects surplus words by the usage lines of a command, with one rule for all commands. */
import { UsageError } from "#kernel/manifest";
import { isLiteral, usageLinesOf } from "./usage.ts";

const takesAny = (line: readonly string[]): boolean => line.at(-1)?.includes("…") === true;

export function refuseSurplus(words: readonly string[], usage: readonly string[]): void {
  const lines = usageLinesOf(usage).map((line) => line.words);
  const verbs = lines.flatMap(([verb]) => (verb !== undefined && isLiteral(verb) ? [verb] : []));
  const [first] = words;
  if (first === undefined) return;
  // The command itself reports unknown verbs.
  if (verbs.length > 0 && !verbs.includes(first)) return;
  const fitting = lines.filter(([verb]) => verb === first || !isLiteral(verb ?? ""));
  if (fitting.some(takesAny)) return;
  const surplus = words[Math.max(...fitting.map(({ length }) => length))];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is not a flag, and nothing else fits there`);
}

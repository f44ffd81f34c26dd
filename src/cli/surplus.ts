/** Rejects surplus words by the usage lines of a command, with one rule for all commands. */
import { UsageError } from "#kernel/manifest";

const FLAGS = /\[--?[^\][]{1,80}\]|--\S{1,40}(?: [A-Z]\S{0,40})?/g;
/** A literal word. Other words are placeholders, such as `ID`, `[FILE]` or `36h`. */
const LITERAL = /^[a-z][a-z-]*$/;

/** `state export [FILE] [--service S]` has the words `export` and `[FILE]`. */
const wordsOf = (usage: string): string[] => usage.replace(FLAGS, "").trim().split(/ +/).slice(1);

const takesAny = (line: readonly string[]): boolean => line.at(-1)?.includes("…") === true;

export function refuseSurplus(words: readonly string[], usage: readonly string[]): void {
  const lines = usage.flatMap((one) => one.split(" | ")).map(wordsOf);
  const verbs = lines.flatMap(([verb]) => (verb !== undefined && LITERAL.test(verb) ? [verb] : []));
  const [first] = words;
  if (first === undefined) return;
  // The command itself reports unknown verbs.
  if (verbs.length > 0 && !verbs.includes(first)) return;
  const fitting = lines.filter(([verb]) => verb === first || !LITERAL.test(verb ?? ""));
  if (fitting.some(takesAny)) return;
  const surplus = words[Math.max(...fitting.map(({ length }) => length))];
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is not a flag, and nothing else fits there`);
}

/** Conditions of policies, in the Common Expression Language. */

import { dateOf } from "#kernel/clock";
import { makeRoom } from "#kernel/memory";
import type { Condition } from "./domain/index.ts";

type Evaluate = (context: Record<string, unknown>) => unknown;
type Cel = { readonly parse: (expression: string) => Evaluate };

const KEPT_MAX = 500;
/** Constructs without a time bound: regular expressions and nested loops. */
const ENDLESS = /\b(matches|all|exists|exists_one|map|filter)\s{0,10}\(/;
let library: Promise<Cel> | undefined;
const cel = (): Promise<Cel> => {
  library ??= import("@marcbachmann/cel-js").then(({ Environment }) => {
    const environment = new Environment({ unlistedVariablesAreDyn: true });
    return { parse: (expression) => environment.parse(expression) as Evaluate };
  });
  return library;
};
const parsed = new Map<string, Evaluate | string>();

/** Parses a condition. Returns the parser's message if it is invalid. */
async function read(expression: string): Promise<Evaluate | string> {
  const known = parsed.get(expression);
  if (known !== undefined) return known;
  const { parse } = await cel();
  const [, refused] = ENDLESS.exec(expression) ?? [];
  const made =
    refused === undefined ? attempt(() => parse(expression)) : `${refused}() is not possible in a condition`;
  makeRoom(parsed, KEPT_MAX);
  parsed.set(expression, made);
  return made;
}
function attempt(parse: () => Evaluate): Evaluate | string {
  try {
    return parse();
  } catch (error) {
    return (error as Error).message.split("\n")[0] ?? "it cannot be read";
  }
}

/** The message for each invalid expression. */
export async function problemsOf(expressions: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const problems = new Map<string, string>();
  for (const expression of expressions) {
    const made = await read(expression);
    if (typeof made === "string") problems.set(expression, made);
  }
  return problems;
}

export type Circumstances = {
  readonly nowMs: number;
  readonly resourceName: string;
  readonly path?: string;
  readonly host?: string;
};
/** The conditions that hold now. A condition that cannot be evaluated grants nothing. */
export async function holding(
  conditions: readonly Condition[],
  { nowMs, resourceName, path = "/", host = "" }: Circumstances,
): Promise<(condition: Condition) => boolean> {
  const context = {
    request: { time: dateOf(nowMs), path, host },
    resource: {
      name: resourceName,
      service: "cloudfunctions.googleapis.com",
      type: "cloudfunctions.googleapis.com/Function",
    },
  };
  const held = new Set<string>();
  for (const { expression } of conditions) {
    const evaluate = await read(expression);
    if (typeof evaluate !== "string" && isTrue(evaluate, context)) held.add(expression);
  }
  return ({ expression }) => held.has(expression);
}
function isTrue(evaluate: Evaluate, context: Record<string, unknown>): boolean {
  try {
    return evaluate(context) === true;
  } catch {
    return false;
  }
}

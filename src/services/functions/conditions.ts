/** Conditions of policies, in the Common Expression Language. */

import { dateOf } from "#kernel/clock";
import { makeRoom } from "#kernel/memory";
import type { Condition } from "./domain/index.ts";

type Evaluate = (context: Record<string, unknown>) => unknown;
type Parsed = { readonly evaluate: Evaluate; readonly calls: readonly string[] };
type Cel = { readonly parse: (expression: string) => Parsed };

const KEPT_MAX = 500;
/**
 * Functions whose time and result are bounded by the text of the condition. Regular expressions and loops have no
 * time bound; names for values, lists of texts and encodings can double a value again and again.
 */
const BOUNDED: ReadonlySet<string> = new Set([
  ...[
    "has",
    "size",
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "string",
    "timestamp",
    "type",
    "uint",
  ],
  ...["contains", "endsWith", "indexOf", "lastIndexOf", "startsWith"],
  ...["lowerAscii", "substring", "trim", "upperAscii"],
  ...["getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours"],
  ...["getMilliseconds", "getMinutes", "getMonth", "getSeconds"],
]);
let library: Promise<Cel> | undefined;
const cel = (): Promise<Cel> => {
  library ??= import("@marcbachmann/cel-js").then(({ Environment }) => {
    const environment = new Environment({ unlistedVariablesAreDyn: true });
    return {
      parse: (expression) => {
        const evaluate = environment.parse(expression);
        return { evaluate: evaluate as Evaluate, calls: [...callsIn(evaluate.ast)] };
      },
    };
  });
  return library;
};
const parsed = new Map<string, Evaluate | string>();

/** The names of the functions that a node and the nodes in it call. The text does not show them: comments may be in it. */
function* callsIn(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const part of node) yield* callsIn(part);
  if (typeof node !== "object" || node === null || !("args" in node)) return;
  const { op, args } = node as { op?: unknown; args: unknown };
  if (Array.isArray(args) && (op === "call" || op === "rcall")) yield String(args[0]);
  yield* callsIn(args);
}

/** Parses a condition. Returns the parser's message if it is invalid. */
async function read(expression: string): Promise<Evaluate | string> {
  const known = parsed.get(expression);
  if (known !== undefined) return known;
  const { parse } = await cel();
  const made = attempt(() => {
    const { evaluate, calls } = parse(expression);
    const refused = calls.find((name) => !BOUNDED.has(name));
    return refused === undefined ? evaluate : `${refused}() is not possible in a condition`;
  });
  makeRoom(parsed, KEPT_MAX);
  parsed.set(expression, made);
  return made;
}
function attempt(parse: () => Evaluate | string): Evaluate | string {
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

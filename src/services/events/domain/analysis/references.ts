/** Checks that inputs, attributes, variables and timers in expressions exist. */
import type { KnownInputs } from "../definition.ts";
import { pathText } from "../expressions/scanner.ts";
import { type Expression, partsOf } from "../expressions/syntax.ts";
import { attributePaths, isDeclared } from "../reader.ts";
import { type Finding, finding } from "./findings.ts";
import type { FoundEvent } from "./walk.ts";

function inputFinding(part: Expression, inputs: KnownInputs, path: string): Finding | undefined {
  const [argument] = part.kind === "call" && part.name === "currentInput" ? part.arguments : [];
  const asked = argument?.kind === "literal" ? String(argument.value) : undefined;
  const name = part.kind === "input" ? part.name : asked;
  if (name === undefined) return undefined;
  const attributes = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  if (attributes === undefined)
    return finding("referenced-resource", "ERROR", `The input "${name}" does not exist.`, path);
  if (part.kind !== "input" || isDeclared(part.path, attributePaths(attributes, `inputs.${name}.attributes`)))
    return undefined;
  return finding(
    "referenced-data",
    "ERROR",
    `The input "${name}" has no attribute "${pathText(part.path)}".`,
    path,
  );
}

function timerNames(events: readonly FoundEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap(({ actions }) => actions.flatMap(({ setTimer }) => setTimer?.timerName ?? [])),
  );
}
const variableNames = (events: readonly FoundEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ actions }) => actions.flatMap(({ setVariable }) => setVariable?.variableName ?? [])),
  );

function timerOf(part: Expression): string | undefined {
  if (part.kind !== "call" || part.name !== "timeout") return undefined;
  const [argument] = part.arguments;
  return argument?.kind === "literal" ? String(argument.value) : undefined;
}

/** One finding per event and name, also for repeated references. */
export function references(events: readonly FoundEvent[], inputs: KnownInputs): Finding[] {
  const setTimers = timerNames(events);
  const setVariables = variableNames(events);
  return events.flatMap(({ path, expressions, actions }) => {
    const parts = expressions.flatMap(({ expression }) => [...partsOf(expression)]);
    const timers = [
      ...parts.flatMap((part) => timerOf(part) ?? []),
      ...actions.flatMap(({ resetTimer, clearTimer }) => (resetTimer ?? clearTimer)?.timerName ?? []),
    ];
    const variables = parts.flatMap((part) => (part.kind === "variable" ? [part.name] : []));
    const found = [
      ...parts.flatMap((part) => inputFinding(part, inputs, path) ?? []),
      ...timers
        .filter((name) => !setTimers.has(name))
        .map((name) =>
          finding("referenced-data", "ERROR", `The timer "${name}" is used and never set.`, path),
        ),
      ...variables
        .filter((name) => !setVariables.has(name))
        .map((name) =>
          finding("referenced-data", "ERROR", `The variable "${name}" is used and never set.`, path),
        ),
    ];
    return [...new Map(found.map((one) => [one.message, one])).values()];
  });
}

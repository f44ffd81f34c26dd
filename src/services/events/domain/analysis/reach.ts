/** Reachability analysis: states, events, and variables that are set at that point. */
import type { DetectorModelDefinition } from "../definition.ts";
import { compileExpression } from "../expressions/compile.ts";
import { type Expression, partsOf } from "../expressions/syntax.ts";
import { EvaluationError } from "../faults.ts";
import { SENDING_NAMES } from "../outgoing.ts";
import { type Finding, finding } from "./findings.ts";
import { groupsOf } from "./groups.ts";
import { looksAtInput } from "./structure.ts";
import type { FoundEvent } from "./walk.ts";

const nothing = { variables: {}, inputs: {}, currentInput: undefined, takeTimeout: () => false };

/** Whether a condition of literals only is never true. */
function isNever(condition: Expression | undefined): boolean {
  if (condition === undefined) return false;
  const isFixed = [...partsOf(condition)].every(
    ({ kind }) => kind === "literal" || kind === "unary" || kind === "binary",
  );
  if (!isFixed) return false;
  try {
    return compileExpression(condition)(nothing) !== true;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return true;
  }
}

function reachable(initialStateName: string, events: readonly FoundEvent[]): ReadonlySet<string> {
  const reached = new Set([initialStateName]);
  // A Set iterates in insertion order and includes elements added during the iteration.
  for (const stateName of reached)
    for (const event of events)
      if (event.stateName === stateName && event.nextState !== undefined && !isNever(event.condition))
        reached.add(event.nextState);
  return reached;
}

export function transitions({ states }: DetectorModelDefinition, events: readonly FoundEvent[]): Finding[] {
  const names = new Set(states.map(({ stateName }) => stateName));
  return events.flatMap(({ nextState, eventName, path }) =>
    nextState === undefined || names.has(nextState)
      ? []
      : [
          finding(
            "structure",
            "ERROR",
            `The transition "${eventName}" leads to "${nextState}", which is not defined.`,
            path,
          ),
        ],
  );
}

export function deadEnds(
  { states, initialStateName }: DetectorModelDefinition,
  events: readonly FoundEvent[],
): Finding[] {
  const reached = reachable(initialStateName, events);
  return [
    ...states.flatMap(({ stateName }, index) =>
      reached.has(stateName)
        ? []
        : [
            finding(
              "structure",
              "WARNING",
              `No transition leads to the state "${stateName}".`,
              `states[${index}]`,
            ),
          ],
    ),
    ...events
      .filter(({ condition, actions }) => actions.length > 0 && isNever(condition))
      .map(({ eventName, path }) =>
        finding(
          "structure",
          "WARNING",
          `The condition of "${eventName}" never holds: its actions never happen.`,
          path,
        ),
      ),
  ];
}

const calls = (expression: Expression, name: string): boolean =>
  [...partsOf(expression)].some((part) => part.kind === "call" && part.name === name);
/** Names of the timers in `timeout` calls. */
const askedTimers = (expression: Expression): string[] =>
  [...partsOf(expression)].flatMap((part) => {
    if (part.kind !== "call" || part.name !== "timeout") return [];
    const [argument] = part.arguments;
    return argument?.kind === "literal" && typeof argument.value === "string" ? [argument.value] : [];
  });

/** Whether a timer event restarts its own timer and sends an action each time. */
function repeats({ condition, actions }: FoundEvent): boolean {
  const asked = condition === undefined ? [] : askedTimers(condition);
  const restarted = actions.map(({ setTimer, resetTimer }) => (setTimer ?? resetTimer)?.timerName);
  return (
    asked.some((name) => restarted.includes(name)) &&
    actions.some((action) => SENDING_NAMES.some((name) => action[name] !== undefined))
  );
}

/** Finds input conditions that are also evaluated when a timer elapses, and endless timer actions. */
export function timers(events: readonly FoundEvent[]): Finding[] {
  const hasTimers = events.some(({ actions }) => actions.some(({ setTimer }) => setTimer !== undefined));
  if (!hasTimers) return [];
  return events.flatMap((event) => {
    const { condition, lifecycle, eventName, path } = event;
    if (condition === undefined || calls(condition, "triggerType") || calls(condition, "currentInput"))
      return [];
    const findings: Finding[] = [];
    if (lifecycle === "onInput" && looksAtInput(condition))
      findings.push(
        finding(
          "structure",
          "WARNING",
          `The condition of "${eventName}" looks at an input, and is asked too when a timer elapses; triggerType("Message") keeps both apart.`,
          path,
        ),
      );
    if (repeats(event))
      findings.push(
        finding(
          "structure",
          "WARNING",
          `"${eventName}" sends something each time its timer elapses, without end.`,
          path,
        ),
      );
    return findings;
  });
}

const setBy = (events: readonly FoundEvent[]): string[] =>
  events.flatMap(({ actions }) => actions.flatMap(({ setVariable }) => setVariable?.variableName ?? []));

type StateFacts = { readonly sets: ReadonlySet<string>; readonly leadsTo: ReadonlySet<string> };
function factsOf(events: readonly FoundEvent[]): ReadonlyMap<string, StateFacts> {
  const groups = groupsOf(events, ({ stateName }) => stateName);
  return new Map(
    [...groups].map(([stateName, own]) => [
      stateName,
      { sets: new Set(setBy(own)), leadsTo: new Set(own.flatMap(({ nextState }) => nextState ?? [])) },
    ]),
  );
}

/** Variables that can be set on entry of each state. */
function knownOnEntry(
  initialStateName: string,
  facts: ReadonlyMap<string, StateFacts>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, ReadonlySet<string>>([[initialStateName, new Set()]]);
  const pending = [initialStateName];
  for (const stateName of pending) {
    const { sets = new Set<string>(), leadsTo = new Set<string>() } = facts.get(stateName) ?? {};
    const after = [...(known.get(stateName) ?? []), ...sets];
    for (const nextState of leadsTo) {
      const before = known.get(nextState);
      const joined = new Set([...(before ?? []), ...after]);
      if (joined.size === before?.size) continue;
      known.set(nextState, joined);
      pending.push(nextState);
    }
  }
  return known;
}

const variablesIn = (expression: Expression): string[] =>
  [...partsOf(expression)].flatMap((part) => (part.kind === "variable" ? [part.name] : []));

/** Finds variables that a condition reads before any action can set them. */
export function unsetVariables(
  { initialStateName }: DetectorModelDefinition,
  events: readonly FoundEvent[],
): Finding[] {
  const facts = factsOf(events);
  const known = knownOnEntry(initialStateName, facts);
  const everSet = new Set(setBy(events));
  return events.flatMap(({ stateName, lifecycle, condition, path }) => {
    const before = known.get(stateName);
    if (before === undefined || condition === undefined) return [];
    const isInTime = (name: string) =>
      lifecycle !== "onEnter" && facts.get(stateName)?.sets.has(name) === true;
    return [...new Set(variablesIn(condition))]
      .filter((name) => everSet.has(name) && !before.has(name) && !isInTime(name))
      .map((name) =>
        finding(
          "referenced-data",
          "WARNING",
          `The variable "${name}" is read here before anything has set it.`,
          path,
        ),
      );
  });
}

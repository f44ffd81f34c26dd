/** Checks the structure of a definition: states, transitions, actions, sizes. */
import type { Action, DetectorModelDefinition } from "../definition.ts";
import { ACTION_NAMES } from "../detectors/compile.ts";
import { type Expression, partsOf } from "../expressions/syntax.ts";
import {
  ACTIONS_PER_EVENT_MAX,
  CONTENT_EXPRESSION_BYTES_MAX,
  DEFINITION_BYTES_MAX,
  EVENTS_MAX,
  STATES_MAX,
  TIMER_SECONDS_ADVISED,
  TIMER_SECONDS_MAX,
  TIMER_SECONDS_MIN,
  TRANSITION_EVENTS_MAX,
} from "../limits.ts";
import { type Finding, finding } from "./findings.ts";
import type { FoundEvent } from "./walk.ts";

const tooMany = (
  path: string,
  things: readonly unknown[] | undefined,
  most: number,
  what: string,
): Finding[] =>
  (things?.length ?? 0) > most
    ? [finding("service-limits", "ERROR", `There are ${things?.length} ${what}; ${most} are allowed.`, path)]
    : [];

export function sizes(definition: DetectorModelDefinition): Finding[] {
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  const findings = tooMany("states", definition.states, STATES_MAX, "states");
  if (bytes > DEFINITION_BYTES_MAX)
    findings.push(
      finding(
        "service-limits",
        "ERROR",
        `The definition has ${bytes} bytes; ${DEFINITION_BYTES_MAX} are allowed.`,
      ),
    );
  for (const [index, { onEnter, onInput, onExit }] of definition.states.entries()) {
    const at = `states[${index}]`;
    findings.push(
      ...tooMany(`${at}.onEnter.events`, onEnter?.events, EVENTS_MAX, "events"),
      ...tooMany(`${at}.onInput.events`, onInput?.events, EVENTS_MAX, "events"),
      ...tooMany(`${at}.onExit.events`, onExit?.events, EVENTS_MAX, "events"),
      ...tooMany(
        `${at}.onInput.transitionEvents`,
        onInput?.transitionEvents,
        TRANSITION_EVENTS_MAX,
        "transition events",
      ),
    );
  }
  return findings;
}

export function states({ states: given, initialStateName }: DetectorModelDefinition): Finding[] {
  const findings: Finding[] = [];
  if (given.length === 0) findings.push(finding("structure", "ERROR", "There are no states.", "states"));
  const names = given.map(({ stateName }) => stateName);
  for (const name of new Set(names)) {
    const paths = names.flatMap((other, index) => (other === name ? [`states[${index}].stateName`] : []));
    if (paths.length > 1)
      findings.push(
        finding("structure", "ERROR", `${paths.length} states have the name "${name}".`, ...paths),
      );
  }
  if (!names.includes(initialStateName))
    findings.push(
      finding(
        "structure",
        "ERROR",
        `The initial state "${initialStateName}" is not defined.`,
        "initialStateName",
      ),
    );
  return findings;
}

function timerFindings(path: string, { setTimer }: Action): Finding[] {
  if (setTimer === undefined) return [];
  const { timerName, seconds, durationExpression } = setTimer;
  const at = `${path}.setTimer`;
  if ((seconds === undefined) === (durationExpression === undefined))
    return [
      finding(
        "structure",
        "ERROR",
        `The timer "${timerName}" needs either seconds or durationExpression.`,
        at,
      ),
    ];
  if (seconds === undefined) return [];
  if (seconds < TIMER_SECONDS_MIN || seconds > TIMER_SECONDS_MAX)
    return [
      finding(
        "service-limits",
        "ERROR",
        `The timer "${timerName}" can last ${TIMER_SECONDS_MIN} to ${TIMER_SECONDS_MAX} seconds.`,
        at,
      ),
    ];
  return seconds < TIMER_SECONDS_ADVISED
    ? [
        finding(
          "service-limits",
          "WARNING",
          `The timer "${timerName}" is shorter than ${TIMER_SECONDS_ADVISED} seconds, which the public service asks for.`,
          at,
        ),
      ]
    : [];
}

const isKnown = (name: string) => (ACTION_NAMES as readonly string[]).includes(name);

function actionFindings(path: string, action: Action): Finding[] {
  const given = Object.entries(action).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const findings = timerFindings(path, action);
  const strange = given.filter((name) => !isKnown(name));
  if (strange.length > 0 || given.length === 0)
    findings.push(finding("supported-actions", "ERROR", `There is no action "${strange[0] ?? "{}"}".`, path));
  if (given.length > 1)
    findings.push(
      finding(
        "structure",
        "ERROR",
        `An action has one type, this one has ${given.length}: ${given.join(", ")}.`,
        path,
      ),
    );
  for (const [name, value] of Object.entries(action)) {
    const content = value !== undefined && "payload" in value ? value.payload?.contentExpression : undefined;
    const at = `${path}.${name}.payload.contentExpression`;
    if (content !== undefined && Buffer.byteLength(content) > CONTENT_EXPRESSION_BYTES_MAX)
      findings.push(
        finding(
          "service-limits",
          "ERROR",
          `The content expression has more than ${CONTENT_EXPRESSION_BYTES_MAX} bytes.`,
          at,
        ),
      );
    if (content?.trim() === "")
      findings.push(finding("expression-syntax", "ERROR", "A payload of its own can't be empty.", at));
  }
  return findings;
}
export function actions(events: readonly FoundEvent[]): Finding[] {
  return events.flatMap((event) => [
    ...tooMany(`${event.path}.actions`, event.actions, ACTIONS_PER_EVENT_MAX, "actions"),
    ...event.actions.flatMap((action, index) => actionFindings(`${event.path}.actions[${index}]`, action)),
  ]);
}

export const looksAtInput = (expression: Expression | undefined): boolean =>
  expression !== undefined &&
  [...partsOf(expression)].some(
    (part) => part.kind === "input" || (part.kind === "call" && part.name === "currentInput"),
  );

export function inputs(events: readonly FoundEvent[]): Finding[] {
  return events.some(({ condition }) => looksAtInput(condition))
    ? []
    : [
        finding(
          "structure",
          "ERROR",
          "No condition looks at an input: no message could do anything.",
          "states",
        ),
      ];
}

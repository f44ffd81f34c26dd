/** Stored state of a detector, as plain JSON. The model limits its size. */

import type { InputValues, Variables } from "../expressions/compile.ts";
import { parseExpression } from "../expressions/parser.ts";
import { ExpressionFault, ModelFault } from "../faults.ts";
import { TIMER_SECONDS_MAX, TIMER_SECONDS_MIN, TIMERS_MAX, VARIABLES_MAX } from "../limits.ts";
import { jsonOf, type Scalar } from "../values.ts";

export type Timer = {
  readonly seconds: number;
  readonly dueAtMs: number;
  /**
   * The timer has elapsed; `read` after `timeout` returned true. It stays until it is set again or cleared.
   */
  readonly elapsed?: "unread" | "read";
};
export type DetectorState = {
  readonly stateName: string;
  readonly variables: Variables;
  readonly timers: Readonly<Record<string, Timer>>;
  readonly inputs: InputValues;
};

export const waitingTimers = ({ timers }: DetectorState): { name: string; dueAtMs: number }[] =>
  Object.entries(timers)
    .filter(([, { elapsed }]) => elapsed === undefined)
    .map(([name, { dueAtMs }]) => ({ name, dueAtMs }));

/** In the API format: texts in double quotes, decimals with a fraction. */
export const describeVariables = ({ variables }: DetectorState): { name: string; value: string }[] =>
  Object.entries(variables).map(([name, value]) => ({ name, value: jsonOf(value) }));

/** A value in a request: a literal of the expression language, or plain text. */
function literalOf(text: string): Scalar {
  try {
    const expression = parseExpression(text);
    if (expression.kind === "literal") return expression.value;
    if (expression.kind === "unary" && expression.operator === "-" && expression.operand.kind === "literal") {
      const { value } = expression.operand;
      if (typeof value === "number") return -value;
      if (typeof value === "object") return { decimal: -value.decimal };
    }
  } catch (fault) {
    if (!(fault instanceof ExpressionFault)) throw fault;
  }
  return text;
}

export type WantedState = {
  readonly stateName: string;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
  readonly timers: readonly { readonly name: string; readonly seconds: number }[];
};

function checkWanted({ variables, timers }: WantedState): void {
  if (variables.length > VARIABLES_MAX)
    throw new ModelFault("variables", `A detector has at most ${VARIABLES_MAX} variables.`, { limit: true });
  if (timers.length > TIMERS_MAX)
    throw new ModelFault("timers", `A detector has at most ${TIMERS_MAX} timers.`, { limit: true });
  for (const [index, { name, seconds }] of timers.entries())
    if (name === "__proto__" || !(seconds >= TIMER_SECONDS_MIN && seconds <= TIMER_SECONDS_MAX))
      throw new ModelFault(
        `timers[${index}]`,
        `Timers last from ${TIMER_SECONDS_MIN} to ${TIMER_SECONDS_MAX} seconds.`,
      );
}

/** Discards everything that the request does not contain. Nothing is evaluated before the next message. */
export function newDetectorState(
  { stateNames }: { readonly stateNames: readonly string[] },
  wanted: WantedState,
  nowMs: number,
): DetectorState {
  if (!stateNames.includes(wanted.stateName))
    throw new ModelFault("stateName", `The detector model has no state "${wanted.stateName}".`);
  checkWanted(wanted);
  return {
    stateName: wanted.stateName,
    variables: Object.fromEntries(wanted.variables.map(({ name, value }) => [name, literalOf(value)])),
    timers: Object.fromEntries(
      wanted.timers.map(({ name, seconds }) => [name, { seconds, dueAtMs: nowMs + seconds * 1000 }]),
    ),
    inputs: {},
  };
}

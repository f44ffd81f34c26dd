/** Lists the events and expressions of a definition, with their paths. */
import type { Action, DetectorModelDefinition, Event, TransitionEvent } from "../definition.ts";
import { parseExpression, parseTextOrExpression } from "../expressions/parser.ts";
import type { Expression } from "../expressions/syntax.ts";
import { ExpressionFault } from "../faults.ts";
import { TABLE_FIELDS } from "../table-fields.ts";
import { type Finding, finding } from "./findings.ts";

export type Lifecycle = "onEnter" | "onInput" | "onExit";
/** The type that the place of an expression requires. */
export type Wanted = "condition" | "duration" | "jsonPayload" | "integer" | "double" | "boolean" | "value";

export type FoundExpression = {
  readonly path: string;
  readonly wanted: Wanted;
  readonly text: string;
  readonly expression: Expression;
  /** The variable that the expression is assigned to. */
  readonly variable: string | undefined;
};
export type FoundEvent = {
  readonly path: string;
  readonly stateName: string;
  readonly lifecycle: Lifecycle;
  readonly eventName: string;
  readonly nextState: string | undefined;
  readonly condition: Expression | undefined;
  readonly actions: readonly Action[];
  readonly expressions: readonly FoundExpression[];
};
export type Walk = { readonly events: readonly FoundEvent[]; readonly findings: readonly Finding[] };

type Written = {
  readonly path: string;
  readonly text: string;
  readonly wanted: Wanted;
  readonly mayBeText?: boolean;
  readonly variable?: string;
};

const PROPERTY_NAMES = ["entryId", "assetId", "propertyId", "propertyAlias"] as const;

function* fieldsOf<Name extends string>(
  path: string,
  names: readonly Name[],
  given: Readonly<Partial<Record<Name, string | undefined>>> | undefined,
): Generator<Written> {
  for (const name of names) {
    const text = given?.[name];
    if (text !== undefined) yield { path: `${path}.${name}`, text, wanted: "value" };
  }
}

function* propertyOf(path: string, { iotSiteWise }: Action): Generator<Written> {
  yield* fieldsOf(path, PROPERTY_NAMES, iotSiteWise);
  const { value, timestamp, quality } = iotSiteWise?.propertyValue ?? {};
  const at = `${path}.propertyValue`;
  const typed: [string, string | undefined, Wanted][] = [
    ["value.stringValue", value?.stringValue, "value"],
    ["value.integerValue", value?.integerValue, "integer"],
    ["value.doubleValue", value?.doubleValue, "double"],
    ["value.booleanValue", value?.booleanValue, "boolean"],
    ["timestamp.timeInSeconds", timestamp?.timeInSeconds, "integer"],
    ["timestamp.offsetInNanos", timestamp?.offsetInNanos, "integer"],
    ["quality", quality, "value"],
  ];
  for (const [name, text, wanted] of typed)
    if (text !== undefined) yield { path: `${at}.${name}`, text, wanted };
}

function* payloadsOf(path: string, action: Action): Generator<Written> {
  for (const [name, given] of Object.entries(action)) {
    const payload = given !== undefined && "payload" in given ? given.payload : undefined;
    if (payload !== undefined)
      yield {
        path: `${path}.${name}.payload.contentExpression`,
        text: payload.contentExpression,
        wanted: payload.type === "JSON" ? "jsonPayload" : "value",
      };
  }
}

function* writtenIn(path: string, action: Action): Generator<Written> {
  const { setVariable, setTimer, iotTopicPublish, dynamoDB, dynamoDBv2 } = action;
  if (setVariable)
    yield {
      path: `${path}.setVariable.value`,
      text: setVariable.value,
      wanted: "value",
      variable: setVariable.variableName,
    };
  if (setTimer?.durationExpression !== undefined)
    yield {
      path: `${path}.setTimer.durationExpression`,
      text: setTimer.durationExpression,
      wanted: "duration",
    };
  if (iotTopicPublish)
    yield {
      path: `${path}.iotTopicPublish.mqttTopic`,
      text: iotTopicPublish.mqttTopic,
      wanted: "value",
      mayBeText: true,
    };
  yield* fieldsOf(`${path}.dynamoDB`, TABLE_FIELDS, dynamoDB);
  yield* fieldsOf(`${path}.dynamoDBv2`, ["tableName"], dynamoDBv2);
  yield* propertyOf(`${path}.iotSiteWise`, action);
  yield* payloadsOf(path, action);
}

function* eventsIn({ states }: DetectorModelDefinition) {
  for (const [index, { stateName, onEnter, onInput, onExit }] of states.entries()) {
    const lifecycles: [Lifecycle, string, readonly (Event | TransitionEvent)[]][] = [
      ["onEnter", "events", onEnter?.events ?? []],
      ["onInput", "events", onInput?.events ?? []],
      ["onInput", "transitionEvents", onInput?.transitionEvents ?? []],
      ["onExit", "events", onExit?.events ?? []],
    ];
    for (const [lifecycle, list, events] of lifecycles)
      for (const [position, event] of events.entries())
        yield { stateName, lifecycle, event, path: `states[${index}].${lifecycle}.${list}[${position}]` };
  }
}

/** All events with their expressions. Syntax errors become findings. */
export function walk(definition: DetectorModelDefinition): Walk {
  const findings: Finding[] = [];
  const read = ({ path, text, wanted, mayBeText, variable }: Written): FoundExpression | undefined => {
    try {
      return {
        path,
        text,
        wanted,
        variable,
        expression: mayBeText ? parseTextOrExpression(text) : parseExpression(text),
      };
    } catch (fault) {
      if (!(fault instanceof ExpressionFault)) throw fault;
      findings.push(
        finding(
          "expression-syntax",
          "ERROR",
          `"${text}" can't be read at column ${fault.column}: ${fault.message}`,
          path,
        ),
      );
      return undefined;
    }
  };
  const events = [...eventsIn(definition)].map(({ stateName, lifecycle, event, path }): FoundEvent => {
    const { eventName, condition, actions = [] } = event;
    const isConditional = condition !== undefined && condition.trim() !== "";
    const found = isConditional
      ? read({ path: `${path}.condition`, text: condition, wanted: "condition" })
      : undefined;
    const others = actions.flatMap((action, index) =>
      [...writtenIn(`${path}.actions[${index}]`, action)].map(read).filter((one) => one !== undefined),
    );
    return {
      path,
      stateName,
      lifecycle,
      eventName,
      nextState: "nextState" in event ? event.nextState : undefined,
      condition: found?.expression,
      actions,
      expressions: found === undefined ? others : [found, ...others],
    };
  });
  return { events, findings };
}

/** Compiles an alarm model, or throws a fault with its place. */
import type {
  AlarmAction,
  AlarmCapabilities,
  AlarmEventActions,
  AlarmNotification,
  AlarmRule,
  ComparisonOperator,
  KnownInputs,
  NotificationAction,
} from "../definition.ts";
import type { Compiled } from "../expressions/compile.ts";
import type { Comparison } from "../expressions/operators.ts";
import { ModelFault } from "../faults.ts";
import { ACTIONS_PER_EVENT_MAX } from "../limits.ts";
import { type CompiledSending, compileSending, SENDING_NAMES } from "../outgoing.ts";
import { ModelReader } from "../reader.ts";
import type { KeptValue } from "../values.ts";

export type AlarmModelName = { readonly alarmModelName: string; readonly alarmModelVersion: string };
export type AlarmModelSource = AlarmModelName & {
  readonly key?: string | undefined;
  readonly severity?: number | undefined;
  readonly alarmRule: AlarmRule;
  readonly alarmNotification?: AlarmNotification | undefined;
  readonly alarmEventActions?: AlarmEventActions | undefined;
  readonly alarmCapabilities?: AlarmCapabilities | undefined;
};

export type CompiledNotification = {
  readonly place: string;
  readonly definition: NotificationAction;
  /** Compiles the call of the function, with its payload if it replaces the standard one. */
  readonly callFunction: CompiledSending | undefined;
};
export type CompiledAlarmModel = AlarmModelName & {
  readonly severity: number | undefined;
  readonly property: Compiled;
  readonly threshold: Compiled;
  readonly operator: ComparisonOperator;
  readonly comparison: Comparison;
  readonly isDisabledAtFirst: boolean;
  readonly hasAcknowledgeFlow: boolean;
  readonly actions: readonly { readonly place: string; readonly send: CompiledSending }[];
  readonly notifications: readonly CompiledNotification[];
  readonly inputNames: readonly string[];
  readonly extractors: ReadonlyMap<string, (payload: unknown) => Record<string, KeptValue>>;
  readonly keyOf: (inputName: string, payload: unknown) => string | undefined;
};

const COMPARISONS: Readonly<Record<ComparisonOperator, Comparison>> = {
  GREATER: ">",
  GREATER_OR_EQUAL: ">=",
  LESS: "<",
  LESS_OR_EQUAL: "<=",
  EQUAL: "==",
  NOT_EQUAL: "!=",
};

function compileAction(reader: ModelReader, place: string, action: AlarmAction): CompiledSending {
  const given = SENDING_NAMES.filter((name) => action[name] !== undefined);
  if (given.length > 1)
    throw new ModelFault(place, `An action has one type, this one has ${given.length}: ${given.join(", ")}.`);
  const send = compileSending(reader, place, action);
  if (send === undefined) throw new ModelFault(place, `An action is one of ${SENDING_NAMES.join(", ")}.`);
  return send;
}

function compileNotification(
  reader: ModelReader,
  place: string,
  definition: NotificationAction,
): CompiledNotification {
  const { lambdaAction } = definition.action;
  return {
    place,
    definition,
    callFunction: lambdaAction && compileSending(reader, `${place}.action`, { lambda: lambdaAction }),
  };
}

/** Throws a ModelFault. Without `inputs`, references to inputs are not checked. */
export function compileAlarmModel(
  source: AlarmModelSource,
  inputs: KnownInputs | undefined,
): CompiledAlarmModel {
  const { simpleRule } = source.alarmRule;
  if (simpleRule === undefined) throw new ModelFault("alarmRule", "A simpleRule is needed.");
  const at = "alarmRule.simpleRule";
  const reader = new ModelReader(inputs);
  const property = reader.expression(`${at}.inputProperty`, simpleRule.inputProperty);
  if (reader.inputNames.length === 0)
    throw new ModelFault(`${at}.inputProperty`, "The property must be an attribute of an input.");
  const threshold = reader.expression(`${at}.threshold`, simpleRule.threshold);
  const actions = source.alarmEventActions?.alarmActions ?? [];
  if (actions.length > ACTIONS_PER_EVENT_MAX)
    throw new ModelFault(
      "alarmEventActions.alarmActions",
      `At most ${ACTIONS_PER_EVENT_MAX} actions are allowed.`,
      {
        limit: true,
      },
    );
  const compiledActions = actions.map((action, index) => {
    const place = `alarmEventActions.alarmActions[${index}]`;
    return { place, send: compileAction(reader, place, action) };
  });
  const notifications = (source.alarmNotification?.notificationActions ?? []).map((definition, index) =>
    compileNotification(reader, `alarmNotification.notificationActions[${index}]`, definition),
  );
  const [foreign] = [...reader.variables, ...reader.timers];
  if (foreign !== undefined) throw new ModelFault(foreign.place, "Alarms have neither variables nor timers.");
  const { initializationConfiguration, acknowledgeFlow } = source.alarmCapabilities ?? {};
  return {
    alarmModelName: source.alarmModelName,
    alarmModelVersion: source.alarmModelVersion,
    severity: source.severity,
    property,
    threshold,
    operator: simpleRule.comparisonOperator,
    comparison: COMPARISONS[simpleRule.comparisonOperator],
    isDisabledAtFirst: initializationConfiguration?.disabledOnInitialization ?? true,
    hasAcknowledgeFlow: acknowledgeFlow?.enabled ?? false,
    actions: compiledActions,
    notifications,
    inputNames: reader.inputNames,
    extractors: reader.extractors(),
    keyOf: reader.keyOf(source.key),
  };
}

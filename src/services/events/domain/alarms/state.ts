/** Alarm states and their transitions. */
import type { ComparisonOperator } from "../definition.ts";
import type { InputValues } from "../expressions/compile.ts";

export const ALARM_STATES = [
  "DISABLED",
  "NORMAL",
  "ACTIVE",
  "ACKNOWLEDGED",
  "SNOOZE_DISABLED",
  "LATCHED",
] as const;
export type AlarmStateName = (typeof ALARM_STATES)[number];

export const CUSTOMER_ACTIONS = ["SNOOZE", "ENABLE", "DISABLE", "ACKNOWLEDGE", "RESET"] as const;
export type CustomerActionName = (typeof CUSTOMER_ACTIONS)[number];

/** Values of the last comparison. */
export type RuleEvaluation = {
  readonly simpleRuleEvaluation: {
    readonly inputPropertyValue: string;
    readonly operator: ComparisonOperator;
    readonly thresholdValue: string;
  };
};
type Noted = { readonly note?: string };
export type CustomerAction = {
  readonly actionName: CustomerActionName;
  readonly snoozeActionConfiguration?: Noted & { readonly snoozeDuration?: number };
  readonly enableActionConfiguration?: Noted;
  readonly disableActionConfiguration?: Noted;
  readonly acknowledgeActionConfiguration?: Noted;
  readonly resetActionConfiguration?: Noted;
};
export type SystemEvent = {
  readonly eventType: "STATE_CHANGE";
  readonly stateChangeConfiguration: { readonly triggerType: "SNOOZE_TIMEOUT" };
};

/**
 * Stored state of an alarm, as plain JSON. It has the last rule evaluation, customer action and system
 * event.
 */
export type AlarmState = {
  readonly stateName: AlarmStateName;
  readonly ruleEvaluation?: RuleEvaluation;
  readonly customerAction?: CustomerAction;
  readonly systemEvent?: SystemEvent;
  /** Set only while the alarm is snoozed. */
  readonly snoozeUntilMs?: number;
  readonly inputs: InputValues;
};

/** An action has the same result in every state. */
const AFTER_ACTION: Readonly<Record<CustomerActionName, AlarmStateName>> = {
  ACKNOWLEDGE: "ACKNOWLEDGED",
  DISABLE: "DISABLED",
  ENABLE: "NORMAL",
  RESET: "NORMAL",
  SNOOZE: "SNOOZE_DISABLED",
};
export const stateAfterAction = (actionName: CustomerActionName): AlarmStateName => AFTER_ACTION[actionName];

/** Whether the rule is evaluated in this state. */
export const isEvaluating = (stateName: AlarmStateName): boolean =>
  stateName !== "DISABLED" && stateName !== "SNOOZE_DISABLED";

/** With the acknowledge flow, an alarm does not return to normal before it is acknowledged. */
const afterBreach: Readonly<Record<AlarmStateName, AlarmStateName>> = {
  DISABLED: "DISABLED",
  SNOOZE_DISABLED: "SNOOZE_DISABLED",
  NORMAL: "ACTIVE",
  ACTIVE: "ACTIVE",
  ACKNOWLEDGED: "ACKNOWLEDGED",
  LATCHED: "ACTIVE",
};
const withinRange: Readonly<Record<AlarmStateName, AlarmStateName>> = {
  DISABLED: "DISABLED",
  SNOOZE_DISABLED: "SNOOZE_DISABLED",
  NORMAL: "NORMAL",
  ACTIVE: "NORMAL",
  ACKNOWLEDGED: "NORMAL",
  LATCHED: "NORMAL",
};
export function stateAfterRule(
  stateName: AlarmStateName,
  isBreached: boolean,
  acknowledgeFlow: boolean,
): AlarmStateName {
  if (isBreached) return afterBreach[stateName];
  if (acknowledgeFlow && (stateName === "ACTIVE" || stateName === "LATCHED")) return "LATCHED";
  return withinRange[stateName];
}

const CONFIGURATIONS = {
  SNOOZE: "snoozeActionConfiguration",
  ENABLE: "enableActionConfiguration",
  DISABLE: "disableActionConfiguration",
  ACKNOWLEDGE: "acknowledgeActionConfiguration",
  RESET: "resetActionConfiguration",
} as const satisfies Record<CustomerActionName, keyof CustomerAction>;

export const customerActionOf = (
  actionName: CustomerActionName,
  note: string | undefined,
  snoozeDuration: number | undefined,
): CustomerAction => ({
  actionName,
  [CONFIGURATIONS[actionName]]: {
    ...(actionName === "SNOOZE" && snoozeDuration !== undefined && { snoozeDuration }),
    ...(note !== undefined && { note }),
  },
});

/** Messages of an alarm after a state change: a payload for actions, mails and text messages for people. */
import type { Recipient } from "../definition.ts";
import type { OutgoingAction, Sending } from "../outgoing.ts";
import type { CompiledAlarmModel, CompiledNotification } from "./compile.ts";
import type { AlarmState } from "./state.ts";

const calendar = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "medium",
  timeStyle: "medium",
  timeZone: "UTC",
});

/** Display name of the alarm: "pump-pressure (pump-7)". */
const nameOf = ({ alarmModelName }: CompiledAlarmModel, keyValue: string): string =>
  keyValue === "" ? alarmModelName : `${alarmModelName} (${keyValue})`;

const ruleText = ({ ruleEvaluation }: AlarmState): string | undefined => {
  const rule = ruleEvaluation?.simpleRuleEvaluation;
  return rule && `${rule.inputPropertyValue} ${rule.operator} ${rule.thresholdValue}`;
};

export function alarmPayload(
  model: CompiledAlarmModel,
  state: AlarmState,
  { keyValue, nowMs }: { readonly keyValue: string; readonly nowMs: number },
): string {
  const rule = state.ruleEvaluation?.simpleRuleEvaluation;
  return JSON.stringify({
    alarmModelName: model.alarmModelName,
    alarmModelVersion: model.alarmModelVersion,
    ...(keyValue !== "" && { keyValue }),
    severity: model.severity,
    stateUpdateTime: nowMs,
    alarmState: {
      stateName: state.stateName,
      ...(rule && {
        ruleEvaluation: {
          simpleRule: {
            inputProperty: rule.inputPropertyValue,
            operator: rule.operator,
            threshold: rule.thresholdValue,
          },
        },
      }),
      customerAction: state.customerAction,
      systemEvent: state.systemEvent,
    },
  });
}

/** Body of mails and text messages, with the model's additional text. */
function messageOf(
  model: CompiledAlarmModel,
  state: AlarmState,
  occasion: { readonly keyValue: string; readonly nowMs: number },
  additionalMessage: string | undefined,
): string {
  const rule = ruleText(state);
  const lines = [
    `The alarm ${nameOf(model, occasion.keyValue)} is ${state.stateName} since ${calendar.format(occasion.nowMs)} UTC.`,
    ...(model.severity === undefined ? [] : [`Severity: ${model.severity}`]),
    ...(rule === undefined ? [] : [`Compared last: ${rule}`]),
    ...(additionalMessage === undefined ? [] : ["", additionalMessage]),
  ];
  return lines.join("\n");
}

const peopleOf = (recipients: readonly Recipient[]): string[] =>
  recipients.flatMap(({ ssoIdentity }) => (ssoIdentity?.userId === undefined ? [] : [ssoIdentity.userId]));

type Telling = {
  readonly model: CompiledAlarmModel;
  readonly state: AlarmState;
  readonly keyValue: string;
  readonly nowMs: number;
  readonly sending: Sending;
};

function mailsOf(
  { model, state, ...telling }: Telling,
  { place, definition }: CompiledNotification,
): OutgoingAction[] {
  return (definition.emailConfigurations ?? []).flatMap(({ from, content, recipients }, index) =>
    peopleOf(recipients.to ?? []).map((target) => ({
      place: `${place}.emailConfigurations[${index}]`,
      kind: "mail",
      target,
      body: messageOf(model, state, telling, content?.additionalMessage),
      details: {
        from,
        subject: content?.subject ?? `Alarm ${nameOf(model, telling.keyValue)} is ${state.stateName}`,
      },
    })),
  );
}
function textsOf(
  { model, state, ...telling }: Telling,
  { place, definition }: CompiledNotification,
): OutgoingAction[] {
  return (definition.smsConfigurations ?? []).flatMap(({ senderId, additionalMessage, recipients }, index) =>
    peopleOf(recipients).map((target) => ({
      place: `${place}.smsConfigurations[${index}]`,
      kind: "text",
      target,
      body: messageOf(model, state, telling, additionalMessage),
      ...(senderId !== undefined && { details: { senderId } }),
    })),
  );
}

/** Calls the function that manages notifications, with the payload and the recipients. */
function callOf(
  telling: Telling,
  { callFunction, definition }: CompiledNotification,
): OutgoingAction | undefined {
  const call = callFunction?.(telling.sending);
  if (call === undefined) return undefined;
  const body = JSON.stringify({
    notificationEventPayload: call.body,
    emailConfigurations: (definition.emailConfigurations ?? []).map(({ from, content, recipients }) => ({
      from,
      to: peopleOf(recipients.to ?? []),
      subject: content?.subject,
      additionalMessage: content?.additionalMessage,
    })),
    smsConfigurations: (definition.smsConfigurations ?? []).map(
      ({ senderId, additionalMessage, recipients }) => ({
        senderId,
        phoneNumbers: peopleOf(recipients),
        additionalMessage,
      }),
    ),
  });
  return { ...call, body };
}

export function notify(telling: Telling, notification: CompiledNotification): OutgoingAction[] {
  const call = callOf(telling, notification);
  return [
    ...(call === undefined ? [] : [call]),
    ...mailsOf(telling, notification),
    ...textsOf(telling, notification),
  ];
}

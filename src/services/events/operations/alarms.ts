/** Operations that read and list alarms, and customer actions on them. */
import { Type } from "@sinclair/typebox";
import { answer, type Operation } from "#kernel/operation";
import type { AlarmState, AlarmStimulus } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { findCompiled } from "../jobs/index.ts";
import type { EventsContext } from "../state.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { EntryErrors, requireForAll } from "./entries.ts";
import { changeEach, getInstance, placeOf } from "./instances.ts";
import { namedModel, ofAlarmModel, operation, pageRequestOf } from "./operation.ts";

const arnOf = namedModel("alarm");

type Row = { key: string; version: number; state_name: string; created_at: number; updated_at: number };
const headOf = (row: Row, name: string) => ({
  alarmModelName: name,
  alarmModelVersion: String(row.version),
  ...(row.key !== "" && { keyValue: row.key }),
  creationTime: wire.timeOf(row.created_at),
  lastUpdateTime: wire.timeOf(row.updated_at),
});

const describeAlarm = operation({
  id: "events.DescribeAlarm",
  summary: "Returns an alarm with its state and the cause of it",
  description: "An alarm exists from its first message.",
  method: "GET",
  path: "/alarms/{alarmModelName}/keyValues/",
  permission: "iotevents:DescribeAlarm",
  ...ofAlarmModel,
  query: Type.Object({ keyValue: Type.Optional(wire.KeyValue) }),
  answers: { 200: Type.Object({ alarm: wire.Alarm }) },
  errors: [errors.notFound],
  async handle({ params: { alarmModelName: name }, query }, context) {
    const { model, instance } = await getInstance(context, "alarm", name, query.keyValue ?? "");
    const { stateName, ruleEvaluation, customerAction, systemEvent } = JSON.parse(
      instance.state,
    ) as AlarmState;
    const compiled = await findCompiled(context, model, instance.version);
    const severity = compiled?.kind === "alarm" ? compiled.model.severity : undefined;
    return {
      alarm: {
        ...headOf(instance, name),
        alarmState: {
          stateName,
          ...(ruleEvaluation && { ruleEvaluation }),
          ...(customerAction && { customerAction }),
          ...(systemEvent && { systemEvent }),
        },
        ...(severity !== undefined && { severity }),
      },
    };
  },
});

const listAlarms = operation({
  id: "events.ListAlarms",
  summary: "Lists the alarms of a model by key",
  description: "Alarms of the active version only.",
  method: "GET",
  path: "/alarms/{alarmModelName}",
  permission: "iotevents:ListAlarms",
  ...ofAlarmModel,
  query: Type.Object(wire.page),
  answers: { 200: wire.pageOf({ alarmSummaries: Type.Array(wire.AlarmSummary) }) },
  errors: [errors.invalidRequest, errors.notFound],
  async handle({ params: { alarmModelName: name }, query }, context) {
    const { db, account, request, pages } = context;
    const place = placeOf(await store.getModel(db, account, request.region, "alarm", name));
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { ...place }),
      (row: Row) => [row.key],
      async (after, limit) => (place ? store.listInstances(db, place, { after: after?.[0], limit }) : []),
    );
    return {
      alarmSummaries: rows.map((row) => ({ ...headOf(row, name), stateName: row.state_name })),
      ...(nextToken !== undefined && { nextToken }),
    };
  },
});

type Entry = {
  readonly requestId: string;
  readonly alarmModelName: string;
  readonly keyValue?: string | undefined;
  readonly note?: string | undefined;
  readonly snoozeDuration?: number;
};
type ActionName = Extract<AlarmStimulus, { kind: "customer" }>["actionName"];

async function actOn(
  context: EventsContext,
  actionName: ActionName,
  permission: string,
  given: readonly Entry[],
) {
  const { account, request } = context;
  const arns = given.map(({ alarmModelName }) => arnOf(alarmModelName, account, request.region));
  await requireForAll(context, permission, arns);
  const refused = new EntryErrors("requestId");
  const entries = given.map(({ requestId, alarmModelName, keyValue = "", note, snoozeDuration }) => ({
    id: requestId,
    model: alarmModelName,
    key: keyValue,
    stimulus: {
      kind: "customer",
      actionName,
      ...(note !== undefined && { note }),
      ...(snoozeDuration !== undefined && { snoozeDurationSeconds: snoozeDuration }),
    } as const,
  }));
  await changeEach(context, "alarm", entries, refused, (run, model, { key, stimulus }) =>
    run.act(model.id, key, stimulus),
  );
  const isSomethingAccepted = refused.entries.length < entries.length;
  return answer(isSomethingAccepted ? 202 : 200, { errorEntries: refused.entries });
}

const Refused = Type.Object({ errorEntries: wire.AlarmErrors });
/** Status 200 means that no entry was accepted. */
const answers = { 202: Refused, 200: Refused };
const firstModel = (entries: readonly Entry[], account: string, region: string) =>
  arnOf(entries[0]?.alarmModelName ?? "*", account, region);

const acknowledge = operation({
  id: "events.BatchAcknowledgeAlarm",
  summary: "Acknowledges alarms",
  description:
    "The alarm becomes ACKNOWLEDGED, whatever its state was, and returns to normal by its rule. 202 if at least one entry was accepted; 200 if none. Failures are listed for each entry.",
  method: "POST",
  path: "/alarms/acknowledge",
  permission: "iotevents:BatchAcknowledgeAlarm",
  body: Type.Object({ acknowledgeActionRequests: wire.AlarmEntries }),
  answers,
  errors: [errors.invalidRequest],
  resource: ({ body }, account, region) => firstModel(body.acknowledgeActionRequests, account, region),
  handle: ({ body }, context) =>
    actOn(context, "ACKNOWLEDGE", "iotevents:BatchAcknowledgeAlarm", body.acknowledgeActionRequests),
});
const disable = operation({
  id: "events.BatchDisableAlarm",
  summary: "Disables alarms",
  description:
    "Messages no longer change a disabled alarm, until it is enabled. 202 if at least one entry was accepted; 200 if none.",
  method: "POST",
  path: "/alarms/disable",
  permission: "iotevents:BatchDisableAlarm",
  body: Type.Object({ disableActionRequests: wire.AlarmEntries }),
  answers,
  errors: [errors.invalidRequest],
  resource: ({ body }, account, region) => firstModel(body.disableActionRequests, account, region),
  handle: ({ body }, context) =>
    actOn(context, "DISABLE", "iotevents:BatchDisableAlarm", body.disableActionRequests),
});
const enable = operation({
  id: "events.BatchEnableAlarm",
  summary: "Enables alarms",
  description:
    "The alarm becomes NORMAL, whatever its state was, and the next message is evaluated. 202 if at least one entry was accepted; 200 if none.",
  method: "POST",
  path: "/alarms/enable",
  permission: "iotevents:BatchEnableAlarm",
  body: Type.Object({ enableActionRequests: wire.AlarmEntries }),
  answers,
  errors: [errors.invalidRequest],
  resource: ({ body }, account, region) => firstModel(body.enableActionRequests, account, region),
  handle: ({ body }, context) =>
    actOn(context, "ENABLE", "iotevents:BatchEnableAlarm", body.enableActionRequests),
});
const reset = operation({
  id: "events.BatchResetAlarm",
  summary: "Resets alarms to normal",
  description:
    "Also forgets the input values that the rule saw; the next message that fits the rule activates the alarm again. 202 if at least one entry was accepted; 200 if none.",
  method: "POST",
  path: "/alarms/reset",
  permission: "iotevents:BatchResetAlarm",
  body: Type.Object({ resetActionRequests: wire.AlarmEntries }),
  answers,
  errors: [errors.invalidRequest],
  resource: ({ body }, account, region) => firstModel(body.resetActionRequests, account, region),
  handle: ({ body }, context) =>
    actOn(context, "RESET", "iotevents:BatchResetAlarm", body.resetActionRequests),
});
const snooze = operation({
  id: "events.BatchSnoozeAlarm",
  summary: "Silences alarms for a given time",
  description:
    "After `snoozeDuration` seconds a timer ends the silence, and the last evaluation counts again. 202 if at least one entry was accepted; 200 if none.",
  method: "POST",
  path: "/alarms/snooze",
  permission: "iotevents:BatchSnoozeAlarm",
  body: Type.Object({ snoozeActionRequests: wire.SnoozeEntries }),
  answers,
  errors: [errors.invalidRequest],
  resource: ({ body }, account, region) => firstModel(body.snoozeActionRequests, account, region),
  handle: ({ body }, context) =>
    actOn(context, "SNOOZE", "iotevents:BatchSnoozeAlarm", body.snoozeActionRequests),
});

export const alarmOperations: readonly Operation[] = [
  describeAlarm,
  listAlarms,
  acknowledge,
  disable,
  enable,
  reset,
  snooze,
];

/** Console views: model diagrams with highlighted states, detectors, alarms and their logs. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView, Drawing } from "#kernel/operation";
import { type DrawnState, drawStates } from "./diagram.ts";
import { ALARM_STATES, type DetectorModelDefinition } from "./domain/index.ts";
import { BACKLOG_MAX } from "./evaluators.ts";
import type { EventsContext } from "./state.ts";
import * as store from "./store/index.ts";
import type { LogRow, ModelRow } from "./tables.ts";

/** States of alarms are constants; those of detectors are names that users chose. */
const stateText = (kind: string, name: string): string =>
  kind === "alarm" ? `${name.charAt(0)}${name.slice(1).toLowerCase().replaceAll("_", " ")}` : name;

const alarmStates: ReadonlySet<string> = new Set(ALARM_STATES);
const loggedState = (name: string | null): string =>
  name === null ? "" : stateText(alarmStates.has(name) ? "alarm" : "detector", name);

const MODELS_SHOWN_MAX = 20;
const COUNTED_MAX = 1000;

/** Transitions of an alarm, by users and by its rule. */
const ALARM_MOVES: readonly (readonly [from: string, to: string, label: string])[] = [
  ["DISABLED", "NORMAL", "enable"],
  ["NORMAL", "ACTIVE", "rule holds"],
  ["ACTIVE", "ACKNOWLEDGED", "acknowledge"],
  ["ACTIVE", "LATCHED", "rule ends"],
  ["LATCHED", "ACTIVE", "rule holds"],
  ["LATCHED", "ACKNOWLEDGED", "acknowledge"],
  ["LATCHED", "NORMAL", "reset"],
  ["ACKNOWLEDGED", "NORMAL", "rule ends"],
  ["ACTIVE", "SNOOZE_DISABLED", "snooze"],
  ["SNOOZE_DISABLED", "NORMAL", "snooze ends"],
  ["NORMAL", "DISABLED", "disable"],
];

async function statesOf(context: EventsContext, model: ModelRow, version: number) {
  const place = { account: context.account, model_id: model.id, version };
  const countOf = async (name: string): Promise<string> => {
    const count = await store.countInState(context.db, place, name, COUNTED_MAX);
    if (count === 0) return "";
    const noun = count === 1 ? model.kind : `${model.kind}s`;
    return count === COUNTED_MAX ? `${COUNTED_MAX} ${noun} or more` : `${count} ${noun}`;
  };
  const states: DrawnState[] = [];
  if (model.kind === "alarm") {
    for (const name of ALARM_STATES) {
      const next = ALARM_MOVES.filter(([from]) => from === name).map(([, to, label]) => ({
        to: stateText(model.kind, to),
        label,
      }));
      states.push({ name: stateText(model.kind, name), count: await countOf(name), next });
    }
    return { states, initial: stateText(model.kind, "DISABLED") };
  }
  const { definition } = await store.getVersion(context.db, model, version);
  const drawn: DetectorModelDefinition = JSON.parse(definition).detectorModelDefinition;
  for (const { stateName: name, onInput } of drawn.states) {
    const next = (onInput?.transitionEvents ?? []).map(({ eventName, nextState }) => ({
      label: eventName,
      to: nextState,
    }));
    states.push({ name, count: await countOf(name), next });
  }
  return { states, initial: drawn.initialStateName };
}

async function drawModels(context: EventsContext): Promise<Drawing[]> {
  const drawings: Drawing[] = [];
  for (const model of await store.listAllModels(context.db, context.account, MODELS_SHOWN_MAX)) {
    const version = model.active_version ?? model.latest_version;
    const { states, initial } = await statesOf(context, model, version);
    const lit = states.filter(({ count }) => count !== "").map(({ name, count }) => `${count} in ${name}`);
    drawings.push({
      title: `${model.name}, version ${version}: ${lit.join(", ") || "nothing yet"}`,
      svg: drawStates(states, initial),
    });
  }
  return drawings;
}

/** Each line is `[at, input, message id, payload]`. The newest comes first. */
const recentOf = (recent: string): string =>
  recent === ""
    ? ""
    : recent
        .split("\n")
        .map((line) => {
          const [, input, , payload] = JSON.parse(line);
          return `${input} ${payload}`;
        })
        .join(" · ");

/** When the newest message came. */
const lastOf = (recent: string): string => {
  const [newest = ""] = recent.split("\n", 1);
  return newest === "" ? "" : isoOf(JSON.parse(newest)[0]);
};

async function instanceRows(context: EventsContext, limit: number): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for (const model of await store.listModelsInUse(context.db, context.account, limit)) {
    if (model.active_version === null || rows.length >= limit) break;
    const place = { account: context.account, model_id: model.id, version: model.active_version };
    for (const row of await store.listFirst(context.db, place, limit - rows.length))
      rows.push([
        model.name,
        row.key,
        row.state_name,
        isoOf(row.updated_at),
        lastOf(row.recent),
        recentOf(row.recent),
      ]);
  }
  return rows;
}

const logRowOf = (row: LogRow): unknown[] => [
  row.id,
  isoOf(row.at),
  row.model,
  row.key,
  row.kind,
  loggedState(row.from_state),
  loggedState(row.to_state),
  row.text,
];

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Detectors and alarms",
    columns: ["Model", "Key", "State", "Changed", "Heard", "Last messages"],
    madeBy: "events.CreateDetectorModel",
    drawings: drawModels,
    rows: instanceRows,
  },
  {
    title: "Waiting messages",
    isShownEmpty: false,
    columns: ["Messages", "Oldest"],
    async rows({ db, account, clock }) {
      const count = await store.countWaiting(db, account, BACKLOG_MAX);
      const oldestUs = count === 0 ? undefined : await store.findOldestWaiting(db, account);
      if (oldestUs === undefined) return [];
      return [[count, `${Math.max(0, Math.round(clock.machineNowMs() - oldestUs / 1000))} ms`]];
    },
  },
  {
    title: "Log",
    madeBy: "events.BatchPutMessage",
    columns: ["Entry", "Time", "Model", "Key", "What", "From", "To", "Text"],
    async rows({ db, account }, limit) {
      return (await store.listNewestLogs(db, account, limit)).map(logRowOf);
    },
    async rowsAfter({ db, account }, after, limit) {
      return (await store.listLogs(db, account, after, limit)).map(logRowOf);
    },
  },
];

/** Evaluates a batch in one transaction: reads instances once, evaluates in memory, writes once. */
import {
  type AlarmState,
  type CompiledDetectorModel,
  type DetectorState,
  evaluateAlarm,
  evaluateDetector,
  type LogEntry,
  type OutgoingAction,
  parsePayload,
  waitingTimers,
} from "../domain/index.ts";
import { storable } from "../domain/storable.ts";
import type { CompiledModel, EventsContext } from "../state.ts";
import { findFirstDue, insertLogs, instancesOfKeys, modelsOfIds, saveInstances } from "../store/index.ts";
import type { InstanceRow, LogRow, MessageRow, ModelRow } from "../tables.ts";
import { shardOf } from "./accept.ts";
import { findCompiled } from "./compiled.ts";
import { isDebugged, type Logging, levelOf, loggingOf, publishLogs } from "./logging.ts";
import { type Failed, type Sent, sendAll } from "./send.ts";
import { planTimers } from "./wake.ts";

const RECENT_MAX = 5;
const RECENT_PAYLOAD_LENGTH_MAX = 1024;
const TEXT_LENGTH_MAX = 2000;
/** A batch ends after this many actions, or after this time. */
const ACTIONS_MAX = 200;
const BATCH_MS_MAX = 50;
/** Limit of overdue timers of one instance before one message. */
const LATE_TIMERS_MAX = 20;

type AnyState = DetectorState | AlarmState;
/** A model during the batch. */
type Running = { readonly row: ModelRow; readonly version: number; readonly compiled: CompiledModel };
/** An instance during the batch. */
type Live = {
  readonly running: Running;
  readonly row: InstanceRow;
  state: AnyState | undefined;
  isChanged: boolean;
};
type Result = {
  readonly state: AnyState;
  readonly log: readonly LogEntry[];
  readonly actions: readonly OutgoingAction[];
};

export function dueOf(kind: string, state: AnyState): number | null {
  if (kind === "alarm") return (state as AlarmState).snoozeUntilMs ?? null;
  let due: number | null = null;
  for (const { dueAtMs } of waitingTimers(state as DetectorState))
    if (due === null || dueAtMs < due) due = dueAtMs;
  return due;
}

export class Run {
  readonly #context: EventsContext;
  readonly #nowMs: number;
  readonly #endMs = performance.now() + BATCH_MS_MAX;
  readonly #models = new Map<string, Running>();
  readonly #live = new Map<string, Live>();
  readonly #logs: LogRow[] = [];
  readonly #sent: Sent[] = [];
  readonly #logging = new Map<string, Logging>();

  constructor(context: EventsContext) {
    this.#context = context;
    this.#nowMs = context.clock.nowMs();
  }

  /** Reads all instances of the places. Places of deleted models are skipped. */
  async load(places: readonly { readonly model_id: string; readonly key: string }[]): Promise<void> {
    const { db, account } = this.#context;
    const keysByModel = new Map<string, Set<string>>();
    for (const { model_id, key } of places) {
      const keys = keysByModel.get(model_id);
      if (keys) keys.add(key);
      else keysByModel.set(model_id, new Set([key]));
    }
    for (const row of (await modelsOfIds(db, account, [...keysByModel.keys()])).values()) {
      const version = row.active_version;
      if (version === null) continue;
      const compiled = await findCompiled(this.#context, row, version);
      if (!compiled) continue;
      const running = { row, version, compiled };
      this.#models.set(row.id, running);
      if (!this.#logging.has(row.region))
        this.#logging.set(row.region, await loggingOf(this.#context, row.region));
      const place = { account, model_id: row.id, version };
      const keys = [...(keysByModel.get(row.id) ?? [])];
      for (const instance of await instancesOfKeys(db, place, keys))
        this.#live.set(`${row.id}/${instance.key}`, liveOf(running, instance));
    }
  }
  /** The rest of a batch belongs to the next transaction, so that other callers are served in between. */
  get isFull(): boolean {
    return this.#sent.length >= ACTIONS_MAX || performance.now() > this.#endMs;
  }
  /** Whether the instance belongs to the active version. */
  isLoaded({ model_id, key, version }: InstanceRow): boolean {
    return this.#live.get(`${model_id}/${key}`)?.row.version === version;
  }
  #liveOf(modelId: string, key: string): Live | undefined {
    const known = this.#live.get(`${modelId}/${key}`);
    const running = this.#models.get(modelId);
    if (known || !running) return known;
    const { account, state } = this.#context;
    const row: InstanceRow = {
      account,
      model_id: modelId,
      version: running.version,
      key,
      shard: shardOf(state, modelId, key),
      state_name: "",
      state: "",
      recent: "",
      due_at: null,
      created_at: this.#nowMs,
      updated_at: this.#nowMs,
    };
    const live = { running, row, state: undefined, isChanged: false };
    this.#live.set(`${modelId}/${key}`, live);
    return live;
  }

  message(message: MessageRow): void {
    const live = this.#liveOf(message.model_id, message.key);
    if (!live) return;
    this.#elapse(live, message.depth);
    const stimulus = {
      kind: "message",
      inputName: message.input,
      messageId: message.message_id,
      payload: parsePayload(message.payload),
      atMs: message.sent_at ?? this.#nowMs,
    } as const;
    const wasMade = live.state !== undefined;
    this.#apply(live, message.depth, () =>
      live.running.compiled.kind === "alarm"
        ? evaluateAlarm(live.running.compiled.model, live.state as AlarmState, stimulus, this.#occasion(live))
        : evaluateDetector(
            live.running.compiled.model,
            live.state as DetectorState,
            stimulus,
            this.#occasion(live),
          ),
    );
    if (wasMade || live.state !== undefined) this.#remember(live, message);
  }
  /** Applies a customer action to an alarm. Returns false if there is no such alarm. */
  act(modelId: string, key: string, stimulus: Parameters<typeof evaluateAlarm>[2]): boolean {
    const live = this.#live.get(`${modelId}/${key}`);
    if (live?.running.compiled.kind !== "alarm" || live.state === undefined) return false;
    const { model } = live.running.compiled;
    this.#elapse(live, 0);
    this.#apply(live, 0, () =>
      evaluateAlarm(model, live.state as AlarmState, stimulus, this.#occasion(live)),
    );
    return true;
  }
  /** Handles due timers, or the end of a snooze. */
  elapse(modelId: string, key: string): void {
    const live = this.#live.get(`${modelId}/${key}`);
    if (live) this.#elapse(live, 0);
  }
  /** Replaces the state of a detector. Returns false if it does not exist. */
  replace(modelId: string, key: string, next: (model: CompiledDetectorModel) => DetectorState): boolean {
    const live = this.#live.get(`${modelId}/${key}`);
    if (live?.running.compiled.kind !== "detector") return false;
    const state = next(live.running.compiled.model);
    const from = live.row.state_name;
    live.state = state;
    live.isChanged = true;
    const text = `The detector was put into "${state.stateName}".`;
    this.#log(live, { kind: "transition", text, from, to: state.stateName });
    return true;
  }

  #elapse(live: Live, depth: number): void {
    for (let count = 0; count < LATE_TIMERS_MAX; count += 1) {
      const { compiled } = live.running;
      if (live.state === undefined) return;
      const due = dueOf(compiled.kind, live.state);
      if (due === null || due > this.#nowMs) return;
      if (compiled.kind === "alarm") {
        const state = live.state as AlarmState;
        this.#apply(live, depth, () =>
          evaluateAlarm(compiled.model, state, { kind: "snoozeEnded" }, this.#occasion(live)),
        );
      } else {
        const state = live.state as DetectorState;
        const timer = waitingTimers(state).find(({ dueAtMs }) => dueAtMs === due);
        if (!timer) return;
        const stimulus = { kind: "timer", timerName: timer.name } as const;
        this.#apply(live, depth, () =>
          evaluateDetector(compiled.model, state, stimulus, this.#occasion(live)),
        );
      }
    }
  }
  #occasion({ running, row }: Live) {
    const logging = this.#logging.get(running.row.region);
    const debug = logging !== undefined && isDebugged(logging, running.row.name, row.key);
    return { nowMs: this.#nowMs, keyValue: row.key, debug };
  }

  /** An error affects only this message: it is logged, and the instance stays unchanged. */
  #apply(live: Live, depth: number, evaluate: () => Result): void {
    let result: Result;
    try {
      result = evaluate();
    } catch (error) {
      this.#context.log.error("an evaluation failed", {
        model: live.running.row.name,
        error: String(error),
      });
      this.#log(live, { kind: "error", text: `The evaluation failed: ${String(error)}` });
      return;
    }
    live.state = result.state;
    live.isChanged = true;
    for (const entry of result.log) this.#log(live, entry);
    for (const action of result.actions)
      this.#sent.push({
        action,
        depth,
        model: live.running.row,
        key: live.row.key,
        spelling: live.running.compiled.spelling,
      });
  }
  #log({ running, row }: Live, entry: LogEntry): void {
    const { account, ids } = this.#context;
    this.#logs.push({
      account,
      id: ids.sortable(),
      model_id: running.row.id,
      region: running.row.region,
      model: running.row.name,
      key: row.key,
      level: levelOf(entry.kind),
      kind: entry.kind,
      text: storable(entry.place === undefined ? entry.text : `${entry.text} (${entry.place})`).slice(
        0,
        TEXT_LENGTH_MAX,
      ),
      from_state: entry.from ?? null,
      to_state: entry.to ?? null,
      at: this.#nowMs,
    });
  }
  #remember({ row }: Live, message: MessageRow): void {
    const payload =
      message.payload.length > RECENT_PAYLOAD_LENGTH_MAX
        ? `${storable(message.payload.slice(0, RECENT_PAYLOAD_LENGTH_MAX))}…`
        : message.payload;
    const line = JSON.stringify([this.#nowMs, message.input, message.message_id, payload]);
    const lines = row.recent === "" ? [] : row.recent.split("\n", RECENT_MAX);
    if (lines.length >= RECENT_MAX) lines.length = RECENT_MAX - 1;
    row.recent = [line, ...lines].join("\n");
  }

  /** Writes changed instances and sends actions. */
  async save(): Promise<void> {
    const { db } = this.#context;
    const moved: InstanceRow[] = [];
    const unmoved: InstanceRow[] = [];
    const dueByShard = new Map<number, number>();
    for (const live of this.#live.values()) {
      if (!live.isChanged || live.state === undefined) continue;
      const { row } = live;
      const before = { stateName: row.state_name, due: row.due_at };
      this.#bringUpToDate(row, live.state, dueOf(live.running.row.kind, live.state));
      const isMoved = row.state_name !== before.stateName || row.due_at !== before.due;
      (isMoved ? moved : unmoved).push(row);
      if (row.due_at !== null && row.due_at !== before.due)
        dueByShard.set(row.shard, Math.min(row.due_at, dueByShard.get(row.shard) ?? row.due_at));
    }
    await this.#plan(dueByShard);
    await saveInstances(db, moved, unmoved);
    for (const { sent, text } of firstOfEach(await sendAll(this.#context, this.#sent))) {
      const live = this.#live.get(`${sent.model.id}/${sent.key}`);
      if (live) this.#log(live, { kind: "error", text, place: sent.action.place });
    }
    await insertLogs(db, this.#logs);
    await publishLogs(this.#context, this.#logging, this.#logs);
  }
  #bringUpToDate(row: InstanceRow, state: AnyState, dueAtMs: number | null): void {
    row.state_name = state.stateName;
    row.state = JSON.stringify(state);
    row.due_at = dueAtMs;
    row.updated_at = this.#nowMs;
  }
  /** Reschedules the timer job of a shard if a timer is due before its planned time. */
  async #plan(dueByShard: ReadonlyMap<number, number>): Promise<void> {
    const { db, account } = this.#context;
    for (const [shard, dueAtMs] of dueByShard) {
      const planned = await findFirstDue(db, account, shard);
      if (planned === undefined || dueAtMs < planned) await planTimers(this.#context, shard, dueAtMs);
    }
  }
}

/** An instance logs a reason once, however many of its actions failed for it. */
function firstOfEach(failed: readonly Failed[]): readonly Failed[] {
  const firsts = new Map<string, Failed>();
  for (const one of failed) {
    const key = JSON.stringify([one.sent.model.id, one.sent.key, one.text]);
    if (!firsts.has(key)) firsts.set(key, one);
  }
  return [...firsts.values()];
}
function liveOf(running: Running, row: InstanceRow): Live {
  return {
    running,
    row,
    state: JSON.parse(row.state) as AnyState,
    isChanged: false,
  };
}

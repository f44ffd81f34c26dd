/** Realistic models, message by message on a clock that only timers and messages move. */
import { describe, expect, it } from "vitest";
import { MODEL_STORIES, type ModelStory } from "../../../../../tests/support/event-models/index.ts";
import { analyseDetectorModel } from "../analysis/analyse.ts";
import { parsePayload } from "../payload.ts";
import { type CompiledDetectorModel, compileDetectorModel } from "./compile.ts";
import { evaluateDetector } from "./evaluate.ts";
import type { Stimulus } from "./run.ts";
import { type DetectorState, describeVariables, waitingTimers } from "./state.ts";

/** Keeps states as a store would: as text. */
class World {
  readonly #model: CompiledDetectorModel;
  readonly states = new Map<string, string>();
  readonly transitions: string[] = [];
  readonly sent: string[] = [];
  readonly errors: string[] = [];
  constructor(model: CompiledDetectorModel) {
    this.#model = model;
  }
  stateOf(key: string): DetectorState {
    return JSON.parse(this.states.get(key) ?? "{}");
  }
  stimulate(key: string, stimulus: Stimulus, nowMs: number): void {
    const before = this.states.has(key) ? this.stateOf(key) : undefined;
    const { state, log, actions } = evaluateDetector(this.#model, before, stimulus, { nowMs, keyValue: key });
    this.states.set(key, JSON.stringify(state));
    const at = `${nowMs / 1000} ${key}:`;
    for (const { kind, from, to, eventName, text } of log) {
      if (kind === "transition") this.transitions.push(`${at} ${from} → ${to} (${eventName})`);
      if (kind === "error") this.errors.push(`${at} ${text}`);
    }
    for (const { kind, target, body } of actions)
      this.sent.push(`${at} ${kind} ${target}${body.includes("actionExecutionId") ? "" : ` ${body}`}`);
  }
  /** Timers in the order they are due, up to this moment. */
  travel(untilMs: number): void {
    for (;;) {
      const [next] = [...this.states.keys()]
        .flatMap((key) => waitingTimers(this.stateOf(key)).map((timer) => ({ key, ...timer })))
        .filter(({ dueAtMs }) => dueAtMs <= untilMs)
        .sort((one, other) => one.dueAtMs - other.dueAtMs);
      if (next === undefined) return;
      this.stimulate(next.key, { kind: "timer", timerName: next.name }, next.dueAtMs);
    }
  }
}

function live(story: ModelStory): World {
  const model = compileDetectorModel(
    { detectorModelName: story.name, detectorModelVersion: "1", ...story },
    story.inputs,
  );
  const world = new World(model);
  for (const [index, { atSecond, inputName, payload }] of story.steps.entries()) {
    const nowMs = atSecond * 1000;
    world.travel(nowMs);
    const read = parsePayload(JSON.stringify(payload));
    const key = model.keyOf(inputName, read);
    if (key === undefined) throw new Error("A message of the story has no key.");
    world.stimulate(
      key,
      { kind: "message", inputName, messageId: `m${index}`, payload: read, atMs: nowMs },
      nowMs,
    );
  }
  world.travel(story.endSecond * 1000);
  return world;
}

describe.each(MODEL_STORIES)("$name", (story) => {
  const world = live(story);
  it("goes through exactly these states", () => {
    expect(world.transitions).toEqual(story.transitions);
    expect(world.errors).toEqual([]);
  });
  it("sends exactly this", () => {
    expect(world.sent).toEqual(story.sent);
  });
  it("ends with these variables", () => {
    const [first] = world.states.keys();
    const told = describeVariables(world.stateOf(first ?? ""));
    expect(Object.fromEntries(told.map(({ name, value }) => [name, value]))).toEqual(story.variables);
  });
  it("has no errors in its analysis", () => {
    const errors = analyseDetectorModel(story.definition, story.inputs).filter(
      ({ level }) => level === "ERROR",
    );
    expect(errors).toEqual([]);
  });
});

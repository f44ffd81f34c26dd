/** A small detector model around the one event that a test is about. */
import type {
  Action,
  DetectorModelDefinition,
  EvaluationMethod,
  Event,
  KnownInputs,
} from "../../src/services/events/domain/definition.ts";
import {
  compileDetectorModel,
  type DetectorModelSource,
} from "../../src/services/events/domain/detectors/compile.ts";
import { evaluateDetector } from "../../src/services/events/domain/detectors/evaluate.ts";

export const NOW_MS = 1_700_000_000_250;
export const inputs: KnownInputs = {
  Reading: [{ jsonPath: "unit" }, { jsonPath: "value" }, { jsonPath: "`odd name`" }, { jsonPath: "list" }],
  constructor: [{ jsonPath: "unit" }],
};
export const set = (variableName: string, value: string): Action => ({
  setVariable: { variableName, value },
});
export const sourceOf = (
  definition: DetectorModelDefinition,
  evaluationMethod: EvaluationMethod = "BATCH",
): DetectorModelSource => ({
  detectorModelName: "model",
  detectorModelVersion: "3",
  key: "unit",
  definition,
  evaluationMethod,
});
export const single = (...events: Event[]): DetectorModelDefinition => ({
  initialStateName: "only",
  states: [
    {
      stateName: "only",
      onInput: { events: [{ eventName: "seen", condition: 'currentInput("Reading")' }, ...events] },
    },
  ],
});
export const compile = (definition: DetectorModelDefinition, method?: EvaluationMethod) =>
  compileDetectorModel(sourceOf(definition, method), inputs);
export const message = (payload: unknown) =>
  ({ kind: "message", inputName: "Reading", messageId: "m-1", payload, atMs: NOW_MS }) as const;
export const occasion = { nowMs: NOW_MS, keyValue: "u1" };

/** What one message makes of one event. */
export function happen(
  actions: readonly Action[],
  payload: unknown = { unit: "u1", value: 5 },
  condition?: string,
) {
  const model = compile(single({ eventName: "e", condition, actions }));
  return evaluateDetector(model, undefined, message(payload), occasion);
}
export const sent = (action: Action, payload?: unknown) => happen([action], payload).actions[0];
export const errorsOf = (log: readonly { kind: string; place?: string; text: string }[]) =>
  log.filter(({ kind }) => kind === "error").map(({ place, text }) => `${place}: ${text}`);

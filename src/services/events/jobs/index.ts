/** Jobs of this service. */
import { analyse, forgetOld } from "./analyse.ts";
import { evaluate, lookForForgotten } from "./evaluate.ts";
import { activate, applyInput, clear } from "./models.ts";
import { endTimers } from "./timers.ts";

export * from "./accept.ts";
export { analyse } from "./analyse.ts";
export * from "./compiled.ts";
export { Run } from "./evaluation.ts";
export { type LoggingOptions, loggingOf } from "./logging.ts";
export {
  activateModel,
  activationKeyOf,
  clearInstances,
  modelsReading,
  planActivation,
  planInputChange,
} from "./models.ts";
export { askForEvaluation, lookLater } from "./wake.ts";
export const jobs = [evaluate, lookForForgotten, endTimers, activate, clear, applyInput, analyse, forgetOld];

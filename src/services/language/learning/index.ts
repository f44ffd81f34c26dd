/** Learning and recognition, as the rest of the service sees them. */
export { checkPattern } from "../recognition/patterns.ts";
export { prebuiltNames } from "../recognition/prebuilts.ts";
export type { FoundEntity, Prediction, ScoredIntent } from "../recognition/prediction.ts";
export { checkRegex, isKeptOnly } from "../recognition/regexes.ts";
export { knowsRootsOf } from "../recognition/roots.ts";
export { type Token, tokenize } from "../recognition/tokenize.ts";
export { type Evaluation, evaluate, type Measured } from "./evaluate.ts";
export { contentOfModel, type LoadedModel, loadModel } from "./model.ts";
export { createTrainer, type Question, type Trainer } from "./trainer.ts";

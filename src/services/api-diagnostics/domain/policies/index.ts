/** Gateway policies: documents that are compiled when stored and run for each call. */
export {
  brokenPolicy,
  type CompiledPolicy,
  compilePolicy,
  type EffectivePolicy,
  effectiveOf,
  POLICY_LENGTH_MAX,
  runSteps,
} from "./compile.ts";
export { inFormat } from "./markup.ts";
export { PolicyError } from "./place.ts";
export { Fields, LETTERS_PER_CALL_MAX, type PolicyNote, type PolicyRun, type Reply } from "./run.ts";
export type { JwtRules, PolicyTools, Section } from "./step.ts";

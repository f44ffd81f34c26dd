/** What a version's own trained model says, for review lists and suggestions. */
import type { Version } from "../domain/application.ts";
import type { Prediction } from "../learning/index.ts";
import type { LanguageContext } from "../state.ts";

export type Predictor = (text: string) => Promise<Prediction | undefined>;

/** Says nothing where the version was never trained. */
export async function predictorOf(
  { account, state, clock }: LanguageContext,
  { trainedBlob }: Version,
): Promise<Predictor> {
  const model = trainedBlob === undefined ? undefined : await state.models.get(account, trainedBlob);
  if (!model) return async () => undefined;
  const wallClockMs = clock.nowMs();
  return (text) => state.trainer.predict(model, text, { wallClockMs });
}

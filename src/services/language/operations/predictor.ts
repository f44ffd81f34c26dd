/** Predictions of a version's own model, for review lists and suggestions. */
import type { Version } from "../domain/application.ts";
import type { Prediction } from "../learning/index.ts";
import type { LanguageContext } from "../state.ts";

export type Predictor = (text: string) => Promise<Prediction | undefined>;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/**
 * Predicts nothing if the version was never trained. It yields before each utterance, because lists can be
 * long.
 */
export async function predictorOf(
  { account, state, clock }: LanguageContext,
  { trainedBlob }: Version,
): Promise<Predictor> {
  const model = trainedBlob === undefined ? undefined : await state.models.get(account, trainedBlob);
  if (!model) return async () => undefined;
  const wallClockMs = clock.nowMs();
  return async (text) => {
    await nextTurn();
    return state.trainer.predict(model, text, { wallClockMs });
  };
}

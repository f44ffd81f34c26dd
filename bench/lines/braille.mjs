/** Braille: characters a second of one worker, and how long the main thread is held up meanwhile. */
import { apiKey } from "../load.mjs";

const SENTENCE = "The quick brown fox jumps over the lazy dog, and everyone knows something about it. ";
const CHARACTERS = 100_000;

export async function brailleLines({ product }) {
  const text = SENTENCE.repeat(Math.ceil(CHARACTERS / SENTENCE.length)).slice(0, CHARACTERS);
  const translate = async () => {
    const start = performance.now();
    const answer = await fetch(`${product.url}/braille/translate/braille`, {
      method: "POST",
      headers: { "x-vendor-api-secret": apiKey, "content-type": "application/json" },
      body: JSON.stringify({ text }),
    });
    if (answer.status !== 200) throw new Error(`braille answered ${answer.status}`);
    await answer.arrayBuffer();
    return performance.now() - start;
  };
  await translate();
  const took = Math.min(await translate(), await translate(), await translate());
  await product.longestTurnMs();
  await translate();
  const longestTurnMs = await product.longestTurnMs();
  const perSecond = CHARACTERS / (took / 1000);
  return [
    {
      line: "braille: characters a second, one worker",
      value: `${Math.round(perSecond)}/s`,
      measured: perSecond,
      atLeast: 60_000,
    },
    {
      line: "braille: longest turn of the main thread while 100,000 characters are translated",
      value: `${longestTurnMs.toFixed(1)} ms`,
      measured: longestTurnMs,
      atMost: 20,
    },
  ];
}

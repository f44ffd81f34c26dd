/**
 * `medley language train|test|predict`: an application in a file, folder or archive is trained here and now, without a server.
 * `medley language import` brings it into one.
 */
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { type CommandInput, FailedError, UsageError } from "#kernel/manifest";
import { ServiceError } from "#kernel/operation";
import { readAppAt } from "./command-files.ts";
import type { Utterance, VersionContent } from "./domain/content.ts";
import { checkCulture, TOKENIZER_VERSION } from "./domain/cultures.ts";
import {
  createTrainer,
  type Evaluation,
  evaluate,
  loadModel,
  type Measured,
  type Trainer,
} from "./learning/index.ts";
import { contentOf } from "./transfer/app-json.ts";
import { checkedContent } from "./transfer/check.ts";
import { predictionView } from "./wire/prediction-v3.ts";

const CULTURE_DEFAULT = "en-us";
/** Without a test file, every fifth utterance is excluded from training and used as a test. */
const TESTED_EVERY = 5;
const SHOWN_MAX = 20;

export async function run({ words, text, withServer }: CommandInput): Promise<number> {
  const [verb, file, ...rest] = words;
  if (file === undefined)
    throw new UsageError("say which application: medley language train|test|predict|import APP");
  if (verb === "import" && rest.length === 0)
    return bringIn(file, text("name"), (path, app) =>
      withServer((server) => server.call("POST", path, app), { begins: true }),
    );
  const trainer = createTrainer();
  try {
    if (verb === "train" && rest.length === 0) return await train(trainer, file, text("out"));
    if (verb === "test" && rest.length <= 1) return await test(trainer, file, rest[0], text("threshold"));
    if (verb === "predict" && rest.length > 0) return await predict(trainer, file, rest.join(" "));
  } finally {
    await trainer.close();
  }
  throw new UsageError("say what to do with the application: medley language train|test|predict|import APP");
}

async function bringIn(
  place: string,
  given: string | undefined,
  send: (path: string, app: unknown) => Promise<unknown>,
): Promise<number> {
  const app = await readAppAt(place);
  const name = given ?? (app.name || basename(place).replace(/\.(lu|zip|json)$/i, ""));
  const id = await send(
    `/language/luis/authoring/v3.0-preview/apps/import?appName=${encodeURIComponent(name)}`,
    app,
  );
  process.stdout.write(
    `imported ${name} with ${app.intents?.length ?? 0} intents and ${app.utterances?.length ?? 0} utterances: ${id}\n`,
  );
  return 0;
}

async function train(trainer: Trainer, file: string, out: string | undefined): Promise<number> {
  const content = await readContent(file);
  const bytes = await trainer.train(content);
  if (out !== undefined) await writeFile(out, bytes);
  const { intents, entities, utterances } = content;
  process.stdout.write(
    `trained ${intents.length} intents and ${entities.length} entities from ${utterances.length} utterances: ${bytes.length} bytes${out === undefined ? "" : ` in ${out}`}\n`,
  );
  return 0;
}

async function predict(trainer: Trainer, file: string, utterance: string): Promise<number> {
  const model = loadModel(await trainer.train(await readContent(file)));
  const prediction = await trainer.predict(model, utterance, { wallClockMs: nowMs() });
  const view = predictionView(prediction, utterance, { verbose: true, showAllIntents: true });
  process.stdout.write(`${JSON.stringify(view, undefined, 2)}\n`);
  return 0;
}

async function test(
  trainer: Trainer,
  file: string,
  testsFile: string | undefined,
  given: string | undefined,
): Promise<number> {
  const threshold = given === undefined ? 0 : Number(given);
  if (!(threshold >= 0 && threshold <= 1)) throw new UsageError("--threshold is a number from 0 to 1");
  const content = await readContent(file);
  const isKeptBack = (_: Utterance, at: number): boolean =>
    testsFile === undefined && at % TESTED_EVERY === 0;
  const tests =
    testsFile === undefined
      ? content.utterances.filter(isKeptBack)
      : (await readContent(testsFile)).utterances;
  if (tests.length === 0) throw new FailedError("there is no utterance to test with");
  const learned = { ...content, utterances: content.utterances.filter((one, at) => !isKeptBack(one, at)) };
  const model = loadModel(await trainer.train(learned));
  const tested: Parameters<typeof evaluate>[0][number][] = [];
  for (const labelled of tests)
    tested.push({
      labelled,
      predicted: await trainer.predict(model, labelled.text, { wallClockMs: nowMs() }),
    });
  const evaluation = evaluate(tested);
  process.stdout.write(reportOf(evaluation));
  return isGoodEnough(evaluation, threshold) ? 0 : 1;
}

/** Entities count only if the tests have any. */
const isGoodEnough = ({ intentAccuracy, entityFScore, entities }: Evaluation, threshold: number): boolean =>
  intentAccuracy >= threshold && (entities.length === 0 || entityFScore >= threshold);

function reportOf({ intents, entities, utterances, intentAccuracy, entityFScore }: Evaluation): string {
  const line = ({ name, precision, recall, fScore, support }: Measured): string =>
    `  ${fixed(fScore)}  ${fixed(precision)}  ${fixed(recall)}  ${String(support).padStart(6)}  ${name}\n`;
  const wrong = utterances.filter(({ labelledIntent, foundIntent }) => labelledIntent !== foundIntent);
  return [
    "  F      precision recall labels name\n",
    ...intents.map(line),
    ...entities.map(line),
    ...wrong
      .slice(0, SHOWN_MAX)
      .map(
        ({ text, labelledIntent, foundIntent }) =>
          `  "${text}": ${foundIntent} instead of ${labelledIntent}\n`,
      ),
    ...(wrong.length > SHOWN_MAX ? [`  and ${wrong.length - SHOWN_MAX} more\n`] : []),
    `${utterances.length} utterances: intents right ${fixed(intentAccuracy)}`,
    entities.length === 0 ? "\n" : `, entities F ${fixed(entityFScore)}\n`,
  ].join("");
}
const fixed = (part: number): string => part.toFixed(3);

async function readContent(place: string): Promise<VersionContent> {
  const app = await readAppAt(place);
  let number = 0;
  const nextNumber = (): number => {
    number += 1;
    return number;
  };
  try {
    const content = contentOf(
      app,
      {
        culture: checkCulture(app.culture || CULTURE_DEFAULT),
        tokenizerVersion: app.tokenizerVersion || TOKENIZER_VERSION,
      },
      { newId: randomUUID, nextNumber },
    );
    return await checkedContent(content, randomUUID);
  } catch (error) {
    if (error instanceof ServiceError) throw new FailedError(`${place}: ${error.message}`);
    throw error;
  }
}

const nowMs = (): number => Math.round(performance.timeOrigin + performance.now());

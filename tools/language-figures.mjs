/**
 * How well language understanding learns, on data of your own:
 *   node tools/language-figures.mjs intents FILE    {train, val, oos_train?, oos_val?}: pairs of text and intent
 *   node tools/language-figures.mjs corpus FILE     {sentences}: text, intent, entities by tokens, training
 * Run `npm run build` before.
 */
import { readFileSync } from "node:fs";
import { evaluate } from "../dist/services/language/learning/evaluate.js";
import {
  emptyContent,
  intentsNamed,
  learnedEntity,
} from "../dist/services/language/learning/generated-content.js";
import { loadModel } from "../dist/services/language/learning/model.js";
import { train } from "../dist/services/language/learning/train.js";
import { predict } from "../dist/services/language/recognition/predict.js";
import { tokenize } from "../dist/services/language/recognition/tokenize.js";

const [kind, file] = process.argv.slice(2);
const data = file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));

async function taught(content) {
  const before = process.cpuUsage();
  const bytes = await train(content);
  const { user, system } = process.cpuUsage(before);
  console.log(`trained in ${((user + system) / 1e6).toFixed(1)} s of one core, ${bytes.length} bytes`);
  return loadModel(bytes);
}
const share = (list, test) => (list.filter(test).length / list.length).toFixed(4);

async function intentFigures({ train: lessons, val, oos_train = [], oos_val = [] }) {
  const names = [...new Set(lessons.map(([, intent]) => intent))];
  const model = await taught(
    emptyContent({
      intents: intentsNamed([...names, "None"]),
      utterances: lessons.map(([text, intent], id) => ({ id, text, intent, labels: [] })),
    }),
  );
  const topOf = (text) => predict(model, text).intents[0]?.name;
  const bestOf = (text) => predict(model, text).intents.find(({ name }) => name !== "None")?.name;
  console.log(`in scope, without None: ${share(val, ([text, intent]) => bestOf(text) === intent)}`);
  console.log(`in scope, with None:    ${share(val, ([text, intent]) => topOf(text) === intent)}`);
  const outside = [...oos_train, ...oos_val];
  if (outside.length > 0)
    console.log(`out of scope, None:     ${share(outside, ([text]) => topOf(text) === "None")}`);
}

async function corpusFigures({ sentences }) {
  const utterances = sentences.map(({ text, intent, entities, training }, id) => {
    const tokens = tokenize(text, "en-us");
    const labels = entities.map(({ entity, start, stop }) => ({
      start: tokens[start].start,
      end: tokens[stop].end,
      entity,
      role: undefined,
      children: [],
    }));
    return { id, text, intent, labels, training };
  });
  const entities = [...new Set(utterances.flatMap(({ labels }) => labels.map(({ entity }) => entity)))];
  const model = await taught(
    emptyContent({
      intents: intentsNamed([...new Set(utterances.map(({ intent }) => intent)), "None"]),
      entities: entities.map((name) => learnedEntity(name)),
      utterances: utterances.filter(({ training }) => training),
    }),
  );
  const { intentAccuracy, entityFScore } = evaluate(
    utterances
      .filter(({ training }) => !training)
      .map((labelled) => ({ labelled, predicted: predict(model, labelled.text) })),
  );
  console.log(`intents right: ${intentAccuracy.toFixed(4)}, entities F: ${entityFScore.toFixed(4)}`);
}

if (kind === "intents" && data) await intentFigures(data);
else if (kind === "corpus" && data) await corpusFigures(data);
else {
  console.error("say what and where: language-figures.mjs intents|corpus FILE");
  process.exitCode = 2;
}

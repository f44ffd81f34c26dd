/**
 * Learning and prediction on applications that are made: 150 intents with 15,000 utterances, 10 intents, and how accuracy grows
 * with what is taught. Processor time of one thread, so that a busy machine tells the same.
 */
import { generateIntents } from "../../dist/services/language/learning/generated-content.js";
import { loadModel } from "../../dist/services/language/learning/model.js";
import { train } from "../../dist/services/language/learning/train.js";
import { predict } from "../../dist/services/language/recognition/predict.js";

const MB = 1024 * 1024;
const SILENT_SHARE = 0.05;

const secondsSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

async function taught(intentCount, utterancesEach) {
  const generated = generateIntents({ intentCount, utterancesEach, silentShare: SILENT_SHARE });
  const before = process.cpuUsage();
  const bytes = await train(generated.content);
  return { ...generated, seconds: secondsSince(before), bytes };
}

function asked({ bytes, test }) {
  const model = loadModel(bytes);
  for (const { text } of test.slice(0, 500)) predict(model, text);
  const before = process.cpuUsage();
  const right = test.filter(({ text, intent }) => predict(model, text).intents[0]?.name === intent);
  const seconds = secondsSince(before);
  // Of each the fastest of five, so that what else the machine does is not counted.
  const each = test.map(({ text }) => {
    let fastest = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 5; turn += 1) {
      const begun = performance.now();
      predict(model, text);
      fastest = Math.min(fastest, performance.now() - begun);
    }
    return fastest;
  });
  each.sort((one, other) => one - other);
  return {
    accuracy: right.length / test.length,
    perSecond: test.length / seconds,
    p99Ms: each[Math.floor(each.length * 0.99)],
    megabytes: model.bytes / MB,
  };
}

const fixed = (number, digits = 1) => number.toFixed(digits);

export async function languageLines() {
  const rows = [];
  const large = await taught(150, 100);
  const answers = asked(large);
  rows.push(
    {
      line: "language: training of 150 intents with 15,000 utterances",
      value: `${fixed(large.seconds)} s of one core`,
      measured: large.seconds,
      atMost: 60,
    },
    {
      line: "language: memory of that model",
      value: `${fixed(answers.megabytes)} MB`,
      measured: answers.megabytes,
      atMost: 30,
    },
    {
      line: "language: predictions of 150 intents",
      value: `${fixed(answers.perSecond, 0)}/s, p99 ${fixed(answers.p99Ms, 2)} ms`,
      measured: answers.perSecond,
      atLeast: 1000,
    },
  );
  const small = await taught(10, 100);
  const few = asked(small);
  rows.push({
    line: "language: predictions of 10 intents",
    value: `${fixed(few.perSecond, 0)}/s, p99 ${fixed(few.p99Ms, 2)} ms`,
    measured: few.perSecond,
    atLeast: 3000,
  });
  for (const each of [2, 5, 10, 20, 50]) {
    const made = await taught(10, each);
    const { accuracy } = asked(made);
    rows.push({
      line: `language: 10 intents learned from ${each} utterances each`,
      value: `${fixed(accuracy, 3)} right, at best ${fixed(made.best, 3)}`,
    });
  }
  return rows;
}

/**
 * Learning and prediction on applications that are made: 150 intents with 15,000 utterances, 10 intents, and how accuracy grows
 * with what is taught, by processor time of one thread, so that a busy machine tells the same; reads of the authoring interface
 * beside a raw server, and how long other callers wait while a large application comes in.
 */
import { generateIntents } from "../../dist/services/language/learning/generated-content.js";
import { loadModel } from "../../dist/services/language/learning/model.js";
import { train } from "../../dist/services/language/learning/train.js";
import { predict } from "../../dist/services/language/recognition/predict.js";
import { apiKey, inTurns } from "../load.mjs";

const MB = 1024 * 1024;
const SILENT_SHARE = 0.05;

const secondsSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

export async function taught(intentCount, utterancesEach) {
  const generated = generateIntents({ intentCount, utterancesEach, silentShare: SILENT_SHARE });
  const before = process.cpuUsage();
  const bytes = await train(generated.content);
  return { ...generated, seconds: secondsSince(before), bytes };
}

export function asked({ bytes, test }) {
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

const headers = { "Vendor-Subscription-Key": apiKey, "content-type": "application/json" };
const exportedAs = (name, { content }) => ({
  luis_schema_version: "7.0.0",
  versionId: "0.1",
  name,
  culture: "en-us",
  intents: content.intents.map((intent) => ({ name: intent.name })),
  entities: [],
  utterances: content.utterances.map(({ text, intent }) => ({ text, intent, entities: [] })),
});

/** How long the others waited at the most while it was done, and how long it took itself. */
async function waitedMeanwhile(url, work) {
  let isDone = false;
  let worstMs = 0;
  const others = (async () => {
    while (!isDone) {
      const begun = performance.now();
      await (await fetch(url, { headers })).arrayBuffer();
      worstMs = Math.max(worstMs, performance.now() - begun);
    }
  })();
  const begun = performance.now();
  const result = await work();
  const seconds = (performance.now() - begun) / 1000;
  isDone = true;
  await others;
  return { result, seconds, worstMs };
}

async function servingLines({ raw, product }, large) {
  const base = `${product.url}/language/luis/authoring/v3.0-preview/apps/`;
  const body = JSON.stringify(exportedAs(`bench ${Date.now()}`, large));
  const { result, seconds, worstMs } = await waitedMeanwhile(`${base}cultures`, async () =>
    (await fetch(`${base}import`, { method: "POST", headers, body })).json(),
  );
  const { rawGet, one, intents } = await inTurns({
    rawGet: [`${raw.url}/`],
    one: [`${base}${result}`, { headers }],
    intents: [`${base}${result}/versions/0.1/intents?take=10`, { headers }],
  });
  return [
    {
      line: "language: import of 15,000 utterances; the longest that others waited",
      value: `${fixed(seconds)} s; ${fixed(worstMs, 0)} ms`,
    },
    {
      line: "language: reads of an application",
      value: `${fixed(one, 0)}/s`,
      ratio: one / rawGet,
      target: 0.4,
    },
    { line: "language: pages of intents", value: `${fixed(intents, 0)}/s`, ratio: intents / rawGet },
  ];
}

export async function languageLines(servers) {
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
  rows.push(...(await servingLines(servers, large)));
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

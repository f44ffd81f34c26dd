/** Event detection: signed puts with ten thousand live detectors, and batches evaluated end to end. */
import { execFileSync } from "node:child_process";
import { inTurns, load, signedHeaders, token } from "../load.mjs";

const DETECTORS = 10_000;
const MESSAGES_SECONDS = 5;
const json = { "content-type": "application/json" };
const admin = { authorization: `Bearer ${token}` };
const definition = {
  initialStateName: "Normal",
  states: [
    {
      stateName: "Normal",
      onEnter: {
        events: [{ eventName: "init", actions: [{ setVariable: { variableName: "breaches", value: "0" } }] }],
      },
      onInput: {
        events: [
          {
            eventName: "count",
            condition: "$input.BenchInput.pressure > 40",
            actions: [{ setVariable: { variableName: "breaches", value: "$variable.breaches + 1" } }],
          },
        ],
        transitionEvents: [
          { eventName: "over", condition: "$input.BenchInput.pressure > 70", nextState: "Dangerous" },
        ],
      },
    },
    {
      stateName: "Dangerous",
      onInput: {
        transitionEvents: [
          { eventName: "back", condition: "$input.BenchInput.pressure <= 70", nextState: "Normal" },
        ],
      },
    },
  ],
};

const memoryOf = (pid) => Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)])) / 1024;
let sent = 0;
/** Mostly quiet, as devices are: one in fifty is over the limit. */
function message(at) {
  sent += 1;
  const payload = { motorid: `m${sent % DETECTORS}`, pressure: sent % 50 === 0 ? 80 : 30 + (sent % 20) };
  return {
    messageId: `m${at}`,
    inputName: "BenchInput",
    payload: Buffer.from(JSON.stringify(payload)).toString("base64"),
  };
}
export const bodyOf = (count) =>
  JSON.stringify({ messages: Array.from({ length: count }, (_, at) => message(at)) });

export class Caller {
  constructor(url) {
    this.base = `${url}/events`;
    this.url = url;
  }
  options(method, path, body) {
    const url = `${this.base}${path}`;
    const signed = signedHeaders("iotevents", method, url, body, { unsignedPayload: true });
    return { url, method, headers: { ...json, ...signed }, body };
  }
  async call(method, path, value) {
    const { url, ...options } = this.options(
      method,
      path,
      value === undefined ? undefined : JSON.stringify(value),
    );
    const answer = await fetch(url, options);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
  async waiting() {
    const answer = await fetch(`${this.url}/_medley/views/events?view=Waiting%20messages`, {
      headers: admin,
    });
    return Number((await answer.json()).views[0].rows[0]?.[0] ?? 0);
  }
  async untilEvaluated() {
    while ((await this.waiting()) > 0) await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export async function makeModel(caller) {
  await caller.call("POST", "/inputs", {
    inputName: "BenchInput",
    inputDefinition: { attributes: [{ jsonPath: "motorid" }, { jsonPath: "pressure" }] },
  });
  await caller.call("POST", "/detector-models", {
    detectorModelName: "bench",
    key: "motorid",
    roleArn: "arn:vendor:iam::111111111111:role/bench",
    detectorModelDefinition: definition,
  });
  while (
    (await caller.call("GET", "/detector-models/bench")).detectorModel.detectorModelConfiguration.status !==
    "ACTIVE"
  )
    await new Promise((resolve) => setTimeout(resolve, 50));
}
/** Every detector is made by its first message. */
export async function makeDetectors(caller) {
  for (let made = 0; made < DETECTORS; made += 200)
    await Promise.all(
      Array.from({ length: 20 }, () => {
        const { url, ...options } = caller.options("POST", "/inputs/messages", bodyOf(10));
        return fetch(url, options).then((answer) => answer.text());
      }),
    );
  await caller.untilEvaluated();
}

/** Messages a second, from the first put to the last evaluation. */
async function endToEnd(caller, put, options) {
  const before = sent;
  const start = performance.now();
  await load(put.url, { ...options, seconds: MESSAGES_SECONDS });
  await caller.untilEvaluated();
  return ((sent - before) * 1000) / (performance.now() - start);
}
/** How long the last of a batch waits for its evaluation while batches come at a given rate. */
async function lagAt(caller, put, options, messagesPerSecond) {
  const loading = load(put.url, {
    ...options,
    seconds: MESSAGES_SECONDS,
    overallRate: messagesPerSecond / 10,
  });
  const lags = [];
  for (const endMs = performance.now() + MESSAGES_SECONDS * 1000; performance.now() < endMs; ) {
    const answer = await fetch(`${caller.url}/_medley/views/events?view=Waiting%20messages`, {
      headers: admin,
    });
    lags.push(Number.parseFloat((await answer.json()).views[0].rows[0]?.[1] ?? "0"));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await loading;
  return lags.toSorted((a, b) => a - b)[Math.floor(lags.length * 0.95)];
}

export async function eventLines({ raw, product }) {
  const caller = new Caller(product.url);
  await makeModel(caller);
  const memoryBefore = memoryOf(product.pid);
  await makeDetectors(caller);
  const { url, ...put } = caller.options("POST", "/inputs/messages", bodyOf(1));
  const requests = (count) => [{ ...put, setupRequest: (request) => ({ ...request, body: bodyOf(count) }) }];
  const post = { method: "POST", headers: json, body: bodyOf(1) };
  const { rawPost, single } = await inTurns({
    rawPost: [`${raw.url}/`, post],
    single: [url, { requests: requests(1) }],
  });
  await caller.untilEvaluated();
  const batches = await endToEnd(caller, { url }, { requests: requests(10), connections: 32 });
  const lag = await lagAt(caller, { url }, { requests: requests(10), connections: 32 }, batches / 2);
  await caller.untilEvaluated();
  const growth = memoryOf(product.pid) - memoryBefore;
  return [
    { line: "events: raw POST", value: `${Math.round(rawPost)}/s` },
    {
      line: "events: signed put of one message, 10,000 detectors",
      value: `${Math.round(single)}/s`,
      ratio: single / rawPost,
      target: 0.35,
    },
    {
      line: "events: messages evaluated end to end, in batches of ten",
      value: `${Math.round(batches)}/s`,
      measured: batches,
      atLeast: 12_000,
    },
    {
      line: "events: evaluation lag at half that load, 95 of 100",
      value: `${Math.round(lag)} ms`,
      measured: lag,
      atMost: 50,
    },
    { line: "events: memory that the detectors and the load added", value: `${Math.round(growth)} MB` },
  ];
}

/**
 * Faces among many, over HTTP on an embedded database: 100,000 persons and a list of 1,000,000 faces are put in, trained and
 * searched. Processor time, so that a busy machine tells the same; the scan runs in one thread.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { apiKeyIn, plain } from "../../dist/bundled/protocols.js";
import { startMedley } from "../../dist/index.js";
import { queriesOf } from "../../dist/kernel/db/index.js";
import { distanceBetween } from "../../dist/services/face/domain/confidence.js";
import { textOf } from "../../dist/services/face/domain/descriptor.js";
import { changeCounts, findContainer } from "../../dist/services/face/store/containers.js";
import { insertDetected } from "../../dist/services/face/store/detected.js";
import { apiKey } from "../load.mjs";
import { watchTurns } from "../turns.mjs";

const PERSONS = 100_000;
const AT_ONCE = 500;
const LENGTH = 128;
const SEARCHES = 12;
const NEAREST = 10;
const MODEL = "recognition_04";

/** The same numbers in every run, between -1 and 1. */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}
/** Faces of people: 1.3 apart on the average, as descriptors of two people are. */
function descriptorsOf(count, seed) {
  const next = numbersFrom(seed);
  const all = new Float32Array(count * LENGTH);
  for (let i = 0; i < all.length; i += 1) all[i] = 0.14 * next();
  return (at) => all.subarray(at * LENGTH, (at + 1) * LENGTH);
}

const { compiledInsertAll } = queriesOf();
const insertFaces = compiledInsertAll("face_persisted", [
  "account",
  "container",
  "person",
  "id",
  "user_data",
  "descriptor",
]);
const insertPersons = compiledInsertAll("face_person", [
  "account",
  "container",
  "id",
  "name",
  "user_data",
  "face_count",
]);

/** Puts faces where pictures would have put them. */
const maker = (descriptors) => ({
  name: "face-maker",
  title: "Face maker",
  summary: "Puts made-up faces where pictures would have put them.",
  mount: "/face-maker",
  protocol: plain({ scheme: apiKeyIn("Vendor-Subscription-Key") }),
  operations: [
    {
      id: "face-maker.fill",
      summary: "Fills a container",
      method: "POST",
      path: "/{kind}/{id}/{first}",
      permission: "face-maker:Fill",
      answers: { 200: {} },
      async handle({ params: { kind, id, first } }, { db, account, ids, secrets }) {
        const ref = { kind, id };
        const { uid: container } = await findContainer(db, account, ref);
        const hasPersons = kind === "largepersongroup";
        const faces = Array.from({ length: AT_ONCE }, (_, index) => ({
          account,
          container,
          person: hasPersons ? ids.uuid() : "",
          id: ids.uuid(),
          user_data: null,
          descriptor: secrets.seal(textOf(descriptors[kind](Number(first) + index))),
        }));
        await insertFaces(db, faces);
        const persons = faces.map(({ person }) => ({
          account,
          container,
          id: person,
          name: person,
          user_data: null,
          face_count: 1,
        }));
        if (hasPersons) await insertPersons(db, persons);
        await changeCounts(db, account, ref, { faces: AT_ONCE, persons: hasPersons ? AT_ONCE : 0 });
        return faces.map((face) => face.person || face.id);
      },
    },
    {
      id: "face-maker.detect",
      summary: "A detected face near one of the container's",
      method: "POST",
      path: "/detected/{kind}/{at}",
      permission: "face-maker:Detect",
      answers: { 200: {} },
      async handle({ params: { kind, at } }, { db, account, ids, secrets, clock }) {
        const id = ids.uuid();
        const descriptor = secrets.seal(textOf(near(descriptors[kind](Number(at)), Number(at))));
        const expires_at = clock.nowMs() + 86_400_000;
        await insertDetected(db, [{ account, id, recognition_model: MODEL, descriptor, expires_at }]);
        return { id };
      },
    },
  ],
});
function near(descriptor, seed) {
  const next = numbersFrom(seed + 7);
  return descriptor.map((value) => value + 0.04 * next());
}

const processorMs = async (work) => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const middleOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

class Bench {
  constructor(url) {
    this.url = url;
    this.made = {};
  }
  async ask(method, path, body) {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { "vendor-subscription-key": apiKey, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${text}`);
    return text && JSON.parse(text);
  }
  /** Answers the seconds that training took. */
  async fill(kind, path, count) {
    await this.ask("PUT", `/face/v1.0/${path}`, { name: "Bench", recognitionModel: MODEL });
    this.made[kind] = [];
    for (let first = 0; first < count; first += AT_ONCE)
      this.made[kind].push(...(await this.ask("POST", `/face-maker/${kind}/bench/${first}`)));
    const begun = performance.now();
    await this.ask("POST", `/face/v1.0/${path}/train`);
    for (;;) {
      const { status } = await this.ask("GET", `/face/v1.0/${path}/training`);
      if (status === "succeeded") return (performance.now() - begun) / 1000;
      if (status === "failed") throw new Error("training failed");
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function measured(bench, { kind, count, descriptorAt, search }) {
  const wanted = Array.from({ length: SEARCHES }, (_, index) => Math.floor((index * count) / SEARCHES));
  const faceIds = [];
  for (const at of wanted) faceIds.push((await bench.ask("POST", `/face-maker/detected/${kind}/${at}`)).id);
  const turns = watchTurns();
  turns.take();
  const loadingMs = await processorMs(() => search(faceIds[0]));
  const answers = [];
  const times = [];
  for (const faceId of faceIds) times.push(await processorMs(async () => answers.push(await search(faceId))));
  const { longestTurnMs } = turns.take();
  turns.stop();
  let [found, all] = [0, 0];
  for (const [index, at] of wanted.entries()) {
    const nearest = nearestOf(near(descriptorAt(at), at), count, descriptorAt, answers[index].length);
    found += nearest.filter((row) => answers[index].includes(bench.made[kind][row])).length;
    all += nearest.length;
  }
  return { loadingMs, middleMs: middleOf(times), recall: found / all, longestTurnMs };
}
/** By plain arithmetic over all of them. */
function nearestOf(query, count, descriptorAt, limit) {
  const best = [];
  for (let row = 0; row < count; row += 1) {
    const distance = distanceBetween(query, descriptorAt(row));
    if (best.length === limit && distance >= best.at(-1).distance) continue;
    best.push({ row, distance });
    best.sort((a, b) => a.distance - b.distance).splice(limit);
  }
  return best.map(({ row }) => row);
}

function linesOf(what, limitMs, trainingSeconds, { loadingMs, middleMs, recall, longestTurnMs }) {
  const line = (name, value, limits) => ({ line: `faces: ${what}: ${name}`, value, ...limits });
  const ms = (value) => `${value.toFixed(1)} ms`;
  return [
    line("processor time of one search", ms(middleMs), { measured: middleMs, atMost: limitMs }),
    line("nearest found", recall.toFixed(4), { measured: recall, atLeast: 0.99 }),
    line("longest turn of the main thread", ms(longestTurnMs), { measured: longestTurnMs, atMost: 20 }),
    line("processor time of the first search, which loads the index", ms(loadingMs)),
    line("training", `${trainingSeconds.toFixed(1)} s`),
  ];
}

/** `faces`: how many the list has; fewer are put in sooner. */
export async function faceSearchLines(faces) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-face-"));
  const descriptors = {
    largepersongroup: descriptorsOf(PERSONS, 1),
    largefacelist: descriptorsOf(faces, 2),
  };
  const medley = await startMedley({
    data,
    services: ["face"],
    extraServices: [maker(descriptors)],
    credentialsFile: new URL("../../tests/support/credentials.json", import.meta.url).pathname,
  });
  try {
    const bench = new Bench(medley.url);
    const identify = async (faceId) => {
      const body = {
        largePersonGroupId: "bench",
        faceIds: [faceId],
        maxNumOfCandidatesReturned: 5,
        confidenceThreshold: 0,
      };
      const [{ candidates }] = await bench.ask("POST", "/face/v1.0/identify", body);
      return candidates.map(({ personId }) => personId);
    };
    const findSimilar = async (faceId) => {
      const body = {
        faceId,
        largeFaceListId: "bench",
        maxNumOfCandidatesReturned: NEAREST,
        mode: "matchFace",
      };
      const found = await bench.ask("POST", "/face/v1.0/findsimilars", body);
      return found.map(({ persistedFaceId }) => persistedFaceId);
    };
    const lines = [];
    for (const [kind, path, count, search, what, limitMs] of [
      [
        "largepersongroup",
        "largepersongroups/bench",
        PERSONS,
        identify,
        "identify among 100,000 persons",
        60,
      ],
      [
        "largefacelist",
        "largefacelists/bench",
        faces,
        findSimilar,
        `find similar among ${faces.toLocaleString("en")}`,
        250,
      ],
    ]) {
      const trainingSeconds = await bench.fill(kind, path, count);
      const result = await measured(bench, { kind, count, descriptorAt: descriptors[kind], search });
      lines.push(...linesOf(what, limitMs, trainingSeconds, result));
    }
    return lines;
  } finally {
    await medley.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

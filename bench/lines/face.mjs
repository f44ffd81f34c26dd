/** Looking at pictures: processor time of one with one face, how two workers scale, and how long the main thread is held up. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { look } from "../../dist/services/face/recognizer/look.js";
import { apiKey } from "../load.mjs";

const packaged = createRequire(import.meta.url);
const PHOTOGRAPH = join(dirname(packaged.resolve("@vladmandic/face-api/package.json")), "demo/sample1.jpg");
/** One of those on it. */
const HEAD = { left: 330, top: 280, width: 350, height: 350 };
/** Of a square megapixel. */
const SIDE = 1000;
const LOOKS = 5;
const AT_ONCE = 2;

/** Least of several, in milliseconds of processor time: what else the machine does only makes it more. */
async function processorMs(work) {
  const taken = [];
  for (let round = 0; round < LOOKS; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    taken.push((user + system) / 1000);
  }
  return Math.min(...taken);
}

export async function faceLines({ product }) {
  const sharp = packaged("sharp");
  const face = await sharp(PHOTOGRAPH).extract(HEAD).toBuffer();
  const ground = { width: SIDE, height: SIDE, channels: 3, background: "#7a7d80" };
  const picture = await sharp({ create: ground })
    .composite([{ input: face }])
    .jpeg({ quality: 90 })
    .toBuffer();
  const task = { picture, detectionModel: "detection_01", recognitionModel: "recognition_04" };
  const first = process.cpuUsage();
  const { faces } = await look(task);
  const loading = process.cpuUsage(first);
  if (faces.length !== 1) throw new Error(`the photograph has ${faces.length} faces`);
  const lookMs = await processorMs(() => look(task));
  const loadMs = Math.max(0, (loading.user + loading.system) / 1000 - lookMs);
  const detect = async () => {
    const answer = await fetch(`${product.url}/face/v1.0/detect?recognitionModel=recognition_04`, {
      method: "POST",
      headers: { "vendor-subscription-key": apiKey, "content-type": "application/octet-stream" },
      body: picture,
    });
    if (answer.status !== 200) throw new Error(`detect answered ${answer.status}: ${await answer.text()}`);
    await answer.arrayBuffer();
  };
  let turnMs = 0;
  /** Processor time of the whole product for each picture, the least of some rounds; pictures come so many at a time. */
  const eachMs = async (together) => {
    const rounds = [];
    for (let round = 0; round < LOOKS; round += 1) {
      const before = await product.mainThread();
      await Promise.all(Array.from({ length: together }, detect));
      const after = await product.mainThread();
      rounds.push((after.allThreadsMs - before.allThreadsMs) / together);
      turnMs = Math.max(turnMs, after.longestTurnMs);
    }
    return Math.min(...rounds);
  };
  await product.mainThread();
  await detect();
  const { longestTurnMs: firstTurnMs } = await product.mainThread();
  await Promise.all([detect(), detect()]);
  const one = await eachMs(1);
  const two = await eachMs(AT_ONCE);
  const line = (name, value, limits) => ({ line: `faces: ${name}`, value, ...limits });
  return [
    line("one face in a megapixel with its descriptor, processor time", `${Math.round(lookMs)} ms`, {
      measured: lookMs,
      atMost: 700,
    }),
    line("loading the networks, processor time", `${Math.round(loadMs)} ms`, {
      measured: loadMs,
      atMost: 2000,
    }),
    line(
      "two workers to one, by processor time of a picture",
      `${Math.round(two)} ms, ${Math.round(one)} ms`,
      {
        measured: (AT_ONCE * one) / two,
        atLeast: 1.8,
      },
    ),
    line("longest turn of the main thread meanwhile", `${turnMs.toFixed(1)} ms`, {
      measured: turnMs,
      atMost: 20,
    }),
    line("longest turn of the main thread with the first picture", `${firstTurnMs.toFixed(1)} ms`, {
      measured: firstTurnMs,
      atMost: 20,
    }),
  ];
}

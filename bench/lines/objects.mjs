/** Large objects beside the database: puts and gets at a real store that speaks S3 (s3rver), one after another and together. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultConfig } from "../../dist/kernel/config/index.js";
import { openS3 } from "../../dist/kernel/objects/index.js";
import { createLog } from "../../dist/kernel/observe/index.js";
import { startPeer } from "../peers/start.mjs";
import { shown, summaryOf } from "../rounds.mjs";

const BUCKET = "bench";
const ROUNDS = 9;
const OBJECTS = 200;
const OBJECT_BYTES = 64 * 1024;
const TOGETHER = 16;

const cpuMs = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
/** Processor time of this process for one object, and objects a second. */
async function measure(width, work) {
  const [cpu, begunMs] = [process.cpuUsage(), performance.now()];
  let next = 0;
  const each = async () => {
    while (next < OBJECTS) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, each));
  return { ms: cpuMs(cpu) / OBJECTS, perSecond: OBJECTS / ((performance.now() - begunMs) / 1000) };
}
const rowOf = (line, rounds) => {
  const perSecond = Math.round(summaryOf(rounds.map((round) => round.perSecond)).middle);
  const value = `${shown(summaryOf(rounds.map(({ ms }) => ms)))} ms of a processor, ${perSecond}/s`;
  return { line: `objects of ${OBJECT_BYTES / 1024} KB at s3rver: ${line}`, value };
};

export async function objectLines() {
  const folder = mkdtempSync(join(tmpdir(), "medley-bench-objects-"));
  const peer = await startPeer("s3rver", join(folder, "store"), BUCKET);
  if (!peer) return [{ line: "objects at s3rver", value: "not installed" }];
  const config = {
    ...defaultConfig,
    objects: `s3://${BUCKET}/bench`,
    objectsEndpoint: peer.url,
    objectsKeyId: "S3RVER",
    objectsSecret: "S3RVER",
  };
  const store = openS3(config, createLog("error"));
  const bytes = randomBytes(OBJECT_BYTES);
  const kinds = {
    "put, one after another": [1, (at) => store.put(`object-${at}`, bytes)],
    "get, one after another": [1, (at) => store.find(`object-${at}`)],
    [`put, ${TOGETHER} together`]: [TOGETHER, (at) => store.put(`object-${at}`, bytes)],
    [`get, ${TOGETHER} together`]: [TOGETHER, (at) => store.find(`object-${at}`)],
  };
  const turns = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]));
  try {
    for (let round = -1; round < ROUNDS; round += 1)
      for (const [name, [width, work]] of Object.entries(kinds)) {
        const turn = await measure(width, work);
        if (round >= 0) turns[name].push(turn);
      }
    return Object.entries(turns).map(([name, rounds]) => rowOf(name, rounds));
  } finally {
    peer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Long journeys in time: what the journey itself costs, and a year over all demo data. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { bearer, plain } from "../../dist/bundled/protocols.js";
import { startMedley } from "../../dist/index.js";
import { defineService, jobsFor } from "../../dist/kernel/operation/index.js";

const MONTHLY = 100;
const HOURLY = 10;

/** Schedules that do nothing themselves, so that what is measured is the journey. */
const schedulesOf = (count, cronOf) =>
  defineService({
    name: "schedules",
    title: "Schedules",
    summary: "Schedules that do nothing.",
    mount: "/schedules",
    protocol: plain({ scheme: bearer }),
    operations: [],
    jobs: Array.from({ length: count }, (_, i) =>
      jobsFor()({
        name: `schedules.repeating-${i}`,
        payload: Type.Object({}),
        repeat: { cron: cronOf(i) },
        async run() {},
      }),
    ),
  });
const call = async ({ url, credentials }, path, body) => {
  const response = await fetch(`${url}/_medley${path}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${credentials.accounts[0].tokens[0]}`,
      "content-type": "application/json",
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};
/** Seconds of the clock on the wall and of the processor, and how many runs there were. */
async function travel(by, { prepare = async () => {}, ...options } = {}) {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const medley = await startMedley({ data, ...options });
  try {
    await prepare(medley);
    const [start, used] = [performance.now(), process.cpuUsage()];
    const { runs } = await call(medley, "/clock/advance", { by });
    const { user, system } = process.cpuUsage(used);
    return { seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6, runs };
  } finally {
    await medley.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

const THREADS_END_MS = 3000;

export async function timeTravelLines() {
  const monthly = await travel("365d", {
    extraServices: [schedulesOf(MONTHLY, (i) => `${i % 60} ${i % 24} 1 * *`)],
  });
  const hourly = await travel("40d", { extraServices: [schedulesOf(HOURLY, (i) => `${i} * * * *`)] });
  const demo = await travel("365d", {
    async prepare(medley) {
      await call(medley, "/seed", {});
      // What the demo data itself has to do, such as training, is no part of the journey.
      await call(medley, "/clock/advance", { by: "1s" });
      await pause(THREADS_END_MS);
    },
  });
  const rate = hourly.runs / hourly.processorSeconds;
  return [
    {
      line: `advance of a year with ${MONTHLY} monthly schedules`,
      value: `${monthly.seconds.toFixed(1)} s`,
      atMost: 10,
      measured: monthly.seconds,
    },
    {
      line: `advance of 40 days with ${HOURLY} hourly schedules: runs a second of processor`,
      value: rate.toFixed(0),
      atLeast: 1000,
      measured: rate,
    },
    {
      line: `advance of a year over all demo data, ${demo.runs} runs: processor`,
      value: `${demo.processorSeconds.toFixed(1)} s`,
      atMost: 10,
      measured: demo.processorSeconds,
    },
  ];
}

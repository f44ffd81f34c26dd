/** A long journey in time: a year with a hundred schedules that do nothing themselves, so that what is measured is the journey. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { bearer, plain } from "../../dist/bundled/protocols.js";
import { startMedley } from "../../dist/index.js";
import { defineService, jobsFor } from "../../dist/kernel/operation/index.js";

const SCHEDULES = 100;

const schedules = defineService({
  name: "schedules",
  title: "Schedules",
  summary: "A hundred schedules, each due once a month.",
  mount: "/schedules",
  protocol: plain({ scheme: bearer }),
  operations: [],
  jobs: Array.from({ length: SCHEDULES }, (_, i) =>
    jobsFor()({
      name: `schedules.monthly-${i}`,
      payload: Type.Object({}),
      repeat: { cron: `${i % 60} ${i % 24} 1 * *` },
      async run() {},
    }),
  ),
});

export async function timeTravelLines() {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const medley = await startMedley({ data, extraServices: [schedules] });
  const start = performance.now();
  await medley.clock.advance("365d");
  const seconds = (performance.now() - start) / 1000;
  await medley.stop();
  rmSync(data, { recursive: true, force: true });
  return [
    {
      line: `advance of a year with ${SCHEDULES} monthly schedules`,
      value: `${seconds.toFixed(1)} s`,
      atMost: 10,
      measured: seconds,
    },
  ];
}

/** A journey in time that is cut short: the clock is never behind what has run, and two nodes never move it at once. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StartOptions } from "../../src/app/start.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase } from "../support/medley.ts";
import { type NodeProcess, startSampleNode } from "../support/processes.ts";

const headers = { authorization: "Bearer first-token-0001", "content-type": "application/json" };
const HOUR_MS = 3_600_000;
const send = (node: NodeProcess, method: string, path: string, body?: unknown) =>
  fetch(`${node.url}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
const call = async (node: NodeProcess, method: string, path: string, body?: unknown): Promise<any> => {
  const response = await send(node, method, path, body);
  return response.status === 204 ? undefined : response.json();
};
const clockOf = (node: NodeProcess) => call(node, "GET", "/_medley/clock");
const doneOf = async (node: NodeProcess): Promise<{ at: string; finishedAt: string }[]> =>
  (await call(node, "GET", "/_medley/jobs?state=done&kind=sample.count&limit=1000")).jobs;

/** Work for every hour of the days to come. */
async function enqueue(node: NodeProcess, count: number): Promise<void> {
  await call(node, "PUT", "/sample/notes/counted", { text: "x" });
  for (let hour = 1; hour <= count; hour += 1)
    await call(node, "POST", "/sample/notes/counted:count", { delayMs: hour * HOUR_MS });
}

async function expectNotBehind(options: StartOptions, isFrozen: boolean): Promise<void> {
  const node = await startSampleNode(options);
  const before = Date.parse((await clockOf(node)).now);
  if (isFrozen) await call(node, "POST", "/_medley/clock/freeze");
  await enqueue(node, 300);
  const travelling = call(node, "POST", "/_medley/clock/advance", { by: "1000h" }).catch(() => "killed");
  await eventually(async () => (await doneOf(node)).length >= 5, "some runs");
  await node.kill("SIGKILL");
  expect(await travelling).toBe("killed");
  const again = await startSampleNode(options);
  // On a shared database the dead node is believed to be alive until its lease has run out.
  await eventually(async () => (await clockOf(again)).frozen === isFrozen, "the end of the journey");
  const done = await doneOf(again);
  const clock = await clockOf(again);
  const last = Math.max(...done.map(({ finishedAt }) => Date.parse(finishedAt)));
  expect(done.length).toBeGreaterThanOrEqual(5);
  expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(last);
  expect(Date.parse(clock.now)).toBeLessThan(before + 1000 * HOUR_MS);
  let ran: { job: string }[] | undefined;
  await eventually(async () => {
    // Refused for as long as the dead node is believed to be on its way.
    ({ ran } = await call(again, "POST", "/_medley/clock/advance", { by: "1000h" }));
    return ran !== undefined;
  }, "a journey of its own");
  const counted = ran?.filter(({ job }) => job === "sample.count").length;
  await eventually(
    async () => (await call(again, "GET", "/sample/notes/counted")).count === 300,
    "every run",
  );
  expect(counted).toBeLessThanOrEqual(300 - done.length);
  await again.kill("SIGTERM");
}

const settings = async (kind: string) => ({
  data: mkdtempSync(join(tmpdir(), "medley-journey-")),
  jobLeaseSeconds: 2,
  ...(kind === "postgres" && { database: await createDatabase() }),
});

describe.each(["sqlite", "postgres"] as const)("killed on a journey, on %s", (kind) => {
  it.each([false, true])("the clock stands where the last run was (frozen before: %s)", async (isFrozen) => {
    await expectNotBehind(await settings(kind), isFrozen);
  });
});

describe("stopped from the keyboard", () => {
  it("the command line says how far it came; the rest runs on the next journey, and nothing twice", async () => {
    const node = await startSampleNode(await settings("sqlite"));
    await call(node, "PUT", "/sample/notes/slow", { text: "x" });
    for (let hour = 1; hour <= 40; hour += 1)
      await call(node, "POST", "/sample/notes/slow:count", { delayMs: hour * HOUR_MS, waitMs: 250 });
    const words = ["clock", "advance", "100h", "--url", node.url, "--token", "first-token-0001"];
    const child = spawn(process.execPath, [join(import.meta.dirname, "../../dist/main.js"), ...words]);
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    const ended = new Promise((resolve) => child.once("close", resolve));
    await eventually(
      async () => /\d % of the way: .* \d+ runs?, about \d+ s left\n/.test(errors),
      "progress",
    );
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(output).toContain("stopped on the way");
    const { count } = await call(node, "GET", "/sample/notes/slow");
    expect(output).toContain(`sample.slow: ${count} run`);
    expect(count).toBeLessThan(40);
    await call(node, "POST", "/_medley/clock/advance", { by: "100h" });
    expect((await call(node, "GET", "/sample/notes/slow")).count).toBe(40);
    await node.kill("SIGTERM");
  });
});

describe("two nodes", () => {
  it("move time one at a time, and both have it when the answer comes", async () => {
    const options = await settings("postgres");
    const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
    await enqueue(first, 60);
    const answers = await Promise.all(
      [first, second].map((node) => send(node, "POST", "/_medley/clock/advance", { by: "100h" })),
    );
    const refused = answers.filter(({ status }) => status === 409);
    for (const answer of refused)
      expect(((await answer.json()) as any).error.message).toContain("Another node is moving time");
    const moved = answers.filter(({ status }) => status === 200);
    expect([moved.length, refused.length]).toEqual(moved.length === 2 ? [2, 0] : [1, 1]);
    const clocks = await Promise.all([clockOf(first), clockOf(second)]);
    for (const { offsetMs } of clocks)
      expect(offsetMs).toBeGreaterThan(moved.length * 100 * HOUR_MS - 60_000);
    expect((await call(second, "GET", "/sample/notes/counted")).count).toBe(60);
    await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")]);
  });
  it("wait for each other's work, and refuse to jump over it", async () => {
    const options = { ...(await settings("postgres")), jobLeaseSeconds: 15 };
    const [first, second] = await Promise.all([startSampleNode(options), startSampleNode(options)]);
    await call(first, "PUT", "/sample/notes/slow", { text: "x" });
    // Slow work of which the second node holds some.
    for (let i = 0; i < 16; i += 1) await call(second, "POST", "/sample/notes/slow:count", { waitMs: 1500 });
    const isUnderWay = async () =>
      (await call(second, "GET", "/_medley/jobs?state=running&kind=sample.slow")).jobs.length > 0;
    await eventually(isUnderWay, "slow work");
    const { ran } = await call(first, "POST", "/_medley/clock/advance", { by: "1h" });
    expect(Array.isArray(ran)).toBe(true);
    expect((await call(first, "GET", "/sample/notes/slow")).count).toBe(16);
    await Promise.all([first.kill("SIGTERM"), second.kill("SIGTERM")]);
  });
});

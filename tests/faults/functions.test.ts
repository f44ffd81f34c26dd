/** Functions through a kill -9 in mid-deployment, a restart, and on two nodes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { eventually } from "../support/eventually.ts";
import { Functions } from "../support/functions.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

const HELLO = "exports.hello = (q, s) => s.send('hello from ' + process.env.K_REVISION);";
const KILLS = 4;

let folder: string;
let nodes: NodeProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-functions-"));
  nodes = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});
async function startNode(...words: string[]): Promise<NodeProcess> {
  const node = await startServe(
    ...["--services", "functions", "--log-level", "error", "--job-lease-seconds", "3", "--job-poll-ms", "50"],
    ...["--credentials", join(import.meta.dirname, "../support/credentials.json"), "--tls-port", "0"],
    ...words,
  );
  nodes.push(node);
  return node;
}
const functionsOf = (node: () => NodeProcess) =>
  new Functions(() => new Instance({ url: node().url } as Medley));

it("a deployment that is killed ends after the restart, and what ran runs on", async () => {
  let node = await startNode("--data", folder);
  const functions = functionsOf(() => node);
  await functions.running("steady", { source: HELLO, entryPoint: "hello" });
  for (let round = 0; round < KILLS; round += 1) {
    const id = `killed-${"abcd"[round]}`;
    const body = await functions.bodyOf(id, { source: HELLO, entryPoint: "hello" });
    const begun = await functions.send("POST", `${functions.place}/functions?functionId=${id}`, { body });
    expect(begun.status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, round * 60));
    await node.kill("SIGKILL");
    node = await startNode("--data", folder);
    const ended = await functions.ended(begun);
    expect(ended.response.state).toBe("ACTIVE");
    const headers = { authorization: `Bearer ${functions.token}` };
    expect((await functions.call(await functions.urlOf(id), { headers })).text).toBe(
      `hello from ${id}-00001`,
    );
    expect((await functions.call(await functions.urlOf("steady"))).text).toBe("hello from steady-00001");
  }
}, 300_000);

it.runIf(existsSync("/usr/bin/setpriv")).each([
  ["weakly", ["--functions-isolation", "permissions"]],
  ["as well as possible", []],
])(
  "processes that are shut in %s end with a server that is killed, and the next one clears up",
  async (_how, words) => {
    const node = await startNode("--data", folder, ...words);
    const functions = functionsOf(() => node);
    const source = "exports.busy = (q, s) => { s.send(__dirname); setTimeout(() => { for (;;); }, 20); };";
    const place = (await functions.call(await functions.running("busy", { source }))).text;
    const isRunning = () =>
      readdirSync("/proc").some((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(dirname(place));
        } catch {
          return false;
        }
      });
    expect([isRunning(), existsSync(place)]).toEqual([true, true]);
    await node.kill("SIGKILL");
    await eventually(() => !isRunning(), "the end of its processes");
    await startNode("--data", folder);
    await eventually(() => !existsSync(place), "a folder that is cleared away");
  },
  300_000,
);

it("a function deployed on one node answers on the other, in its newest revision", async () => {
  const database = await createDatabase();
  const words = (name: string) => ["--database", database, "--data", join(folder, name)];
  const [first, second] = [await startNode(...words("a")), await startNode(...words("b"))];
  const [here, there] = [functionsOf(() => first), functionsOf(() => second)];
  await here.running("shared", { source: HELLO, entryPoint: "hello" });
  expect((await there.call(await there.urlOf("shared"))).text).toBe("hello from shared-00001");
  await there.ended(
    await there.send("PATCH", there.nameOf("shared"), { body: { labels: { changed: "1" } } }),
  );
  for (const functions of [here, there])
    await eventually(
      async () => (await functions.call(await functions.urlOf("shared"))).text === "hello from shared-00002",
    );
  await here.ended(await here.send("DELETE", here.nameOf("shared")));
  const gone = `${second.url}/functions/run/shared`;
  expect((await there.call(gone)).status).toBe(404);
}, 300_000);

it("processes that are to be there always are there after a crash and after a restart", async () => {
  let node = await startNode("--data", folder);
  const functions = functionsOf(() => node);
  const source =
    "console.log('up'); exports.warm = (q, s) => { s.end(); if (q.query.end) process.exit(3); };";
  const url = await functions.running("warm", { source, service: { minInstanceCount: 2 } });
  const starts = async () => (await functions.lines("warm")).filter(({ text }) => text === "up").length;
  expect(await starts()).toBe(2);
  await functions.call(`${url}?end=1`).catch(() => {});
  await eventually(async () => (await starts()) === 3, "another process after a crash");
  await node.kill("SIGTERM");
  node = await startNode("--data", folder);
  await eventually(async () => (await starts()) === 5, "two processes after a restart");
}, 300_000);

it("fifty deployments at once all end, and leave no processes behind", async () => {
  const node = await startNode(
    "--data",
    folder,
    "--functions-idle-seconds",
    "1",
    "--functions-instances",
    "8",
  );
  const functions = functionsOf(() => node);
  const ids = Array.from(
    { length: 50 },
    (_, index) => `many-${"abcdefghij"[Math.floor(index / 10)]}${"abcdefghij"[index % 10]}`,
  );
  const body = await functions.bodyOf("many", { source: HELLO, entryPoint: "hello" });
  const begun = await Promise.all(
    ids.map((id) => functions.send("POST", `${functions.place}/functions?functionId=${id}`, { body })),
  );
  for (const operation of begun)
    expect(await functions.ended(operation)).toMatchObject({ response: { state: "ACTIVE" } });
}, 300_000);

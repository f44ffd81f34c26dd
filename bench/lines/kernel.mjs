/** What every service stands on: point reads, signed reads, durable inserts, start-up, memory, flat pages. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { measureStart, TARGETS } from "../../tools/start-cost.mjs";
import { apiKey, inTurns, signedHeaders, startServer, token } from "../load.mjs";

const note = JSON.stringify({ text: "a note of ordinary length, as people write them" });
const key = { "x-vendor-key": apiKey };
const json = { ...key, "content-type": "application/json" };

export async function kernelLines({ raw, product }) {
  await fetch(`${product.url}/sample-key/notes/bench`, { method: "PUT", headers: json, body: note });
  await fetch(`${product.url}/sample-signed/notes/bench`, {
    method: "PUT",
    headers: signedHeaders("sample", "PUT", `${product.url}/sample-signed/notes/bench`, note),
    body: note,
  });
  const signedUrl = `${product.url}/sample-signed/notes/bench`;
  const post = { method: "POST", headers: json, body: note };
  const { rawGet, read, signed, rawPost, insert } = await inTurns({
    rawGet: [`${raw.url}/`],
    read: [`${product.url}/sample-key/notes/bench`, { headers: key }],
    signed: [signedUrl, { headers: signedHeaders("sample", "GET", signedUrl) }],
    rawPost: [`${raw.url}/`, post],
    insert: [`${product.url}/sample-key/notes`, post],
  });
  return [
    { line: "raw node:http GET", value: `${Math.round(rawGet)}/s` },
    { line: "authenticated point read", value: `${Math.round(read)}/s`, ratio: read / rawGet, target: 0.5 },
    { line: "SigV4-verified read", value: `${Math.round(signed)}/s`, ratio: signed / rawGet, target: 0.38 },
    { line: "raw node:http POST", value: `${Math.round(rawPost)}/s` },
    { line: "durable insert", value: `${Math.round(insert)}/s`, ratio: insert / rawPost, target: 0.5 },
  ];
}

/** As many routes as twenty services will have. */
async function manyRoutesLine() {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const settings = { data, moreServices: 65 };
  (await startServer("product", settings)).stop();
  const times = [];
  let routes = 0;
  for (let i = 0; i < 3; i += 1) {
    const start = performance.now();
    const { url, stop } = await startServer("product", settings);
    times.push(performance.now() - start);
    const answer = await fetch(`${url}/_medley/services`, { headers: { authorization: `Bearer ${token}` } });
    routes = (await answer.json()).services.reduce((sum, { operations }) => sum + operations, 0);
    stop();
  }
  rmSync(data, { recursive: true, force: true });
  times.sort((a, b) => a - b);
  return {
    line: `process start to ready with ${routes} routes (median of 3)`,
    value: `${Math.round(times[1])} ms`,
    atMost: 800,
    measured: times[1],
  };
}
/** Resident memory of a served process, in MB. */
const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

export async function startLines() {
  const { bare, warm, first } = await measureStart();
  const line = (words, ms, limit) => ({
    line: `${words}, times bare Node's (${Math.round(bare)} ms)`,
    value: `${Math.round(ms)} ms, ${(ms / bare).toFixed(2)} times`,
    atMost: limit,
    measured: ms / bare,
  });
  return [
    line("first start to ready", first, TARGETS.first),
    line("start to ready", warm, TARGETS.warm),
    await manyRoutesLine(),
    ...(await memoryLines()),
  ];
}

/** Long enough for what begins behind a start. */
const SETTLE_MS = 5000;
/** By then the worker threads that the demo data needed have ended. */
const WORKERS_ENDED_MS = 75_000;
/** Of a process that nobody asks, then with all demo data and every page looked at. */
async function memoryLines() {
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const child = spawn(process.execPath, ["dist/main.js", "serve", "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = await once(child.stdout, "data");
  const [url] = /http:\/\/\S+/.exec(chunk.toString());
  await sleep(SETTLE_MS);
  const idle = residentMb(child.pid);
  await visitEverything(url, data);
  await sleep(SETTLE_MS);
  const busy = residentMb(child.pid);
  await sleep(WORKERS_ENDED_MS);
  const used = residentMb(child.pid);
  child.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
  return [
    { line: "idle memory", value: `${Math.round(idle)} MB`, atMost: 110, measured: idle },
    {
      line: "memory right after demo data and a visit to every page, with all worker threads",
      value: `${Math.round(busy)} MB`,
    },
    {
      line: "memory a minute after demo data and a visit to every page",
      value: `${Math.round(used)} MB`,
      atMost: 300,
      measured: used,
    },
  ];
}
async function visitEverything(url, data) {
  const { accounts } = JSON.parse(readFileSync(join(data, "credentials.json"), "utf8"));
  const headers = { authorization: `Bearer ${accounts[0].tokens[0]}`, accept: "text/html" };
  const read = async (path, options) => (await fetch(url + path, { headers, ...options })).text();
  await read("/_medley/seed", { method: "POST" });
  const { services } = JSON.parse(await read("/_medley/services"));
  const admin = [
    "/console",
    "/_medley/openapi.json",
    "/_medley/requests",
    "/_medley/jobs",
    "/_medley/resources",
  ];
  const own = services.flatMap(({ name, mount, pages }) => [
    `/console/docs/${name}`,
    `/_medley/openapi/${name}.json`,
    `/_medley/views/${name}`,
    ...pages.map(({ path }) => mount + path),
  ]);
  for (const path of [...admin, ...own]) await read(path);
}

/** The cost of one page with few and with very many rows behind it. */
export async function pageLines() {
  const { openSqlite } = await import("../../dist/kernel/db/index.js");
  const { sampleService } = await import("../../dist/bundled/testing.js");
  const { plain, bearer } = await import("../../dist/bundled/protocols.js");
  const data = mkdtempSync(join(tmpdir(), "medley-bench-"));
  const database = openSqlite(join(data, "pages.db"));
  const service = sampleService({ name: "pages", mount: "/pages", protocol: plain({ scheme: bearer }) });
  await database.transact((db) => service.migrations["001-notes"].up(db));
  const list = service.operations.find(({ id }) => id === "pages.notes.list");
  const costAt = async (from, to) => {
    for (let start = from; start < to; start += 5000) {
      const rows = Array.from({ length: Math.min(5000, to - start) }, (_, i) => ({
        account: "1",
        id: `n${String(start + i).padStart(9, "0")}`,
        text: "x",
        count: 0,
      }));
      await database.transact(async (db) => {
        for (let i = 0; i < rows.length; i += 500)
          await db
            .insertInto("pages_note")
            .values(rows.slice(i, i + 500))
            .execute();
      });
    }
    let next;
    for (let page = 0; page < 5; page += 1)
      next = (await list.handle({ query: { size: 10, next } }, { db: database.read, account: "1" })).next;
    const start = performance.now();
    for (let i = 0; i < 2000; i += 1)
      await list.handle({ query: { size: 10, next } }, { db: database.read, account: "1" });
    return (performance.now() - start) / 2;
  };
  const small = await costAt(0, 1000);
  const large = await costAt(1000, 1_000_000);
  await database.close();
  rmSync(data, { recursive: true, force: true });
  return [
    {
      line: "page of 10 behind 1,000 / 1,000,000 rows",
      value: `${small.toFixed(0)} µs / ${large.toFixed(0)} µs`,
      ratio: small / large,
      target: 0.7,
    },
  ];
}

/** Loads a server and reads what it did; ratios come from two loads in the same run. */
import { spawn } from "node:child_process";
import { createHash, createHmac } from "node:crypto";
import { fileURLToPath } from "node:url";
import { load as installedPackage } from "../tools/installed.mjs";

export const autocannon = installedPackage("load", "autocannon");

export const accessKey = { id: "MDLYFIRST000000001", secret: "first-secret-0123456789" };
export const apiKey = "first-api-key-0001";
export const token = "first-token-0001";

export const startServer = (kind, options = {}) =>
  startProcess(new URL("./server.mjs", import.meta.url), kind, JSON.stringify(options));

/** Runs a server that prints its address. */
export function startProcess(file, ...options) {
  const child = spawn(process.execPath, [fileURLToPath(file), ...options], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const mainThread = () =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send("main thread");
    });
  const longestTurnMs = async () => (await mainThread()).longestTurnMs;
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`${file.pathname} ended with ${code}`)));
    child.stdout.on("data", (chunk) => {
      const url = /^http:\S+$/m.exec(chunk.toString())?.[0];
      if (url !== undefined)
        resolve({ url, pid: child.pid, mainThread, longestTurnMs, stop: () => child.kill("SIGKILL") });
    });
  });
}

/** Requests a second; throws when anything but the wanted status came back. */
export async function load(url, { connections = 64, seconds = 5, wanted = "2xx", ...options } = {}) {
  await autocannon({ url, connections, duration: 1, ...options });
  const result = await autocannon({ url, connections, duration: seconds, ...options });
  const answers = ["1xx", "2xx", "3xx", "4xx", "5xx"].reduce((sum, kind) => sum + result[kind], 0);
  const refusals = answers - result[wanted];
  if (refusals > 0 || result.errors > 0)
    throw new Error(`${url}: ${refusals} refusals, ${result.errors} errors`);
  return result.requests.average;
}

const ROUNDS = 3;
const middleOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
/** Each load in turn, several times over, so that what else the machine does strikes all alike; the middle of each. */
export async function inTurns(loads) {
  const figures = Object.fromEntries(Object.keys(loads).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, [url, options]] of Object.entries(loads))
      figures[name].push(await load(url, { seconds: 3, ...options }));
  return Object.fromEntries(Object.entries(figures).map(([name, values]) => [name, middleOf(values)]));
}

const hmac = (key, text) => createHmac("sha256", key).update(text).digest();
/** Headers of one signed request; valid for some minutes, so a load may repeat it. */
export function signedHeaders(service, method, url, body = "", { unsignedPayload = false } = {}) {
  const { host, pathname, search } = new URL(url);
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const hash = unsignedPayload ? "UNSIGNED-PAYLOAD" : createHash("sha256").update(body).digest("hex");
  const path = pathname.split("/").map(encodeURIComponent).join("/");
  const canonical = [
    method,
    path,
    search.slice(1).split("&").sort().join("&"),
    `host:${host}`,
    `x-amz-content-sha256:${hash}`,
    `x-amz-date:${time}`,
    "",
    "host;x-amz-content-sha256;x-amz-date",
    hash,
  ].join("\n");
  const scope = `${day}/us-east-1/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, createHash("sha256").update(canonical).digest("hex")].join(
    "\n",
  );
  const key = hmac(hmac(hmac(hmac(`AWS4${accessKey.secret}`, day), "us-east-1"), service), "aws4_request");
  return {
    host,
    "x-amz-date": time,
    "x-amz-content-sha256": hash,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey.id}/${scope}, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=${createHmac("sha256", key).update(text).digest("hex")}`,
  };
}

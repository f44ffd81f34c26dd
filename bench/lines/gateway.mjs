/** API gateways: what a call costs on its way to a backend, with and without a log of it, and what a large download takes. */
import { readFileSync } from "node:fs";
import { load, startProcess, token } from "../load.mjs";

const ROOT =
  "/management/subscriptions/bench/resourceGroups/apis/providers/Vendor.ApiManagement/service/bench";
const CALLS = 400;
const ROUNDS = 5;
const DOWNLOAD_MB = 1024;

const middleOf = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
async function medianMs(url) {
  const taken = [];
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now();
    await (await fetch(url)).arrayBuffer();
    taken.push(performance.now() - start);
  }
  return middleOf(taken);
}
const processorMsOf = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const megabytesOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;

/** Each in turn, several times over: requests a second, and the processor time that each costs the server. */
async function measure(targets) {
  const figures = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, [url, { pid }]] of Object.entries(targets)) {
      const before = processorMsOf(pid);
      const perSecond = await load(url, { seconds: 2 });
      // One second to warm up and two that are counted.
      figures[name].push({ perSecond, ms: (processorMsOf(pid) - before) / (perSecond * 3) });
    }
  const middle = (name, of) => middleOf(figures[name].map(of));
  return (name) => ({
    perSecond: middle(name, ({ perSecond }) => perSecond),
    ms: middle(name, ({ ms }) => ms),
  });
}

/** The most memory that it takes beyond what it had. */
async function download(url, { pid }) {
  const before = megabytesOf(pid);
  let most = before;
  let bytes = 0;
  for await (const part of (await fetch(url)).body) {
    bytes += part.length;
    most = Math.max(most, megabytesOf(pid));
  }
  if (bytes !== DOWNLOAD_MB * 1024 * 1024) throw new Error(`${bytes} bytes came`);
  return most - before;
}

async function putPart({ url }, path, properties) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const address = `${url}${ROOT}/${path}?api-version=2019-12-01-preview`;
  const answer = await fetch(address, { method: "PUT", headers, body: JSON.stringify({ properties }) });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}
/** An API that hands its calls on to the raw server. */
export const putApi = (product, raw, path) =>
  putPart(product, `apis/${path}`, { path, serviceUrl: raw.url, subscriptionRequired: false });

export async function gatewayLines({ raw, product }) {
  const put = (path, properties) => putPart(product, path, properties);
  const api = (path) => putApi(product, raw, path);
  await api("plain");
  await api("logged");
  await put("loggers/monitor", { loggerType: "azureMonitor" });
  await put("apis/logged/diagnostics/monitor", { loggerId: "/loggers/monitor" });
  const through = (path) => `${product.url}/gateway/bench/${path}/get`;
  const proxy = await startProcess(new URL("../bare-proxy.mjs", import.meta.url), raw.url);
  try {
    const figure = await measure({
      backend: [`${raw.url}/get`, raw],
      bare: [`${proxy.url}/get`, proxy],
      plain: [through("plain"), product],
      logged: [through("logged"), product],
    });
    const addedMs = (await medianMs(through("plain"))) - (await medianMs(`${raw.url}/get`));
    const downloadMb = await download(`${through("plain")}?megabytes=${DOWNLOAD_MB}`, product);
    const [plain, bare, backend] = ["plain", "bare", "backend"].map((name) => figure(name));
    const cost = 1 - plain.ms / figure("logged").ms;
    return [
      {
        line: "gateway: handed on",
        value: `${Math.round(plain.perSecond)}/s`,
        ratio: plain.perSecond / backend.perSecond,
        target: 0.35,
      },
      {
        line: "the same by a proxy that does nothing else",
        value: `${Math.round(bare.perSecond)}/s`,
        ratio: bare.perSecond / backend.perSecond,
      },
      {
        line: "processor time of a call, of that proxy's",
        value: `${(plain.ms * 1000).toFixed(0)} µs`,
        ratio: bare.ms / plain.ms,
      },
      {
        line: "gateway: added to the median",
        value: `${addedMs.toFixed(2)} ms`,
        measured: addedMs,
        atMost: 1,
      },
      {
        line: "gateway: all of it logged, cost",
        value: `${(cost * 100).toFixed(0)} %`,
        measured: cost,
        atMost: 0.2,
      },
      {
        line: "gateway: memory for a download of 1 GB",
        value: `${downloadMb.toFixed(0)} MB`,
        measured: downloadMb,
        atMost: 64,
      },
    ];
  } finally {
    proxy.stop();
  }
}

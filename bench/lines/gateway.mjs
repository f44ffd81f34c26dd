/** API gateways: what a call costs on its way to a backend, with and without a log of it, and what a large download takes. */
import { inTurns, load, token } from "../load.mjs";

const ROOT =
  "/management/subscriptions/bench/resourceGroups/apis/providers/Vendor.ApiManagement/service/bench";
const CALLS = 400;

async function medianOf(url) {
  const taken = [];
  for (let call = 0; call < CALLS; call += 1) {
    const start = performance.now();
    await (await fetch(url)).arrayBuffer();
    taken.push(performance.now() - start);
  }
  return taken.toSorted((a, b) => a - b)[CALLS / 2];
}

export async function gatewayLines({ raw, product }) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const put = async (path, properties) => {
    const address = `${product.url}${ROOT}/${path}?api-version=2019-12-01-preview`;
    const answer = await fetch(address, { method: "PUT", headers, body: JSON.stringify({ properties }) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  };
  const api = (path) => put(`apis/${path}`, { path, serviceUrl: raw.url, subscriptionRequired: false });
  await api("plain");
  await api("logged");
  await put("loggers/monitor", { loggerType: "azureMonitor" });
  await put("apis/logged/diagnostics/monitor", { loggerId: "/loggers/monitor" });
  const through = (path) => `${product.url}/gateway/bench/${path}/get`;
  await load(through("plain"), { seconds: 1 });
  const figures = await inTurns({
    bare: [`${raw.url}/get`, {}],
    plain: [through("plain"), {}],
    logged: [through("logged"), {}],
  });
  const addedMs = (await medianOf(through("plain"))) - (await medianOf(`${raw.url}/get`));
  const cost = 1 - figures.logged / figures.plain;
  return [
    {
      line: "gateway: handed on",
      value: `${Math.round(figures.plain)}/s`,
      ratio: figures.plain / figures.bare,
      target: 0.35,
    },
    { line: "gateway: added to the median", value: `${addedMs.toFixed(2)} ms`, measured: addedMs, atMost: 1 },
    {
      line: "gateway: all of it logged, cost",
      value: `${(cost * 100).toFixed(0)} %`,
      measured: cost,
      atMost: 0.2,
    },
  ];
}

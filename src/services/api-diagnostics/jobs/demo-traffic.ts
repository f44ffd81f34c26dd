/** Calls the demo gateway as a client would, so that its traffic and its logs have something to show. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";

/** Below the gateway: what is answered, what the backend refuses, and what is nowhere. */
const CALLS: readonly (readonly [method: string, path: string])[] = [
  ["GET", "/status"],
  ["GET", "/status?probe=uptime"],
  ["HEAD", "/status"],
  ["GET", "/status/unknown"],
  ["GET", "/status?probe=release"],
  ["POST", "/status"],
  ["GET", "/orders/42"],
  ["GET", "/status"],
];
/** An hour of waiting in all: demo data may be loaded before the server is at its address. */
const ATTEMPTS_MAX = 12;

export const demoTrafficJob = jobsFor<unknown>()({
  name: "api-diagnostics.demo-traffic",
  payload: Type.Object({ gatewayUrl: Type.String() }),
  transaction: "manual",
  attemptsMax: ATTEMPTS_MAX,
  async run({ gatewayUrl }, { outbound }) {
    const first = await outbound.request({ method: "GET", url: `${gatewayUrl}/status` });
    if (first.status !== 200) throw new Error(`The gateway answered ${first.status}.`);
    for (const [method, path] of CALLS)
      await outbound.request({
        method,
        url: `${gatewayUrl}${path}`,
        headers: { "content-type": "application/json" },
        ...(method === "POST" && { body: '{"probe":"uptime"}' }),
      });
  },
});

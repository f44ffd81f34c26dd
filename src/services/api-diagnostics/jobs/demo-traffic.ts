/** Calls the demo gateway like a client, so that traffic and logs have data. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";

/** Calls that succeed, that the backend rejects, and that match no API. */
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
/** Retries for about an hour, because demo data may be loaded before the server listens. */
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

/** What the figures of several corpora need. */
import { startMedley } from "../../dist/index.js";

/** A server in memory with one account, for as long as `work` takes. */
export async function withServer(services, work) {
  const medley = await startMedley({ memory: true, port: 0, services, logLevel: "error" });
  try {
    return await work(medley);
  } finally {
    await medley.stop();
  }
}
export const share = (right, all) =>
  `${right} of ${all}${all === 0 ? "" : ` (${((100 * right) / all).toFixed(1)} %)`}`;

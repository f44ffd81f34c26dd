/** One node as a process of its own, with the sample service: for tests that kill it. Prints its address. */

import { bearer, plain } from "../../dist/bundled/protocols.js";
import { sampleService } from "../../dist/bundled/testing.js";
import { startMedley } from "../../dist/index.js";

const options = JSON.parse(process.argv[2] ?? "{}");
const medley = await startMedley({
  services: [],
  extraServices: [sampleService({ name: "sample", mount: "/sample", protocol: plain({ scheme: bearer }) })],
  credentialsFile: new URL("./credentials.json", import.meta.url).pathname,
  jobPollMs: 25,
  ...options,
});
process.on("SIGTERM", () => medley.stop().then(() => process.exit(0)));
process.stdout.write(`${medley.url}\n`);

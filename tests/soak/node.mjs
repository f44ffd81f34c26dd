/** One node of the soak: every service and the sample. Tells its address, and when asked, its memory and its longest turn. */
import { readFileSync } from "node:fs";
import { bearer, plain } from "../../dist/bundled/protocols.js";
import { sampleService } from "../../dist/bundled/testing.js";
import { startMedley } from "../../dist/index.js";

const LOOK_MS = 10;
const medley = await startMedley({
  extraServices: [sampleService({ name: "sample", mount: "/sample", protocol: plain({ scheme: bearer }) })],
  credentialsFile: new URL("../support/credentials.json", import.meta.url).pathname,
  logLevel: "silent",
  ...JSON.parse(process.argv[2] ?? "{}"),
});

/** What the main thread itself has worked: time in which a busy machine let others run does not count. */
function workedMs() {
  if (process.platform !== "linux") return performance.now();
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;
}
let longestTurnMs = 0;
let timer;
function watch() {
  let beforeMs = workedMs();
  timer = setInterval(() => {
    const nowMs = workedMs();
    longestTurnMs = Math.max(longestTurnMs, nowMs - beforeMs);
    beforeMs = nowMs;
  }, LOOK_MS);
}
/** Between two looks everything else runs that was ready: that is a turn. Collecting garbage for the figures is none. */
process.on("message", () => {
  clearInterval(timer);
  const turnMs = longestTurnMs;
  longestTurnMs = 0;
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send({ longestTurnMs: turnMs, rssBytes: rss, heapBytes: heapUsed });
  watch();
});
process.on("disconnect", () => process.exit(0));
watch();
process.send({ url: medley.url });

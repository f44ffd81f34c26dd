/**
 * Starts the built product without the face service, with it, and sends it a picture (the file named in its argument):
 * prints what the process holds each time, as JSON: threads, what keeps it awake, and the packages in its memory.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { startMedley } from "../../dist/app/start.js";

const PACKAGE = /node_modules\/((?:@[^/]+\/)?[^/]+)/;
const packageOf = (file) => PACKAGE.exec(file.replaceAll("\\", "/"))?.[1] ?? [];

function held() {
  const { workers, sharedObjects } = process.report.getReport();
  const files = [...sharedObjects, ...Object.keys(createRequire(import.meta.url).cache)];
  return {
    threads: workers.length,
    awake: process.getActiveResourcesInfo().toSorted(),
    packages: [...new Set(files.flatMap(packageOf))].toSorted(),
  };
}

const without = await startMedley({ services: [] });
const before = held();
await without.stop();

const medley = await startMedley({ services: ["face"] });
const atRest = held();
const [account] = medley.credentials.accounts;
const { status } = await fetch(`${medley.url}/face/v1.0/detect?returnFaceId=false`, {
  method: "POST",
  headers: { "vendor-subscription-key": account.apiKeys[0], "content-type": "application/octet-stream" },
  body: readFileSync(process.argv[2]),
});
const atWork = held();
await medley.stop();
console.log(JSON.stringify({ before, atRest, status, atWork }));

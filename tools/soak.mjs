/**
 * `npm run soak -- --minutes 10`: mixed load, hostile clients and every failure of the database, on two nodes; red on
 * loss, leak or standstill. `--objects`: with an object store.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createServer, createServerModuleRunner } from "vite";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, objects: { type: "boolean", default: false } },
});
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error("--minutes takes a number above 0");
  process.exit(2);
}
/** Runs TypeScript as the tests do. */
const sources = await createServer({
  configFile: false,
  logLevel: "error",
  appType: "custom",
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { soak } = await createServerModuleRunner(sources.environments.ssr).import(
  join(import.meta.dirname, "../tests/soak/soak.ts"),
);
process.exit((await soak(minutes, values.objects)) ? 0 : 1);

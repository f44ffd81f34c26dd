/** Starts an instance with the services named in its arguments, and prints the built modules of services and the packages that this has loaded. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire, register } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "medley-loaded-"));
const file = join(folder, "modules");
const hooks = `
  import { appendFileSync } from "node:fs";
  export function load(url, context, next) {
    appendFileSync(${JSON.stringify(file)}, url + "\\n");
    return next(url, context);
  }`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const { startMedley } = await import("../../dist/app/start.js");
const medley = await startMedley({ services: process.argv.slice(2) });
await medley.stop();
const urls = [
  ...readFileSync(file, "utf8").split("\n"),
  ...Object.keys(createRequire(import.meta.url).cache),
];
rmSync(folder, { recursive: true });
for (const url of urls) {
  const [, module] = url.split("/dist/services/");
  if (module !== undefined) console.log(module);
  const [, named] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (named !== undefined) console.log(`package ${named}`);
}

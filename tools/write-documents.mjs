/** Keeps the OpenAPI documents of all services together and of each one, as a server of all services makes them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

rmSync("dist/openapi", { recursive: true, force: true });
const { documentFileOf, startMedley } = createRequire(import.meta.url)("../dist/load.cjs");
const medley = await startMedley();
const read = async (path) => (await fetch(`${medley.url}/_medley/${path}`)).text();
const { services } = JSON.parse(await read("services"));
const documents = [["openapi.json", services], ...services.map((one) => [`openapi/${one.name}.json`, [one]])];
mkdirSync("dist/openapi");
for (const [path, of] of documents) {
  const text = (await read(path)).replace(`"servers":[{"url":"${medley.url}"}]`, '"servers":[{"url":""}]');
  writeFileSync(join("dist", await documentFileOf(of)), gzipSync(text, { level: 9 }));
}
await medley.stop();

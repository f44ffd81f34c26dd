/** Keeps the OpenAPI documents of all services together and of each one, as a server of all services makes them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

rmSync("dist/openapi", { recursive: true, force: true });
const { documentFileOf, startMedley } = createRequire(import.meta.url)("../dist/load.cjs");
const medley = await startMedley();
/** Making a document may take longer than a request on a busy machine. The next request waits for the same making. */
async function read(path) {
  for (;;) {
    const answer = await fetch(`${medley.url}/_medley/${path}`);
    if (answer.ok) return answer.text();
    if (answer.status !== 503)
      throw new Error(`GET ${path} is answered ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
  }
}
const { services } = JSON.parse(await read("services"));
const documents = [["openapi.json", services], ...services.map((one) => [`openapi/${one.name}.json`, [one]])];
mkdirSync("dist/openapi");
for (const [path, of] of documents) {
  const text = (await read(path)).replace(`"servers":[{"url":"${medley.url}"}]`, '"servers":[{"url":""}]');
  writeFileSync(join("dist", await documentFileOf(of)), gzipSync(text, { level: 9 }));
}
await medley.stop();

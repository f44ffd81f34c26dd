/** The maker's functions framework, brought by the source: its own samples, unchanged. It is installed on first use. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installed } from "../../tools/installed.mjs";
import { Functions } from "../support/functions.ts";
import { type Instance, startInstance } from "../support/medley.ts";

const TYPE = "google.cloud.pubsub.topic.v1.messagePublished";

/** The packages as the source brings them: code and descriptions, without what nobody loads. */
function packagesOf(root: string): Record<string, Buffer> {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(?:c?js|json)$/.test(path) && !path.split("/").includes("test"))
    .filter((path) => statSync(join(root, path)).isFile());
  return Object.fromEntries(files.map((path) => [`node_modules/${path}`, readFileSync(join(root, path))]));
}

describe.each([
  ["pinned", true],
  ["newest", false],
])("the framework, %s", (name, hasTyped) => {
  let instance: Instance;
  let packages: Record<string, Buffer>;
  const functions = new Functions(() => instance);
  const source = (code: string) => ({ "index.js": code, ...packages });
  beforeAll(async () => {
    packages = packagesOf(installed(name));
    instance = await startInstance({ services: ["functions"] });
    return () => instance.stop();
  });

  it("answers HTTP", async () => {
    const url = await functions.running("hello-http", {
      entryPoint: "helloGET",
      source: source(`const functions = require('@google-cloud/functions-framework');
        functions.http('helloGET', (req, res) => { res.send('Hello World!'); });`),
    });
    expect((await functions.call(url)).text).toBe("Hello World!");
  });
  it("takes events, which the sample decodes and writes to the log", async () => {
    const url = await functions.running("hello-event", {
      entryPoint: "helloPubSub",
      source: source(`const functions = require('@google-cloud/functions-framework');
        functions.cloudEvent('helloPubSub', (cloudEvent) => {
          const base64name = cloudEvent.data.message.data;
          const name = base64name ? Buffer.from(base64name, 'base64').toString() : 'World';
          console.log('Hello, ' + name + '!');
        });`),
    });
    const sent = await functions.call(url, {
      method: "POST",
      headers: { "ce-id": "1", "ce-source": "//test", "ce-type": TYPE, "ce-specversion": "1.0" },
      body: { message: { data: Buffer.from("Ann").toString("base64") } },
    });
    expect(sent.status, sent.text).toBeLessThan(300);
    await expect
      .poll(async () => (await functions.lines("hello-event")).map(({ text }) => text))
      .toContain("Hello, Ann!");
  });
  it.runIf(hasTyped)("reads and writes JSON of typed functions", async () => {
    const url = await functions.running("hello-typed", {
      entryPoint: "helloTyped",
      source: source(`const functions = require('@google-cloud/functions-framework');
        functions.typed('helloTyped', ({ name }) => ({ greeting: 'Hello ' + name }));`),
    });
    const answer = await functions.call(url, { method: "POST", body: { name: "Ann" } });
    expect(answer.body).toEqual({ greeting: "Hello Ann" });
  });
});

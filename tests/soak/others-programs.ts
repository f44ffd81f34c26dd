/** Programs of other people's, as they are called all the time: a function, and an interface with a backend behind it. */
import { randomBytes } from "node:crypto";
import yazl from "yazl";
import { Backend } from "../support/backend.ts";
import { eventually, pause } from "../support/eventually.ts";
import type { Outcomes } from "./mixed-load.ts";

const TOKEN = "first-token-0001";
const PLACE = "/functions/v2/projects/soak/locations/us-central1";
const GATEWAY =
  "/management/subscriptions/soak/resourceGroups/rg/providers/Vendor.ApiManagement/service/soak-shop";
const GATEWAY_VERSION = "api-version=2019-12-01-preview";
const CALLERS = 2;
const PAUSE_MS = 20;
const SOURCE = `exports.echo = (request, response) => {
  console.log("asked for " + request.path);
  response.json({ path: request.path, text: request.body.text, token: request.headers.authorization });
};`;

const BALLAST_BYTES = 100_000;
async function zipped(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, text] of Object.entries(files)) archive.addBuffer(Buffer.from(text), name);
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export class OthersPrograms {
  readonly #urls: readonly string[];
  readonly #outcomes: Outcomes;
  readonly #backend = new Backend();
  #function = "";
  #over = false;
  #running: Promise<unknown> = Promise.resolve();
  constructor(urls: readonly string[], outcomes: Outcomes) {
    this.#urls = urls;
    this.#outcomes = outcomes;
  }
  async #ask(method: string, path: string, body?: unknown): Promise<any> {
    const address = new URL(path, this.#urls[0]);
    const answer = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
  async prepare(): Promise<void> {
    await this.#deploy();
    await this.#backend.start();
    const api = {
      path: "orders",
      displayName: "orders",
      serviceUrl: `${this.#backend.url}/v1`,
      subscriptionRequired: false,
    };
    await this.#ask("PUT", `${GATEWAY}/apis/orders?${GATEWAY_VERSION}`, { properties: api });
  }
  async #deploy(): Promise<void> {
    const { uploadUrl, storageSource } = await this.#ask("POST", `${PLACE}/functions:generateUploadUrl`, {});
    // Large enough for an object store, if there is one.
    const ballast = randomBytes(BALLAST_BYTES).toString("base64");
    const archive = new Uint8Array(await zipped({ "index.js": SOURCE, "ballast.txt": ballast }));
    await fetch(uploadUrl, { method: "PUT", headers: { "content-type": "application/zip" }, body: archive });
    const buildConfig = { runtime: "nodejs20", entryPoint: "echo", source: { storageSource } };
    const { name } = await this.#ask("POST", `${PLACE}/functions?functionId=echo`, { buildConfig });
    const done: any = await eventually(async () => {
      const operation = await this.#ask("GET", `/functions/v2/${name}`);
      return operation.done && operation;
    }, "the deployment");
    if (done.error) throw new Error(`the function was not deployed: ${done.error.message}`);
    this.#function = new URL(done.response.serviceConfig.uri).pathname;
    const policy = { bindings: [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }] };
    await this.#ask("POST", `${PLACE}/functions/echo:setIamPolicy`, { policy });
  }

  begin(): void {
    this.#running = Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.#call(caller)));
  }
  async end(): Promise<void> {
    this.#over = true;
    await this.#running;
    await this.#backend.stop();
  }
  async #call(caller: number): Promise<void> {
    for (let n = caller; !this.#over; n += CALLERS) {
      const base = this.#urls[n % this.#urls.length] as string;
      const text = `order ${n}`;
      await this.#expect(`${base}${this.#function}/${n}`, { text }, { path: `/${n}`, text });
      const url = `/v1/${n}?text=${n}`;
      await this.#expect(
        `${base}/gateway/soak-shop/orders/${n}?text=${n}`,
        { text },
        { method: "POST", url },
      );
      await pause(PAUSE_MS);
    }
  }
  /** The very answer to this request, with nothing of the caller's credential in it, or none. */
  async #expect(address: string, body: object, wanted: object): Promise<void> {
    const what = `POST ${new URL(address).pathname}`;
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    await fetch(address, { method: "POST", headers, body: JSON.stringify(body) }).then(
      async (answer) => {
        const text = await answer.text();
        this.#outcomes.note(what, answer.status, text);
        if (answer.status === 200 && text !== JSON.stringify(wanted))
          this.#outcomes.fail(`${what} -> ${text.slice(0, 300)}`);
      },
      () => this.#outcomes.note(what, 0),
    );
  }
}

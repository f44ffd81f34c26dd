/** Functions for tests: archives, deployments, calls. */

import { expect } from "vitest";
import yazl from "yazl";
import { eventually } from "./eventually.ts";
import { type AccountName, accounts, type Instance, type SendOptions, type Sent } from "./medley.ts";

export const PLACE = "projects/demo/locations/us-central1";

export async function zipOf(files: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [name, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), name);
  archive.end();
  const parts: Buffer[] = [];
  for await (const part of archive.outputStream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

export type Deployment = {
  readonly source: string | Readonly<Record<string, string | Buffer>>;
  readonly entryPoint?: string;
  readonly runtime?: string;
  readonly service?: object;
  readonly trigger?: object;
  readonly labels?: object;
  readonly open?: boolean;
};

export class Functions {
  readonly #instance: () => Instance;
  readonly place: string;
  readonly as: AccountName;
  constructor(instance: () => Instance, place = PLACE, as: AccountName = "first") {
    this.#instance = instance;
    this.place = place;
    this.as = as;
  }
  send(method: string, path: string, options: SendOptions = {}): Promise<Sent> {
    return this.#instance().bearer(method, `/functions/v2/${path}`, { as: this.as, ...options });
  }
  nameOf(id: string): string {
    return `${this.place}/functions/${id}`;
  }
  async upload(
    files: Readonly<Record<string, string | Buffer>>,
  ): Promise<{ bucket: string; object: string; generation: string }> {
    const made = await this.send("POST", `${this.place}/functions:generateUploadUrl`, { body: {} });
    expect(made.status, made.text).toBe(200);
    const sent = await this.#instance().send("PUT", made.body.uploadUrl, {
      body: await zipOf(files),
      headers: { "content-type": "application/zip" },
    });
    expect(sent.status, sent.text).toBe(200);
    return made.body.storageSource;
  }
  async bodyOf(id: string, deployment: Deployment): Promise<Record<string, unknown>> {
    const { source, entryPoint = id, runtime = "nodejs20", service, trigger, labels } = deployment;
    const files = typeof source === "string" ? { "index.js": source } : source;
    return {
      buildConfig: { runtime, entryPoint, source: { storageSource: await this.upload(files) } },
      ...(service && { serviceConfig: service }),
      ...(trigger && { eventTrigger: trigger }),
      ...(labels && { labels }),
    };
  }
  async ended(begun: Sent): Promise<any> {
    expect(begun.status, begun.text).toBe(200);
    return eventually(async () => {
      const { body } = await this.send("GET", begun.body.name);
      return body.done && body;
    }, `the end of ${begun.body.name}`);
  }
  /** Answers the operation when it has ended. */
  async create(id: string, deployment: Deployment): Promise<any> {
    const body = await this.bodyOf(id, deployment);
    const ended = await this.ended(
      await this.send("POST", `${this.place}/functions?functionId=${id}`, { body }),
    );
    if (deployment.open)
      await this.setPolicy(id, [{ role: "roles/cloudfunctions.invoker", members: ["allUsers"] }]);
    return ended;
  }
  setPolicy(id: string, bindings: readonly object[], extra: object = {}): Promise<Sent> {
    return this.send("POST", `${this.nameOf(id)}:setIamPolicy`, { body: { policy: { bindings, ...extra } } });
  }
  async urlOf(id: string): Promise<string> {
    return (await this.send("GET", this.nameOf(id))).body.serviceConfig.uri;
  }
  /** Deploys it and answers its address. */
  async running(id: string, deployment: Deployment): Promise<string> {
    const ended = await this.create(id, { open: true, ...deployment });
    expect(ended.error).toBeUndefined();
    return ended.response.serviceConfig.uri;
  }
  async call(url: string, options: SendOptions & { method?: string } = {}): Promise<Sent> {
    const { method = "GET", ...rest } = options;
    return this.#instance().send(method, url, rest);
  }
  async lines(id: string): Promise<{ severity: string; text: string }[]> {
    return (await this.send("GET", `${this.nameOf(id)}/logs?limit=1000`)).body.lines;
  }
  get token(): string {
    return accounts[this.as].tokens[0] as string;
  }
}

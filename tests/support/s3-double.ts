/**
 * A small S3 store in memory. It checks every signature with the official signer. On demand it is silent, slow, full,
 * overloaded, or refuses.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import type { StartOptions } from "../../src/app/start.ts";
import { wholeBodyOf } from "./whole-body.ts";

export const KEY_ID = "AKIDOBJECTS";
export const SECRET = "a secret/with+signs";
const REGION = "eu-west-1";
const BUCKET = "large-things";

type Mood = "well" | "silent" | "busy" | "full" | "refusing" | "drops-answers";

/** Every instance has a folder of its own below the prefix. */
const instanceOf = (key: string): string => key.split("/").slice(0, 3).join("/");

export class S3Double {
  readonly kept = new Map<string, Buffer>();
  readonly #stopped = new Set<string>();
  readonly #server = createServer((request, response) => void this.#take(request, response));
  mood: Mood = "well";
  /** So many requests are answered 503, then it is well again. */
  stumbles = 0;
  requests = 0;
  /** The most requests that were under way together. */
  atOnceMax = 0;
  #underWay = 0;
  pageSize = 1000;
  /** Awaited when a request has arrived, and when it has been carried out but not answered. */
  watch: ((step: string) => Promise<void>) | undefined;
  /** Of requests that were refused because of their signature. */
  wrong = 0;

  static async start(): Promise<S3Double> {
    const double = new S3Double();
    await new Promise<void>((resolve) => double.#server.listen(0, "127.0.0.1", resolve));
    return double;
  }
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get options(): StartOptions {
    return {
      objects: `s3://${BUCKET}/pre/fix`,
      objectsEndpoint: this.endpoint,
      objectsRegion: REGION,
      objectsKeyId: KEY_ID,
      objectsSecret: SECRET,
      // A busy machine answers within it. Only what is silent takes it.
      objectsTimeoutSeconds: 5,
      objectsGraceSeconds: 0,
      logLevel: "silent",
    };
  }
  get flags(): string[] {
    const { objects, objectsEndpoint, objectsRegion, objectsKeyId, objectsSecret } = this.options;
    const given = { objects, "objects-endpoint": objectsEndpoint, "objects-region": objectsRegion };
    const keys = { "objects-key-id": objectsKeyId, "objects-secret": objectsSecret };
    return Object.entries({ ...given, ...keys }).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  }
  /** Forgets everything. Uploads that instances of before still have under way are answered, and not kept. */
  forget(): void {
    for (const key of this.kept.keys()) this.#stopped.add(instanceOf(key));
    this.kept.clear();
  }
  get bytes(): number {
    return [...this.kept.values()].reduce((sum, { length }) => sum + length, 0);
  }
  /** Ends waiting requests too. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    this.#underWay += 1;
    this.atOnceMax = Math.max(this.atOnceMax, this.#underWay);
    response.once("close", () => {
      this.#underWay -= 1;
    });
    if (this.mood === "silent") return;
    const body = await wholeBodyOf(request);
    if (!body) return;
    const fail = (status: number, code: string) =>
      response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
    if (!(await isSigned(request, body))) {
      this.wrong += 1;
      fail(403, "SignatureDoesNotMatch");
    } else if (this.mood === "busy" || this.stumbles > 0) {
      this.stumbles -= 1;
      fail(503, "SlowDown");
    } else if (this.mood === "refusing") fail(403, "AccessDenied");
    else if (this.mood === "full" && request.method === "PUT") fail(507, "InsufficientStorage");
    else {
      await this.watch?.(`${request.method} arrived`);
      await this.#answer(request, response, body);
    }
  }
  async #answer(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const { method = "", url = "" } = request;
    const { pathname, searchParams } = new URL(url, this.endpoint);
    const isInHost = request.headers.host?.startsWith(`${BUCKET}.`);
    const key = decodeURIComponent(pathname).slice(isInHost ? 1 : `/${BUCKET}/`.length);
    if (searchParams.has("list-type")) {
      response.writeHead(200, { "content-type": "application/xml" }).end(this.#list(searchParams));
      return;
    }
    const found = this.kept.get(key);
    if (method === "PUT" && !this.#stopped.has(instanceOf(key))) this.kept.set(key, body);
    if (method === "DELETE") this.kept.delete(key);
    await this.watch?.(`${method} done`);
    if (this.mood === "drops-answers") {
      request.socket.destroy();
      return;
    }
    if (method === "PUT" || method === "DELETE") response.writeHead(method === "PUT" ? 200 : 204).end();
    else if (found) response.writeHead(200, { "content-length": found.length }).end(found);
    else response.writeHead(404).end();
  }
  #list(asked: URLSearchParams): string {
    const [prefix, after] = [asked.get("prefix") ?? "", asked.get("start-after") ?? ""];
    const all = [...this.kept.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const some = all.slice(0, Math.min(this.pageSize, Number(asked.get("max-keys"))));
    const contents = some
      .map((key) => `<Contents><Key>${key}</Key><Size>${this.kept.get(key)?.length}</Size></Contents>`)
      .join("");
    return `<ListBucketResult><IsTruncated>${some.length < all.length}</IsTruncated>${contents}</ListBucketResult>`;
  }
}

/** By signing the same request again. */
async function isSigned(request: IncomingMessage, body: Buffer): Promise<boolean> {
  const { method = "", url = "", headers } = request;
  const hash = createHash("sha256").update(body).digest("hex");
  const date = String(headers["x-amz-date"] ?? "");
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  if (year === undefined || headers["x-amz-content-sha256"] !== hash) return false;
  const { pathname, searchParams } = new URL(url, "http://store");
  const signer = new SignatureV4({
    service: "s3",
    region: REGION,
    sha256: Sha256,
    uriEscapePath: false,
    credentials: { accessKeyId: KEY_ID, secretAccessKey: SECRET },
  });
  const again = await signer.sign(
    new HttpRequest({
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: { host: String(headers.host), "x-amz-content-sha256": hash },
      ...(body.length > 0 && { body }),
    }),
    { signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) },
  );
  return again.headers.authorization === headers.authorization;
}

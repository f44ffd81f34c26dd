/** What ordinary callers do, by several services and credentials, on all nodes in turn. */
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import { pause } from "../support/eventually.ts";

const TOKEN = "first-token-0001";
const API_KEY = "first-api-key-0001";
const ACCESS_KEY = { accessKeyId: "MDLYFIRST000000001", secretAccessKey: "first-secret-0123456789" };
const CALLERS = 3;
const PAUSE_MS = 5;
const NAMES = 60;
const MODULES =
  "/management/subscriptions/soak/resourceGroups/rg/providers/Vendor.HardwareSecurityModules/dedicatedHSMs";
const MODULES_VERSION = "api-version=2018-10-31-preview";

type Ask = {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  signed?: string;
};
const authorization = `Bearer ${TOKEN}`;
const QUERY = {
  Type: "TAG_FILTERS_1_0",
  Query: '{"ResourceTypeFilters":["AWS::AllSupported"],"TagFilters":[{"Key":"stage","Values":["test"]}]}',
};
const groupOf = (n: number): string => `soak-${n % NAMES}`;
const signedAsk = (path: string) => ({
  method: "POST",
  path: `/resource-groups/${path}`,
  signed: "resource-groups",
});
/** In this order with each `n`, which makes names of a bounded number: only what a record is kept of grows. */
const asks: readonly ((n: number) => Ask)[] = [
  () => ({ method: "GET", path: "/sample/notes?size=20", headers: { authorization } }),
  (n) => ({
    method: "GET",
    path: `/braille/translate/braille/unicode?text=Hello%20world%20${n % NAMES}`,
    headers: { "x-vendor-api-secret": API_KEY },
  }),
  () => ({ method: "GET", path: "/identity/.well-known/openid-configuration" }),
  (n) => ({
    method: "PUT",
    path: `${MODULES}/hsm-${n % NAMES}?${MODULES_VERSION}`,
    headers: { authorization },
    body: { location: "westus", sku: { name: "SafeNet Luna Network HSM A790" }, properties: {} },
  }),
  (n) => ({
    method: "GET",
    path: `${MODULES}/hsm-${n % NAMES}?${MODULES_VERSION}`,
    headers: { authorization },
  }),
  () => ({ method: "GET", path: `${MODULES}?${MODULES_VERSION}`, headers: { authorization } }),
  (n) => ({ ...signedAsk("groups"), body: { Name: groupOf(n), ResourceQuery: QUERY } }),
  (n) => ({ ...signedAsk("get-group"), body: { Group: groupOf(n) } }),
  (n) => ({ ...signedAsk("delete-group"), body: { Group: groupOf(n) } }),
  () => ({ ...signedAsk("groups-list"), body: {} }),
  () => ({ method: "GET", path: "/voice/v1/sms-voice/configuration-sets", signed: "sms-voice" }),
];

const signers = new Map<string, SignatureV4>();
async function sign(url: URL, { method, signed = "", body }: Ask): Promise<Record<string, string>> {
  const signer =
    signers.get(signed) ??
    new SignatureV4({ service: signed, region: "us-east-1", sha256: Sha256, credentials: ACCESS_KEY });
  signers.set(signed, signer);
  const request = new HttpRequest({
    method,
    protocol: url.protocol,
    hostname: url.hostname,
    port: Number(url.port),
    path: url.pathname,
    headers: { host: url.host, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { host: _host, ...headers } = (await signer.sign(request)).headers;
  return headers;
}

export class MixedLoad {
  readonly #urls: readonly string[];
  readonly #outcomes: Outcomes;
  #over = false;
  #running: Promise<unknown> = Promise.resolve();
  constructor(urls: readonly string[], outcomes: Outcomes) {
    this.#urls = urls;
    this.#outcomes = outcomes;
  }
  begin(): void {
    this.#running = Promise.all(Array.from({ length: CALLERS }, (_, caller) => this.#call(caller)));
  }
  async end(): Promise<void> {
    this.#over = true;
    await this.#running;
  }
  async #call(caller: number): Promise<void> {
    for (let n = caller; !this.#over; n += CALLERS)
      for (const ask of asks) {
        await this.#send(this.#urls[n % this.#urls.length] as string, ask(n));
        await pause(PAUSE_MS);
      }
  }
  async #send(base: string, ask: Ask): Promise<void> {
    const url = new URL(base + ask.path);
    const headers = ask.signed
      ? await sign(url, ask)
      : { "content-type": "application/json", ...ask.headers };
    const body = ask.body === undefined ? {} : { body: JSON.stringify(ask.body) };
    await fetch(url, { method: ask.method, headers, ...body }).then(
      async (response) =>
        this.#outcomes.note(`${ask.method} ${ask.path}`, response.status, await response.text()),
      () => this.#outcomes.note(`${ask.method} ${ask.path}`, 0),
    );
  }
}

/** How often which status came; what is neither an answer nor an honest refusal is kept in words. */
export class Outcomes {
  readonly counts = new Map<number, number>();
  readonly failures: string[] = [];
  note(what: string, status: number, text = ""): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
    if (status >= 500 && status !== 503)
      this.fail(`${what.slice(0, 120)} -> ${status} ${text.slice(0, 300)}`);
  }
  fail(what: string): void {
    if (this.failures.length < 20) this.failures.push(what);
  }
  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }
}

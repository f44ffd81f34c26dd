/** The stage of the conformance tests: an instance, a client, somebody who is signed in, and what came back. */
import { createHash } from "node:crypto";
import { type JWTPayload, jwtVerify } from "jose";
import { expect } from "vitest";
import {
  authorizeUrl,
  exchange,
  keysAt,
  obtainTokens,
  parametersOf,
  registerClient,
  TestBrowser,
  type TestClient,
  type Visit,
} from "./identity-browser.ts";
import { type Instance, startInstance } from "./medley.ts";

type Change = Record<string, string | undefined>;
export const BYE = "http://localhost:9/bye";

/** The left half of SHA-256, as `at_hash` and `c_hash` hold it. */
export const halfHash = (value: unknown): string =>
  createHash("sha256").update(String(value)).digest().subarray(0, 16).toString("base64url");

export class ConformanceStage {
  readonly instance: Instance;
  readonly client: TestClient;
  constructor(instance: Instance, client: TestClient) {
    this.instance = instance;
    this.client = client;
  }
  static async open(): Promise<ConformanceStage> {
    const instance = await startInstance({ services: ["identity"] });
    return new ConformanceStage(
      instance,
      await registerClient(instance, {
        post_logout_redirect_uris: [BYE],
        id_token_signed_response_alg: "RS256",
      }),
    );
  }
  close(): Promise<void> {
    return this.instance.stop();
  }
  get issuer(): string {
    return `${this.instance.url}/identity`;
  }
  browser(): TestBrowser {
    return new TestBrowser(this.instance);
  }
  async discovery(): Promise<Record<string, never>> {
    return (await this.instance.send("GET", "/identity/.well-known/openid-configuration")).body;
  }

  /** Somebody who has signed in and agreed. */
  async signedIn() {
    const browser = this.browser();
    return { browser, ...(await obtainTokens(this.instance, this.client, { browser })) };
  }
  /** Where a request leads without a person doing anything. */
  async silently(browser: TestBrowser, change: Change): Promise<Record<string, string | number | undefined>> {
    const visit = await browser.open(authorizeUrl(this.client, change));
    return { status: visit.status, ...parametersOf(new URL(visit.location ?? "about:blank")) };
  }
  /** The page that asks a person. */
  async asks(browser: TestBrowser, change: Change): Promise<Visit> {
    const visit = await browser.open(authorizeUrl(this.client, change));
    expect(visit.status).toBe(303);
    return browser.open(visit.location ?? "");
  }

  /** What a relying party gets with a response type, from both endpoints; every ID token is verified on the way. */
  async flow(responseType: string, change: Change = {}, browser = this.browser()) {
    const wanted = responseType.split(" ");
    const nonce = wanted.includes("id_token") ? { nonce: "a nonce" } : {};
    const all = { response_type: responseType, ...nonce, ...change };
    const given = parametersOf(await browser.travel(authorizeUrl(this.client, all)));
    const tokens =
      given.code === undefined ? undefined : (await exchange(this.instance, this.client, given.code)).body;
    const first = given.id_token === undefined ? undefined : await this.verify(given.id_token);
    const second = tokens === undefined ? undefined : await this.verify(tokens.id_token);
    const claims = (first ?? second) as JWTPayload;
    const accessToken: string | undefined = given.access_token ?? tokens?.access_token;
    return { browser, given, tokens, first, second, claims, accessToken };
  }
  async verify(idToken: string): Promise<JWTPayload> {
    const keys = keysAt(`${this.issuer}/jwks`);
    const { payload } = await jwtVerify(idToken, keys, {
      issuer: this.issuer,
      audience: this.client.client_id,
      currentDate: new Date(this.instance.clock.nowMs()),
    });
    return payload;
  }
}

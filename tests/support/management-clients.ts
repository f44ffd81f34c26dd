/**
 * The public management clients against a running instance in all four ways: the maker's namespaces and the neutral ones, over http
 * and over https. The clients only know their maker's namespaces, so a hook at each family's own extension point respells the addresses
 * that they send; it also notes every exchange, so that a story can end by checking that no other spelling or origin came back.
 */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AzureDedicatedHSMResourceProvider } from "@azure/arm-hardwaresecuritymodules";
import { type ServiceClientOptions, TokenCredentials } from "@azure/ms-rest-js";
import { expect } from "vitest";
import { type AccountName, accounts, type Instance } from "./medley.ts";

export type Scheme = "http" | "https";
export type Spelling = "Microsoft" | "Vendor";
export type Way = { readonly scheme: Scheme; readonly spelling: Spelling };
export const ways: readonly Way[] = (["http", "https"] as const).flatMap((scheme) =>
  (["Microsoft", "Vendor"] as const).map((spelling) => ({ scheme, spelling })),
);
export const makersWay: Way = { scheme: "http", spelling: "Microsoft" };

type Exchange = { readonly url: string; readonly links: readonly string[]; readonly text: string };
type Pipelined = Pick<AzureDedicatedHSMResourceProvider, "pipeline">;
type Headers = { get(name: string): string | undefined };

export type Wire = {
  readonly way: Way;
  readonly endpoint: string;
  /** The local certificate authority; it is all that the clients trust. */
  readonly authority: string | undefined;
  readonly token: string;
  readonly exchanges: Exchange[];
  /** Asked for on behalf of clients that have no parameter for it. */
  pageSize: number | undefined;
};
export type WireOptions = { readonly as?: AccountName; readonly mount?: string };

export function wireTo(
  { medley }: Instance,
  way: Way,
  { as = "first", mount = "/management" }: WireOptions = {},
): Wire {
  const secure = way.scheme === "https";
  return {
    way,
    endpoint: `${secure ? medley.tlsUrl : medley.url}${mount}`,
    authority: secure ? medley.certificateAuthorityPem : undefined,
    token: accounts[as].tokens[0] ?? "",
    exchanges: [],
    pageSize: undefined,
  };
}

function addressOf({ way, pageSize }: Wire, url: string): string {
  const respelt = url.replace(/(?<=\/providers\/)Microsoft\./gi, `${way.spelling}.`);
  if (pageSize === undefined || /(?:\$|%24)top=/.test(respelt)) return respelt;
  return `${respelt}&%24top=${pageSize}`;
}
function note(wire: Wire, url: string, headers: Headers, text: string): void {
  const links = ["location", "azure-asyncoperation"].flatMap((name) => headers.get(name) ?? []);
  wire.exchanges.push({ url, links, text });
}

/** Ends a story: everything was asked and answered in one spelling and at one origin, nextLinks and polling addresses included. */
export function expectOneSpelling({ way, endpoint, exchanges }: Wire): void {
  const other = way.spelling === "Vendor" ? /\bMicrosoft\.[A-Z]/ : /\bVendor\.[A-Z]/;
  expect(exchanges.some(({ url }) => url.includes(`/providers/${way.spelling}.`))).toBe(true);
  for (const { url, links, text } of exchanges) {
    const nextLinks = [...text.matchAll(/"nextLink":"([^"]+)"/g)].map(([, link = ""]) => link);
    for (const address of [url, ...links, ...nextLinks])
      expect(address.startsWith(`${endpoint}/`), `${address} is below ${endpoint}`).toBe(true);
    for (const words of [url, ...links, text]) expect(words).not.toMatch(other);
  }
}

/** What was made in either spelling reads the same in both, respelt throughout. */
export async function expectSameInBothSpellings(
  instance: Instance,
  id: string,
  version: string,
): Promise<void> {
  const read = async (spelling: Spelling) => {
    const path = id.replace(/(?<=\/providers\/)(?:Microsoft|Vendor)\./, `${spelling}.`);
    const { status, text } = await instance.bearer("GET", `/management${path}?api-version=${version}`);
    expect([spelling, status]).toEqual([spelling, 200]);
    return text;
  };
  const makers = await read("Microsoft");
  expect(makers).not.toMatch(/\bVendor\.[A-Z]/);
  expect(await read("Vendor")).toBe(makers.replaceAll(/\bMicrosoft\.(?=[A-Z])/g, "Vendor."));
}

/** For clients on `@azure/core-client`. */
export const coreCredential = ({ token }: Pick<Wire, "token">) => ({
  getToken: async () => ({ token, expiresOnTimestamp: Number.MAX_SAFE_INTEGER }),
});
export const coreOptions = ({ endpoint, authority }: Wire) => ({
  endpoint,
  retryOptions: { maxRetries: 0 },
  ...(authority === undefined ? { allowInsecureConnection: true } : { tlsOptions: { ca: authority } }),
});
/** Their own bearer policy refuses to send tokens over http, so there another policy takes its place. */
export function hookCore<C extends Pipelined>(wire: Wire, client: C): C {
  const { pipeline } = client;
  if (wire.way.scheme === "http") {
    pipeline.removePolicy({ name: "bearerTokenAuthenticationPolicy" });
    pipeline.addPolicy({
      name: "bearerOverHttp",
      sendRequest(request, next) {
        request.headers.set("Authorization", `Bearer ${wire.token}`);
        return next(request);
      },
    });
  }
  pipeline.addPolicy(
    {
      name: "respell",
      async sendRequest(request, next) {
        request.url = addressOf(wire, request.url);
        const response = await next(request);
        note(wire, request.url, response.headers, response.bodyAsText ?? "");
        return response;
      },
    },
    { afterPhase: "Sign" },
  );
  return client;
}

/** For clients on `@azure/ms-rest-js`. */
export const msRestJsCredentials = ({ token }: Wire) => new TokenCredentials(token);
export const msRestJsOptions = (wire: Wire) =>
  ({
    baseUri: wire.endpoint,
    noRetryPolicy: true,
    longRunningOperationRetryTimeout: 0.05,
    ...(wire.authority !== undefined && {
      agentSettings: { http: new HttpAgent(), https: new HttpsAgent({ ca: wire.authority }) },
    }),
    requestPolicyFactories: (usual) => [
      ...usual,
      {
        create: (next) => ({
          async sendRequest(request) {
            request.url = addressOf(wire, request.url);
            const response = await next.sendRequest(request);
            note(wire, request.url, response.headers, response.bodyAsText ?? "");
            return response;
          },
        }),
      },
    ],
  }) satisfies ServiceClientOptions & { longRunningOperationRetryTimeout: number };

type Answered = { readonly headers: Readonly<Record<string, string>> } | null;
type Callback = (error: unknown, response: Answered, body: string) => void;
type Next = (request: { url: string }, callback: Callback) => unknown;

/** For clients on `ms-rest`, which has filters. */
export const msRestOptions = (wire: Wire) => ({
  longRunningOperationRetryTimeout: 0,
  noRetryPolicy: true,
  requestOptions: wire.authority === undefined ? {} : { ca: wire.authority },
  filters: [
    (request: { url: string }, next: Next, callback: Callback) => {
      request.url = addressOf(wire, request.url);
      return next(request, (error, response, body) => {
        if (response) note(wire, request.url, new Map(Object.entries(response.headers)), body ?? "");
        callback(error, response, body);
      });
    },
  ],
});

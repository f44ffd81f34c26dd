/** Page tokens over HTTP: each list takes those that were made for it, and no others. */
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { configurationServices, DATA_VERSION, makeStore } from "../support/configuration-stores.ts";
import { AREA, bodyOf, VERSION as HSM_VERSION, hsmServices } from "../support/hardware-security-modules.ts";
import {
  type AccountName,
  createDatabase,
  type Instance,
  onBothDatabases,
  type Sent,
  startInstance,
} from "../support/medley.ts";
import { tagQuery } from "../support/resource-groups.ts";
import { SETS } from "../support/voice.ts";

const GROUPS = "/resource-groups";
const SUBSCRIPTION = "/management/subscriptions/page-tokens";
const PAGE_ROWS = 101;

type Asked = { token?: string; as?: AccountName; region?: string; other?: string };
type List = {
  readonly ask: (instance: Instance, asked: Asked) => Promise<Sent>;
  readonly tokenIn: (body: any) => string | undefined;
  /** The list's name in the marks of former releases. */
  readonly formerName: string;
  /** What is asked differently. */
  readonly others: readonly Asked[];
  /** The error's code, in the service's own shape. */
  readonly code: (body: any) => unknown;
};
const withToken = (path: string, name: string, token: string | undefined) =>
  token === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(token)}`;
const tokenInLink = (name: string) => (link: string | undefined) =>
  link === undefined ? undefined : (new URL(link, "http://any").searchParams.get(name) ?? undefined);

const signedTo =
  (
    service: string,
    path: string,
    method: string,
    shape: (asked: Asked) => { query?: string; body?: unknown },
  ) =>
  (instance: Instance, asked: Asked) => {
    const { query = "", body } = shape(asked);
    return instance.signed(
      service,
      method,
      `${path}${query}`,
      { body, as: asked.as ?? "first" },
      asked.region,
    );
  };
const elsewhere: readonly Asked[] = [{ as: "second" }, { region: "eu-west-1" }];
const makersCode = (body: any) => body.__type ?? body.Code ?? body.code ?? body.Message;
const managed = (path: (other: string | undefined) => string): Pick<List, "ask" | "tokenIn" | "code"> => ({
  ask: (instance, { token, other }) => instance.bearer("GET", withToken(path(other), "$skipToken", token)),
  tokenIn: ({ nextLink }) => tokenInLink("$skipToken")(nextLink),
  code: ({ error }) => error.code,
});
const data = (what: string): Omit<List, "formerName"> => ({
  ask: (instance, { token, other = "" }) =>
    instance.bearer(
      "GET",
      withToken(`/configuration/${other || "page-tokens"}/${what}?${DATA_VERSION}`, "after", token),
    ),
  tokenIn: (body) => tokenInLink("after")(body["@nextLink"]),
  others: [{ other: "page-tokens-two" }],
  code: ({ name }) => name,
});

const lists: Record<string, List> = {
  "configuration sets": {
    ask: signedTo("sms-voice", SETS, "GET", ({ token }) => ({
      query: withToken("?PageSize=1", "NextToken", token),
    })),
    tokenIn: ({ NextToken }) => NextToken,
    formerName: "voice.sets:111111111111:us-east-1",
    others: elsewhere,
    code: makersCode,
  },
  groups: {
    ask: signedTo("resource-groups", `${GROUPS}/groups-list`, "POST", ({ token, other }) => ({
      query: withToken("?maxResults=1", "nextToken", token),
      body: other === undefined ? {} : { Filters: [{ Name: "resource-type", Values: [other] }] },
    })),
    tokenIn: ({ NextToken }) => NextToken,
    formerName: JSON.stringify(["groups", "111111111111", "us-east-1", []]),
    others: [...elsewhere, { other: "Vendor::S3::Bucket" }],
    code: makersCode,
  },
  "what a query finds": {
    ask: signedTo("resource-groups", `${GROUPS}/resources/search`, "POST", ({ token, other }) => ({
      body: {
        ResourceQuery: tagQuery({ [other ?? "stage"]: [] }),
        MaxResults: 1,
        ...(token !== undefined && { NextToken: token }),
      },
    })),
    tokenIn: ({ NextToken }) => NextToken,
    formerName: JSON.stringify([
      "search",
      "111111111111",
      "us-east-1",
      tagQuery({ stage: [] }).Type,
      tagQuery({ stage: [] }).Query,
    ]),
    others: [...elsewhere, { other: "team" }],
    code: makersCode,
  },
  "members of a group": {
    ask: signedTo("resource-groups", `${GROUPS}/list-group-resources`, "POST", ({ token, other }) => ({
      body: { Group: other ?? "one", MaxResults: 1, ...(token !== undefined && { NextToken: token }) },
    })),
    tokenIn: ({ NextToken }) => NextToken,
    formerName: "unknown",
    others: [{ other: "two" }],
    code: makersCode,
  },
  "resources of a type": {
    ...managed(
      (group = "one") =>
        `${SUBSCRIPTION}/resourceGroups/${group}/${AREA}/dedicatedHSMs?${HSM_VERSION}&$top=1`,
    ),
    formerName: JSON.stringify({
      scope: { parentKey: "/subscriptions/page-tokens/resourcegroups/one" },
      type: "vendor.hardwaresecuritymodules/dedicatedhsms",
    }),
    others: [{ other: "two" }],
  },
  "resources of all types": {
    ...managed(
      (place = "westus") =>
        `${SUBSCRIPTION}/resources?api-version=2021-04-01&$top=1&$filter=${encodeURIComponent(`location eq '${place}'`)}`,
    ),
    formerName: JSON.stringify({
      scope: { subscriptionid: "page-tokens" },
      excepttype: "vendor.resources/resourcegroups",
    }),
    others: [{ other: "eastus" }],
  },
  "resource groups": {
    ...managed(() => `${SUBSCRIPTION}/resourcegroups?api-version=2021-04-01&$top=1`),
    formerName: "unknown",
    others: [],
  },
  "key-values": { ...data("kv"), formerName: "configuration-values" },
  "key-values of a filter": {
    ...data("kv"),
    ask: (instance, { token, other = "k*" }) =>
      instance.bearer(
        "GET",
        withToken(`/configuration/page-tokens/kv?${DATA_VERSION}&key=${other}`, "after", token),
      ),
    formerName: "configuration-values",
    others: [{ other: "k0*" }],
  },
  revisions: { ...data("revisions"), formerName: "configuration-revisions" },
  keys: { ...data("keys"), formerName: "keys" },
  labels: { ...data("labels"), formerName: "labels" },
  "outside resources": {
    ask: (instance, { token, other }) =>
      instance.bearer(
        "GET",
        withToken(`/_medley/resources?limit=1${other ? `&type=${other}` : ""}`, "nextToken", token),
      ),
    tokenIn: ({ nextToken }) => nextToken,
    formerName: "resources",
    others: [{ other: "Vendor::S3::Bucket" }],
    code: ({ error }) => error.code,
  },
};

async function fill(instance: Instance): Promise<void> {
  const done = async (sending: Promise<Sent>) => {
    const { status, text } = await sending;
    expect(status, text).toBeLessThan(300);
  };
  for (const name of ["one", "two", "three"]) {
    await done(instance.signed("sms-voice", "POST", SETS, { body: { ConfigurationSetName: name } }));
    await done(
      instance.signed("resource-groups", "POST", `${GROUPS}/groups`, {
        body: { Name: name, ResourceQuery: tagQuery({ stage: [] }) },
      }),
    );
    const body = { arn: `arn:vendor:s3:::${name}`, type: "Vendor::S3::Bucket", tags: { stage: "x" } };
    await done(instance.bearer("PUT", "/_medley/resources", { body }));
    const at = (group: string) => `${SUBSCRIPTION}/resourceGroups/${group}/${AREA}/dedicatedHSMs`;
    await done(instance.bearer("PUT", `${at("one")}/${name}?${HSM_VERSION}`, { body: bodyOf() }));
    await done(instance.bearer("PUT", `${at("two")}/${name}?${HSM_VERSION}`, { body: bodyOf() }));
  }
  await makeStore(instance, "page-tokens");
  await makeStore(instance, "page-tokens-two");
  for (let index = 0; index < PAGE_ROWS; index += 1)
    await done(
      instance.bearer("PUT", `/configuration/page-tokens/kv/k${index}?label=l${index}&${DATA_VERSION}`, {
        body: { value: "v" },
      }),
    );
}

/** As anybody could make them before they were sealed. */
function withFormerMark(list: string, last: readonly (string | number)[]): string {
  const body = JSON.stringify(last);
  const mark = createHmac("sha256", "medley-cursor").update(`${list}\0`).update(body).digest("base64url");
  return Buffer.from(mark.slice(0, 8) + body).toString("base64url");
}
function expectRefused({ code }: List, { status, body }: Sent): void {
  expect([status, body]).toEqual([400, expect.anything()]);
  expect(code(body)).toEqual(expect.any(String));
}

const services = [...configurationServices, ...hsmServices, "voice", "resource-groups"];
onBothDatabases(
  "page tokens",
  (instance) => {
    beforeAll(() => fill(instance()), 120_000);
    const firstToken = async ({ ask, tokenIn }: List): Promise<string> => {
      const first = await ask(instance(), {});
      expect(first.status, first.text).toBe(200);
      const token = tokenIn(first.body);
      expect(token).toEqual(expect.any(String));
      return token!;
    };

    describe.each(Object.entries(lists))("of %s", (_name, list) => {
      it("lead on", async () => {
        const token = await firstToken(list);
        const next = await list.ask(instance(), { token });
        expect(next.status, next.text).toBe(200);
        expect(next.text).not.toBe((await list.ask(instance(), {})).text);
      });
      it("are good for nothing with a character changed", async () => {
        const token = await firstToken(list);
        for (const at of [0, token.length >> 1, token.length - 1]) {
          const letter = token[at] === "1" ? "2" : "1";
          const changed = token.slice(0, at) + letter + token.slice(at + 1);
          expectRefused(list, await list.ask(instance(), { token: changed }));
        }
      });
      it("cannot be made by others", async () => {
        for (const last of [["a"], ["a", "b"], [1], [1, "a"]])
          for (const encoding of ["base64url", "hex"] as const) {
            const token = Buffer.from(withFormerMark(list.formerName, last), "base64url").toString(encoding);
            expectRefused(list, await list.ask(instance(), { token }));
          }
      });
      it.each(list.others)("are good for nothing where %j is asked", async (other) => {
        const token = await firstToken(list);
        expect((await list.ask(instance(), other)).status).toBe(200);
        expectRefused(list, await list.ask(instance(), { ...other, token }));
      });
      it("are good for nothing in another operation", async () => {
        for (const [, foreign] of Object.entries(lists).filter(([, one]) => one !== list)) {
          if (foreign.ask === list.ask) continue;
          const answer = await list.ask(instance(), { token: await firstToken(foreign) });
          expectRefused(list, answer);
        }
      });
    });
  },
  { services },
);

describe.each(["sqlite", "postgres"] as const)("page tokens on %s", (kind) => {
  it("are good after a restart, and on every node of a database", async () => {
    const folder = mkdtempSync(join(tmpdir(), "medley-pages-"));
    const place = kind === "postgres" ? { database: await createDatabase() } : { data: folder };
    const options = { services: ["voice"], ...place };
    const list = lists["configuration sets"]!;
    const before = await startInstance(options);
    for (const name of ["one", "two"])
      await before.signed("sms-voice", "POST", SETS, { body: { ConfigurationSetName: name } });
    const token = list.tokenIn((await list.ask(before, {})).body)!;
    if (kind === "sqlite") await before.stop();
    const after = await startInstance(options);
    expect((await list.ask(after, { token })).body.ConfigurationSets).toEqual(["two"]);
    await after.stop();
    if (kind === "postgres") await before.stop();
    const stranger = await startInstance({ services: ["voice"] });
    expectRefused(list, await list.ask(stranger, { token }));
    await stranger.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

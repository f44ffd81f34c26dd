/** Several nodes on one database, restarts and resets: a revocation on one node applies to all nodes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pause } from "../../../tests/support/eventually.ts";
import * as oidc from "../../../tests/support/identity-browser.ts";
import {
  accounts,
  createDatabase,
  type Instance,
  onBothDatabases,
  startInstance,
} from "../../../tests/support/medley.ts";

/** The limit that the README promises. */
const EVERYWHERE_WITHIN_MS = 1000;
/** A busy machine may take its time to answer as well. */

const SERVERS = "/management/subscriptions/nodes/resourceGroups/data/providers/Vendor.Sql/servers";
const services = ["identity", "sql-databases"];
/** A token that opens a management service besides the claims. */
const management = (instance: Instance, account: "first" | "second" = "first") =>
  oidc.registerClient(instance, { scope: "Vendor.Sql/*" }, account);
const tokenFor = async (
  instance: Instance,
  client: oidc.TestClient,
  browser = new oidc.TestBrowser(instance),
) => (await oidc.obtainTokens(instance, client, { browser, scope: "openid Vendor.Sql/*" })).access_token;
const listServers = (instance: Instance, token: string) =>
  instance.send("GET", `${SERVERS}?api-version=2014-04-01`, {
    headers: { authorization: `Bearer ${token}` },
  });
const revoke = (instance: Instance, { client_id, client_secret }: oidc.TestClient, token: string) =>
  instance.send("POST", "/identity/revoke", {
    body: new URLSearchParams({ token, client_id, client_secret }),
  });
/** A revocation must be known everywhere within this time. A slow machine does not change the result. */
async function expectRefusedSoon(instance: Instance, token: string): Promise<void> {
  await pause(EVERYWHERE_WITHIN_MS);
  expect((await oidc.userinfo(instance, token)).status).toBe(401);
  expect((await listServers(instance, token)).status).toBe(401);
}

describe("identity: two nodes", () => {
  let here: Instance;
  let there: Instance;
  beforeAll(async () => {
    const database = await createDatabase();
    here = await startInstance({ database, services });
    there = await startInstance({ database, services });
  });
  afterAll(async () => {
    await here.stop();
    await there.stop();
  });
  const usedOnBoth = async (client: oidc.TestClient) => {
    const token = await tokenFor(here, client);
    for (const node of [here, there]) {
      expect((await oidc.userinfo(node, token)).status).toBe(200);
      expect((await listServers(node, token)).status).toBe(200);
    }
    return token;
  };

  it("a token of the very first key is good on the other node at once", async () => {
    const database = await createDatabase();
    const [one, another] = [
      await startInstance({ database, services }),
      await startInstance({ database, services }),
    ];
    try {
      await oidc.userinfo(another, await tokenFor(one, await management(one)));
      const client = await oidc.registerClient(one);
      // The other node has just cached the key set, which has no key for this algorithm.
      const { access_token, id_token } = await oidc.obtainTokens(one, client);
      expect((await oidc.userinfo(another, access_token)).status).toBe(200);
      const hinted = await new oidc.TestBrowser(another).open(
        oidc.authorizeUrl(client, { id_token_hint: id_token }),
      );
      expect(hinted.status).toBe(303);
    } finally {
      await one.stop();
      await another.stop();
    }
  });

  it.each([
    ["is revoked", async (client: oidc.TestClient, token: string) => revoke(here, client, token)],
    [
      "belongs to a client that is deleted",
      async ({ client_id }: oidc.TestClient) => here.bearer("DELETE", `/identity/client/${client_id}`),
    ],
  ])("a token that %s stops at once here, and within a second there", async (_name, takeAway) => {
    const client = await management(here);
    const token = await usedOnBoth(client);
    expect((await takeAway(client, token)).status).toBeLessThan(300);
    expect((await oidc.userinfo(here, token)).status).toBe(401);
    await expectRefusedSoon(there, token);
  });

  it("a code that is played to both nodes gives tokens that neither accepts for long", async () => {
    const client = await oidc.registerClient(here);
    const { code } = oidc.parametersOf(await new oidc.TestBrowser(here).travel(oidc.authorizeUrl(client)));
    const { body } = await oidc.exchange(here, client, code);
    expect((await oidc.userinfo(there, body.access_token)).status).toBe(200);
    expect((await oidc.exchange(there, client, code)).body.error).toBe("invalid_grant");
    expect((await oidc.userinfo(there, body.access_token)).status).toBe(401);
    await pause(EVERYWHERE_WITHIN_MS);
    expect((await oidc.userinfo(here, body.access_token)).status).toBe(401);
  });

  it("after a reset no token opens anything: at once here, within a second there", async () => {
    const token = await usedOnBoth(await management(here));
    await here.bearer("POST", "/_medley/state/reset", { body: {} });
    expect((await listServers(here, token)).status).toBe(401);
    expect((await oidc.userinfo(here, token)).status).toBe(401);
    await expectRefusedSoon(there, token);
  });

  it("guesses are counted together, whichever node they are sent to", async () => {
    const client = await oidc.registerClient(here);
    const wrong = { ...client, client_secret: "wrong" };
    for (let attempt = 0; attempt < 15; attempt += 1)
      for (const node of [here, there]) expect((await oidc.exchange(node, wrong, "x")).status).toBe(401);
    for (const node of [here, there]) expect((await oidc.exchange(node, client, "x")).status).toBe(429);
  });
});

onBothDatabases(
  "identity: reset",
  (instance) => {
    it.each([
      ["of everything", {}],
      ["of this service", { service: "identity" }],
      ["of this account", { account: accounts.first.id }],
    ])("%s ends tokens and sign-ins", async (_name, filter) => {
      const client = await management(instance());
      const browser = new oidc.TestBrowser(instance());
      const token = await tokenFor(instance(), client, browser);
      const revoked = await tokenFor(instance(), client, browser);
      await revoke(instance(), client, revoked);
      expect((await listServers(instance(), token)).status).toBe(200);
      await instance().bearer("POST", "/_medley/state/reset", { body: filter });
      for (const old of [token, revoked]) {
        expect((await listServers(instance(), old)).status).toBe(401);
        expect((await oidc.userinfo(instance(), old)).status).toBe(401);
      }
      expect((await browser.open("/identity/account")).location).toContain("/sign-in");
      expect(
        (await listServers(instance(), await tokenFor(instance(), await management(instance())))).status,
      ).toBe(200);
    });

    it.each([
      ["another account", { account: accounts.second.id }],
      ["another service", { service: "sql-databases" }],
    ])("of %s leaves them alone", async (_name, filter) => {
      const token = await tokenFor(instance(), await management(instance()));
      await instance().bearer("POST", "/_medley/state/reset", { body: filter });
      expect((await listServers(instance(), token)).status).toBe(200);
    });
  },
  { services },
);

describe("identity: guessing goes on counting after a restart", () => {
  it("of client secrets and of the dashboard's password, until time has passed", async () => {
    const data = mkdtempSync(join(tmpdir(), "medley-guessing-"));
    const guessOwner = async (instance: Instance, password: string) => {
      const browser = new oidc.TestBrowser(instance);
      const page = await browser.open("/identity/dashboard/sign-in");
      return browser.submit(page, ({ action }) => action.endsWith("/dashboard/sign-in"), {
        username: "first",
        password,
      });
    };
    try {
      const before = await startInstance({ data, services: ["identity"] });
      const client = await oidc.registerClient(before);
      for (let attempt = 0; attempt < 30; attempt += 1)
        await oidc.exchange(before, { ...client, client_secret: `wrong-${attempt}` }, "x");
      for (let attempt = 0; attempt < 10; attempt += 1)
        expect((await guessOwner(before, `wrong-${attempt}`)).location).toContain("failed=1");
      await before.stop();
      const after = await startInstance({ data, services: ["identity"] });
      try {
        expect((await oidc.exchange(after, client, "x")).status).toBe(429);
        expect((await guessOwner(after, "first-password")).status).toBe(429);
        await after.clock.advance("61s");
        expect((await oidc.exchange(after, client, "x")).body.error).toBe("invalid_grant");
        await after.clock.advance("15m");
        expect((await guessOwner(after, "first-password")).location).toMatch(/\/dashboard$/);
      } finally {
        await after.stop();
      }
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});

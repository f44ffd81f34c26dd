/** Limits of an account, its clients and its people. */
import { createHash, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import {
  ann,
  exchange,
  obtainTokens,
  registerClient,
  TestBrowser,
} from "../../../tests/support/identity-browser.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const CLIENTS_MAX = 1000;
const AT_ONCE = 20;
const SESSIONS_MAX = 50;
const PASSKEYS_MAX = 20;

const data = mkdtempSync(join(tmpdir(), "medley-people-"));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["identity"], data });
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("exchanges no code for a client that was registered for other grants", async () => {
  const client = await registerClient(instance, { response_types: ["id_token"] });
  const { status, body } = await exchange(instance, client, "any");
  expect([status, body.error]).toEqual([400, "unauthorized_client"]);
});

it("registers a thousand clients of an account, and not one more", async () => {
  const register = (as: "first" | "second") =>
    instance.bearer("POST", "/identity/client", {
      as,
      body: {
        client_name: "One of many",
        client_uri: "http://localhost:9/",
        redirect_uris: ["http://localhost:9/back"],
      },
    });
  for (let made = 0; made < CLIENTS_MAX; made += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => register("second")));
    expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
  }
  const refused = await register("second");
  expect([refused.status, refused.body.error]).toEqual([403, "too_many_clients"]);
  expect((await register("first")).status).toBe(201);
});

/** At an address with a name: a passkey belongs to a host name. */
const newBrowser = () => new TestBrowser(instance, instance.url.replace("127.0.0.1", "localhost"));
async function signedIn(): Promise<TestBrowser> {
  const browser = newBrowser();
  const page = await browser.open("/identity/sign-in");
  const done = await browser.submit(page, ({ action }) => action.endsWith("/sign-in"), ann);
  expect(done.status).toBe(303);
  return browser;
}

it("a person has fifty sessions, and one more ends the oldest", async () => {
  changeRows(data, (database) => database.exec("delete from identity_session"));
  const first = await signedIn();
  const changed = { id: "copied.id || n", secret_digest: "copied.secret_digest || n" };
  copyRow(data, { table: "identity_session", count: SESSIONS_MAX - 2, changed });
  await signedIn();
  expect((await first.open("/identity/account")).status).toBe(200);
  await signedIn();
  expect((await first.open("/identity/account")).status).toBe(303);
  const left = changeRows(data, (database) =>
    database.prepare("select count(*) as count from identity_session").get(),
  );
  expect(left).toEqual({ count: SESSIONS_MAX });
});

it("fifty applications are told in frames; applications without such an address take no place", async () => {
  const frames = async (copies: number) => {
    const browser = new TestBrowser(instance);
    const told = await registerClient(instance, { frontchannel_logout_uri: "http://localhost:9/out" });
    const untold = await registerClient(instance, {});
    await obtainTokens(instance, untold, { browser });
    const { id_token } = await obtainTokens(instance, told, { browser });
    const changed = { client_id: "copied.client_id || n" };
    for (const [client, count] of [
      [told, copies],
      [untold, 5],
    ] as const) {
      const where = `client_id = '${client.client_id}'`;
      const digest = { registration_digest: "copied.registration_digest || n" };
      copyRow(data, { table: "identity_client", count, changed: { ...changed, ...digest }, where });
      copyRow(data, { table: "identity_session_client", count, changed, where });
    }
    const visit = await browser.open(`/identity/logout?${new URLSearchParams({ id_token_hint: id_token })}`);
    return visit.html.match(/<iframe src=/g)?.length;
  };
  expect([await frames(49), await frames(50)]).toEqual([50, 50]);
});

it("two hundred applications that a person agreed to are shown", async () => {
  const shown = async (copies: number): Promise<number> => {
    const browser = new TestBrowser(instance);
    const client = await registerClient(instance, { client_name: "Agreed to" });
    await obtainTokens(instance, client, { browser });
    changeRows(data, (database) =>
      database.exec(`delete from identity_consent where client_id <> '${client.client_id}'`),
    );
    const changed = { client_id: "copied.client_id || n" };
    const digest = { registration_digest: "copied.registration_digest || n" };
    copyRow(data, {
      table: "identity_client",
      count: copies,
      changed: { ...changed, ...digest },
      where: `client_id = '${client.client_id}'`,
    });
    copyRow(data, { table: "identity_consent", count: copies, changed });
    const page = await browser.open("/identity/account/applications");
    return page.html.match(/<strong>Agreed to</g)?.length ?? 0;
  };
  expect([await shown(199), await shown(200)]).toEqual([200, 200]);
});

it("three hundred characters of the browser's name are kept with a session", async () => {
  const browser = newBrowser();
  const page = await browser.open("/identity/sign-in");
  changeRows(data, (database) => database.exec("delete from identity_session"));
  const form = { ...ann, form_token: /name="form_token" value="([^"]*)"/.exec(page.html)?.[1] ?? "" };
  const headers = { "user-agent": "a".repeat(301) };
  expect((await browser.open("/identity/sign-in", { form, headers })).status).toBe(303);
  const [{ agent }] = changeRows(data, (database) =>
    database.prepare("select agent from identity_session").all(),
  ) as [{ agent: string }];
  expect(agent).toBe("a".repeat(300));
});

/** CBOR of what the answer of a device holds: texts, bytes, small integers and maps of them. */
function cborOf(value: number | string | Buffer | Map<unknown, unknown>): Buffer {
  const head = (kind: number, size: number): Buffer => {
    const first = kind << 5;
    if (size < 24) return Buffer.from([first | size]);
    return Buffer.from(size < 256 ? [first | 24, size] : [first | 25, size >> 8, size & 0xff]);
  };
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Map) {
    const members = [...value].flat().map((one) => cborOf(one as Parameters<typeof cborOf>[0]));
    return Buffer.concat([head(5, value.size), ...members]);
  }
  return Buffer.concat([head(2, value.length), value]);
}
/** A new key, as a device answers a challenge with it. */
function newKey(challenge: string, origin: string) {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const key = new Map<number, number | Buffer>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, "base64url")],
    [-3, Buffer.from(y, "base64url")],
  ]);
  const id = randomBytes(16);
  const party = createHash("sha256").update(new URL(origin).hostname).digest();
  // Flags: the person is there and verified, and a key follows.
  const head = [party, Buffer.from([0x45]), Buffer.alloc(4), Buffer.alloc(16), Buffer.from([0, id.length])];
  const authData = Buffer.concat([...head, id, cborOf(key)]);
  const attestation = new Map<string, string | Buffer | Map<unknown, unknown>>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  const client = JSON.stringify({ type: "webauthn.create", challenge, origin });
  return {
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON: Buffer.from(client).toString("base64url"),
      attestationObject: cborOf(attestation).toString("base64url"),
    },
  };
}

it("hostile answers of a device are refused, and cost little", async () => {
  const browser = await signedIn();
  const page = await browser.open("/identity/account/security");
  const [, token = ""] = /name="form_token" value="([^"]*)"/.exec(page.html) ?? [];
  const before = process.memoryUsage().rss;
  for (const attestation of [
    Buffer.alloc(11_000, 0x81), // lists within lists
    Buffer.alloc(11_000, 0xa1), // maps within maps
    Buffer.alloc(11_000, 0xc1), // tags within tags
    Buffer.from("9affffffff", "hex"), // a list, a map and bytes that claim to be of 4 GB
    Buffer.from("baffffffff", "hex"),
    Buffer.from("5affffffff", "hex"),
    Buffer.from("9bffffffffffffffff", "hex"),
    Buffer.from([0xf6]), // null
    cborOf(new Map([["__proto__", new Map([["fmt", "none"]])]])),
    cborOf(
      new Map<string, unknown>([
        ["fmt", "constructor"],
        ["attStmt", new Map()],
        ["authData", "x"],
      ]),
    ),
  ]) {
    const options = await browser.open("/identity/account/passkey-options", { form: { form_token: token } });
    const key = newKey(JSON.parse(options.html).challenge, new URL(page.url).origin);
    const response = { ...key.response, attestationObject: attestation.toString("base64url") };
    const passkey = JSON.stringify({ ...key, response });
    const form = { form_token: token, passkey, passkey_name: "n", passkey_password: ann.password };
    const { status } = await browser.open("/identity/account/passkeys", { form });
    expect([attestation.toString("hex").slice(0, 20), status]).toEqual([expect.anything(), 400]);
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
});

it("a person has twenty passkeys, with names of sixty characters, from answers of sixteen thousand", async () => {
  const browser = await signedIn();
  const add = async (name = "One of many", length = 0) => {
    const page = await browser.open("/identity/account/security");
    const [, token = ""] = /name="form_token" value="([^"]*)"/.exec(page.html) ?? [];
    const options = await browser.open("/identity/account/passkey-options", { form: { form_token: token } });
    const { challenge } = JSON.parse(options.html);
    const answer = newKey(challenge, new URL(page.url).origin);
    const added = await browser.open("/identity/account/passkeys", {
      form: {
        form_token: token,
        passkey: JSON.stringify(answer).padEnd(length),
        passkey_name: name,
        passkey_password: ann.password,
      },
    });
    return [added.status, added.html.includes(`There is room for ${PASSKEYS_MAX} passkeys.`)];
  };
  expect(await add("n".repeat(61), 16_384)).toEqual([303, false]);
  const [{ name }] = changeRows(data, (database) =>
    database.prepare("select name from identity_passkey").all(),
  ) as [{ name: string }];
  expect(name).toBe("n".repeat(60));
  expect(await add("Too long", 16_385)).toEqual([400, false]);
  const changed = { credential_id: "copied.credential_id || n" };
  copyRow(data, { table: "identity_passkey", count: PASSKEYS_MAX - 2, changed });
  expect(await add()).toEqual([303, false]);
  expect(await add()).toEqual([400, true]);
});

/** A day with every service that is told secrets: none of them is found in the request log. */
import { expect, it } from "vitest";
import { sendSigned } from "../support/configuration-data.ts";
import { keysOfNewStore } from "../support/configuration-stores.ts";
import { accounts, type Instance, onBothDatabases, type Sent } from "../support/medley.ts";
import { collectionBody, jobBody, schedulerClient } from "../support/scheduler.ts";
import { newPlace as newServerPlace } from "../support/sql-databases.ts";
import { CREDENTIALS, groupBody, machineBody, newPlace, PROFILE } from "../support/sql-virtual-machines.ts";

/** Every text under these members of an answer, however deep. */
function textsOf(value: unknown, names: RegExp, found: string[] = []): string[] {
  if (value === null || typeof value !== "object") return found;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === "string" && names.test(name)) found.push(member);
    else textsOf(member, names, found);
  }
  return found;
}
const ANSWERED =
  /^(?:value|connectionString|client_secret|access_token|id_token|refresh_token|token|apiKey|secretAccessKey|sessionToken|password)$/;

async function administration(instance: Instance, note: (sent: Sent) => Sent): Promise<string[]> {
  for (const kind of ["token", "apiKey", "accessKey", "basic"])
    expect(note(await instance.bearer("POST", "/_medley/credentials", { body: { kind } })).status).toBe(201);
  const loaded = {
    accounts: [
      {
        id: "333333333333",
        apiKeys: ["third-api-key-loaded"],
        tokens: ["third-token-loaded"],
        accessKeys: [{ id: "MDLYTHIRD000000003", secret: "third-secret-loaded" }],
        basic: [{ username: "third", password: "third-password-loaded" }],
        policies: [],
      },
    ],
  };
  expect((await instance.bearer("POST", "/_medley/credentials", { body: loaded })).status).toBe(201);
  const archive = (await instance.bearer("GET", "/_medley/state")).text;
  const sent = { body: archive, headers: { "content-type": "text/plain" } };
  expect((await instance.bearer("PUT", "/_medley/state", sent)).status).toBe(200);
  const sealed = archive
    .split("\n")
    .flatMap((line) => (line === "" ? [] : textsOf(JSON.parse(line), /^(?:key|secret|lookup|value)$/)));
  return [
    "third-api-key-loaded",
    "third-token-loaded",
    "third-secret-loaded",
    "third-password-loaded",
    ...sealed.filter((text) => text.length > 20),
  ];
}

async function resources(instance: Instance, note: (sent: Sent) => Sent): Promise<string[]> {
  const [key] = await keysOfNewStore(instance, "log-store");
  expect(key.value.length).toBeGreaterThan(20);
  await sendSigned(instance, key, "GET", "/configuration/log-store/kv?api-version=2023-11-01");
  const servers = newServerPlace();
  const login = { administratorLogin: "admin1", administratorLoginPassword: "Server-Password-1" };
  note(await instance.bearer("PUT", servers.url, { body: { location: "westeurope", properties: login } }));
  const place = newPlace();
  const profile = { ...PROFILE, storageAccountPrimaryKey: "bG9nZ2VkLXByaW1hcnkta2V5LTAwMQ==" };
  note(
    await instance.bearer("PUT", place.path("sqlVirtualMachineGroups/cluster-1"), {
      body: groupBody({ wsfcDomainProfile: profile }),
    }),
  );
  const machine = machineBody({
    wsfcDomainCredentials: { ...CREDENTIALS, sqlServiceAccountPassword: "Service-Password-77" },
  });
  note(await instance.bearer("PUT", place.path("sqlVirtualMachines/vm-1"), { body: machine }));
  return [
    key.value,
    login.administratorLoginPassword,
    profile.storageAccountPrimaryKey,
    "Service-Password-77",
    "bootstrap-1",
  ];
}

async function schedules(instance: Instance): Promise<string[]> {
  const client = schedulerClient(() => instance, "log-secrets");
  expect((await client.put("/daily", collectionBody())).status).toBe(201);
  const https = (authentication: object) =>
    jobBody({
      action: {
        type: "Https",
        request: { method: "GET", uri: "https://example.org/?sig=query-secret-1", authentication },
      },
    });
  await client.put(
    "/daily/jobs/basic",
    https({ type: "Basic", username: "ann", password: "job-password-1" }),
  );
  await client.put(
    "/daily/jobs/oauth",
    https({
      type: "ActiveDirectoryOAuth",
      tenant: "t",
      audience: "a",
      clientId: "c",
      secret: "job-secret-1",
    }),
  );
  await client.put(
    "/daily/jobs/certificate",
    https({ type: "ClientCertificate", pfx: "am9iLXBmeC1ieXRlcw==", password: "pfx-password-1" }),
  );
  return ["job-password-1", "job-secret-1", "am9iLXBmeC1ieXRlcw", "pfx-password-1", "query-secret-1"];
}

async function people(instance: Instance, note: (sent: Sent) => Sent): Promise<string[]> {
  const client = await instance.bearer("POST", "/identity/client", {
    body: {
      client_name: "Logged",
      client_uri: "http://localhost:9/",
      redirect_uris: ["http://localhost:9/answer"],
    },
  });
  expect(note(client).status).toBe(201);
  const { client_id, client_secret } = client.body;
  const post = (path: string, fields: Record<string, string>) =>
    instance.send("POST", `/identity${path}`, {
      body: new URLSearchParams({ client_id, client_secret, ...fields }),
    });
  const exchange = { grant_type: "authorization_code", redirect_uri: "http://localhost:9/answer" };
  await post("/token", { ...exchange, code: "exchanged-code-1", code_verifier: "verifier-of-the-code-1" });
  await post("/introspect", { token: "introspected-token-1" });
  await post("/revoke", { token: "revoked-token-1" });
  await instance.send("GET", "/identity/authorize?client_id=x&code=query-code-1&id_token_hint=hint-token-1");
  const sealed = [
    client_secret,
    "exchanged-code-1",
    "verifier-of-the-code-1",
    "introspected-token-1",
    "revoked-token-1",
  ];
  return [...sealed, "query-code-1", "hint-token-1"];
}

/** To an operation that does not ask for them, in every shape that text can have. */
async function malformed(instance: Instance): Promise<string[]> {
  const bodies: [string, string][] = [
    ["application/json", '{"password":"malformed-1"'],
    ["application/json", '{"tokens":["malformed-2",["malformed-2"]]'],
    ["application/json", "{password: malformed-3}"],
    ["text/plain", '{"secret":"malformed-4"}'],
    ["application/x-www-form-urlencoded", "password=malformed-5&token=malformed-5"],
    ["application/json", JSON.stringify({ inner: JSON.stringify({ apiKey: "malformed-6" }) })],
    ["application/json", `{"filler":"${"x".repeat(8000)}","password":"malformed-7${"y".repeat(500)}"}`],
  ];
  for (const [type, body] of bodies)
    await instance.bearer("POST", "/_medley/credentials", { body, headers: { "content-type": type } });
  return Array.from({ length: 7 }, (_, index) => `malformed-${index + 1}`);
}

onBothDatabases(
  "the request log",
  (instance) => {
    it("holds no secret of a whole day", async () => {
      const answered: string[] = [];
      const note = (sent: Sent) => {
        answered.push(...textsOf(sent.body, ANSWERED));
        return sent;
      };
      const used = [
        ...(await administration(instance(), note)),
        ...(await resources(instance(), note)),
        ...(await schedules(instance())),
        ...(await people(instance(), note)),
        ...(await malformed(instance())),
        ...Object.values(accounts).flatMap((account) => [
          ...account.apiKeys,
          ...account.tokens,
          account.accessKeys[0]?.secret ?? "",
        ]),
      ];
      const secrets = [...new Set([...used, ...answered])].filter((text) => text.length > 8);
      expect(secrets.length).toBeGreaterThan(40);
      const log = await instance().bearer("GET", "/_medley/requests?limit=1000");
      expect(log.body.requests.length).toBeGreaterThan(25);
      expect(secrets.filter((text) => log.text.includes(text))).toEqual([]);
      // What is not there cannot be leaked: each part of the day has left its mark.
      for (const mark of [
        "administratorLogin",
        "wsfcDomainProfile",
        "/daily/jobs/oauth",
        "/identity/token",
        "/_medley/state",
        "filler",
      ])
        expect(log.text).toContain(mark);
    });
  },
  {},
);

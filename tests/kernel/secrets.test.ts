/** Secrets that users gave or were given lie nowhere as they are: neither in the database nor in exports nor in the request log. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { clientCertificatePassword, clientCertificatePfx } from "../support/client-certificate.ts";
import { keysOf, makeStore } from "../support/configuration-stores.ts";
import { accounts, createDatabase, type Instance, type Sent, startInstance } from "../support/medley.ts";
import { collectionBody, jobBody, schedulerClient } from "../support/scheduler.ts";
import { expectHidden, expectNotKept, type Kept } from "../support/secrets.ts";
import * as sql from "../support/sql-databases.ts";
import * as machines from "../support/sql-virtual-machines.ts";
import { BASE, TOPIC, toTopic, Voice } from "../support/voice.ts";

const databases = ["sqlite", "postgres"] as const;
const done = (sent: Sent): Sent => {
  expect(sent.status, sent.text).toBeLessThan(300);
  return sent;
};

async function openPlace(on: (typeof databases)[number]): Promise<Kept & { close(): void }> {
  if (on === "postgres") return { database: await createDatabase(), close: () => {} };
  const data = mkdtempSync(join(tmpdir(), "medley-secrets-"));
  return { data, close: () => rmSync(data, { recursive: true, force: true }) };
}
const start = ({ data, database }: Kept) =>
  startInstance({ ...(data !== undefined && { data }), ...(database !== undefined && { database }) });

/** What users of the SQL services give away. */
async function useSqlServices(instance: Instance): Promise<Record<string, string>> {
  const { url } = sql.newPlace();
  const body = (password: string) => ({
    location: "westeurope",
    properties: { administratorLogin: "root", administratorLoginPassword: password },
  });
  done(await instance.bearer("PUT", url, { body: body("server-password-1") }));
  const changed = { properties: { administratorLoginPassword: "server-password-2" } };
  done(await instance.bearer("PATCH", url, { body: changed }));
  const place = machines.newPlace();
  const group = "sqlVirtualMachineGroups/group-1";
  done(await instance.bearer("PUT", place.path(group), { body: machines.groupBody() }));
  const backup = { storageAccessKey: "backup-key-1", password: "backup-password-1" };
  const settings = {
    sqlVirtualMachineGroupResourceId: place.id(group),
    wsfcDomainCredentials: machines.CREDENTIALS,
    autoBackupSettings: {
      enable: true,
      retentionPeriod: 7,
      storageAccountUrl: "https://b.example.net/",
      ...backup,
    },
  };
  const machine = machines.machineBody(settings);
  done(await instance.bearer("PUT", place.path("sqlVirtualMachines/machine-1"), { body: machine }));
  const { storageAccountPrimaryKey } = machines.PROFILE;
  return {
    serverPassword: "server-password-1",
    changedPassword: "server-password-2",
    storageAccountPrimaryKey,
    ...machines.CREDENTIALS,
    ...backup,
  };
}

async function useScheduler(instance: Instance): Promise<Record<string, string>> {
  const api = schedulerClient(() => instance, "secrets");
  done(await api.put("/c", collectionBody()));
  const request = (authentication: object) => ({
    type: "Https",
    request: { uri: "https://example.org/", authentication },
  });
  const queueMessage = { storageAccount: "a", queueName: "q", message: "m", sasToken: "sas-token-1" };
  const serviceBusQueueMessage = {
    namespace: "n",
    queueName: "q",
    message: "m",
    authentication: { type: "SharedAccessKey", sasKeyName: "k", sasKey: "sas-key-1234" },
  };
  const oauth = { type: "ActiveDirectoryOAuth", tenant: "t", audience: "a", clientId: "c" };
  const certificate = { pfx: clientCertificatePfx, password: clientCertificatePassword };
  const actions: Record<string, object> = {
    basic: request({ type: "Basic", username: "ann", password: "basic-password-1" }),
    oauth: request({ ...oauth, secret: "oauth-secret-1" }),
    certificate: request({ type: "ClientCertificate", ...certificate }),
    queue: { type: "StorageQueue", queueMessage },
    bus: { type: "ServiceBusQueue", serviceBusQueueMessage },
  };
  for (const [name, action] of Object.entries(actions))
    done(await api.put(`/c/jobs/${name}`, jobBody({ action })));
  return {
    basicPassword: "basic-password-1",
    oauthSecret: "oauth-secret-1",
    certificate: clientCertificatePfx.slice(0, 200),
    sasToken: "sas-token-1",
    sasKey: "sas-key-1234",
  };
}

/** A topic's secret is kept with the subscription, and with each delivery that waits for its receiver. */
async function useVoice(instance: Instance): Promise<Record<string, string>> {
  const voice = new Voice(() => instance);
  const Endpoint = "http://127.0.0.1:9/never";
  const { body } = done(
    await voice.send("POST", `${BASE}/topic-subscriptions`, { TopicArn: TOPIC, Endpoint }),
  );
  done(await voice.createSet("told"));
  done(await voice.createDestination("told", "topic", toTopic));
  done(await voice.message({ ConfigurationSetName: "told" }));
  await instance.clock.advance("10s");
  const waiting = await voice.outbox("kind=webhook");
  expect(waiting.length).toBeGreaterThan(0);
  return { subscription: body.Secret };
}

async function useTheRest(instance: Instance): Promise<Record<string, string>> {
  await makeStore(instance, "hidden-store");
  const keys = await keysOf(instance, "hidden-store");
  const client = {
    client_name: "Garden planner",
    client_uri: "https://garden.example.org",
    redirect_uris: ["https://garden.example.org/in"],
    id_token_signed_response_alg: "HS256",
  };
  const { body } = done(await instance.bearer("POST", "/identity/client", { body: client }));
  const made = done(
    await instance.bearer("POST", "/_medley/credentials", { body: { kind: "accessKey", session: true } }),
  );
  const { secretAccessKey, sessionToken } = made.body.credential;
  return {
    clientSecret: body.client_secret,
    registrationToken: body.registration_access_token,
    secretAccessKey,
    sessionToken,
    ...Object.fromEntries(keys.map(({ name, value }) => [name, value])),
  };
}

const { first } = accounts;
const credentials: Record<string, string> = {
  apiKey: first.apiKeys[0]!,
  token: first.tokens[0]!,
  accessKey: first.accessKeys[0]!.secret,
  password: first.basic[0]!.password,
  personsPassword: first.users[0]!.password,
};

describe.each(databases)("secrets on %s", (on) => {
  it("are nowhere to be found", async () => {
    const place = await openPlace(on);
    let instance = await start(place);
    try {
      const secrets = {
        ...credentials,
        ...(await useSqlServices(instance)),
        ...(await useScheduler(instance)),
        ...(await useVoice(instance)),
        ...(await useTheRest(instance)),
      };
      for (const [name, secret] of Object.entries(secrets))
        expect([name, typeof secret === "string" && secret.length > 7]).toEqual([name, true]);
      await expectHidden(instance, place, secrets);
      await instance.stop();
      await expectNotKept(place, secrets);
      instance = await start(place);
      await expectHidden(instance, place, secrets);
    } finally {
      await instance.stop();
      place.close();
    }
  });

  it("of older data are sealed when it is opened, and when it is imported", async () => {
    const place = await openPlace(on);
    const { url } = sql.newPlace();
    const body = { location: "westeurope", properties: { administratorLoginPassword: "older-password-1" } };
    let instance = await start(place);
    done(await instance.bearer("PUT", url, { body }));
    await instance.stop();
    await makeOlder(place, { administratorLoginPassword: "older-password-1" });
    await expect(expectNotKept(place, { password: "older-password-1" })).rejects.toThrow("password");
    instance = await start(place);
    try {
      await expectHidden(instance, place, { password: "older-password-1" });
      const older = olderExport((await instance.bearer("GET", "/_medley/state")).text, "older-password-2");
      expect(older).toContain("older-password-2");
      const headers = { "content-type": "application/x-ndjson" };
      done(await instance.bearer("PUT", "/_medley/state", { body: older, headers }));
      await expectHidden(instance, place, { password: "older-password-2" });
      expect((await instance.bearer("GET", url)).status).toBe(200);
    } finally {
      await instance.stop();
      place.close();
    }
  });
});

const MIGRATION = "002-sealed-passwords";

/** The rows as a version wrote them that knew nothing of sealing. */
async function makeOlder({ data, database }: Kept, secrets: object): Promise<void> {
  const statements = (first: string): [string, string[]][] => [
    [
      `update medley_managed_resource set secrets = ${first} where type_key = 'vendor.sql/servers'`,
      [JSON.stringify(secrets)],
    ],
    [`delete from medley_migration where name = ${first}`, [MIGRATION]],
  ];
  if (data !== undefined) {
    const file = new DatabaseSync(join(data, "medley.db"));
    for (const [text, values] of statements("?")) file.prepare(text).run(...values);
    file.close();
    return;
  }
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  for (const [text, values] of statements("$1")) await client.query(text, values);
  await client.end();
}

function olderExport(text: string, password: string): string {
  const [first = "", ...rows] = text.trimEnd().split("\n");
  const { check: _check, ...header } = JSON.parse(first);
  const migrations = header.migrations.filter((name: string) => !name.endsWith(MIGRATION));
  const older = rows.map((line) => {
    const { table, row } = JSON.parse(line);
    const isServer = table === "medley_managed_resource" && row.type === "Vendor.Sql/servers";
    return isServer
      ? JSON.stringify({
          table,
          row: { ...row, secrets: JSON.stringify({ administratorLoginPassword: password }) },
        })
      : line;
  });
  return [JSON.stringify({ ...header, migrations }), ...older, ""].join("\n");
}

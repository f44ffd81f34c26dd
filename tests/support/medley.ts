/** Running instances for tests, on either database, and a small HTTP client that speaks every credential scheme. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import pg from "pg";
import { afterAll, beforeAll, describe, inject } from "vitest";
import { loadServices } from "../../src/app/services.ts";
import { type Medley, type StartOptions, startMedley } from "../../src/app/start.ts";
import { migrate, openPostgres } from "../../src/kernel/db/index.ts";
import { migrationSetsOf } from "../../src/kernel/state/versions.ts";
import { type Answer, isSimple, sendSimple } from "./send-http.ts";
import { type DatabaseKind, databasesHere } from "./test-part.ts";

export type { DatabaseKind } from "./test-part.ts";
export const recordFolder = join(import.meta.dirname, "../../.test-record");

/** A fresh PostgreSQL database: empty, or a copy of another. */
export async function createDatabase(template = "template0"): Promise<string> {
  const base = inject("postgresUrl");
  const name = `t${randomBytes(8).toString("hex")}`;
  const client = new pg.Client({ connectionString: `${base}/postgres` });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  await client.end();
  return `${base}/${name}`;
}
/** Changes can be made there; no service has tables in it yet. */
export async function prepareDatabase(url: string): Promise<string> {
  const database = await openPostgres({ url, connectionsMax: 1 });
  await migrate(database, [{ owner: "test", migrations: { "001-nothing": { up: async () => {} } } }], 0);
  await database.close();
  return url;
}
let migrated: Promise<string> | undefined;
/** The tables of all services and nothing in them, made once for all tests of this process: to copy them takes a tenth of the time. */
async function migratedDatabase(): Promise<string> {
  const url = await createDatabase();
  const database = await openPostgres({ url, connectionsMax: 2 });
  await migrate(database, migrationSetsOf({ services: await loadServices() }), 0);
  await database.close();
  return url.slice(url.lastIndexOf("/") + 1);
}
async function databaseFor({ database, services }: StartOptions): Promise<StartOptions> {
  if (database !== undefined) return {};
  if (services !== undefined) return { database: await createDatabase(), data: undefined };
  migrated ??= migratedDatabase();
  return { database: await createDatabase(await migrated), data: undefined };
}

/** Two accounts with fixed secrets, so that tests can cross the border between them. */
export const accounts = {
  first: {
    id: "111111111111",
    name: "first",
    apiKeys: ["first-api-key-0001"],
    accessKeys: [{ id: "MDLYFIRST000000001", secret: "first-secret-0123456789" }],
    tokens: ["first-token-0001"],
    basic: [{ username: "first", password: "first-password" }],
    users: [{ username: "ann", password: "ann-password-1", name: "Ann Example", email: "ann@example.org" }],
    policies: [{ effect: "Allow" as const, actions: ["*"], resources: ["*"] }],
    admin: true,
  },
  second: {
    id: "222222222222",
    name: "second",
    apiKeys: ["second-api-key-0002"],
    accessKeys: [{ id: "MDLYSECOND00000002", secret: "second-secret-0123456789" }],
    tokens: ["second-token-0002"],
    basic: [{ username: "second", password: "second-password" }],
    policies: [{ effect: "Allow" as const, actions: ["*"], resources: ["*"] }],
  },
};
export type AccountName = keyof typeof accounts;

export type Sent = { status: number; headers: Headers; body: any; text: string; bytes: Buffer };
export type SendOptions = {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Default `first`; `null` sends no credential. */
  readonly as?: AccountName | null;
};

export class Instance {
  readonly medley: Medley;
  constructor(medley: Medley) {
    this.medley = medley;
  }
  get url(): string {
    return this.medley.url;
  }
  get clock(): Medley["clock"] {
    return this.medley.clock;
  }
  /** Sends JSON (or bytes or a form as given) and reads whatever comes back. */
  async send(method: string, path: string, { body, headers = {} }: SendOptions = {}): Promise<Sent> {
    const plain =
      body === undefined ||
      typeof body === "string" ||
      body instanceof Uint8Array ||
      body instanceof FormData ||
      body instanceof URLSearchParams;
    const {
      status,
      headers: answered,
      bytes,
    } = await this.#exchange(
      path.startsWith("http") ? path : `${this.url}${path}`,
      method,
      { ...(plain ? {} : { "content-type": "application/json" }), ...headers },
      plain ? body : JSON.stringify(body),
    );
    const text = bytes.toString("utf8");
    const json = /[/+]json/.test(answered.get("content-type") ?? "") && text !== "";
    return { status, headers: answered, text, bytes, body: json ? JSON.parse(text) : text };
  }
  async #exchange(
    url: string,
    method: string,
    headers: Record<string, string>,
    body: unknown,
  ): Promise<Answer> {
    if (isSimple(url, headers, body)) return sendSimple({ url, method, headers, body: body as string });
    const given = { method, redirect: "manual", headers, ...(body !== undefined && { body }) };
    const response = await fetch(url, given as RequestInit);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes };
  }
  /** With a bearer token. */
  bearer(method: string, path: string, options: SendOptions = {}): Promise<Sent> {
    const token = options.as === null ? undefined : accounts[options.as ?? "first"].tokens[0];
    return this.send(method, path, {
      ...options,
      headers: { ...(token && { authorization: `Bearer ${token}` }), ...options.headers },
    });
  }
  apiKey(header: string, method: string, path: string, options: SendOptions = {}): Promise<Sent> {
    const key = options.as === null ? undefined : accounts[options.as ?? "first"].apiKeys[0];
    return this.send(method, path, {
      ...options,
      headers: { ...(key && { [header]: key }), ...options.headers },
    });
  }
  /** Signed with an official signer. */
  async signed(
    service: string,
    method: string,
    path: string,
    { body, headers = {}, as = "first" }: SendOptions & { region?: string } = {},
    region = "us-east-1",
  ): Promise<Sent> {
    if (as === null) return this.send(method, path, { body, headers });
    const [key] = accounts[as].accessKeys;
    const url = new URL(`${this.url}${path}`);
    const signer = new SignatureV4({
      service,
      region,
      sha256: Sha256,
      credentials: { accessKeyId: key!.id, secretAccessKey: key!.secret },
    });
    const query: Record<string, string | string[]> = {};
    for (const [name, value] of url.searchParams)
      query[name] = name in query ? [...[query[name]!].flat(), value] : value;
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    const request = await signer.sign(
      new HttpRequest({
        method,
        protocol: url.protocol,
        hostname: url.hostname,
        port: Number(url.port),
        path: url.pathname,
        query,
        headers: {
          host: url.host,
          ...(text !== undefined && { "content-type": "application/json" }),
          ...headers,
        },
        ...(text !== undefined && { body: text }),
      }),
    );
    const { host: _host, ...rest } = request.headers;
    return this.send(method, path, { body: text, headers: rest });
  }
  async stop(): Promise<void> {
    await this.medley.stop();
  }
}

export async function startInstance(options: StartOptions & { on?: DatabaseKind } = {}): Promise<Instance> {
  const { on = "sqlite", ...rest } = options;
  const credentialsFile = join(import.meta.dirname, "credentials.json");
  const medley = await startMedley({
    credentialsFile,
    strictAnswers: true,
    recordFolder,
    ...(on === "postgres" && (await databaseFor(rest))),
    ...rest,
  });
  return new Instance(medley);
}

/** The same tests on an embedded and on a shared database, each with its own running instance. */
export function onBothDatabases(
  name: string,
  tests: (instance: () => Instance, kind: DatabaseKind) => void,
  options: StartOptions = {},
): void {
  describe.each(databasesHere())(`${name} on %s`, (kind) => {
    let instance: Instance | undefined;
    beforeAll(async () => {
      instance = await startInstance({ on: kind, ...options });
    });
    afterAll(async () => {
      await instance?.stop();
    });
    tests(() => instance!, kind);
  });
}

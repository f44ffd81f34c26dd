/** `medley credentials`: show, create and revoke credentials. */

import { existsSync } from "node:fs";
import { credentialsPathOf, findRunningServer, serviceTable } from "#app";
import type { AccountFile } from "#kernel/auth";
import type { Config } from "#kernel/config";
import { UsageError } from "#kernel/manifest";
import { connectionFlags, readCredentials, withAdmin } from "./admin-client.ts";
import type { Command } from "./command.ts";
import { type Parsed, parseFlags } from "./flags.ts";

const flags = {
  ...connectionFlags,
  json: "switch",
  env: "switch",
  kind: "text",
  account: "text",
  scope: "list",
  "expires-in": "text",
  username: "text",
  session: "switch",
} as const;

const KINDS: readonly string[] = ["token", "apiKey", "accessKey", "basic"];

function asLines(account: AccountFile): string {
  const lines = [
    `account ${account.id}${account.name ? ` (${account.name})` : ""}${account.admin ? ", admin" : ""}`,
  ];
  for (const key of account.apiKeys ?? []) lines.push(`  API key      ${key}`);
  for (const { id, secret } of account.accessKeys ?? []) lines.push(`  access key   ${id}  secret ${secret}`);
  for (const token of account.tokens ?? []) lines.push(`  bearer token ${token}`);
  for (const { username, password } of account.basic ?? [])
    lines.push(`  HTTP Basic   ${username}:${password}`);
  for (const { username, password } of account.users ?? [])
    lines.push(`  end user     ${username} / ${password}`);
  return lines.join("\n");
}

/** Quotes any text for the shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const REGION = "us-east-1";
/** Environment variables of common client libraries. Some read one region variable, some the other. */
function asExports(account: AccountFile, url: string): string {
  const [key] = account.accessKeys ?? [];
  const [basic] = account.basic ?? [];
  const values: Record<string, string | undefined> = {
    MEDLEY_URL: url,
    MEDLEY_ACCOUNT: account.id,
    MEDLEY_TOKEN: account.tokens?.[0],
    MEDLEY_API_KEY: account.apiKeys?.[0],
    MEDLEY_USERNAME: basic?.username,
    MEDLEY_PASSWORD: basic?.password,
    AWS_ACCESS_KEY_ID: key?.id,
    AWS_SECRET_ACCESS_KEY: key?.secret,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    ...Object.assign({}, ...serviceTable.map(({ manifest }) => manifest?.environment?.(url))),
  };
  return Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : `export ${name}=${quoted(value)}`))
    .join("\n");
}

/** `medley serve &` may have been started a moment ago. Its process needs time to start and to be ready. */
const BEGIN_MS_MAX = 5000;
const READY_MS_MAX = 60_000;
const POLL_MS = 50;

/** Waits while a server starts on the data folder, or may be about to start. */
async function awaitStart(config: Config): Promise<void> {
  if (config.credentialsFile !== undefined) return;
  const beganMs = performance.now();
  for (;;) {
    const server = findRunningServer(config.dataFolder);
    const isStarting = server?.url === "";
    if (!isStarting && (server || existsSync(credentialsPathOf(config.dataFolder)))) return;
    const waitedMs = performance.now() - beganMs;
    if (waitedMs > (isStarting ? READY_MS_MAX : BEGIN_MS_MAX)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function show(parsed: Parsed): Promise<number> {
  const { config } = parsed;
  await awaitStart(config);
  const credentials = await readCredentials(config);
  const [first] = credentials?.accounts ?? [];
  if (!credentials || !first)
    throw new UsageError(`there are no credentials in ${config.dataFolder} yet: start the server once`);
  const url = findRunningServer(config.dataFolder)?.url || `http://${config.host}:${config.port}`;
  if (parsed.has("json")) console.log(JSON.stringify(credentials, null, 2));
  else if (parsed.has("env")) console.log(asExports(first, url));
  else console.log(credentials.accounts.map(asLines).join("\n"));
  return 0;
}

type Listed = {
  readonly id: string;
  readonly name: string;
  readonly admin: boolean;
  readonly credentials: readonly {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly scopes?: readonly string[];
    readonly expiresAt?: string;
  }[];
};
async function list(parsed: Parsed): Promise<number> {
  const { accounts } = await withAdmin(parsed, (admin) =>
    admin.json<{ accounts: readonly Listed[] }>("GET", "/credentials"),
  );
  if (parsed.has("json")) {
    console.log(JSON.stringify(accounts, null, 2));
    return 0;
  }
  for (const { id, name, admin, credentials } of accounts) {
    console.log(`account ${id} (${name})${admin ? ", admin" : ""}`);
    for (const one of credentials) {
      const limits = [
        ...(one.scopes ? [`only ${one.scopes.join(" ")}`] : []),
        ...(one.expiresAt ? [`until ${one.expiresAt}`] : []),
      ];
      console.log(`  ${one.id}  ${one.kind.padEnd(9)} ${one.name.padEnd(20)} ${limits.join(", ")}`.trimEnd());
    }
  }
  return 0;
}

async function create(parsed: Parsed): Promise<number> {
  const kind = parsed.text("kind") ?? "token";
  if (!KINDS.includes(kind)) throw new UsageError(`"${kind}" is none of ${KINDS.join(", ")}`);
  const scopes = parsed
    .list("scope")
    .flatMap((text) => text.split(/[\s,]+/))
    .filter((scope) => scope !== "");
  const wanted = {
    kind,
    ...(parsed.text("account") && { account: parsed.text("account") }),
    ...(scopes.length > 0 && { scopes }),
    ...(parsed.text("expires-in") && { expiresIn: parsed.text("expires-in") }),
    ...(parsed.text("username") && { username: parsed.text("username") }),
    ...(parsed.has("session") && { session: true }),
  };
  const { credential } = await withAdmin(parsed, (admin) =>
    admin.json<{ credential: Record<string, string> }>("POST", "/credentials", wanted),
  );
  if (parsed.has("json")) console.log(JSON.stringify(credential, null, 2));
  else for (const [name, value] of Object.entries(credential)) console.log(`${name.padEnd(16)} ${value}`);
  return 0;
}

async function revoke(parsed: Parsed, id: string | undefined): Promise<number> {
  const account = parsed.text("account");
  if (id === undefined && account === undefined)
    throw new UsageError(
      "say which credential by its id (medley credentials list shows them), or which account by --account",
    );
  const query = id === undefined ? `account=${account}` : `id=${encodeURIComponent(id)}`;
  await withAdmin(parsed, (admin) => admin.json("DELETE", `/credentials?${query}`));
  console.log(`revoked ${id ?? `account ${account}`}`);
  return 0;
}

export const credentials: Command = {
  name: "credentials",
  usage: [
    "credentials [--json|--env]",
    "credentials list [--json]",
    "credentials create [--kind token|apiKey|accessKey|basic] [--scope s] [--account A] [--expires-in 8h] [--username U] [--session] [--json]",
    "credentials revoke ID | credentials revoke --account A",
  ],
  summary: "show those of the data folder with their secrets; list all by their ids; make and revoke them",
  run(words) {
    const parsed = parseFlags(words, credentials.usage, flags);
    const [verb, id] = parsed.words;
    if (verb === undefined) return Promise.resolve(show(parsed));
    if (verb === "list") return list(parsed);
    if (verb === "create") return create(parsed);
    if (verb === "revoke") return revoke(parsed, id);
    throw new UsageError(`"${verb}" is none of list, create and revoke`);
  },
};

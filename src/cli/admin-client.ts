/** Client of the admin API of the running server, or of a temporary server for one command. */
import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { credentialsPathOf, databasePathOf, findRunningServer, startApp } from "#app";
import type { CredentialsFile } from "#kernel/auth";
import { type Config, isLocalName } from "#kernel/config";
import { FailedError, UsageError } from "#kernel/manifest";
import type { Parsed } from "./flags.ts";

export const connectionFlags = { url: "text", token: "text" } as const;

export type AdminClient = {
  readonly url: string;
  readonly token: string;
  /** False for a temporary server. */
  readonly isLasting: boolean;
  /** Sends JSON or a stream. An unsuccessful response becomes an error with the server's message. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** Calls a service. The path starts with its mount. Returns the JSON of the response. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
};

export async function readCredentials(config: Config): Promise<CredentialsFile | undefined> {
  const path = config.credentialsFile ?? credentialsPathOf(config.dataFolder);
  if (!existsSync(path)) return undefined;
  const { parseCredentialsFile } = await import("#kernel/auth");
  return parseCredentialsFile(readFileSync(path, "utf8"));
}
const adminTokenOf = (credentials: CredentialsFile | undefined): string | undefined =>
  credentials?.accounts.find((account) => account.admin && account.tokens?.length)?.tokens?.[0];

function clientOf(url: string, token: string, isLasting: boolean): AdminClient {
  const exchange = async (method: string, path: string, body?: unknown) => {
    const json = body !== undefined && !(body instanceof Readable);
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(json && { "content-type": "application/json" }) },
      ...(body !== undefined && {
        body: (json ? JSON.stringify(body) : Readable.toWeb(body)) as NonNullable<RequestInit["body"]>,
        duplex: "half",
      }),
    }).catch((error) => {
      throw new FailedError(`no server answers at ${url}: ${reasonOf(error)}`);
    });
    if (response.ok) return response;
    const text = `the server answered ${response.status}: ${messageOf(await response.text())}`;
    throw response.status === 400 ? new UsageError(text) : new FailedError(text);
  };
  const send = (method: string, path: string, body?: unknown) => exchange(method, `/_medley${path}`, body);
  return {
    url,
    token,
    isLasting,
    send,
    call: async (method, path, body) => JSON.parse(await (await exchange(method, path, body)).text()),
    async json<T>(method: string, path: string, body?: unknown): Promise<T> {
      const text = await (await send(method, path, body)).text();
      return (text === "" ? {} : JSON.parse(text)) as T;
    },
  };
}
const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
function messageOf(text: string): string {
  try {
    const told = JSON.parse(text);
    return told.error?.message ?? told.message ?? text.slice(0, 500);
  } catch {
    return text.slice(0, 500);
  }
}

/** Address and token of the server. A data folder flag takes precedence over environment variables. */
async function addressed(parsed: Parsed): Promise<{ url: string | undefined; token: string | undefined }> {
  const { config } = parsed;
  const isFolderGiven = parsed.text("data") !== undefined;
  const running = findRunningServer(config.dataFolder)?.url || undefined;
  const variable = isFolderGiven ? undefined : config.url;
  const url = parsed.text("url") ?? variable ?? running;
  const mayUseFolder = isFolderGiven || url === undefined || url === running || isOnThisMachine(url);
  const ofFolder = mayUseFolder ? adminTokenOf(await readCredentials(config)) : undefined;
  const [stronger, weaker] = isFolderGiven ? [ofFolder, config.token] : [config.token, ofFolder];
  return { url, token: parsed.text("token") ?? stronger ?? weaker };
}
/** The token of the folder where a command happens to run is not sent to other machines. */
function isOnThisMachine(url: string): boolean {
  try {
    return isLocalName(new URL(url).hostname);
  } catch {
    return false;
  }
}

/** `begins`: the command is valid on a data folder without data. */
export async function withAdmin<T>(
  parsed: Parsed,
  work: (admin: AdminClient) => Promise<T>,
  { begins = false } = {},
): Promise<T> {
  const { config } = parsed;
  const { url, token } = await addressed(parsed);
  if (url !== undefined) {
    if (!token)
      throw new UsageError("no admin token is known: give --token, or --data of the server's data folder");
    return work(clientOf(url.replace(/\/$/, ""), token, true));
  }
  const isEmpty = config.databaseUrl === undefined && !existsSync(databasePathOf(config.dataFolder));
  if (isEmpty && !begins)
    throw new FailedError(
      `there is no server at work and no data in ${config.dataFolder}: start one, or say --data or --url`,
    );
  const app = await startApp({ ...config, host: "127.0.0.1", port: 0, tls: false, logLevel: "error" });
  try {
    const own = parsed.text("token") ?? adminTokenOf(app.credentials) ?? token;
    if (!own) throw new UsageError("no admin token is known: give --token");
    return await work(clientOf(app.url, own, false));
  } finally {
    await app.stop();
  }
}

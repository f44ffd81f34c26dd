/** Talks to the admin interface: of the running server, or of one started for just this command. */
import { existsSync, readFileSync } from "node:fs";
import { credentialsPathOf, findRunningServer, startApp } from "#app";
import { type CredentialsFile, parseCredentialsFile } from "#kernel/auth";
import type { Config } from "#kernel/config";
import { UsageError } from "./command.ts";
import type { Parsed } from "./flags.ts";

export const connectionFlags = { url: "text", token: "text" } as const;

export type AdminClient = {
  readonly url: string;
  send(method: string, path: string, body?: unknown): Promise<Response>;
  /** The answer's JSON; a refusal becomes a UsageError with the server's own words. */
  json<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<T>;
};

export function readCredentials(config: Config): CredentialsFile | undefined {
  const path = config.credentialsFile ?? credentialsPathOf(config.dataFolder);
  return existsSync(path) ? parseCredentialsFile(readFileSync(path, "utf8")) : undefined;
}
const adminTokenOf = (credentials: CredentialsFile | undefined): string | undefined =>
  credentials?.accounts.find((account) => account.admin)?.tokens?.[0];

function clientOf(url: string, token: string): AdminClient {
  const send = (method: string, path: string, body?: unknown) => {
    const json = body !== undefined && !(body instanceof Uint8Array);
    return fetch(`${url}/_medley${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(json && { "content-type": "application/json" }) },
      ...(body !== undefined && {
        body: (json ? JSON.stringify(body) : body) as NonNullable<RequestInit["body"]>,
      }),
    });
  };
  return {
    url,
    send,
    async json<T>(method: string, path: string, body?: unknown): Promise<T> {
      const response = await send(method, path, body);
      const text = await response.text();
      if (response.ok) return (text === "" ? {} : JSON.parse(text)) as T;
      throw new UsageError(`the server answered ${response.status}: ${messageOf(text)}`);
    },
  };
}
function messageOf(text: string): string {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text.slice(0, 500);
  }
}

export async function withAdmin<T>(parsed: Parsed, work: (admin: AdminClient) => Promise<T>): Promise<T> {
  const { config } = parsed;
  const token = parsed.text("token") ?? config.token ?? adminTokenOf(readCredentials(config));
  const url = parsed.text("url") ?? config.url ?? findRunningServer(config.dataFolder)?.url;
  if (url) {
    if (!token)
      throw new UsageError("no admin token is known: give --token, or --data of the server's data folder");
    return work(clientOf(url.replace(/\/$/, ""), token));
  }
  const app = await startApp({ ...config, host: "127.0.0.1", port: 0, tls: false, logLevel: "error" });
  try {
    const own = token ?? adminTokenOf(app.credentials);
    if (!own) throw new UsageError("no admin token is known: give --token");
    return await work(clientOf(app.url, own));
  } finally {
    await app.stop();
  }
}

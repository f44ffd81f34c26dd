/** Users that are created without a credential. The maker's client libraries start this way. */
import { accountsStore, networkOf } from "#kernel/auth";
import { isLocalHost } from "#kernel/config";
import { kernelErrors, type Principal } from "#kernel/operation";
import { type AuthenticationTools, type Call, headerOf } from "#kernel/protocols";
import type { OpenSandbox, RateLimit, State } from "../book/index.ts";

const PATH = /\/sandbox-user-(?:person|company)\/?$/;
const PER_ADDRESS: RateLimit = { requests: 60, windowMs: 60_000 };

async function accountFor(open: OpenSandbox, { database }: AuthenticationTools): Promise<string | undefined> {
  if (open === undefined) return undefined;
  if (open !== "oldest") return (await accountsStore.findAccount(database.read, open.account))?.id;
  const accounts = await accountsStore.listAccounts(database.read);
  return accounts.sort((one, other) => one.created_at - other.created_at)[0]?.id;
}

/** Returns undefined where a credential is required. */
export async function admitStranger(
  call: Call,
  tools: AuthenticationTools,
  { openSandbox, rates }: State,
): Promise<Principal | undefined> {
  if (openSandbox === undefined || call.method !== "POST" || !PATH.test(call.rawPath)) return undefined;
  if (openSandbox === "oldest" && !isLocalHost(headerOf(call, "host"))) return undefined;
  const address = networkOf(call.callerAddress());
  const { isOver, resetMs } = rates.count(`open-sandbox/${address}`, PER_ADDRESS, tools.clock.nowMs());
  if (isOver)
    throw kernelErrors.throttled(
      `Too many users: without a credential an address makes at most ${PER_ADDRESS.requests} in a minute.`,
      { headers: { "retry-after": String(Math.ceil(resetMs / 1000)) } },
    );
  const account = await accountFor(openSandbox, tools);
  if (account === undefined) return undefined;
  return {
    account,
    name: "open sandbox",
    credentialKind: "none",
    admin: false,
    scopes: ["bank:CreateSandboxUser"],
  };
}

/** Accounts at start: from the given file, or at the first start one account with random secrets. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { accountsStore, type CredentialsFile, freshCredentials, parseCredentialsFile } from "#kernel/auth";
import type { Kernel } from "#kernel/runtime";
import { endUsers } from "#ports/end-users";
import { roles } from "#ports/roles";
import { credentialsPathOf } from "./data-folder.ts";

export type Prepared = {
  readonly credentials: CredentialsFile | undefined;
  readonly credentialsPath: string | undefined;
  readonly firstStart: boolean;
};

export async function prepareCredentials(kernel: Kernel): Promise<Prepared> {
  const { config } = kernel;
  if (config.credentialsFile !== undefined) {
    const credentials = parseCredentialsFile(readFileSync(config.credentialsFile, "utf8"));
    await loadCredentials(kernel, credentials);
    return { credentials, credentialsPath: config.credentialsFile, firstStart: false };
  }
  const path = config.memory ? undefined : credentialsPathOf(config.dataFolder);
  const known =
    path !== undefined && existsSync(path) ? parseCredentialsFile(readFileSync(path, "utf8")) : undefined;
  if ((await accountsStore.countAccounts(kernel.database.read)) > 0)
    return { credentials: known, credentialsPath: known && path, firstStart: false };
  const credentials = known ?? freshCredentials(kernel.ids);
  // The file is written first. A crash in between must not leave an account whose secrets are lost.
  if (path !== undefined && !known)
    writeFileSync(path, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await loadCredentials(kernel, credentials);
  return { credentials, credentialsPath: path, firstStart: true };
}

/**
 * Users are loaded before accounts. If a later start finds an account, it assumes that the whole file was
 * loaded.
 */
export async function loadCredentials(kernel: Kernel, credentials: CredentialsFile): Promise<void> {
  await kernel.accounts.load(credentials.accounts, ensureNamed(kernel, credentials));
}
async function ensureNamed(kernel: Kernel, credentials: CredentialsFile): Promise<void> {
  await ensureUsers(kernel, credentials);
  for (const { id, roles: named = [] } of credentials.accounts)
    if (named.length > 0)
      await kernel.findPort(roles)?.ensure(kernel.jobContext("medley", id, kernel.ids.next("load")), named);
}
async function ensureUsers(kernel: Kernel, { accounts }: CredentialsFile): Promise<void> {
  const naming = accounts.filter(({ users = [] }) => users.length > 0);
  if (naming.length === 0) return;
  const people = kernel.findPort(endUsers);
  for (const { id, users = [] } of naming)
    await people?.ensure(kernel.jobContext("medley", id, kernel.ids.next("load")), users);
}

/** Passwords and keys of groups and machines: kept apart and encrypted, never shown. */
import type { Context } from "#kernel/operation";
import type { MachineProperties } from "./wire.ts";

type Secrets = Record<string, string>;

export const sealed = (context: Context, secrets: Secrets): Secrets =>
  Object.fromEntries(Object.entries(secrets).map(([name, text]) => [name, context.secrets.seal(text)]));

/** Is it the secret that is kept? Older versions kept it as it was given. */
export function isKeptAs(context: Context, kept: unknown, text: string): boolean {
  try {
    return kept === text || context.secrets.open(String(kept)) === text;
  } catch {
    return false;
  }
}

export function splitSecrets(given: MachineProperties): {
  readonly properties: MachineProperties;
  readonly secrets: Secrets;
} {
  const secrets: Secrets = {};
  const keep = (name: string, value: string | undefined) => {
    if (value) secrets[name] = value;
  };
  const { wsfcDomainCredentials: credentials, ...properties } = given;
  for (const [name, password] of Object.entries(credentials ?? {})) keep(name, password);
  const shown: MachineProperties = { ...properties };
  if (given.autoBackupSettings) {
    const { storageAccessKey, password, ...rest } = given.autoBackupSettings;
    keep("backupStorageKey", storageAccessKey);
    keep("backupPassword", password);
    shown.autoBackupSettings = rest;
  }
  if (given.keyVaultCredentialSettings) {
    const { servicePrincipalSecret, ...rest } = given.keyVaultCredentialSettings;
    keep("keyVaultSecret", servicePrincipalSecret);
    shown.keyVaultCredentialSettings = rest;
  }
  const server = given.serverConfigurationsManagementSettings;
  if (server?.sqlConnectivityUpdateSettings) {
    const { sqlAuthUpdateUserName, sqlAuthUpdatePassword, ...rest } = server.sqlConnectivityUpdateSettings;
    keep("sqlLoginName", sqlAuthUpdateUserName);
    keep("sqlLoginPassword", sqlAuthUpdatePassword);
    shown.serverConfigurationsManagementSettings = { ...server, sqlConnectivityUpdateSettings: rest };
  }
  return { properties: shown, secrets };
}

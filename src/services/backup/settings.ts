/** The settings that this service adds: which folders of the machine may be backed up, and which accounts belong together. */
import { isAbsolute } from "node:path";
import { type Config, ConfigError, type Setting, settingOf } from "#kernel/config";

function readRoots(text: string): readonly string[] {
  const roots = text.split(",").filter((root) => root !== "");
  for (const root of roots) if (!isAbsolute(root)) throw new ConfigError(`"${root}" is not a whole path`);
  return roots;
}
export const backupRoots: Setting<readonly string[]> = {
  flag: "backup-roots",
  key: "backupRoots",
  read: readRoots,
  help: "folders, separated by commas, whose content may be backed up and restored (none)",
};
export const backupRootsOf = (config: Config): readonly string[] => settingOf(config, backupRoots) ?? [];

const ACCOUNT_ID = /^\d{12}$/;
const ACCOUNTS_MAX = 1000;

/** Accounts of one organisation; the first of them manages it. */
export type Organization = readonly string[];

function checkAccounts(accounts: readonly unknown[]): Organization {
  if (accounts.length === 0 || accounts.length > ACCOUNTS_MAX)
    throw new ConfigError(`an organization has 1 to ${ACCOUNTS_MAX} accounts`);
  for (const account of accounts)
    if (typeof account !== "string" || !ACCOUNT_ID.test(account))
      throw new ConfigError(`"${account}" is not an account of 12 digits`);
  return accounts as Organization;
}

export const organization: Setting<Organization> = {
  flag: "backup-organization",
  key: "backupOrganization",
  read: (text) => checkAccounts(text.split(",").map((part) => part.trim())),
  help: "accounts of one organization, the managing one first, for cross-account backup",
};
const findOrganization = (config: Config): Organization | undefined => settingOf(config, organization);

/** The account that manages the organisation of an account; undefined for one that is in none. */
export function findManager(config: Config, account: string): string | undefined {
  const accounts = findOrganization(config);
  return accounts?.includes(account) ? accounts[0] : undefined;
}
/** Whether both are in the organisation. */
export const areTogether = (config: Config, one: string, other: string): boolean =>
  [one, other].every((account) => findOrganization(config)?.includes(account) ?? false);

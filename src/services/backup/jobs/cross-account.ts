/** Whether recovery points may be copied from one account into another. */
import { areTogether, findManager } from "../settings.ts";
import type { BackupContext } from "../state.ts";
import { getGlobalSettings } from "../store/settings.ts";

/** Both are in one organisation, whose managing account has turned cross-account backup on. */
export async function isCrossAccountAllowed(context: BackupContext, otherAccount: string): Promise<boolean> {
  const { account, config, db } = context;
  if (otherAccount === account) return true;
  const manager = findManager(config, account);
  if (manager === undefined || !areTogether(config, account, otherAccount)) return false;
  return (await getGlobalSettings(db, manager)).isCrossAccountBackupEnabled;
}

/** A recovery point that an operation is about, once the access policy of its vault has been asked. */
import { Type } from "@sinclair/typebox";
import type { BackupContext } from "../state.ts";
import { getPointInVault } from "../store/index.ts";
import type { PointRow, VaultRow } from "../tables/index.ts";
import { RecoveryPointArn, VaultName } from "../wire/index.ts";
import { openVault } from "./open-vault.ts";

export const pointParams = Type.Object({ backupVaultName: VaultName, recoveryPointArn: RecoveryPointArn });

type Named = { readonly backupVaultName: string; readonly recoveryPointArn: string };
/** `owner`: another account may have opened its vault to the caller. */
export async function openPoint(
  context: BackupContext,
  { backupVaultName, recoveryPointArn }: Named,
  action: string,
  owner?: string,
): Promise<{ vault: VaultRow; point: PointRow }> {
  const vault = await openVault(context, backupVaultName, action, owner);
  const { account, region, name } = vault;
  return { vault, point: await getPointInVault(context.db, account, region, name, recoveryPointArn) };
}

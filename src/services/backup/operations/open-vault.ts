/** A vault that an operation is about, once its access policy has been asked. */
import { vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { requireVaultAccess } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import { findVault } from "../store/index.ts";
import type { VaultRow } from "../tables/index.ts";

/** `owner`: another account may have opened its vault to the caller. */
export async function openVault(
  context: BackupContext,
  name: string,
  action: string,
  owner = context.account,
): Promise<VaultRow> {
  const { db, request } = context;
  const vault = await findVault(db, owner, request.region, name);
  if (!vault) throw errors.notFound(`There is no backup vault ${name} in this account and region.`);
  requireVaultAccess(context, vault, `backup:${action}`);
  return vault;
}

type Named = { params: { backupVaultName: string } };
/** For policies. */
export const namedVault = ({ params }: Named, account: string, region: string): string =>
  vaultArnOf(account, region, params.backupVaultName);

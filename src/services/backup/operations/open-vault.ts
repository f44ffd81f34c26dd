/** A vault that an operation is about, once its access policy has been asked. */
import { Type } from "@sinclair/typebox";
import { vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { requireVaultAccess } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import { findVault, updateVault } from "../store/index.ts";
import type { VaultRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { operation } from "./operation.ts";

export const vaultParams = Type.Object({ backupVaultName: wire.VaultName });
export const vaultErrors = [errors.notFound, errors.accessDenied];

/** `owner`: another account may have opened its vault to the caller. */
export async function openVault(
  context: BackupContext,
  name: string,
  action: string,
  owner = context.account,
): Promise<VaultRow> {
  const { db, request } = context;
  const vault = (await findVault(db, owner, request.region, name)) ?? { missing: name };
  if ("missing" in vault && owner === context.account)
    throw errors.notFound(`There is no backup vault ${name} in this account and region.`);
  requireVaultAccess(context, vault, `backup:${action}`);
  return vault;
}

type Named = { params: { backupVaultName: string } };
/** For policies. */
export const namedVault = ({ params }: Named, account: string, region: string): string =>
  vaultArnOf(account, region, params.backupVaultName);

type Clearing = {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly path: string;
  readonly tags?: readonly string[];
  /** The action that the policies decide on. */
  readonly action: string;
  readonly cleared: Partial<VaultRow>;
};
/** An operation that clears a setting of a vault. */
export const clearingVault = ({ action, cleared, ...declared }: Clearing) =>
  operation({
    ...declared,
    method: "DELETE",
    permission: `backup:${action}`,
    params: vaultParams,
    answers: { 200: wire.Nothing },
    errors: vaultErrors,
    resource: namedVault,
    async handle({ params: { backupVaultName } }, context) {
      const vault = await openVault(context, backupVaultName, action);
      await updateVault(context.db, vault, cleared);
      return {};
    },
  });

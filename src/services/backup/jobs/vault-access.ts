/** Access to a vault: both its own policy and the account's policies apply. */
import { arnOf } from "#kernel/arn";
import { decide, type Visitor, vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext } from "../state.ts";
import type { VaultRow } from "../tables/index.ts";

export const visitorOf = ({ principal }: BackupContext): Visitor => ({
  account: principal.account,
  arn: arnOf({ service: "iam", region: "", account: principal.account, resource: `user/${principal.name}` }),
});
/** Jobs work in a role of the account that asked for them. */
export const roleVisitor = (account: string, roleArn: string): Visitor => ({ account, arn: roleArn });

export function isVaultOpenTo(vault: VaultRow, visitor: Visitor, action: string): boolean {
  const arn = vaultArnOf(vault.account, vault.region, vault.name);
  const decision = decide(vault.policy, visitor, action, arn);
  return decision === "allowed" || (decision === "unsaid" && visitor.account === vault.account);
}
/** Another account's vault that is missing is refused like one that is closed, so nobody can try out names. */
export function requireVaultAccess(
  context: BackupContext,
  vault: VaultRow | { readonly missing: string },
  action: string,
  visitor = visitorOf(context),
): asserts vault is VaultRow {
  const isMissing = "missing" in vault;
  if (!isMissing && isVaultOpenTo(vault, visitor, action)) return;
  const name = isMissing ? vault.missing : vault.name;
  throw errors.accessDenied(
    `The access policy of the backup vault ${name} does not let ${visitor.arn} perform ${action}.`,
  );
}

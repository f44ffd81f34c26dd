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
export function requireVaultAccess(
  context: BackupContext,
  vault: VaultRow,
  action: string,
  visitor = visitorOf(context),
): void {
  if (isVaultOpenTo(vault, visitor, action)) return;
  throw errors.accessDenied(
    `The access policy of the backup vault ${vault.name} does not let ${visitor.arn} perform ${action}.`,
  );
}

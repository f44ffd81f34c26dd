/** Making and replacing roles; for requests and for the credentials file. */
import type { Context } from "#kernel/operation";
import { checkRoom, ROLE_SECONDS } from "../domain/limits.ts";
import { policiesOf } from "../domain/policy-document.ts";
import * as store from "../store.ts";
import type { RoleRow, Tables } from "../tables.ts";

export type WantedRole = {
  readonly description?: string | undefined;
  /** A policy document. */
  readonly policy?: unknown;
  readonly trustedAccounts?: readonly string[] | undefined;
  readonly externalId?: string | undefined;
  readonly maxSessionDuration?: number | undefined;
};
/** Refuses a policy that is not understood. What stays the same is not written again. */
export async function keepRole(
  { db, account, clock }: Context<Tables>,
  name: string,
  wanted: WantedRole,
): Promise<{ readonly role: RoleRow; readonly isNew: boolean }> {
  if (wanted.policy) policiesOf(wanted.policy);
  const before = await store.findRole(db, account, name);
  if (!before) checkRoom(await store.countRoles(db, account));
  const said = {
    description: wanted.description ?? null,
    policy: wanted.policy ? JSON.stringify(wanted.policy) : null,
    trusted: JSON.stringify(wanted.trustedAccounts ?? []),
    external_id: wanted.externalId ?? null,
    seconds_max: wanted.maxSessionDuration ?? ROLE_SECONDS,
  };
  const isSame =
    before !== undefined &&
    Object.entries(said).every(([member, value]) => {
      const kept = before[member as keyof RoleRow];
      return kept === value || (typeof value === "number" && Number(kept) === value);
    });
  if (isSame) return { role: before, isNew: false };
  const nowMs = clock.nowMs();
  const role = { name, ...said, created_at: before?.created_at ?? nowMs, updated_at: nowMs };
  await store.putRole(db, account, role);
  return { role: { account, ...role }, isNew: before === undefined };
}

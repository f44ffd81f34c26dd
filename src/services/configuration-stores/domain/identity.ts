/** Managed identities of a store. */
import { storeErrors } from "../errors.ts";

export type UserIdentity = { readonly clientId: string; readonly principalId: string };
export type Identity = {
  readonly type: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  readonly userAssignedIdentities?: Readonly<Record<string, UserIdentity>>;
};
export type WantedIdentity = {
  readonly type?: string;
  readonly userAssignedIdentities?: Readonly<Record<string, unknown>>;
};

const IDENTITIES_MAX = 20;
const RESOURCE_ID = /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+$/i;

/** The wanted identity with its ids: known ones stay, new ones are made by `fresh`. */
export function completeIdentity(
  wanted: WantedIdentity,
  existing: Identity | undefined,
  tenantId: string,
  fresh: () => string,
): Identity | undefined {
  const { type = "None", userAssignedIdentities: given = {} } = wanted;
  const users = Object.keys(given);
  const isSystem = type.startsWith("SystemAssigned");
  const isUser = type.endsWith("UserAssigned");
  requireUsers(users, isUser);
  if (!isSystem && !isUser) return undefined;
  const known = existing?.userAssignedIdentities ?? {};
  return {
    type,
    ...(isSystem && { principalId: existing?.principalId ?? fresh(), tenantId }),
    ...(isUser && {
      userAssignedIdentities: Object.fromEntries(
        users.map((id) => [id, known[id] ?? { clientId: fresh(), principalId: fresh() }]),
      ),
    }),
  };
}

function requireUsers(users: readonly string[], isUser: boolean): void {
  const refuse = (message: string) =>
    storeErrors.invalidIdentity(message, { target: "identity.userAssignedIdentities" });
  if (isUser && users.length === 0)
    throw refuse("The identity type UserAssigned needs at least one identity.");
  if (!isUser && users.length > 0) throw refuse("Identities are given, but the type is not UserAssigned.");
  if (users.length > IDENTITIES_MAX) throw refuse(`A store has at most ${IDENTITIES_MAX} identities.`);
  const wrong = users.find((id) => !RESOURCE_ID.test(id));
  if (wrong !== undefined) throw refuse(`'${wrong.slice(0, 200)}' is not the identifier of an identity.`);
}

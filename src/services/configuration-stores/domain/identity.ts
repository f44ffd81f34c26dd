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
  readonly userAssignedIdentities?: Readonly<Record<string, unknown>> | null;
};

const IDENTITIES_MAX = 20;
const RESOURCE_ID = /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+$/i;

const isUserAssigned = (type: string | undefined): boolean => type?.endsWith("UserAssigned") ?? false;
const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Result of a PATCH. Null removes an identity. Without a user-assigned type, all of them are removed. */
export function mergeIdentity(
  asked: WantedIdentity | null | undefined,
  existing: Identity | undefined,
): WantedIdentity {
  if (asked === undefined) return existing ?? {};
  if (asked === null) return {};
  const type = asked.type ?? existing?.type ?? "None";
  const changes = Object.entries(asked.userAssignedIdentities ?? {});
  const known = isUserAssigned(type) ? Object.entries(existing?.userAssignedIdentities ?? {}) : [];
  const kept = known.filter(([id]) => !changes.some(([other, to]) => to === null && isSameId(id, other)));
  const users = [...kept, ...changes.filter(([, to]) => to !== null)];
  return { type, userAssignedIdentities: Object.fromEntries(users) };
}

/** Adds IDs to the wanted identities: existing ones keep theirs, `fresh` creates new ones. */
export function completeIdentity(
  wanted: WantedIdentity,
  existing: Identity | undefined,
  tenantId: () => string,
  fresh: () => string,
): Identity | undefined {
  const { type = "None", userAssignedIdentities: given } = wanted;
  const users = differentIds(Object.keys(given ?? {}));
  const isSystem = type.startsWith("SystemAssigned");
  const isUser = isUserAssigned(type);
  requireUsers(users, isUser);
  if (!isSystem && !isUser) return undefined;
  const known = Object.entries(existing?.userAssignedIdentities ?? {});
  const completed = (id: string) =>
    known.find(([one]) => isSameId(one, id)) ?? [id, { clientId: fresh(), principalId: fresh() }];
  return {
    type,
    ...(isSystem && { principalId: existing?.principalId ?? fresh(), tenantId: tenantId() }),
    ...(isUser && { userAssignedIdentities: Object.fromEntries(users.map(completed)) }),
  };
}
const differentIds = (ids: readonly string[]): string[] =>
  ids.filter((id, position) => !ids.slice(0, position).some((earlier) => isSameId(earlier, id)));

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

/** The maker's spelling that all resource managers share. Each adds its namespace and its references. */
import { type Dialect, type DialectTable, defineDialect } from "../dialects/dialect.ts";
import { RESOURCES_NAMESPACE } from "./identifiers.ts";

/** Namespaces that any resource may reference: its group, access rights and identities. */
const SHARED_NAMESPACES = [RESOURCES_NAMESPACE, "Vendor.Authorization", "Vendor.ManagedIdentity"];
const SHARED_ID_MEMBERS = [
  "id",
  "name",
  "type",
  "nextLink",
  "provider",
  "namespace",
  "resourceId",
  "resourceType",
  "scope",
  "managedBy",
];

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const MAKERS_IDENTITY = /(?<=\/providers\/)Microsoft(?=\.ManagedIdentity\/)/i;
const NEUTRAL_IDENTITY = /(?<=\/providers\/)Vendor(?=\.ManagedIdentity\/)/i;

/** Identities of a resource are members named by ids, which a table of names does not cover. */
function respellIdentities(resource: unknown, from: RegExp, to: string): unknown {
  if (!isObject(resource) || !isObject(resource.identity)) return resource;
  const { userAssignedIdentities: users, ...identity } = resource.identity;
  if (!isObject(users)) return resource;
  const respelt = Object.entries(users).map(([id, user]) => [id.replace(from, to), user]);
  return {
    ...resource,
    identity: { ...identity, userAssignedIdentities: Object.fromEntries(respelt) },
  };
}

const makersNamespaces = (namespaces: readonly string[]): Record<string, string> =>
  Object.fromEntries(namespaces.map((neutral) => [neutral.replace(/^Vendor\./, "Microsoft."), neutral]));

const sharedTable = {
  name: "microsoft",
  telltaleHeaders: ["x-ms-client-request-id"],
  unwrapBody: (_operation, body) => respellIdentities(body, MAKERS_IDENTITY, "Vendor"),
  wrapAnswer(_operation, _status, body) {
    const outward = (resource: unknown) => respellIdentities(resource, NEUTRAL_IDENTITY, "Microsoft");
    return isObject(body) && Array.isArray(body.value)
      ? { ...body, value: body.value.map(outward) }
      : outward(body);
  },
  answerValueFields: ["message", "target"],
} satisfies DialectTable;

export type ManagementWords = {
  /** Neutral namespaces that its resources reference: the maker's `Microsoft.Network` for `Vendor.Network`. */
  readonly namespaces?: readonly string[];
  /** Other namespaces of the maker: maker's to neutral. */
  readonly otherNamespaces?: Readonly<Record<string, string>>;
  /** Members whose text, or whose list of texts, is the id of a resource. */
  readonly idMembers?: readonly string[];
  /** Members with another name at the maker: maker's to neutral. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Members that somebody else wrote: `properties.message`. */
  readonly verbatim?: readonly string[];
};
/** The part of the dialect from one resource manager; the mount joins them. */
export const managementDialect = ({
  namespaces = [],
  otherNamespaces = {},
  idMembers = [],
  fields = {},
  verbatim = [],
}: ManagementWords = {}): Dialect =>
  defineDialect({
    ...sharedTable,
    pathWords: { ...makersNamespaces([...SHARED_NAMESPACES, ...namespaces]), ...otherNamespaces },
    fields,
    valueFields: [...SHARED_ID_MEMBERS, ...idMembers],
    verbatim,
  });

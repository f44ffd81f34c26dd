/** Descriptions of a type's operations: what the declaration tells. The type's own words come before it. */
import type { Declared } from "./registry.ts";
import type { ResourceType } from "./types.ts";

export type Verb = "get" | "head" | "put" | "patch" | "delete" | "list" | "list-by-subscription";

const PROVISIONING =
  "The work takes `--provisioning-seconds` (2 by default) after the response; poll the URL in `Azure-AsyncOperation`.";
const TAG = "The header `ETag` has the version for `If-Match`.";

const BUSY = "Refused while another operation on the resource is running.";
const startsWork = ({ work }: ResourceType, kind: "create" | "update" | "delete"): readonly string[] =>
  work?.[kind] ? [PROVISIONING] : [];
const isRefusedWhileBusy = ({ work }: ResourceType): readonly string[] => (work ? [BUSY] : []);
const needsTag = ({ etag }: ResourceType, method: "PUT" | "PATCH" | "DELETE"): readonly string[] =>
  etag?.neededBy.includes(method) ? ["Needs `If-Match` with the current entity tag, or `*`."] : [];

/** `policies of an API` for `policy of an API`. */
export function pluralOf(title: string): string {
  const [noun = "", ...rest] = title.split(" of ");
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return [plural, ...rest].join(" of ");
}

function readWords({ etag, work, showsState = true }: ResourceType): readonly string[] {
  return [
    ...(etag ? [TAG] : []),
    ...(work && showsState ? ["`provisioningState` shows whether an operation is still running."] : []),
  ];
}
function putWords(type: ResourceType): readonly string[] {
  return [
    ...(type.wire.put?.properties.location ? ["The location cannot change afterwards."] : []),
    ...(type.nameIsGlobal ? ["The name is unique across all accounts."] : []),
    ...(type.parent ? [] : ["A missing resource group is created, unless `--strict-parents` is set."]),
    ...needsTag(type, "PUT"),
    ...startsWork(type, "create"),
    ...isRefusedWhileBusy(type),
  ];
}
const patchWords = (type: ResourceType): readonly string[] => [
  "Merges the given members into the resource; the others stay.",
  ...needsTag(type, "PATCH"),
  ...startsWork(type, "update"),
  ...isRefusedWhileBusy(type),
];
function deleteWords({ type, provider }: Declared): readonly string[] {
  const children = provider.types.filter(({ parent }) => parent === type).map(({ title }) => pluralOf(title));
  const absent = type.statuses?.delete?.absent ?? 204;
  return [
    ...(children.length > 0 ? [`Also deletes its children: ${children.join(", ")}.`] : []),
    `A resource that does not exist gives ${absent}.`,
    ...needsTag(type, "DELETE"),
    ...startsWork(type, "delete"),
  ];
}

function derivedWords(declared: Declared, verb: Verb): readonly string[] {
  const { type } = declared;
  if (verb === "get") return readWords(type);
  if (verb === "head") return ["The response has no body.", TAG];
  if (verb === "put") return putWords(type);
  if (verb === "patch") return patchWords(type);
  if (verb === "delete") return deleteWords(declared);
  return ["Pages have 100 resources unless `$top` says otherwise; follow `nextLink` for the next page."];
}

export function descriptionOf(declared: Declared, verb: Verb): { readonly description?: string } {
  const { descriptions = {} } = declared.type;
  const own = verb === "list-by-subscription" ? descriptions.list : descriptions[verb];
  const words = [...(own === undefined ? [] : [own]), ...derivedWords(declared, verb)];
  return words.length === 0 ? {} : { description: words.join(" ") };
}

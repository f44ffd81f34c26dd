/** Paths of resource types, and what a request's path parameters point at. */
import { type StringOptions, type TObject, type TProperties, Type } from "@sinclair/typebox";
import type { Context } from "../operation/context.ts";
import { managementErrors } from "./errors.ts";
import { groupIdOf, keyOf, parseResourceId } from "./identifiers.ts";
import { ancestryOf, type Declared } from "./registry.ts";
import type { Place, ProviderSpec, ResourceType } from "./types.ts";

export type PathParams = Readonly<Record<string, string>>;

const SUBSCRIPTION = /^[A-Za-z0-9_.-]{1,64}$/;
const GROUP = /^[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]$/u;
const PATH_NAME_LENGTH_MAX = 260;

const GROUP_PATH = "/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}";
export const providerPath = (namespace: string): string =>
  `/subscriptions/{subscriptionId}/providers/${namespace}`;

/** Of the collection: the last name is left out. */
export function collectionPathOf({ type, provider }: Declared): string {
  const words = ancestryOf(type).map(({ name, parameter }) => `/${name}/{${parameter}}`);
  return `${GROUP_PATH}/providers/${provider.namespace}${words.join("").replace(/\/\{\w+\}$/, "")}`;
}
export const itemPathOf = (declared: Declared): string =>
  `${collectionPathOf(declared)}/{${declared.type.parameter}}`;

/** What the names of a resource and of those above it are. */
export const nameWordsOf = (type: ResourceType): Readonly<Record<string, StringOptions>> =>
  Object.fromEntries(
    ancestryOf(type).map(({ parameter, title, nameRule: { example } }) => [
      parameter,
      { description: `The name of the ${title}.`, ...(example !== undefined && { examples: [example] }) },
    ]),
  );
export function paramsOf(path: string, words: Readonly<Record<string, StringOptions>> = {}): TObject {
  const rule = { minLength: 1, maxLength: PATH_NAME_LENGTH_MAX, pattern: "^[^\\x00-\\x1f/]+$" };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const members: TProperties = Object.fromEntries(
    names.map((name) => [name, Type.String({ ...rule, ...words[name] })]),
  );
  return Type.Object(members);
}

/** A path with its parameters filled in. */
export function pathMaker(path: string): (params: PathParams) => string {
  // Literal text and names in turn.
  const parts = path.split(/\{(\w+)\}/);
  return (params) => {
    let made = parts[0] as string;
    for (let at = 1; at < parts.length; at += 2)
      made += (params[parts[at] as string] ?? "") + (parts[at + 1] as string);
    return made;
  };
}
/** What policies decide on: the path itself. */
export function resourceAt(path: string): ({ params }: { readonly params: PathParams }) => string {
  const make = pathMaker(path);
  return ({ params }) => make(params);
}

function placeOf(declared: Declared, params: PathParams, names: readonly string[]): Place {
  const { subscriptionId = "", resourceGroupName: resourceGroup = "" } = params;
  const words = ancestryOf(declared.type);
  const groupId = groupIdOf(subscriptionId, resourceGroup);
  const idUntil = (depth: number): string => {
    if (depth === 0) return groupId;
    let id = `${groupId}/providers/${declared.provider.namespace}`;
    for (let at = 0; at < depth; at += 1) id += `/${words[at]?.name}/${names[at]}`;
    return id;
  };
  const id = idUntil(names.length);
  return {
    subscriptionId,
    resourceGroup,
    names,
    id,
    key: keyOf(id),
    parentKey: keyOf(idUntil(words.length - 1)),
  };
}
/** Of one resource. */
export const itemPlaceOf = (declared: Declared, params: PathParams): Place =>
  placeOf(
    declared,
    params,
    ancestryOf(declared.type).map(({ parameter }) => params[parameter] ?? ""),
  );
/** Of a collection; its own `id` is the parent's. */
export const collectionPlaceOf = (declared: Declared, params: PathParams): Place =>
  placeOf(
    declared,
    params,
    ancestryOf(declared.type)
      .slice(0, -1)
      .map(({ parameter }) => params[parameter] ?? ""),
  );
/** Of a resource's whole identifier; undefined where it is not one of this type. */
export function placeOfId(declared: Declared, id: string): Place | undefined {
  const parsed = parseResourceId(id);
  if (parsed?.names.length !== ancestryOf(declared.type).length) return undefined;
  const { subscriptionId, resourceGroup, names } = parsed;
  return placeOf(declared, { subscriptionId, resourceGroupName: resourceGroup }, names);
}
/** Whether callers may name a resource of this type, or one above it, in several ways. */
export const hasOtherNames = (type: Declared["type"]): boolean =>
  ancestryOf(type).some(({ resolveName }) => resolveName);
/** With the names under which resources are stored, where callers may name one in several ways. */
export async function resolvedParams(
  context: Context,
  declared: Declared,
  params: PathParams,
): Promise<PathParams> {
  if (!hasOtherNames(declared.type)) return params;
  const ancestry = ancestryOf(declared.type);
  const { subscriptionId = "", resourceGroupName = "" } = params;
  let key = keyOf(`${groupIdOf(subscriptionId, resourceGroupName)}/providers/${declared.provider.namespace}`);
  const resolved: Record<string, string> = { ...params };
  for (const { name, parameter, resolveName } of ancestry) {
    const given = params[parameter];
    if (given === undefined) break;
    const stored = (await resolveName?.(given, key, context)) ?? given;
    resolved[parameter] = stored;
    key = keyOf(`${key}/${name}/${stored}`);
  }
  return resolved;
}
/** The place of a parent resource, for a type that has one. */
export function parentPlaceOf(place: Place, parent: Declared): Place {
  const names = place.names.slice(0, ancestryOf(parent.type).length);
  const params = { subscriptionId: place.subscriptionId, resourceGroupName: place.resourceGroup };
  return placeOf(parent, params, names);
}

/** A subscription belongs to the account that uses it first; others do not learn that it exists. */
export async function requireSubscription(
  context: Context,
  subscriptionId: string,
  says?: ProviderSpec["says"],
): Promise<void> {
  if (!SUBSCRIPTION.test(subscriptionId))
    throw managementErrors.invalidSubscription(
      "A subscription identifier has 1 to 64 letters, digits, dots, hyphens and underscores.",
      { target: "subscriptionId" },
    );
  if (await context.claim("subscription", subscriptionId)) return;
  throw (
    says?.subscriptionNotFound?.(subscriptionId) ??
    managementErrors.subscriptionNotFound(`The subscription '${subscriptionId}' could not be found.`)
  );
}

export function checkGroupName(name: string): void {
  if (GROUP.test(name)) return;
  throw managementErrors.invalidGroupName(
    "A resource group's name has 1 to 90 letters, digits, underscores, hyphens, parentheses and dots, and does not end in a dot.",
    { target: "resourceGroupName" },
  );
}

export function checkName({ type }: Declared, place: Place): void {
  const name = place.names.at(-1) ?? "";
  const own = type.nameRule.problem?.(name);
  if (own) throw own;
  if (type.nameRule.pattern.test(name)) return;
  throw managementErrors.invalidName(
    `The name '${name.slice(0, 100)}' is not valid: ${type.nameRule.says}.`,
    {
      target: type.parameter,
    },
  );
}

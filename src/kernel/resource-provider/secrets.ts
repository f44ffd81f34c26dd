/**
 * Secret members of managed resources. Every write removes declared secrets from the properties, and stores them
 * encrypted beside them, under the member's path. A service decrypts one when it needs it.
 */
import type { Context } from "../operation/context.ts";
import { type SecretPath, secretPathsOf } from "../shape/secrets.ts";
import { findDeclared } from "./registry.ts";
import type { ManagedResource, Properties, ResourceType } from "./types.ts";

const pathsByType = new WeakMap<ResourceType, readonly SecretPath[]>();

/** Paths below `properties`. */
function pathsOf(type: ResourceType): readonly SecretPath[] {
  const known = pathsByType.get(type);
  if (known) return known;
  const all = [type.wire.put, type.wire.patch].flatMap((body) => (body ? secretPathsOf(body) : []));
  const paths = all.map(([first, ...path]) => {
    if (first !== "properties" || path.includes("*"))
      throw new Error(`${type.name}: the engine keeps secrets of single members below properties only`);
    return path;
  });
  pathsByType.set(type, paths);
  return paths;
}

type Taken = { readonly rest: Properties; readonly value: unknown };

/** Undefined if there is nothing at the path. */
function take(from: Properties, [name = "", ...below]: SecretPath): Taken | undefined {
  const { [name]: member, ...rest } = from;
  if (member === undefined) return undefined;
  if (below.length === 0) return { rest, value: member };
  const taken = member === null || typeof member !== "object" ? undefined : take(member as Properties, below);
  if (!taken) return undefined;
  // An object that held only secrets is removed with them.
  const isEmpty = Object.keys(taken.rest).length === 0;
  return { rest: isEmpty ? rest : { ...from, [name]: taken.rest }, value: taken.value };
}

/** The resource as it is written. A body that does not mention a secret leaves it unchanged. */
export function withSecretsSealed<P>(context: Context, resource: ManagedResource<P>): ManagedResource<P> {
  const declared = findDeclared(context, resource.type);
  let { properties, secrets } = resource as ManagedResource;
  for (const path of declared ? pathsOf(declared.type) : []) {
    const taken = take(properties, path);
    if (!taken) continue;
    properties = taken.rest;
    if (typeof taken.value === "string" && taken.value !== "")
      secrets = { ...secrets, [path.join(".")]: context.secrets.seal(taken.value) };
  }
  if (properties === (resource.properties as unknown)) return resource;
  return { ...resource, properties: properties as P, secrets };
}

type Keeper = Pick<ManagedResource, "secrets">;
/** `path`: such as `autoBackupSettings.password`. */
export const hasSecret = (resource: Keeper | undefined, path: string): boolean =>
  typeof resource?.secrets[path] === "string";
/** Undefined if there is none, or if it was encrypted with another key. */
export function openSecret(
  context: Pick<Context, "secrets">,
  resource: Keeper,
  path: string,
): string | undefined {
  const sealed = resource.secrets[path];
  if (typeof sealed !== "string") return undefined;
  try {
    return context.secrets.open(sealed);
  } catch {
    return undefined;
  }
}

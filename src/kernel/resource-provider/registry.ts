/** The providers and types of an instance, by the full name of a type; and the provider of each declared type. */
import type { Context } from "../operation/context.ts";
import { defineJoinedPort } from "../operation/port.ts";
import type { OwnContext } from "../operation/provided-port.ts";
import type { ProviderSpec, ResourceType } from "./types.ts";

export type Declared = {
  readonly provider: ProviderSpec;
  readonly type: ResourceType;
  /** `Vendor.Sql/servers/databases`. */
  readonly fullType: string;
};

/** A declaration never changes, and belongs to one provider in all mounts. */
const byDeclaration = new WeakMap<ResourceType, Declared>();

const ancestries = new WeakMap<ResourceType, readonly ResourceType[]>();
/** From the outermost ancestor to the type itself. */
export function ancestryOf(type: ResourceType): readonly ResourceType[] {
  let ancestry = ancestries.get(type);
  if (!ancestry) {
    ancestry = type.parent ? [...ancestryOf(type.parent), type] : [type];
    ancestries.set(type, ancestry);
  }
  return ancestry;
}

/** As clients know it below its namespace: `servers/databases`. */
export const typePathOf = (type: ResourceType): string =>
  ancestryOf(type)
    .map(({ name }) => name)
    .join("/");

export function declareTypes(provider: ProviderSpec): void {
  for (const type of provider.types) {
    byDeclaration.set(type, { provider, type, fullType: `${provider.namespace}/${typePathOf(type)}` });
  }
}
export function declaredOf(type: ResourceType): Declared {
  const declared = byDeclaration.get(type);
  if (!declared) throw new Error(`the resource type ${type.name} belongs to no provider`);
  return declared;
}

type Mounted = { readonly provider: ProviderSpec; readonly own: OwnContext };

class Providers {
  readonly all: readonly ProviderSpec[];
  readonly #owners: ReadonlyMap<ProviderSpec, OwnContext>;
  readonly #byType: ReadonlyMap<string, Declared>;

  constructor(mounted: readonly Mounted[]) {
    this.all = mounted.map(({ provider }) => provider);
    this.#owners = new Map(mounted.map(({ provider, own }) => [provider, own]));
    const declared = this.all.flatMap(({ types }) => types.map(declaredOf));
    this.#byType = new Map(declared.map((one) => [one.fullType.toLowerCase(), one]));
  }
  ownContextOf(context: Context, provider: ProviderSpec): Context {
    return this.#owners.get(provider)?.(context) ?? context;
  }
  find(fullType: string): Declared | undefined {
    return this.#byType.get(fullType.toLowerCase());
  }
}

/** Every provider offers its declaration. Together they are all providers of the instance. */
export const providersPort = defineJoinedPort(
  "resource-providers",
  (offers: readonly Mounted[]): Providers => new Providers(offers),
);

export const providersOf = (context: Context): readonly ProviderSpec[] => context.port(providersPort).all;

/** For rules of a provider that another service triggers. */
export const ownContextOf = (context: Context, provider: ProviderSpec): Context =>
  context.port(providersPort).ownContextOf(context, provider);

/** Undefined if the provider of a stored resource is not mounted. */
export const findDeclared = (context: Context, fullType: string): Declared | undefined =>
  context.port(providersPort).find(fullType);

export function declarationOf(context: Context, fullType: string): Declared {
  const declared = findDeclared(context, fullType);
  if (!declared) throw new Error(`no mounted provider declares ${fullType}`);
  return declared;
}

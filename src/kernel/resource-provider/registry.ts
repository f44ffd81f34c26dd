/** The providers and types that were declared, found by the full name of a type. Declarations never change afterwards. */
import type { ProviderSpec, ResourceType } from "./types.ts";

export type Declared = {
  readonly provider: ProviderSpec;
  readonly type: ResourceType;
  /** `Vendor.Sql/servers/databases`. */
  readonly fullType: string;
};

const byType = new Map<string, Declared>();
const byDeclaration = new WeakMap<ResourceType, Declared>();
const providers = new Map<string, ProviderSpec>();

/** From the outermost ancestor to the type itself. */
export function ancestryOf(type: ResourceType): readonly ResourceType[] {
  return type.parent ? [...ancestryOf(type.parent), type] : [type];
}

export function register(provider: ProviderSpec): void {
  providers.set(provider.namespace.toLowerCase(), provider);
  for (const type of provider.types) {
    const words = ancestryOf(type).map(({ name }) => name);
    const declared = { provider, type, fullType: `${provider.namespace}/${words.join("/")}` };
    byType.set(declared.fullType.toLowerCase(), declared);
    byDeclaration.set(type, declared);
  }
}

export const findDeclared = (fullType: string): Declared | undefined => byType.get(fullType.toLowerCase());

export function declaredOf(type: ResourceType): Declared {
  const declared = byDeclaration.get(type);
  if (!declared) throw new Error(`the resource type ${type.name} belongs to no provider`);
  return declared;
}
/** Of a resource that is kept. */
export function declarationOf(fullType: string): Declared {
  const declared = findDeclared(fullType);
  if (!declared) throw new Error(`no provider declares ${fullType}`);
  return declared;
}
export const declaredProviders = (): readonly ProviderSpec[] => [...providers.values()];

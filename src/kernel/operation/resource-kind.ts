/**
 * What whoever looks at a service's resources may do with them: which of its own operations tag and delete them, and what
 * belongs to them. Declared as data, so that nobody but the service changes what is the service's.
 */
import type { CatalogEntry } from "../catalog/entry.ts";
import type { Context } from "./context.ts";

/** One of the service's own operations, with what it is given. */
export type OwnCall = {
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Several values: the parameter is given several times. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
};
export type TagChange = {
  /** All that it has afterwards. */
  readonly all: Readonly<Record<string, string>>;
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
};
export type ResourceKind = {
  /** As the catalogue calls it. */
  readonly type: string;
  /** One call after the other; where a service has no tags of its own, the catalogue keeps them. */
  tag?(resource: CatalogEntry, change: TagChange): readonly OwnCall[];
  delete?(resource: CatalogEntry, context: Context): OwnCall | Promise<OwnCall>;
};

/** Other resources, or the rows of a table of the service's in which a text is found. */
export type Related = { readonly title: string } & (
  | { readonly arns: readonly string[] }
  | { readonly view: string; readonly text: string }
);
/** Asked of every service about every resource: also of what others keep, such as the backups of it. */
export type FindRelated = (context: Context, resource: CatalogEntry) => Promise<readonly Related[]>;

/** For services that add tags by one operation and take them away by another. */
export const byTwoCalls = (
  { set, removed }: TagChange,
  adding: (set: TagChange["set"]) => OwnCall,
  removing: (keys: readonly string[]) => OwnCall,
): readonly OwnCall[] => [
  ...(Object.keys(set).length > 0 ? [adding(set)] : []),
  ...(removed.length > 0 ? [removing(removed)] : []),
];

/**
 * What the console may do with the resources of a service: which operations of the service tag and delete them, and
 * what is related to them. It is data, so that only the service changes its own resources.
 */
import type { CatalogEntry } from "../catalog/entry.ts";
import type { Context } from "./context.ts";

/** One of the service's own operations, with its input. */
export type OwnCall = {
  readonly operation: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Several values: the parameter is repeated. */
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
};
export type TagChange = {
  /** All tags after the change. */
  readonly all: Readonly<Record<string, string>>;
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
};
export type ResourceKind = {
  /** As in the catalogue. */
  readonly type: string;
  /** The calls run one after another. If a service has no tags, the catalogue keeps them. */
  tag?(resource: CatalogEntry, change: TagChange): readonly OwnCall[];
  delete?(resource: CatalogEntry, context: Context): OwnCall | Promise<OwnCall>;
};

/** Other resources, or rows of a console view of the service that contain a text. */
export type Related = { readonly title: string } & (
  | { readonly arns: readonly string[] }
  | { readonly view: string; readonly text: string }
);
/** Every service is asked about every resource, also of other services: a backup of it, for instance. */
export type FindRelated = (context: Context, resource: CatalogEntry) => Promise<readonly Related[]>;

/** For services that add tags by one operation and remove them by another. */
export const byTwoCalls = (
  { set, removed }: TagChange,
  adding: (set: TagChange["set"]) => OwnCall,
  removing: (keys: readonly string[]) => OwnCall,
): readonly OwnCall[] => [
  ...(Object.keys(set).length > 0 ? [adding(set)] : []),
  ...(removed.length > 0 ? [removing(removed)] : []),
];

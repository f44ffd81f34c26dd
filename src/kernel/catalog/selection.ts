/** Selects resources by type, tags and stack, as seen from one region. */
import { EVERY_REGION } from "./entry.ts";

/** Any of the values; any value if none is named. */
export type TagFilter = { readonly key: string; readonly values: readonly string[] };

export type Selection = {
  /** Its own resources, and those without a region. */
  readonly region: string;
  /** Any of these; all types when absent. */
  readonly types?: readonly string[];
  /** All of these. */
  readonly tags?: readonly TagFilter[];
  readonly stack?: string;
  /** A resource to exclude. */
  readonly except?: string;
};

type Selectable = {
  readonly arn: string;
  readonly type: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly stack?: string;
};

function hasTag(tags: Selectable["tags"], { key, values }: TagFilter): boolean {
  if (!Object.hasOwn(tags, key)) return false;
  return values.length === 0 || values.includes(tags[key] ?? "");
}

export function isSelected(
  { region, types, tags = [], stack, except }: Selection,
  resource: Selectable,
): boolean {
  return (
    (resource.region === region || resource.region === EVERY_REGION) &&
    (types === undefined || types.includes(resource.type)) &&
    (stack === undefined || resource.stack === stack) &&
    resource.arn !== except &&
    tags.every((filter) => hasTag(resource.tags, filter))
  );
}

/** A resource as the catalogue knows it. */
import { neutralName } from "../arn/arn.ts";
import type { ResourceRow } from "../runtime/tables.ts";

/** Resources without a region are visible from every region. */
export const EVERY_REGION = "global";

export type Resource = {
  readonly arn: string;
  /** Such as `Vendor::AppConfiguration::ConfigurationStore`. */
  readonly type: string;
  readonly name: string;
  readonly region: string;
  readonly tags: Readonly<Record<string, string>>;
  /** The stack that created it. */
  readonly stack?: string;
  /** The owning service's own identifier, such as a resource-manager path. */
  readonly nativeId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};
export type CatalogEntry = Resource & { readonly service: string; readonly external: boolean };

export const catalogEntryOf = (row: ResourceRow): CatalogEntry => ({
  arn: row.arn,
  type: row.type,
  name: row.name,
  region: row.region,
  service: row.service,
  external: row.external === 1,
  tags: JSON.parse(row.tags),
  details: JSON.parse(row.details),
  ...(row.stack !== null && { stack: row.stack }),
  ...(row.native_id !== null && { nativeId: row.native_id }),
});

/** Stack tools tag what they create. */
const STACK_TAGS = ["vendor:cloudformation:stack-id", "aws:cloudformation:stack-id"];

function findStack({ stack, details, tags }: Resource): string | undefined {
  const said = stack ?? details?.stack;
  if (typeof said === "string" && said !== "") return neutralName(said);
  const tag = STACK_TAGS.find((key) => Object.hasOwn(tags, key));
  return tag === undefined ? undefined : neutralName(tags[tag] ?? "");
}

/** The catalogue stores names in the neutral spelling. */
export function neutralResource(resource: Resource): Resource {
  const stack = findStack(resource);
  const { stack: _given, ...rest } = resource;
  return {
    ...rest,
    arn: neutralName(resource.arn),
    type: neutralName(resource.type),
    ...(stack !== undefined && { stack }),
  };
}

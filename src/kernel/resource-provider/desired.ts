/** From a body to the wanted state: declared members only, and for a PATCH merged with the existing resource. */
import type { TObject } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { managementErrors } from "./errors.ts";
import { locationKeyOf } from "./identifiers.ts";
import type { Desired, ManagedResource, Preparation, Properties, Tags } from "./types.ts";

const TAGS_MAX = 50;
const TAG_NAME_LENGTH_MAX = 512;
const TAG_VALUE_LENGTH_MAX = 256;
/** Members of a body that are stored elsewhere, or that the caller cannot set. */
const OWN_MEMBERS = new Set(["id", "name", "type", "location", "tags", "properties", "etag", "systemData"]);

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);

/** JSON merge patch: null removes a member, objects merge, anything else replaces. */
export function mergePatch(base: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const merged: Record<string, unknown> = isMap(base) ? { ...base } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** Null removes a tag, or all of them. Tag names ignore case: a change to `env` changes `Env`. */
export function mergeTags(
  tags: Tags,
  changes: Readonly<Record<string, string | null>> | null | undefined,
): Tags {
  if (changes === null) return {};
  if (changes === undefined) return tags;
  const changed = new Set(Object.keys(changes).map((name) => name.toLowerCase()));
  const kept = Object.entries(tags).filter(([name]) => !changed.has(name.toLowerCase()));
  const given = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return checkTags(Object.fromEntries([...kept, ...given]));
}

export function checkTags(tags: Tags): Tags {
  const entries = Object.entries(tags);
  if (entries.length > TAGS_MAX)
    throw managementErrors.invalidTags(`A resource has at most ${TAGS_MAX} tags.`, { target: "tags" });
  const names = new Set<string>();
  for (const [name, value] of entries) {
    if (name === "" || name.length > TAG_NAME_LENGTH_MAX || /[<>%&\\?/]/.test(name))
      throw managementErrors.invalidTags(
        `A tag's name has 1 to ${TAG_NAME_LENGTH_MAX} characters other than <, >, %, &, \\, ? and /.`,
        { target: "tags" },
      );
    if (value.length > TAG_VALUE_LENGTH_MAX)
      throw managementErrors.invalidTags(`A tag's value has at most ${TAG_VALUE_LENGTH_MAX} characters.`, {
        target: `tags.${name}`,
      });
    if (names.has(name.toLowerCase()))
      throw managementErrors.invalidTags(`The tag '${name}' is given twice.`, { target: "tags" });
    names.add(name.toLowerCase());
  }
  return tags;
}

function envelopeOf(body: Properties): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => !OWN_MEMBERS.has(name) && value !== undefined && value !== null,
    ),
  );
}
/** For a decoded body, which contains only JSON. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isMap(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) copy[name] = copyOf(value[name]);
  return copy;
}
const declaredMembers = (schema: TObject, body: unknown): Properties =>
  Value.Clean(schema, copyOf(body)) as Properties;

export function desiredOfPut(schema: TObject, body: unknown): Desired {
  const given = declaredMembers(schema, body);
  return {
    location: given.location as string | undefined,
    tags: checkTags((given.tags as Tags | undefined) ?? {}),
    envelope: envelopeOf(given),
    properties: (given.properties as Properties | undefined) ?? {},
  };
}
export function desiredOfPatch(schema: TObject, body: unknown, existing: ManagedResource): Desired {
  const given = declaredMembers(schema, body);
  const envelope = Object.fromEntries(Object.entries(given).filter(([name]) => !OWN_MEMBERS.has(name)));
  return {
    location: existing.location,
    tags: mergeTags(existing.tags, given.tags as Parameters<typeof mergeTags>[1]),
    envelope: mergePatch(existing.envelope, envelope) as Record<string, unknown>,
    properties: mergePatch(existing.properties, given.properties ?? {}) as Properties,
    secrets: existing.secrets,
    link: existing.link,
  };
}
/** A PATCH of tags alone is not checked against the rules of the whole. */
export const changesTagsAlone = ({ mode, body }: Pick<Preparation, "mode" | "body">): boolean =>
  mode === "patch" && Object.keys(body).every((name) => name === "tags");

/** The location of a resource never changes. */
export function checkLocation(existing: ManagedResource | undefined, wanted: Desired): void {
  if (existing?.location === undefined || wanted.location === undefined) return;
  if (locationKeyOf(existing.location) === locationKeyOf(wanted.location)) return;
  throw managementErrors.invalidLocation(
    `The resource '${existing.name}' already exists in location '${existing.location}' in resource group '${existing.resourceGroup}'. A resource with the same name cannot be created in location '${wanted.location}'.`,
    { target: "location" },
  );
}

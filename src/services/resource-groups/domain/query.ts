/** Group queries: strict parsing, and translation to a catalogue selection. */
import { neutralName, parseArn } from "#kernel/arn";
import type { Selection, TagFilter } from "#kernel/catalog";
import { errors } from "../errors.ts";

export type QueryKind = "TAG_FILTERS_1_0" | "STACK_1_0";
export const QUERY_KINDS: readonly QueryKind[] = ["TAG_FILTERS_1_0", "STACK_1_0"];
/** As the caller wrote it, with names in the neutral spelling. */
export type WrittenQuery = { readonly kind: QueryKind; readonly text: string };

export type Query = {
  readonly kind: QueryKind;
  /** Undefined means all types. */
  readonly types: readonly string[] | undefined;
  readonly tags: readonly TagFilter[];
  readonly stack?: string;
};

const QUERY_LENGTH_MAX = 4096;
const TYPES_MAX = 100;
const TAG_FILTERS_MAX = 50;
const VALUES_MAX = 20;
const KEY_LENGTH_MAX = 128;
const VALUE_LENGTH_MAX = 256;
export const ALL_SUPPORTED = "Vendor::AllSupported";
const TYPE_NAME = /^Vendor::(?:AllSupported|[a-zA-Z0-9]+::\w+)$/;

type Members = Readonly<Record<string, unknown>>;
const invalid = (problem: string) => errors.badRequest(`The query is not valid: ${problem}`);

/** Translates only the names inside the text of a query. */
const TYPE_LIST = /("ResourceTypeFilters"\s*:\s*\[)([^[\]]*)\]/g;
const STACK_NAME = /("StackIdentifier"\s*:\s*")arn:(aws|vendor)(?=[:-])/g;
export const neutralQueryText = (text: string): string =>
  text
    .replace(TYPE_LIST, (_all, start, list) => `${start}${list.replaceAll('"AWS::', '"Vendor::')}]`)
    .replace(STACK_NAME, "$1arn:vendor");
export const makersQueryText = (text: string): string =>
  text
    .replace(TYPE_LIST, (_all, start, list) => `${start}${list.replaceAll('"Vendor::', '"AWS::')}]`)
    .replace(STACK_NAME, "$1arn:aws");

function readObject(value: unknown, what: string, members: readonly string[]): Members {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw invalid(`${what} must be a JSON object.`);
  const unknown = Object.keys(value).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw invalid(`${what} has a member "${unknown}"; it can have ${members.join(" and ")}.`);
  return value as Members;
}
function readList(value: unknown, what: string, countMax: number): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(`${what} must be a list.`);
  if (value.length > countMax) throw invalid(`${what} can have ${countMax} items at most.`);
  return value;
}
function readText(value: unknown, what: string, lengthMin: number, lengthMax: number): string {
  if (typeof value !== "string") throw invalid(`${what} must be text.`);
  if (value.length < lengthMin || value.length > lengthMax)
    throw invalid(`${what} must have ${lengthMin} to ${lengthMax} characters.`);
  if (value.includes("\0")) throw invalid(`${what} holds a character that no name or tag can hold.`);
  return value;
}

function readTypes(value: unknown): readonly string[] | undefined {
  const types = readList(value, "ResourceTypeFilters", TYPES_MAX).map((item) => {
    const name = neutralName(readText(item, "Each item of ResourceTypeFilters", 1, 128 + 3));
    if (!TYPE_NAME.test(name)) throw invalid(`"${name}" is not the name of a resource type.`);
    return name;
  });
  return types.length === 0 || types.includes(ALL_SUPPORTED) ? undefined : [...new Set(types)];
}
function readTagFilter(value: unknown): TagFilter {
  const { Key, Values } = readObject(value, "Each item of TagFilters", ["Key", "Values"]);
  return {
    key: readText(Key, "The Key of a tag filter", 1, KEY_LENGTH_MAX),
    values: readList(Values, "The Values of a tag filter", VALUES_MAX).map((item) =>
      readText(item, "Each value of a tag filter", 0, VALUE_LENGTH_MAX),
    ),
  };
}
function readStack(value: unknown): string {
  const stack = neutralName(readText(value, "StackIdentifier", 1, 1024));
  if (!parseArn(stack)?.resource.startsWith("stack/"))
    throw invalid("StackIdentifier must be the ARN of a stack.");
  return stack;
}
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(`it is not JSON: ${(error as Error).message}.`);
  }
}

/** Cache, because one request parses the same query several times. */
const parsed = new WeakMap<WrittenQuery, Query>();

export function parseQuery(written: WrittenQuery): Query {
  let query = parsed.get(written);
  if (!query) {
    query = readQuery(written);
    parsed.set(written, query);
  }
  return query;
}
function readQuery({ kind, text }: WrittenQuery): Query {
  // The limit counts characters in the maker's spelling, which is shorter.
  if (text.length > QUERY_LENGTH_MAX && makersQueryText(text).length > QUERY_LENGTH_MAX)
    throw invalid(`it is longer than ${QUERY_LENGTH_MAX} characters.`);
  const json = readJson(text);
  if (kind === "STACK_1_0") {
    const members = readObject(json, "A stack query", ["ResourceTypeFilters", "StackIdentifier"]);
    return {
      kind,
      types: readTypes(members.ResourceTypeFilters),
      tags: [],
      stack: readStack(members.StackIdentifier),
    };
  }
  const members = readObject(json, "A tag query", ["ResourceTypeFilters", "TagFilters"]);
  return {
    kind,
    types: readTypes(members.ResourceTypeFilters),
    tags: readList(members.TagFilters, "TagFilters", TAG_FILTERS_MAX).map(readTagFilter),
  };
}

/**
 * The catalogue selection of a query in a region. `except` is the group itself, which is never its own
 * member.
 */
export const selectionOf = (query: Query, region: string, except?: string): Selection => ({
  region,
  tags: query.tags,
  ...(query.types && { types: query.types }),
  ...(query.stack !== undefined && { stack: query.stack }),
  ...(except !== undefined && { except }),
});

/**
 * Index key to find the groups that a resource change can affect. It is the first tag key, the stack, or
 * a common key for queries with neither.
 */
export function watchKeyOf({ tags, stack }: Query): string {
  if (stack !== undefined) return stackWatchKey(stack);
  const [first] = tags;
  return first === undefined ? ANY_WATCH_KEY : tagWatchKey(first.key);
}
export const ANY_WATCH_KEY = "any";
export const tagWatchKey = (key: string): string => `tag:${key}`;
export const stackWatchKey = (stack: string): string => `stack:${stack}`;

/** Validation of key-values, and selection of their members. */
import { errors, invalidArgument } from "../errors.ts";
import { NO_LABEL } from "./filters.ts";

export type Tags = Readonly<Record<string, string | null>>;
export type Content = {
  readonly value: string | null;
  readonly contentType: string | null;
  readonly tags: Tags;
};
export type KeyValue = Content & {
  readonly key: string;
  readonly label: string;
  readonly locked: boolean;
  readonly etag: string;
  readonly lastModifiedMs: number;
};

const SIZE_BYTES_MAX = 10 * 1024;
/** Limit for key and label, so that they fit into an index entry with the names of store and snapshot. */
const NAME_BYTES_MAX = 1800;
const TAG_LENGTH_MAX = 256;
const TAGS_MAX = 50;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters looked for.
const CONTROL = /[\u0000-\u001f\u007f]/;
/** A lone surrogate, which databases cannot store. */
const HALF = /\p{Surrogate}/u;

export function requireKey(key: string): void {
  if (key === "" || key === "." || key === ".." || key.includes("%") || CONTROL.test(key))
    throw invalidArgument(
      "key",
      "A key has at least one character, holds neither % nor control characters, and is neither . nor ..",
    );
}

/** Stored form of a label. A single NUL means no label. */
export function labelOf(label: string | undefined): string {
  if (label === undefined || label === "\0") return NO_LABEL;
  if (CONTROL.test(label)) throw invalidArgument("label", "A label holds no control characters");
  return label;
}

export function requireTags(name: string, tags: Tags): void {
  const entries = Object.entries(tags);
  if (entries.length > TAGS_MAX) throw invalidArgument(name, `At most ${TAGS_MAX} tags are allowed`);
  for (const [tag, value] of entries) {
    const text = `${tag}${value ?? ""}`;
    if (tag.length > TAG_LENGTH_MAX || (value?.length ?? 0) > TAG_LENGTH_MAX || CONTROL.test(text))
      throw invalidArgument(
        name,
        `The tag ${JSON.stringify(tag.slice(0, 40))} has a name or value over ${TAG_LENGTH_MAX} characters or with control characters`,
      );
    if (HALF.test(tag) || HALF.test(value ?? "")) throw invalidArgument(name, halfIn("A tag"));
  }
}

const halfIn = (what: string): string => `${what} holds half a character: a surrogate without its other half`;

const bytesOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

export function sizeOf(key: string, label: string, { value, contentType, tags }: Content): number {
  let size = bytesOf(key) + bytesOf(label) + bytesOf(value) + bytesOf(contentType);
  for (const [name, tag] of Object.entries(tags)) size += bytesOf(name) + bytesOf(tag);
  return size;
}

/** Returns the size of the key-value. */
export function requireContent(key: string, label: string, content: Content): number {
  if (bytesOf(key) + bytesOf(label) > NAME_BYTES_MAX)
    throw invalidArgument("key", `A key and its label take at most ${NAME_BYTES_MAX} bytes`);
  if (content.value?.includes("\0")) throw invalidArgument("value", "A value holds no zero character");
  if (HALF.test(content.value ?? "")) throw invalidArgument("value", halfIn("The value"));
  if (HALF.test(content.contentType ?? "")) throw invalidArgument("content_type", halfIn("The content type"));
  if (content.contentType !== null && CONTROL.test(content.contentType))
    throw invalidArgument("content_type", "A content type holds no control characters");
  requireTags("tags", content.tags);
  const size = sizeOf(key, label, content);
  if (size > SIZE_BYTES_MAX)
    throw errors.tooLarge(
      `A key-value with its label, content type and tags takes at most ${SIZE_BYTES_MAX} bytes; this one takes ${size}.`,
    );
  return size;
}

const tagsKey = (tags: Tags): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Setting the same content changes nothing, not even the entity tag. */
export const isSameContent = (a: Content, b: Content): boolean =>
  a.value === b.value && a.contentType === b.contentType && tagsKey(a.tags) === tagsKey(b.tags);

/** Parses `$select` and checks its members. Undefined means all. */
export function readSelect(
  text: string | undefined,
  known: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (text === undefined || text === "" || text === "*") return undefined;
  const wanted = text.split(",").map((field) => field.trim());
  const unknown = wanted.find((field) => !known.has(field));
  if (unknown !== undefined)
    throw invalidArgument("$select", `There is no field ${JSON.stringify(unknown.slice(0, 40))}`);
  return new Set(wanted);
}

export function selected<T extends Record<string, unknown>>(
  whole: T,
  wanted: ReadonlySet<string> | undefined,
): Partial<T> {
  if (!wanted) return whole;
  return Object.fromEntries(Object.entries(whole).filter(([name]) => wanted.has(name))) as Partial<T>;
}

/** Decodes the bytes of a body into the kind that the operation declares. */
import { kernelErrors } from "../operation/errors.ts";
import type { BodyKind, Operation } from "../operation/operation.ts";
import { measureJson } from "./json-size.ts";
import { parseMultipart } from "./multipart.ts";
import { parsePairs } from "./query.ts";

const DEPTH_MAX = 200;
/** The total for all objects: a member costs several times what a character costs. */
const MEMBERS_MAX = 10_000;
const ITEMS_MAX = 100_000;
/** Shorter texts cannot exceed the limits: each level of nesting takes two characters. */
const COUNTED_FROM_LENGTH = 2 * DEPTH_MAX;
const FORM_FIELDS_MAX = 1000;
/** The name itself, or perhaps with escaped letters. */
const PROTOTYPE_NAME = /__proto__|\\u00[567]/i;
/**
 * Half of a surrogate pair is no character, and would be stored as something else. Only such a half has this form.
 */
const SURROGATE_ESCAPE = /\\ud[89a-f]/i;
const HALF_ALONE = /(?:^|[^\\])(?:\\\\)*\\ud[89a-f]/;
/** An unescaped `\u0000`: no database stores it in text. */
const NUL_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\u0000/;

/** `fromText`: members are text and must be converted to numbers and the like. */
export type DecodedBody = { readonly value: unknown; readonly fromText: boolean };

/** Kinds that are read into memory and decoded here. */
type DecodedKind = Exclude<BodyKind, "stream">;

function kindOf(contentType: string): DecodedKind {
  if (contentType === "" || /[/+]json\b/i.test(contentType)) return "json";
  if (/^application\/x-www-form-urlencoded\b/i.test(contentType)) return "form";
  if (/^multipart\/form-data\b/i.test(contentType)) return "multipart";
  if (/^text\//i.test(contentType)) return "text";
  return "binary";
}

/** Synchronous, except for multipart bodies. */
export function decodeBody(
  operation: Operation,
  contentType: string,
  bytes: Buffer,
): DecodedBody | Promise<DecodedBody> {
  const allowed = (operation.bodyKinds ?? ["json"]) as readonly DecodedKind[];
  if (bytes.length === 0)
    return { value: allowed.includes("json") || operation.bodyOptional ? undefined : {}, fromText: false };
  const kind = chooseKind(kindOf(contentType), allowed, contentType, operation.strictMediaTypes);
  switch (kind) {
    case "json":
      return { value: parseJson(bytes, operation), fromText: false };
    case "form":
      return { value: parseFields(bytes.toString("utf8")), fromText: true };
    case "multipart":
      return parseMultipart(contentType, bytes).then((value) => ({ value, fromText: true }));
    case "text":
      return { value: bytes.toString("utf8"), fromText: false };
    case "binary":
      return { value: new Uint8Array(bytes), fromText: false };
  }
}

/** Clients send wrong content types. If the operation accepts only JSON, the body is read as JSON. */
function chooseKind(
  kind: DecodedKind,
  allowed: readonly DecodedKind[],
  contentType: string,
  isStrict = false,
): DecodedKind {
  if (allowed.includes(kind)) return kind;
  const isText = kind === "text" || kind === "form";
  const isRead = !(isStrict && isText);
  if (isRead && allowed.includes("binary") && kind !== "multipart") return "binary";
  if (isRead && allowed.includes("json") && (isText || /octet-stream|x-amz-json/.test(contentType)))
    return "json";
  throw kernelErrors.unsupportedMediaType(
    `A body of type ${contentType || "unknown"} is not understood here; send ${allowed.join(" or ")}.`,
  );
}

function parseFields(text: string): Record<string, unknown> {
  if (text.includes("%00")) throw kernelErrors.malformedBody("The form holds the NUL character.");
  return { ...parsePairs(text, FORM_FIELDS_MAX) };
}

function parseJson(bytes: Buffer, { acceptsNul = false, bodyPartsMax }: Operation): unknown {
  const text = bytes.toString("utf8");
  if (text.trim() === "") return undefined;
  if (text.length > COUNTED_FROM_LENGTH) refuseTooMuch(text, bodyPartsMax);
  try {
    const value: unknown = JSON.parse(text);
    const hasEscapes = text.includes("\\u");
    if ((hasEscapes || text.includes("__proto__")) && PROTOTYPE_NAME.test(text) && namesPrototype(value))
      throw new Error("a member is named __proto__");
    if (hasEscapes && !acceptsNul) refuseUnkeepable(text, value);
    return value;
  } catch (error) {
    throw kernelErrors.malformedBody(`The body is not valid JSON: ${(error as Error).message}.`);
  }
}

function refuseUnkeepable(text: string, value: unknown): void {
  if (NUL_ESCAPE.test(text)) throw new Error("it holds the NUL character");
  if (SURROGATE_ESCAPE.test(text) && HALF_ALONE.test(JSON.stringify(value)))
    throw new Error("it holds half a character");
}

/** As a value it is harmless. As a member name it would change the prototype of copies. */
function namesPrototype(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  if (Array.isArray(value)) return value.some(namesPrototype);
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(namesPrototype);
}

/** Counts without parsing, so a refused text costs only one scan. */
function refuseTooMuch(text: string, partsMax: number | undefined): void {
  const membersMax = partsMax ?? MEMBERS_MAX;
  const itemsMax = partsMax ?? ITEMS_MAX;
  const most = { depth: DEPTH_MAX, members: membersMax, items: itemsMax };
  const { depth, members, items } = measureJson(text, most);
  if (depth > DEPTH_MAX) throw kernelErrors.malformedBody("The JSON body is nested too deeply.");
  if (members > membersMax)
    throw kernelErrors.malformedBody(`The JSON body has more than ${membersMax} members.`);
  if (items > itemsMax) throw kernelErrors.malformedBody(`The JSON body has more than ${itemsMax} items.`);
}

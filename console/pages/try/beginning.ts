/** What a form begins with, from the schema's examples. */
import type { Callable, Parameter, Schema, ServiceDocument } from "./described.ts";

export type BodyKind = "none" | "json" | "form" | "multipart" | "bytes";
export type Filled = {
  readonly parameters: Readonly<Record<string, string>>;
  readonly kind: BodyKind;
  readonly type: string;
  readonly body: unknown;
};
type Resolve = ServiceDocument["resolve"];

const DEPTH_MAX = 6;

export const keyOf = ({ in: place, name }: Parameter): string => `${place}:${name}`;
export const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);

/** Only what is needed is filled in; whoever wants more finds it in the form. */
export function exampleOf(schema: Schema, resolve: Resolve, depth = 0): unknown {
  const {
    examples,
    const: only,
    default: usual,
    enum: choices,
    anyOf,
    allOf,
    type,
    properties,
    items,
    required,
  } = resolve(schema);
  const said = examples?.[0] ?? only ?? usual ?? choices?.[0];
  if (said !== undefined || depth > DEPTH_MAX) return said;
  if (allOf) return Object.assign({}, ...allOf.map((one) => exampleOf(one, resolve, depth + 1)));
  if (anyOf?.[0]) return exampleOf(anyOf[0], resolve, depth + 1);
  if (type === "object" || properties) {
    const needed = (required ?? []).map((name) => [
      name,
      exampleOf(properties?.[name] ?? {}, resolve, depth + 1),
    ]);
    return Object.fromEntries(needed);
  }
  if (type === "array") return items ? [exampleOf(items, resolve, depth + 1)] : [];
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return 0;
  return "";
}

const KINDS: readonly (readonly [pattern: RegExp, kind: BodyKind])[] = [
  [/json/, "json"],
  [/x-www-form-urlencoded/, "form"],
  [/multipart\//, "multipart"],
];
/** The ways in which the body may be sent, JSON first where it is one of them. */
export const bodyTypesOf = ({ operation }: Callable): readonly string[] =>
  Object.keys(operation.requestBody?.content ?? {}).sort(
    (a, b) => Number(/json/.test(b)) - Number(/json/.test(a)),
  );
type Body = Pick<Filled, "kind" | "type" | "body">;
/** Of one of these types, as the examples have it. */
function beginningBody({ operation }: Callable, resolve: Resolve, type: string): Body {
  const media = operation.requestBody?.content[type];
  if (!media) return { kind: "none", type: "", body: undefined };
  const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? "bytes";
  const body = kind === "bytes" ? "" : (media.example ?? exampleOf(media.schema ?? {}, resolve));
  return { kind, type, body };
}
const HAS_MEMBERS: ReadonlySet<BodyKind> = new Set(["json", "form", "multipart"]);
/** The same members, sent in another way; where there were none, the examples. */
export function asType(callable: Callable, resolve: Resolve, filled: Filled, type: string): Filled {
  const next = beginningBody(callable, resolve, type);
  const isKept = HAS_MEMBERS.has(filled.kind) && HAS_MEMBERS.has(next.kind);
  return { ...filled, ...next, ...(isKept && { body: filled.body }) };
}

export function beginningOf(callable: Callable, resolve: Resolve): Filled {
  const { operation } = callable;
  const parameters = Object.fromEntries(
    (operation.parameters ?? []).map((parameter) => [
      keyOf(parameter),
      parameter.required ? textOf(parameter.example ?? exampleOf(parameter.schema, resolve)) : "",
    ]),
  );
  return { parameters, ...beginningBody(callable, resolve, bodyTypesOf(callable)[0] ?? "") };
}

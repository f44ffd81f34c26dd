/** Requests made from an operation's own schema: as it should be, at its limits, and wrong in every way. */
import type { TSchema } from "@sinclair/typebox";
import type { Operation, Service } from "../../src/kernel/operation/index.ts";

export type Made = {
  readonly kind: string;
  readonly path: string;
  /** The texts at the path's places and in the query, where they are not simply what fits. */
  readonly places?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body: unknown;
};

/** What every call needs, whatever else it asks for. */
export const requiredQuery = (service: Service, operation: Operation): string =>
  service.protocol.name === "arm"
    ? `api-version=${operation.query?.properties["api-version"]?.examples?.[0] ?? "2019-11-01-preview"}`
    : "";

const HOSTILE = [
  "",
  " ",
  "../../etc/passwd",
  "%2e%2e",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "\u{1F600}\u202Eabc",
  "\uD800",
  "a".repeat(5000),
  "null",
  "-1",
  "1e999",
  "9223372036854775808",
  "{}",
  "\r\nX: y",
];

/** A value that fits the schema, as far as that can be told without a solver for patterns. */
export function fitting(schema: TSchema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (Array.isArray(schema.anyOf)) return fitting(schema.anyOf[0], depth);
  if (Array.isArray(schema.allOf))
    return Object.assign({}, ...schema.allOf.map((one: TSchema) => fitting(one, depth)));
  switch (schema.type) {
    case "string":
      return fittingText(schema);
    case "integer":
    case "number":
      return schema.minimum ?? 1;
    case "boolean":
      return true;
    case "array":
      return depth > 4
        ? []
        : Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () =>
            fitting(schema.items ?? {}, depth + 1),
          );
    case "object":
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as Record<string, TSchema>).map(([name, member]) => [
          name,
          depth > 5 ? null : fitting(member, depth + 1),
        ]),
      );
    case "null":
      return null;
    default:
      return "x";
  }
}
function fittingText(schema: TSchema): string {
  if (schema.format === "date-time") return "2026-01-02T03:04:05Z";
  if (schema.format === "uuid") return "11111111-2222-4333-8444-555555555555";
  if (schema.format === "email") return "ann@example.org";
  if (schema.format === "uri") return "https://example.org/";
  const candidates = [
    "a",
    "abc-1",
    "ABC",
    "123456789012",
    "1",
    "+15555550100",
    "2026-01-02",
    "11111111-2222-4333-8444-555555555555",
    "https://example.org/",
    "arn:vendor:x:us-east-1:111111111111:y/z",
    "GET",
  ];
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
  const found = candidates.find(
    (text) =>
      (pattern?.test(text) ?? true) &&
      text.length <= (schema.maxLength ?? 1e9) &&
      text.length >= (schema.minLength ?? 0),
  );
  return (found ?? "a").padEnd(schema.minLength ?? 0, "a");
}

const wrongTypes: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  true,
  "text",
  [],
  [null],
  {},
  { unexpected: { deeply: [1] } },
];

function pathOf(
  service: Service,
  operation: Operation,
  value: (name: string, schema: TSchema | undefined) => string,
): string {
  const members = (operation.params?.properties ?? {}) as Record<string, TSchema>;
  const mount = service.mount === "/" ? "" : service.mount;
  return (
    mount +
    operation.path.replace(/\{(\w+)\}/g, (_whole, name) =>
      spelledIn(operation.segments?.[name]?.[0] ?? "{}", value(name, members[name])),
    )
  );
}
const encoded = (text: string): string => encodeURIComponent(text).replace(/^\.+$/, "dots");
/** A whole name of that form as it is; any other text in each of its places. */
function spelledIn(form: string, text: string): string {
  const places = form.split("/");
  const parts = text.split("/");
  const isWhole =
    places.length > 1 &&
    parts.length === places.length &&
    places.every((place, index) => place === "{}" || place === parts[index]);
  return places
    .map((place, index) => (place === "{}" ? encoded(isWhole ? (parts[index] ?? "") : text) : place))
    .join("/");
}
const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
const wellFormed = (value: string): string => value.replace(/[\uD800-\uDFFF]/gu, "");

function* queries(operation: Operation): Generator<Pick<Made, "kind" | "query"> & { text: string }> {
  const members = Object.entries((operation.query?.properties ?? {}) as Record<string, TSchema>).filter(
    ([name]) => name !== "api-version",
  );
  const query = (pairs: [string, unknown][]) =>
    new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, text(value)])).toString();
  yield { kind: "fitting query", text: query(members.map(([name, member]) => [name, fitting(member)])) };
  for (const hostile of HOSTILE) {
    const pairs = members.map(([name]): [string, string] => [name, hostile]);
    yield { kind: "hostile query", text: query(pairs), query: Object.fromEntries(pairs) };
  }
  const repeated = members.flatMap(([name, member]): [string, unknown][] => [
    [name, fitting(member)],
    [name, "again"],
  ]);
  yield { kind: "repeated query", text: query(repeated) };
}
function* bodies(schema: TSchema): Generator<[string, unknown]> {
  const whole = fitting(schema);
  yield ["fitting body", whole];
  for (const wrong of wrongTypes) yield ["wrong body", wrong];
  if (whole === null || typeof whole !== "object" || Array.isArray(whole)) return;
  for (const name of Object.keys(whole)) {
    for (const wrong of [...wrongTypes, "a".repeat(20_000), Number.MAX_SAFE_INTEGER])
      yield [`wrong ${name}`, { ...whole, [name]: wrong }];
    const { [name]: _left, ...rest } = whole as Record<string, unknown>;
    yield [`without ${name}`, rest];
  }
}

/** Every request once; `required` names what an operation cannot do without, such as a version parameter. */
export function* requestsFor(service: Service, operation: Operation, required: string): Generator<Made> {
  const seen = new Set<string>();
  for (const made of allRequestsFor(service, operation, required)) {
    const same = JSON.stringify([made.path, made.body]);
    if (seen.has(same)) continue;
    seen.add(same);
    yield made;
  }
}
function* allRequestsFor(service: Service, operation: Operation, required: string): Generator<Made> {
  const fittingPath = pathOf(service, operation, (_name, schema) => text(schema ? fitting(schema) : "abc"));
  const join = (path: string, query: string) =>
    [`${path}?${required}`, query]
      .filter(Boolean)
      .join("&")
      .replace(/\?$|\?&/, (found) => (found === "?" ? "" : "?"));
  const body = operation.body ? fitting(operation.body) : undefined;
  const always = Object.fromEntries(new URLSearchParams(required));
  for (const { kind, text, query } of queries(operation))
    yield { kind, path: join(fittingPath, text), body, ...(query && { query: { ...always, ...query } }) };
  for (const hostile of HOSTILE.filter((one) => one !== "")) {
    const place = wellFormed(hostile) || "x";
    const path = join(
      pathOf(service, operation, () => place),
      "",
    );
    const names = Object.keys(operation.params?.properties ?? {});
    yield {
      kind: "hostile path",
      path,
      places: Object.fromEntries(names.map((name) => [name, place])),
      body,
    };
  }
  if (!operation.body) return;
  for (const [kind, made] of bodies(operation.body)) yield { kind, path: join(fittingPath, ""), body: made };
}

/** Every limit that a declaration names: the last value that fits is taken, the first beyond it is refused, and none moves unnoticed. */
import type { TSchema } from "@sinclair/typebox";
import { expect, it } from "vitest";
import { createAdminServices } from "../../src/admin/index.ts";
import { loadServices } from "../../src/app/services.ts";
import { CompiledOperation } from "../../src/kernel/http/index.ts";
import { type Operation, ServiceError } from "../../src/kernel/operation/index.ts";
import { factsOf } from "../../src/kernel/shape/facts.ts";
import { fitting } from "./requests.ts";

const loaded = await loadServices();
/** Only handlers look further into a kernel, and none is called here. */
const unused: never = new Proxy(() => {}, {
  get: (_, name) => (name === "services" ? loaded : unused),
}) as never;
const services = [...loaded, ...createAdminServices(unused, unused)];
const PARTS = ["params", "query", "headers", "body"] as const;
const LIMITS = ["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"] as const;
type Limit = (typeof LIMITS)[number];
type Place = { readonly path: readonly (string | number)[]; readonly schema: TSchema };
/** Longer values say nothing more about the limit, and there are thousands of them. */
const SIZE_MAX = 200_000;
const DEPTH_MAX = 6;

function* placesIn(schema: TSchema, path: readonly (string | number)[] = []): Generator<Place> {
  if (path.length > DEPTH_MAX) return;
  yield { path, schema };
  for (const [name, member] of Object.entries((schema.properties ?? {}) as Record<string, TSchema>))
    yield* placesIn(member, [...path, name]);
  if (schema.type === "array" && schema.items) yield* placesIn(schema.items, [...path, 0]);
}
const limitsOf = (schema: TSchema): (readonly [Limit, number])[] =>
  LIMITS.flatMap((limit) => (typeof schema[limit] === "number" ? [[limit, schema[limit]] as const] : []));

/** Of that size, if such a text can be made of what fits. */
function textOf(schema: TSchema, length: number): string | undefined {
  const sample = fitting(schema);
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern);
  if (schema.format !== undefined || typeof sample !== "string" || length < 0) return undefined;
  const last = sample.at(-1) ?? "a";
  return [
    sample,
    `${sample}${last.repeat(length)}`,
    "a".repeat(length),
    "1".repeat(length),
    "A".repeat(length),
  ]
    .map((text) => text.slice(0, length))
    .find((text) => text.length === length && (pattern?.test(text) ?? true));
}
function itemsOf(schema: TSchema, count: number): unknown[] | undefined {
  if (count < 0 || !schema.items) return undefined;
  if (schema.uniqueItems && schema.items.type !== "integer") return undefined;
  const item = fitting(schema.items);
  return Array.from({ length: count }, (_, index) => (schema.uniqueItems ? index + 1 : item));
}
/** The value at a limit, or one step beyond it; undefined where none can be made. */
function valueAt(schema: TSchema, limit: Limit, bound: number, beyond: number): unknown {
  const size = bound + (limit.startsWith("min") ? -beyond : beyond);
  if (limit.endsWith("imum")) return size;
  // An empty text may stand for none.
  if (size === 0 && factsOf(schema).leftOut === "empty") return undefined;
  if (Math.abs(size) > SIZE_MAX) return undefined;
  return limit.endsWith("Length") ? textOf(schema, size) : itemsOf(schema, size);
}
function withValue(whole: unknown, [first, ...rest]: readonly (string | number)[], value: unknown): unknown {
  if (first === undefined) return value;
  const within = (whole ?? {}) as Record<string, unknown>;
  const changed = withValue(within[first], rest, value);
  return Array.isArray(whole) ? whole.with(Number(first), changed) : { ...within, [first]: changed };
}
/** Only what lies in something that fits can be looked at by itself. */
function hasRoomFor(whole: unknown, path: readonly (string | number)[]): boolean {
  if (path.length === 0) return true;
  const [first, ...rest] = path as [string | number, ...(string | number)[]];
  if (whole === null || typeof whole !== "object") return false;
  if (rest.length === 0) return !Array.isArray(whole) || whole.length > 0;
  return hasRoomFor((whole as Record<string, unknown>)[first], rest);
}
function isTaken(compiled: CompiledOperation, part: (typeof PARTS)[number], value: unknown): boolean {
  try {
    compiled.read(part, structuredClone(value), false);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

type Checked = { readonly wrong: string[]; count: number };
/** Of all services together; far fewer would mean that hardly anything is looked at. */
const CHECKED_MIN = 5000;
const total = { count: 0 };
function check(operation: Operation, checked: Checked): void {
  const compiled = new CompiledOperation(operation);
  for (const part of PARTS) {
    const schema = operation[part];
    if (!schema || (part === "body" && operation.bodyKinds?.includes("stream"))) continue;
    const whole = fitting(schema);
    if (!isTaken(compiled, part, whole)) continue;
    for (const { path, schema: member } of placesIn(schema))
      for (const [limit, bound] of hasRoomFor(whole, path) ? limitsOf(member) : []) {
        const name = `${operation.id} ${part} ${path.join(".")} ${limit} ${bound}`;
        const isTakenAt = (step: number): boolean | undefined => {
          const value = valueAt(member, limit, bound, step);
          return value === undefined ? undefined : isTaken(compiled, part, withValue(whole, path, value));
        };
        const [within, at, beyond] = [isTakenAt(-1), isTakenAt(0), isTakenAt(1)];
        // What is refused well within its limits breaks another rule: nothing can be told of this one.
        if (at === false && within === true) checked.wrong.push(`${name}: the last that fits is refused`);
        if (beyond === true) checked.wrong.push(`${name}: the first that does not fit is taken`);
        if (at === true && beyond === false) checked.count += 1;
      }
  }
}

it.each(services.map((service) => [service.name, service] as const))(
  "%s takes what lies at its limits, and nothing beyond",
  (_name, { operations }) => {
    const checked: Checked = { wrong: [], count: 0 };
    for (const operation of operations) check(operation, checked);
    total.count += checked.count;
    expect(checked.wrong).toEqual([]);
  },
);

it("there are many limits", () => {
  expect(total.count).toBeGreaterThan(CHECKED_MIN);
});

/** Counts, sizes and times that no schema has are told in words: "at most 100", "kept for 7 days". */
const TOLD =
  /\b(?:at most|at least|up to|more than|last|latest|kept|within|after|every|for|are|be|has|have|take|takes) \d[\d,.]*(?: [A-Za-z]+)?/g;
const toldBy = ({ description = "" }: Operation): readonly string[] => [
  ...new Set(description.match(TOLD) ?? []),
];

it("no limit moves unnoticed", async () => {
  const lines = services.flatMap(({ name, operations }) =>
    operations.flatMap((operation) => [
      ...toldBy(operation).map((words) => `${name} tells at ${operation.id}: ${words}`),
      ...(operation.bodyBytesMax === undefined
        ? []
        : [`${name} body of ${operation.id}: ${operation.bodyBytesMax} bytes`]),
      ...(operation.bodyPartsMax === undefined
        ? []
        : [`${name} body of ${operation.id}: ${operation.bodyPartsMax} parts`]),
      ...(operation.urlBytesMax === undefined
        ? []
        : [`${name} address of ${operation.id}: ${operation.urlBytesMax} bytes`]),
      ...(operation.timeoutSeconds === undefined
        ? []
        : [`${name} time of ${operation.id}: ${operation.timeoutSeconds} s`]),
      ...PARTS.flatMap((part) => [...(operation[part] ? placesIn(operation[part]) : [])]).flatMap(
        ({ path, schema }) => {
          const limits = limitsOf(schema).map(([limit, bound]) => `${limit} ${bound}`);
          const member = path.filter((one) => one !== 0).at(-1);
          return limits.length === 0 ? [] : [`${name} ${member ?? "body"}: ${limits.join(", ")}`];
        },
      ),
    ]),
  );
  await expect(`${[...new Set(lines)].sort().join("\n")}\n`).toMatchFileSnapshot("limits.txt");
});

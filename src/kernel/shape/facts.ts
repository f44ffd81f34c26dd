/**
 * Additions to a schema beyond its JSON type. They are stored under a symbol, so that TypeBox copies them and never
 * shows them.
 */
import { KindGuard, type Static, type TOptional, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { ErrorMaker } from "../operation/errors.ts";

const FACTS = Symbol.for("medley.shape");

/** A rule between members, or of a text that no pattern can express. Checked after the shape. */
export type Rule = {
  /** Shown in OpenAPI, with `says`. */
  readonly name: string;
  /** Continues the member's name: "must lie after startTime". */
  readonly says: string;
  /** The members of the rule: it is checked if none of them has another problem. Default: all. */
  readonly of?: readonly string[];
  /** The member that a violation names; default: the one with the rule. */
  readonly at?: string;
  /** The error of a violation; default: the error of the schema with the rule. */
  readonly error?: ErrorMaker;
  /** True when it holds; false, or better words than `says`, when it does not. */
  // biome-ignore lint/suspicious/noExplicitAny: of the type that the schema beside it has.
  check(value: any): boolean | string;
};

/** Continues the member's name: "must be a PFX file in Base64". Each part has a default from the schema. */
export type Says = { readonly missing?: string; readonly wrong?: string };

export type Facts = {
  readonly says?: Says;
  /** The error for a violation of it, or of its content, instead of the operation's or the service's own. */
  readonly error?: ErrorMaker;
  /** Words in any case are accepted, and normalised to the declared spelling. */
  readonly anyCase?: true;
  /** Member names in any case are accepted, and normalised to the declared spelling. */
  readonly membersInAnyCase?: true;
  /** The number of a word, from 0, is accepted for it. */
  readonly numbered?: true;
  /** A single value is accepted for a list of one. */
  readonly oneOrMore?: true;
  /** The member that tells the branches apart. */
  readonly kind?: string;
  readonly rules?: readonly Rule[];
  /** Null means leaving the member out; `empty`: so does an empty text. */
  readonly leftOut?: "null" | "empty";
  /** Null is a value besides the first branch: in a change it removes the member. */
  readonly orNull?: true;
  /** Callers must send it, but reading accepts its absence: the handler decides what follows. */
  readonly demanded?: true;
  /** Numbers and booleans become text. Null is left out; in a change it removes the value. */
  readonly writtenOut?: true;
};

type WithFacts = { readonly [FACTS]?: Facts };

const NO_FACTS: Facts = {};
export const factsOf = (schema: TSchema): Facts => (schema as WithFacts)[FACTS] ?? NO_FACTS;
/** A copy of the schema with further additions. */
export const withFacts = <T extends TSchema>(schema: T, facts: Facts): T => ({
  ...schema,
  [FACTS]: { ...factsOf(schema), ...facts },
});

/** A specific message for a wrong value: one text for both cases, or one for each. */
export const says = <T extends TSchema>(schema: T, words: string | Says, error?: ErrorMaker): T =>
  withFacts(schema, {
    says: typeof words === "string" ? { missing: words, wrong: words } : words,
    ...(error && { error }),
  });

/** Everything wrong with it, or inside it, has this error. */
export const reportedAs = <T extends TSchema>(error: ErrorMaker, schema: T): T =>
  withFacts(schema, { error });

/** One of these words in any case; handlers get the spelling declared here. */
export const words = <const T extends readonly [string, ...string[]]>(list: T): TUnsafe<T[number]> =>
  withFacts(Type.Unsafe<T[number]>(Type.Union(list.map((word) => Type.Literal(word)))), { anyCase: true });

/** The same shape with member names in any case, at every depth. Handlers get the declared names. */
export function membersInAnyCase<T extends TSchema>(schema: T): T {
  const each = (list: readonly TSchema[]) => list.map(membersInAnyCase);
  const inner = {
    ...schema,
    ...(schema.anyOf && { anyOf: each(schema.anyOf) }),
    ...(KindGuard.IsArray(schema) && { items: membersInAnyCase(schema.items) }),
  };
  if (!KindGuard.IsObject(schema)) return inner;
  const properties = Object.entries(schema.properties).map(([name, member]) => [
    name,
    membersInAnyCase(member),
  ]);
  return withFacts({ ...inner, properties: Object.fromEntries(properties) }, { membersInAnyCase: true });
}

/** One of these words, or its number, for clients that send numbers. Handlers get the word. */
export const numberedWords = <const T extends readonly [string, ...string[]]>(list: T): TUnsafe<T[number]> =>
  withFacts(words(list), { numbered: true });

/** Optional, null included; `empty`: an empty text too. Handlers see it as absent. */
export const given = <T extends TSchema>(schema: T, { empty = false } = {}): TOptional<T> =>
  withFacts(Type.Optional(schema), { leftOut: empty ? "empty" : "null" }) as TOptional<T>;

/** Required in the documentation. The handler decides what follows from its absence: a page or a redirect. */
export const demanded = <T extends TSchema>(schema: T): TOptional<T> =>
  withFacts(Type.Optional(schema), { demanded: true }) as TOptional<T>;

/** Optional, null included. Handlers then see this value. */
export const otherwise = <T extends TSchema>(schema: T, value: Static<T>): T =>
  withFacts({ ...schema, default: value }, { leftOut: "null" });

/** A list; a single item is accepted for a list of one. */
export const oneOrMore = <T extends TSchema>(item: T, { itemsMax }: { readonly itemsMax: number }) =>
  withFacts(Type.Array(item, { maxItems: itemsMax }), { oneOrMore: true });

/** Texts by name. Numbers and booleans become text, because callers send them unquoted; null is left out. */
export const texts = ({ membersMax }: { readonly membersMax: number }) =>
  withFacts(Type.Record(Type.String(), Type.String(), { maxProperties: membersMax }), { writtenOut: true });

/** One of several objects, told apart by the member `kind`: errors describe the intended one. */
export const byKind = <const T extends readonly TSchema[]>(kind: string, branches: [...T]) =>
  withFacts(Type.Unsafe<Static<T[number]>>(Type.Union([...branches])), { kind });

export const ruled = <T extends TSchema>(schema: T, ...rules: readonly Rule[]): T =>
  withFacts(schema, { rules: [...(factsOf(schema).rules ?? []), ...rules] });

/** The same shape with another description, for use in several places. */
export const described = <T extends TSchema>(schema: T, description: string, example?: unknown): T => ({
  ...schema,
  description,
  ...(example !== undefined && { examples: [example] }),
});

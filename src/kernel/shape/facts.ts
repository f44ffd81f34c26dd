/**
 * What a declaration says of a member beyond its JSON type. Facts stand beside the schema under a symbol, so that every part of
 * TypeBox passes them on and none shows them.
 */
import { KindGuard, type Static, type TOptional, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { ErrorMaker } from "../operation/errors.ts";

const FACTS = Symbol.for("medley.shape");

/** Something that must hold between members, or of a text that no pattern says. Asked after the shape. */
export type Rule = {
  /** In OpenAPI, beside what it says. */
  readonly name: string;
  /** Goes on after the member's name: "must lie after startTime". */
  readonly says: string;
  /** The members it is about: it is asked when none of them has a problem of its own. All when absent. */
  readonly of?: readonly string[];
  /** The member that a breach is told of; the one that carries the rule when absent. */
  readonly at?: string;
  /** What a breach is reported as; the error of the schema that carries the rule when absent. */
  readonly error?: ErrorMaker;
  /** True when it holds; false, or better words than `says`, when it does not. */
  // biome-ignore lint/suspicious/noExplicitAny: of the type that the schema beside it has.
  check(value: any): boolean | string;
};

/** Goes on after the member's name: "must be a PFX file in Base64". Each part is made up from the schema when absent. */
export type Says = { readonly missing?: string; readonly wrong?: string };

export type Facts = {
  readonly says?: Says;
  /** What a breach of it, or of what is inside, is reported as instead of the operation's or the service's own error. */
  readonly error?: ErrorMaker;
  /** Words of any case are understood, and become the declared spelling. */
  readonly anyCase?: true;
  /** Members whose names are of another case are understood, and become the declared spelling. */
  readonly membersInAnyCase?: true;
  /** The number of a word, counted from 0, stands for it. */
  readonly numbered?: true;
  /** A single value stands for a list of one. */
  readonly oneOrMore?: true;
  /** The member of each branch that tells which of them is meant. */
  readonly kind?: string;
  readonly rules?: readonly Rule[];
  /** Null stands for leaving the member out; `empty`: so does an empty text. */
  readonly leftOut?: "null" | "empty";
  /** Null is a value of its own beside the first branch: in a change it takes the member away. */
  readonly orNull?: true;
  /** Callers must send it, although it is read without: the handler says what comes of its absence. */
  readonly demanded?: true;
  /** Numbers and booleans among the values are written out; null is left out, or in a change takes the value away. */
  readonly writtenOut?: true;
};

type WithFacts = { readonly [FACTS]?: Facts };

const NO_FACTS: Facts = {};
export const factsOf = (schema: TSchema): Facts => (schema as WithFacts)[FACTS] ?? NO_FACTS;
/** A copy of the schema with further facts. */
export const withFacts = <T extends TSchema>(schema: T, facts: Facts): T => ({
  ...schema,
  [FACTS]: { ...factsOf(schema), ...facts },
});

/** Own words for what is wrong: one text for both cases, or one for each. */
export const says = <T extends TSchema>(schema: T, words: string | Says, error?: ErrorMaker): T =>
  withFacts(schema, {
    says: typeof words === "string" ? { missing: words, wrong: words } : words,
    ...(error && { error }),
  });

/** Everything wrong with it, and inside it, is reported as this error. */
export const reportedAs = <T extends TSchema>(error: ErrorMaker, schema: T): T =>
  withFacts(schema, { error });

/** One of these words in any case; handlers get the spelling declared here. */
export const words = <const T extends readonly [string, ...string[]]>(list: T): TUnsafe<T[number]> =>
  withFacts(Type.Unsafe<T[number]>(Type.Union(list.map((word) => Type.Literal(word)))), { anyCase: true });

/** The same shape, whose members may be named in any case, at every depth; handlers get the names declared. */
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

/** One of these words, or its number, as clients that think in numbers send it; handlers get the word. */
export const numberedWords = <const T extends readonly [string, ...string[]]>(list: T): TUnsafe<T[number]> =>
  withFacts(words(list), { numbered: true });

/** May be left out, also by saying null; `empty`: also by an empty text. Handlers see what is left out as absent. */
export const given = <T extends TSchema>(schema: T, { empty = false } = {}): TOptional<T> =>
  withFacts(Type.Optional(schema), { leftOut: empty ? "empty" : "null" }) as TOptional<T>;

/** Callers must send it, and documentation says so; what comes of its absence, a page or a redirect, is for the handler to say. */
export const demanded = <T extends TSchema>(schema: T): TOptional<T> =>
  withFacts(Type.Optional(schema), { demanded: true }) as TOptional<T>;

/** May be left out, also by saying null; handlers see this value then. */
export const otherwise = <T extends TSchema>(schema: T, value: Static<T>): T =>
  withFacts({ ...schema, default: value }, { leftOut: "null" });

/** A list; a single item may stand for a list of one. */
export const oneOrMore = <T extends TSchema>(item: T, { itemsMax }: { readonly itemsMax: number }) =>
  withFacts(Type.Array(item, { maxItems: itemsMax }), { oneOrMore: true });

/** Texts by name. Numbers and booleans are written out, because callers send them unquoted; null is left out. */
export const texts = ({ membersMax }: { readonly membersMax: number }) =>
  withFacts(Type.Record(Type.String(), Type.String(), { maxProperties: membersMax }), { writtenOut: true });

/** One of several objects, told apart by the member `kind`: what is wrong is said of the one that was meant. */
export const byKind = <const T extends readonly TSchema[]>(kind: string, branches: [...T]) =>
  withFacts(Type.Unsafe<Static<T[number]>>(Type.Union([...branches])), { kind });

export const ruled = <T extends TSchema>(schema: T, ...rules: readonly Rule[]): T =>
  withFacts(schema, { rules: [...(factsOf(schema).rules ?? []), ...rules] });

/** The same shape with words of its own, where it stands at more than one place. */
export const described = <T extends TSchema>(schema: T, description: string, example?: unknown): T => ({
  ...schema,
  description,
  ...(example !== undefined && { examples: [example] }),
});

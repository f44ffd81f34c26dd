/**
 * Finds everything wrong with a value, in the order of its declaration. Slow and thorough: only for refused input.
 */
import { KindGuard, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { ErrorMaker } from "../operation/errors.ts";
import { counted, expectationOf, gotInstead } from "./expectation.ts";
import { type Facts, factsOf, type Rule } from "./facts.ts";
import { isSecret } from "./secrets.ts";
import { besideNull, branchOf, findWord, settlerOf, takesNull, wordsOf } from "./settle.ts";

export type Problem = {
  /** `schedule.hours[1]`; empty for the whole. */
  readonly path: string;
  /** Continues the path: "is required". */
  readonly says: string;
  readonly error?: ErrorMaker;
};

const isMap = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
const isPlain = (value: unknown): boolean => ["string", "number", "boolean"].includes(typeof value);
const below = (path: string, member: string): string => (path === "" ? member : `${path}.${member}`);
const settled = (schema: TSchema, value: unknown): unknown => settlerOf(schema)?.(value) ?? value;

/** Whether the path is the member, or below it. */
const isWithin = (path: string, member: string): boolean =>
  member === "" || (path.startsWith(member) && /^(?:$|[.[])/.test(path.slice(member.length)));
const isLeftOut = (member: TSchema, value: unknown): boolean => {
  const { leftOut } = factsOf(member);
  return (
    value === undefined || (value === null && leftOut !== undefined) || (value === "" && leftOut === "empty")
  );
};
const isOfMembers = (schema: TSchema): boolean => KindGuard.IsObject(schema) || KindGuard.IsRecord(schema);

/** Collects problems; values stay in the caller's spelling. */
export class ProblemFinder {
  readonly found: Problem[] = [];

  look(schema: TSchema, value: unknown, path: string): void {
    const before = this.found.length;
    this.#lookInside(schema, value, path);
    const { rules = [], error } = factsOf(schema);
    for (const rule of rules) this.#ask(rule, schema, value, path, before);
    if (error) this.#report(error, before);
  }
  /** A problem without its own error gets the error of its parent. */
  #report(error: ErrorMaker, from: number): void {
    for (const [index, problem] of this.found.entries())
      if (index >= from && !problem.error) this.found[index] = { ...problem, error };
  }

  #add(path: string, says: string, { error }: Facts): void {
    this.found.push({ path, says, ...(error && { error }) });
  }
  #wrong(schema: TSchema, value: unknown, path: string, made?: string): void {
    const facts = factsOf(schema);
    const got = isSecret(schema) ? "" : gotInstead(value);
    this.#add(path, facts.says?.wrong ?? made ?? `must be ${expectationOf(schema)}${got}`, facts);
  }
  #missing(schema: TSchema, path: string): void {
    const facts = factsOf(schema);
    this.#add(path, facts.says?.missing ?? `is required and must be ${expectationOf(schema)}`, facts);
  }
  /** Checks a rule if no problem since `before` concerns its members or their parents. */
  #ask(rule: Rule, schema: TSchema, value: unknown, path: string, before: number): void {
    const about = rule.of?.map((member) => below(path, member)) ?? [path];
    const isAbout = (problem: Problem): boolean =>
      about.some((member) => isWithin(problem.path, member) || isWithin(member, problem.path));
    if (this.found.slice(before).some(isAbout)) return;
    const held = rule.check(settled(schema, value));
    if (held === true) return;
    const at = rule.at === undefined ? path : below(path, rule.at);
    this.#add(at, held === false ? rule.says : held, rule.error ? { error: rule.error } : factsOf(schema));
  }

  #lookInside(schema: TSchema, value: unknown, path: string): void {
    const facts = factsOf(schema);
    if (facts.orNull) this.#lookBesideNull(schema, value, path);
    else if (facts.kind !== undefined) this.#lookByKind(schema, facts.kind, value, path);
    else if (facts.anyCase) this.#lookAtWord(schema, value, path);
    else if (facts.writtenOut) this.#lookAtTexts(schema, value, path);
    else if (KindGuard.IsObject(schema)) this.#lookAtMembers(schema, value, path);
    else if (KindGuard.IsArray(schema)) this.#lookAtItems(schema, value, path);
    else if (KindGuard.IsRecord(schema)) this.#lookAtRecord(schema, value, path);
    else if (KindGuard.IsUnion(schema)) this.#lookAtChoices(schema, value, path);
    else if (!Value.Check(schema, value)) this.#wrong(schema, value, path);
  }
  #lookBesideNull(schema: TSchema, value: unknown, path: string): void {
    if (value !== null) this.look(besideNull(schema), value, path);
  }
  #lookAtWord(schema: TSchema, value: unknown, path: string): void {
    if (typeof value !== "string" || findWord(schema, value) === undefined) this.#wrong(schema, value, path);
  }
  #lookByKind(schema: TSchema, kind: string, value: unknown, path: string): void {
    const branch = branchOf(schema, value);
    if (branch) this.look(branch, value, path);
    else if (isMap(value)) this.#lookAtKind(schema, kind, value[kind], below(path, kind));
    else this.#wrong(schema, value, path);
  }
  #lookAtKind(schema: TSchema, kind: string, said: unknown, path: string): void {
    const members = (schema.anyOf as readonly TSchema[]).map((one) => one.properties[kind] as TSchema);
    const facts = factsOf(members[0] as TSchema);
    const list = `must be one of ${members.flatMap(wordsOf).join(", ")}`;
    if (said === undefined || said === null)
      this.#add(path, facts.says?.missing ?? `is required and ${list}`, facts);
    else this.#add(path, facts.says?.wrong ?? `${list}${gotInstead(said)}`, facts);
  }
  #lookAtTexts(schema: TSchema, value: unknown, path: string): void {
    const all = isMap(value) ? Object.values(value) : [undefined];
    const values = all.filter((text) => text !== null);
    if (!values.every(isPlain)) this.#wrong(schema, value, path, "must be an object of texts");
    else if ((takesNull(schema) ? all : values).length > schema.maxProperties)
      this.#wrong(schema, value, path, `may have at most ${schema.maxProperties} members`);
  }
  #lookAtMembers(schema: TSchema, value: unknown, path: string): void {
    if (!isMap(value)) {
      this.#wrong(schema, value, path);
      return;
    }
    const required = new Set<string>(schema.required ?? []);
    for (const [name, member] of Object.entries(schema.properties as Record<string, TSchema>))
      this.#lookAtMember(member, value[name], below(path, name), required.has(name));
    if (schema.additionalProperties !== false) return;
    for (const name of Object.keys(value))
      if (!Object.hasOwn(schema.properties, name)) this.#add(below(path, name), "is not known here", {});
  }
  /** Null for a required member counts as missing. A member with a default is optional. */
  #lookAtMember(member: TSchema, value: unknown, path: string, isRequired: boolean): void {
    const leftOut = isLeftOut(member, value);
    const isNothing = leftOut || (isRequired && value === null && !Value.Check(member, null));
    if (!isNothing) this.look(member, value, path);
    else if (isRequired && !(leftOut && member.default !== undefined)) this.#missing(member, path);
  }
  #lookAtItems(schema: TSchema, value: unknown, path: string): void {
    const isList = Array.isArray(value);
    const items: readonly unknown[] = isList ? value : [value];
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (!isList && !factsOf(schema).oneOrMore) this.#wrong(schema, value, path);
    else if (items.length > maxItems)
      this.#wrong(schema, value, path, `may have at most ${counted(maxItems, "item")}`);
    else if (items.length < minItems)
      this.#wrong(schema, value, path, `must have at least ${counted(minItems, "item")}`);
    else
      for (const [index, item] of items.entries())
        this.look(schema.items as TSchema, item, isList ? `${path}[${index}]` : path);
  }
  #lookAtRecord(schema: TSchema, value: unknown, path: string): void {
    const entries = isMap(value) ? Object.entries(value) : [];
    const { maxProperties = Number.POSITIVE_INFINITY } = schema;
    const [shape] = Object.values(schema.patternProperties as Record<string, TSchema>);
    if (!isMap(value) || shape === undefined) this.#wrong(schema, value, path);
    else if (entries.length > maxProperties)
      this.#wrong(schema, value, path, `may have at most ${maxProperties} members`);
    else for (const [name, member] of entries) this.look(shape, member, below(path, name));
  }
  /**
   * If no choice fits, describes the problem of the intended one: of the same type as the value, and failing
   * deepest inside.
   */
  #lookAtChoices(schema: TSchema, value: unknown, path: string): void {
    if (Value.Check(schema, settled(schema, value))) return;
    const finders = (schema.anyOf as readonly TSchema[])
      .filter((one) => (isMap(value) ? isOfMembers(one) : Array.isArray(value) && KindGuard.IsArray(one)))
      .map((one) => {
        const finder = new ProblemFinder();
        finder.look(one, value, path);
        return finder.found;
      });
    const depthOf = (found: readonly Problem[]): number => found[0]?.path.length ?? 0;
    const [meant] = finders.sort((a, b) => depthOf(b) - depthOf(a));
    if (factsOf(schema).says !== undefined || meant === undefined || depthOf(meant) <= path.length)
      this.#wrong(schema, value, path);
    else this.found.push(...meant);
  }
}

/**
 * An operation that is ready to run. Validators are compiled on first use, because a thousand at start would take
 * seconds.
 */
import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { isNoBody, jsonShapeOf, mediaTypesOf } from "../operation/answers.ts";
import type { Operation, TransactionStyle } from "../operation/operation.ts";
import { type Problem, refusalOf, Shape } from "../shape/index.ts";
import { secretPathsOf, secretsAt } from "../shape/secrets.ts";
import { textMapsOf } from "../shape/text-maps.ts";
import { type UnknownFinder, unknownFinderOf } from "../shape/unknown.ts";
import { yieldToEventLoop } from "../workers/yielding.ts";
import { type Coerce, coercionsOf } from "./coerce.ts";
import { isEverywhere } from "./unknown-names.ts";

export type InputPart = "params" | "query" | "headers" | "body";

/** A shorter value may appear in an answer by chance. */
const SECRET_LENGTH_MIN = 6;

type ReadPart = {
  readonly shape: Shape;
  readonly coerce: Coerce | undefined;
  /** For bodies. */
  readonly unknown: UnknownFinder | undefined;
};

/** How messages about wrong input begin. */
const PLACES: Readonly<Record<InputPart, { readonly before?: string; readonly whole: string }>> = {
  params: { before: "The path parameter ", whole: "The path" },
  query: { before: "The query parameter ", whole: "The query" },
  headers: { before: "The header ", whole: "The headers" },
  body: { whole: "The body" },
};

function answerHeadersOf({ crossOrigin, noStore }: Operation): Record<string, string> | undefined {
  if (!crossOrigin && !noStore) return undefined;
  return {
    ...(crossOrigin && {
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "*",
    }),
    ...(noStore && { "cache-control": "no-store", pragma: "no-cache" }),
  };
}

export class CompiledOperation {
  readonly operation: Operation;
  readonly transaction: TransactionStyle;
  /** Headers of every answer that the operation declares. */
  readonly answerHeaders: Readonly<Record<string, string>> | undefined;
  readonly #namesOne: boolean;
  readonly #parts = new Map<InputPart, ReadPart>();
  readonly #answers = new Map<number, TypeCheck<TSchema>>();
  #namesByLetters: ReadonlyMap<string, string> | undefined;
  #textMaps: ReadonlySet<string> | undefined;
  #isUsed = false;
  #defaultStatus: number | undefined;

  constructor(operation: Operation) {
    this.operation = operation;
    const reads = operation.method === "GET" || operation.method === "HEAD";
    this.transaction = operation.transaction ?? (reads ? "read" : "write");
    this.answerHeaders = answerHeadersOf(operation);
    this.#namesOne = operation.path.endsWith("}");
  }

  /** What a request changes, if its path names one resource. New members of a collection do not conflict. */
  resourceOf(account: string, path: string): string | undefined {
    return this.#namesOne ? `${account} ${path}` : undefined;
  }
  get defaultStatus(): number {
    this.#defaultStatus ??= Math.min(...Object.keys(this.operation.answers).map(Number));
    return this.#defaultStatus;
  }
  get wantsBody(): boolean {
    return this.operation.body !== undefined;
  }
  /** The first request waits for this. Compiling takes as long as many requests, so others are served before it. */
  beforeFirstUse(): Promise<void> | undefined {
    if (this.#isUsed) return undefined;
    this.#isUsed = true;
    return yieldToEventLoop();
  }
  /** Members of bodies and answers whose content belongs to the user, so that no dialect renames them. */
  get textMaps(): ReadonlySet<string> {
    const { body, answers } = this.operation;
    this.#textMaps ??= textMapsOf([...(body ? [body] : []), ...Object.values(answers)]);
    return this.#textMaps;
  }
  /** Declared query names by their lower-case form. */
  namesByLetters(also: readonly string[]): ReadonlyMap<string, string> {
    this.#namesByLetters ??= new Map(
      [...also, ...Object.keys(this.operation.query?.properties ?? {})].map((name) => [
        name.toLowerCase(),
        name,
      ]),
    );
    return this.#namesByLetters;
  }
  takesSeveral(name: string): boolean {
    return takesSeveral(this.operation.query?.properties?.[name]);
  }
  #part(part: InputPart): ReadPart | undefined {
    const schema = this.operation[part];
    if (!schema) return undefined;
    let known = this.#parts.get(part);
    if (!known) {
      const unknown = part === "body" ? unknownFinderOf([schema]) : undefined;
      known = { shape: new Shape(schema), coerce: coercionsOf(schema), unknown };
      this.#parts.set(part, known);
    }
    return known;
  }
  /**
   * Converts text to numbers and booleans as the schema says, and fills in defaults. Throws if the input is
   * refused.
   */
  read(part: InputPart, given: unknown, fromText: boolean): unknown {
    const known = this.#part(part);
    if (!known) return part === "body" ? undefined : given;
    const { shape, coerce } = known;
    const coerced = fromText && coerce ? coerce(given as Record<string, unknown>) : given;
    const value = shape.settle(coerced);
    if (shape.fits(value)) return value;
    const problems = shape.problemsOf(coerced);
    const told = fromText ? withRepetitions(this.operation[part] as TSchema, problems, coerced) : problems;
    throw refusalOf(told, { ...PLACES[part], error: this.operation.inputError });
  }
  /** Undeclared members of a body and undeclared names of the query; undefined if there are none. */
  unknownIn(body: unknown, query: object): readonly string[] | undefined {
    let found: string[] | undefined;
    const declared = this.operation.query?.properties;
    for (const name in query)
      if (!(declared && name in declared) && !isEverywhere(name)) found = [...(found ?? []), name];
    const unknown = body === undefined ? undefined : this.#parts.get("body")?.unknown;
    if (!unknown || unknown.isClean(body)) return found;
    const members: string[] = found ?? [];
    unknown.find(body, "", members);
    return members;
  }
  /** What is wrong with an answer, if anything. This is our own bug; tests look for it. */
  findAnswerProblem(status: number, body: unknown): string | undefined {
    const schema = this.operation.answers[status];
    if (!schema) return `status ${status} is not declared`;
    if (isNoBody(schema))
      return body === undefined || body === null ? undefined : "a body was given where none is declared";
    if (mediaTypesOf(schema) === undefined)
      return this.#shapeProblem(status, schema, body === undefined ? undefined : JSON.stringify(body));
    const shape = jsonShapeOf(schema);
    const finished = finishedJsonOf(body);
    return shape && finished !== undefined ? this.#shapeProblem(status, shape, finished) : undefined;
  }
  /** The path of a secret of the request that the answer reveals. This is also our own bug. */
  findAnsweredSecret(given: unknown, answered: unknown): string | undefined {
    const { body } = this.operation;
    if (!body || typeof answered !== "object" || answered instanceof Uint8Array) return undefined;
    const paths = secretPathsOf(body);
    const text = paths.length === 0 ? "" : JSON.stringify(answered);
    const shown = (secret: string) =>
      secret.length >= SECRET_LENGTH_MIN && text.includes(JSON.stringify(secret));
    return paths.find((path) => secretsAt(given, path).some(shown))?.join(".");
  }
  #shapeProblem(status: number, shape: TSchema, text: string | undefined): string | undefined {
    const check = this.#answers.get(status) ?? TypeCompiler.Compile(shape);
    this.#answers.set(status, check);
    const asSent: unknown = text === undefined ? undefined : JSON.parse(text);
    if (check.Check(asSent)) return undefined;
    const first = check.Errors(asSent).First();
    return `${first?.path || "/"}: ${first?.message} (got ${JSON.stringify(first?.value)?.slice(0, 200)})`;
  }
}

const takesSeveral = (schema: TSchema | undefined): boolean =>
  schema?.type === "array" || (schema?.anyOf?.some(takesSeveral) ?? false);
/** If text is given twice where one value is wanted, the message says so. */
function withRepetitions(schema: TSchema, problems: readonly Problem[], given: unknown): readonly Problem[] {
  const isRepeated = ({ path }: Problem): boolean =>
    Array.isArray((given as Record<string, unknown>)[path]) && !takesSeveral(schema.properties?.[path]);
  return problems.map((one) => (isRepeated(one) ? { ...one, says: "is given more than once" } : one));
}

/** Undefined if it is not JSON but another declared media type. */
function finishedJsonOf(body: unknown): string | undefined {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : String(body);
  return /^\s*[[{]/.test(text) ? text : undefined;
}

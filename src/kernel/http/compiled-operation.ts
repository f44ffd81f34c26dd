/** An operation made ready to run. Validators are compiled on first use: a thousand of them at start would take seconds. */
import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { isNoBody, jsonShapeOf, mediaTypesOf } from "../operation/answers.ts";
import { kernelErrors } from "../operation/errors.ts";
import type { Operation, TransactionStyle } from "../operation/operation.ts";
import { type Coerce, coercionsOf } from "./coerce.ts";
import "./formats.ts";

export type InputPart = "params" | "query" | "headers" | "body";

type CompiledPart = {
  readonly check: TypeCheck<TSchema>;
  readonly coerce: Coerce | undefined;
  readonly hasDefaults: boolean;
};
const PROBLEMS_NAMED_MAX = 5;

const hasDefaults = (schema: TSchema): boolean => JSON.stringify(schema).includes('"default":');

export class CompiledOperation {
  readonly operation: Operation;
  readonly transaction: TransactionStyle;
  readonly defaultStatus: number;
  readonly wantsBody: boolean;
  readonly #parts = new Map<InputPart, CompiledPart>();
  readonly #answers = new Map<number, TypeCheck<TSchema>>();

  constructor(operation: Operation) {
    this.operation = operation;
    const reads = operation.method === "GET" || operation.method === "HEAD";
    this.transaction = operation.transaction ?? (reads ? "read" : "write");
    this.defaultStatus = Math.min(...Object.keys(operation.answers).map(Number));
    this.wantsBody = operation.body !== undefined;
  }

  #part(part: InputPart): CompiledPart | undefined {
    const schema = this.operation[part];
    if (!schema) return undefined;
    let compiled = this.#parts.get(part);
    if (!compiled) {
      compiled = {
        check: TypeCompiler.Compile(schema),
        coerce: coercionsOf(schema),
        hasDefaults: hasDefaults(schema),
      };
      this.#parts.set(part, compiled);
    }
    return compiled;
  }
  /** Text becomes numbers and booleans where the schema says so; what is missing gets its default. Throws `invalidInput`. */
  read(part: InputPart, given: unknown, fromText: boolean): unknown {
    const compiled = this.#part(part);
    if (!compiled) return part === "body" ? undefined : given;
    let value = fromText && compiled.coerce ? compiled.coerce(given as Record<string, unknown>) : given;
    if (compiled.hasDefaults) {
      // Defaults are written into the value, which may be the request's own.
      if (fromText && value === given) value = { ...(given as object) };
      value = Value.Default(this.operation[part] as TSchema, value);
    }
    if (compiled.check.Check(value)) return value;
    throw invalid(part, compiled.check, value);
  }
  /** What is wrong with an answer, if anything: our own mistake, looked for in tests. */
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
  #shapeProblem(status: number, shape: TSchema, text: string | undefined): string | undefined {
    const check = this.#answers.get(status) ?? TypeCompiler.Compile(shape);
    this.#answers.set(status, check);
    const asSent: unknown = text === undefined ? undefined : JSON.parse(text);
    if (check.Check(asSent)) return undefined;
    const first = check.Errors(asSent).First();
    return `${first?.path || "/"}: ${first?.message} (got ${JSON.stringify(first?.value)?.slice(0, 200)})`;
  }
}

/** Undefined when it is not JSON but another of the media types that were declared. */
function finishedJsonOf(body: unknown): string | undefined {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : String(body);
  return /^\s*[[{]/.test(text) ? text : undefined;
}

/** Of a choice that nothing fits, the complaint that lies deepest: it comes of the choice that was meant. */
function mostTelling(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) return error;
  let telling = error;
  for (const choice of error.errors) {
    const first = choice.First();
    const deepest = first && mostTelling(first);
    if (deepest && deepest.path.length > telling.path.length) telling = deepest;
  }
  return telling;
}

function invalid(part: InputPart, check: TypeCheck<TSchema>, value: unknown): Error {
  const details: { message: string; target: string }[] = [];
  for (const error of check.Errors(value)) {
    const { path, message } = mostTelling(error);
    const target = path === "" ? part : path.slice(1).replaceAll("/", ".");
    if (!details.some((known) => known.target === target)) details.push({ target, message });
    if (details.length === PROBLEMS_NAMED_MAX) break;
  }
  const where = part === "params" ? "path" : part;
  const text = details.map(({ target, message }) => `${target}: ${message}`).join("; ");
  return kernelErrors.invalidInput(`The ${where} is not valid: ${text}.`, {
    target: details[0]?.target ?? part,
    details,
  });
}

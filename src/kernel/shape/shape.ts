/**
 * A schema that is ready to read input. Its parts are compiled on first use: a thousand at start would take
 * seconds.
 */
import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { type ErrorMaker, kernelErrors, type ServiceError } from "../operation/errors.ts";
import { type Fill, fillerOf } from "./defaults.ts";
import { type Problem, ProblemFinder } from "./problems.ts";
import { holderOf } from "./rules.ts";
import { type Settle, settlerOf } from "./settle.ts";
import "./formats.ts";

const PROBLEMS_NAMED_MAX = 10;

type Compiled = {
  readonly check: TypeCheck<TSchema>;
  readonly settle: Settle | undefined;
  readonly fill: Fill | undefined;
  readonly holds: ((value: unknown) => boolean) | undefined;
};

const isPlainObject = (value: unknown): value is object =>
  value !== null && typeof value === "object" && !Array.isArray(value);

export type Reading<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value?: never; readonly problems: readonly Problem[] };

export class Shape<T extends TSchema = TSchema> {
  readonly schema: T;
  #compiled: Compiled | undefined;

  constructor(schema: T) {
    this.schema = schema;
  }
  get #parts(): Compiled {
    this.#compiled ??= {
      check: TypeCompiler.Compile(this.schema),
      settle: settlerOf(this.schema),
      fill: fillerOf(this.schema),
      holds: holderOf(this.schema),
    };
    return this.#compiled;
  }
  /** Normalises the input and fills in defaults. */
  settle(given: unknown): unknown {
    const { settle, fill } = this.#parts;
    const value = settle ? settle(given) : given;
    if (!fill) return value;
    // Defaults are written into the value, which may belong to the caller.
    return fill(value === given && isPlainObject(value) ? { ...value } : value);
  }
  /** For a normalised value. */
  fits(value: unknown): value is Static<T> {
    const { check, holds } = this.#parts;
    return check.Check(value) && (holds === undefined || holds(value));
  }
  /** Everything wrong with refused input. */
  problemsOf(given: unknown): readonly Problem[] {
    const finder = new ProblemFinder();
    finder.look(this.schema, given, "");
    if (finder.found.length > 0) return finder.found;
    // A kind of schema that the finder does not support.
    const first = this.#parts.check.Errors(this.settle(given)).First();
    return [
      { path: (first?.path ?? "").slice(1).replaceAll("/", "."), says: `is not valid: ${first?.message}` },
    ];
  }
  read(given: unknown): Reading<Static<T>> {
    const value = this.settle(given);
    return this.fits(value) ? { value, problems: [] } : { problems: this.problemsOf(given) };
  }
}

export type Refusing = {
  /** The words before a member's name in a sentence: "The query parameter ". */
  readonly before?: string;
  /** The name of the whole: "The body". */
  readonly whole: string;
  readonly error?: ErrorMaker | undefined;
};

/** The error that explains to a caller what is wrong with the input. */
export function refusalOf(
  problems: readonly Problem[],
  { before = "", whole, error }: Refusing,
): ServiceError {
  const details = problems.slice(0, PROBLEMS_NAMED_MAX).map(({ path, says }) => ({
    message: `${path === "" ? whole : `${before}${path}`} ${says}.`,
    target: path,
  }));
  const make = problems.find((problem) => problem.error)?.error ?? error ?? kernelErrors.invalidInput;
  return make(details.map(({ message }) => message).join(" "), {
    ...(details[0] && { target: details[0].target }),
    details,
  });
}

/** Building blocks of policies: steps compiled from elements, with checked attributes and children. */
import { compileExpression, type Evaluate, textOf } from "./expression.ts";
import type { Attribute, Element } from "./markup.ts";
import { PolicyError } from "./place.ts";
import type { ExistsAction, PolicyRun, Reply } from "./run.ts";
import { ExpressionError } from "./tokens.ts";

export const SECTIONS = ["inbound", "backend", "outbound", "on-error"] as const;
export type Section = (typeof SECTIONS)[number];

export type JwtRules = {
  readonly openidConfigs: readonly string[];
  /** Shared secrets in base64. */
  readonly keys: readonly string[];
  readonly audiences: readonly string[];
  readonly issuers: readonly string[];
  readonly claims: readonly {
    name: string;
    match: "any" | "all";
    separator: string | undefined;
    values: readonly string[];
  }[];
  readonly requireExpiration: boolean;
  readonly skewSeconds: number;
};
/** Gateway functions that steps use. */
export type PolicyTools = {
  /**
   * Counts a call. Returns the calls left in the period and the seconds until it ends.
   * A negative `left` means that the limit was already reached.
   */
  countCall(
    key: string,
    calls: number,
    seconds: number,
  ): { readonly left: number; readonly waitSeconds: number } | undefined;
  /** Counts a call in the database, shared by all nodes. */
  countQuota(
    key: string,
    calls: number,
    seconds: number,
  ): Promise<{ readonly isFull: boolean; readonly waitSeconds: number }>;
  /** Undefined if the token is valid, otherwise the reason. */
  findTokenProblem(token: string, rules: JwtRules): Promise<string | undefined>;
  findCached(key: string): Reply | undefined;
  /** URL of the backend with this ID. */
  findBackend(id: string): URL | undefined;
};
export type Outcome = Reply | undefined;
export type Step = {
  readonly policy: string;
  /** The level of the document that contains the policy. */
  readonly scope: string;
  run(run: PolicyRun, tools: PolicyTools, note: (effect: string) => void): Outcome | Promise<Outcome>;
};

export const refused = (
  status: number,
  message: string,
  reason: string,
  source: string,
  headers: Reply["headers"] = [],
): Reply => ({
  status,
  headers: [["content-type", "application/json"], ...headers],
  body: JSON.stringify({ statusCode: status, message }),
  error: { source, reason, message },
});

export function fail(element: Element, message: string, place = element.place): never {
  const { line, column } = place;
  throw new PolicyError(
    `Error in element '${element.name}' on line ${line}, column ${column}: ${message}`,
    place,
  );
}

export type Text = (run: PolicyRun) => string;
const compileAt = (element: Element, source: string, place: Attribute["place"]): Evaluate => {
  try {
    return compileExpression(source.slice(2, -1));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return fail(element, `${error.message} (character ${error.at + 1} of the expression)`, place);
  }
};
function evaluateOf(element: Element, given: string, place: Attribute["place"]): Evaluate | undefined {
  const value = given.trim();
  if (value.startsWith("@{"))
    fail(element, "Expressions of several statements, @{…}, are not supported.", place);
  if (!value.startsWith("@(")) return undefined;
  if (!value.endsWith(")")) fail(element, "The expression does not end.", place);
  return compileAt(element, value, place);
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\w]{1,256}$/;
/** Hop-by-hop and framing headers, which only the gateway sets. */
const HEADERS_OF_THE_GATEWAY: ReadonlySet<string> = new Set([
  "host",
  "connection",
  "transfer-encoding",
  "content-length",
  "upgrade",
  "te",
  "trailer",
  "via",
]);

/** Reads an element, and rejects attributes and children that no caller read. */
export class Reading {
  readonly element: Element;
  readonly #asked = new Set<string>();
  constructor(element: Element) {
    this.element = element;
  }
  #find(name: string): Attribute | undefined {
    this.#asked.add(name);
    return this.element.attributes.get(name);
  }
  /** The literal value. Expressions are rejected. */
  plain(name: string): string | undefined {
    const found = this.#find(name);
    if (found && /^@[({]/.test(found.value))
      fail(this.element, `'${name}' must not be an expression.`, found.place);
    return found?.value;
  }
  needed(name: string): string {
    return this.plain(name) ?? fail(this.element, `The attribute '${name}' must be given.`);
  }
  /** The name of a header that policies may set. */
  headerName(name: string): string | undefined {
    const given = this.plain(name);
    if (given === undefined) return undefined;
    if (!HEADER_NAME.test(given) || HEADERS_OF_THE_GATEWAY.has(given.toLowerCase()))
      fail(this.element, `The header '${given}' cannot be set.`);
    return given;
  }
  findText(name: string): Text | undefined {
    const found = this.#find(name);
    if (!found) return undefined;
    const evaluate = evaluateOf(this.element, found.value, found.place);
    return evaluate ? (run) => textOf(evaluate(run)) : () => found.value;
  }
  text(name: string): Text {
    return this.findText(name) ?? fail(this.element, `The attribute '${name}' must be given.`);
  }
  condition(name: string): (run: PolicyRun) => boolean {
    const found = this.#find(name);
    if (!found) return fail(this.element, `The attribute '${name}' must be given.`);
    const evaluate = evaluateOf(this.element, found.value, found.place);
    if (evaluate) return (run) => evaluate(run) === true;
    const isTrue = found.value.trim().toLowerCase() === "true";
    return () => isTrue;
  }
  whole(name: string, { min, max, otherwise }: { min: number; max: number; otherwise?: number }): number {
    const given = this.plain(name);
    if (given === undefined) return otherwise ?? fail(this.element, `The attribute '${name}' must be given.`);
    const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (!(value >= min && value <= max))
      fail(this.element, `'${name}' must be a whole number from ${min} to ${max}.`);
    return value;
  }
  flag(name: string, otherwise: boolean): boolean {
    const given = this.plain(name)?.toLowerCase();
    if (given !== undefined && given !== "true" && given !== "false")
      fail(this.element, `'${name}' must be true or false.`);
    return given === undefined ? otherwise : given === "true";
  }
  oneOf<Word extends string>(name: string, words: readonly Word[], otherwise: Word): Word {
    const given = this.plain(name);
    if (given === undefined) return otherwise;
    return (
      words.find((word) => word === given) ??
      fail(this.element, `'${name}' must be one of ${words.join(", ")}.`)
    );
  }
  existsAction(): ExistsAction {
    return this.oneOf("exists-action", ["override", "skip", "append", "delete"], "override");
  }
  /** Children with these names. Others are rejected. */
  children(...names: readonly string[]): readonly Element[] {
    const other = this.element.children.find(({ name }) => !names.includes(name));
    if (other)
      fail(
        other,
        names.length === 0 ? "No elements are expected here." : `Here ${names.join(", ")} are expected.`,
      );
    return this.element.children;
  }
  /** Call this after all attributes were read. */
  done(): void {
    for (const [name, { place }] of this.element.attributes)
      if (!this.#asked.has(name)) fail(this.element, `The attribute '${name}' is not supported.`, place);
  }
}
export function contentOf(element: Element): Text {
  if (element.children.length > 0) fail(element, "A text is expected here.");
  const evaluate = evaluateOf(element, element.text, element.place);
  return evaluate ? (run) => textOf(evaluate(run)) : () => element.text;
}
/** Literal texts of a list such as `<values><value>…</value></values>`. */
export function textsIn(element: Element | undefined, name: string): readonly string[] {
  return element ? new Reading(element).children(name).map((child) => child.text.trim()) : [];
}
export const findChild = (element: Element, name: string): Element | undefined =>
  element.children.find((child) => child.name === name);

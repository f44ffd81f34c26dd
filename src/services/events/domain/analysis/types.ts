/** Infers data types from expressions and finds conflicts. */
import { pathText } from "../expressions/scanner.ts";
import type { BinaryOperator, Expression, FunctionName } from "../expressions/syntax.ts";
import { type TypeName, typeOf } from "../values.ts";
import { type Finding, finding } from "./findings.ts";
import { groupsOf } from "./groups.ts";
import type { FoundEvent, FoundExpression, Wanted } from "./walk.ts";

/** Integers and decimals are compatible. All other types are not. */
type Family = "Number" | "String" | "Boolean";
const familyOf = (type: TypeName): Family => (type === "Integer" || type === "Decimal" ? "Number" : type);
const TYPE_OF: Readonly<Record<Family, TypeName>> = {
  Number: "Integer",
  String: "String",
  Boolean: "Boolean",
};

const ARGUMENTS: Readonly<Record<Exclude<FunctionName, "convert">, Family | undefined>> = {
  timeout: "String",
  triggerType: "String",
  currentInput: "String",
  startsWith: "String",
  endsWith: "String",
  contains: "String",
  isNull: undefined,
  isUndefined: undefined,
  bitor: "Number",
  bitand: "Number",
  bitxor: "Number",
  bitnot: "Number",
};
const COMPARISONS: readonly BinaryOperator[] = ["==", "!=", "<", "<=", ">", ">="];

type Evidence = { readonly type: TypeName; readonly expressionPath: string; readonly eventPath: string };

const referenceOf = (expression: Expression): string | undefined => {
  if (expression.kind === "variable") return `$variable.${expression.name}`;
  return expression.kind === "input" ? `$input.${expression.name}.${pathText(expression.path)}` : undefined;
};

class Inference {
  /** By reference, then by type and expression. */
  readonly evidence: Map<string, Map<string, Evidence>>;
  readonly findings: Finding[] = [];
  readonly #types = new Map<string, Set<TypeName>>();
  #where: { readonly eventPath: string; readonly found: FoundExpression } | undefined;

  constructor(known: ReadonlyMap<string, Map<string, Evidence>> = new Map()) {
    this.evidence = new Map(known);
    for (const [reference, all] of known)
      this.#types.set(reference, new Set([...all.values()].map(({ type }) => type)));
  }

  /** The type of a reference, if all evidence agrees. */
  #known(reference: string): TypeName | undefined {
    const types = [...(this.#types.get(reference) ?? [])];
    if (isMixed(types)) return undefined;
    return types.includes("Decimal") ? "Decimal" : types[0];
  }
  note(reference: string, type: TypeName): void {
    if (this.#where === undefined) return;
    const { found, eventPath } = this.#where;
    const evidence = this.evidence.get(reference) ?? new Map<string, Evidence>();
    evidence.set(`${type} ${found.path}`, { type, expressionPath: found.path, eventPath });
    this.evidence.set(reference, evidence);
    this.#types.set(reference, (this.#types.get(reference) ?? new Set()).add(type));
  }
  #mismatch(operator: string, types: readonly TypeName[]): void {
    const { found, eventPath } = this.#where ?? {};
    if (found === undefined || eventPath === undefined) return;
    this.findings.push(
      finding(
        "data-type",
        "ERROR",
        `The types [${types.join(", ")}] don't go together with "${operator}" in "${found.text}".`,
        eventPath,
      ),
    );
  }

  /** Requires a type family. A reference gets the type as evidence. Other expressions must match. */
  #expect(expression: Expression, family: Family, operator: string): TypeName | undefined {
    const type = this.#infer(expression);
    const reference = referenceOf(expression);
    if (reference !== undefined) {
      if (type === undefined || familyOf(type) !== family) this.note(reference, TYPE_OF[family]);
      return type ?? TYPE_OF[family];
    }
    if (type !== undefined && familyOf(type) !== family) this.#mismatch(operator, [type]);
    return type;
  }

  /** Both sides must have one family. A known side determines the other. */
  #together(
    operator: BinaryOperator,
    left: Expression,
    right: Expression,
  ): readonly (TypeName | undefined)[] {
    const types = [this.#infer(left), this.#infer(right)];
    const [first, second] = types;
    if (first !== undefined && second !== undefined && familyOf(first) !== familyOf(second)) {
      const references = [left, right].map(referenceOf);
      const [other] = references.flatMap((reference, index) =>
        reference === undefined ? [] : [[reference, types[1 - index]] as const],
      );
      if (other?.[1] === undefined) this.#mismatch(operator, [first, second]);
      else this.note(other[0], other[1]);
      return types;
    }
    const known = first ?? second;
    if (known !== undefined)
      for (const side of [left, right]) {
        const reference = referenceOf(side);
        if (reference !== undefined) this.note(reference, known);
      }
    return types;
  }

  #infer(expression: Expression): TypeName | undefined {
    switch (expression.kind) {
      case "literal":
        return typeOf(expression.value) as TypeName;
      case "template":
        for (const part of expression.parts) if (typeof part !== "string") this.#infer(part);
        return "String";
      case "variable":
      case "input":
        return this.#known(referenceOf(expression) ?? "");
      case "unary":
        return this.#inferUnary(expression);
      case "binary":
        return this.#inferBinary(expression);
      case "call":
        return this.#inferCall(expression);
    }
  }
  #inferUnary({ operator, operand }: Extract<Expression, { kind: "unary" }>): TypeName | undefined {
    if (operator !== "!") return this.#expect(operand, "Number", operator);
    this.#expect(operand, "Boolean", operator);
    return "Boolean";
  }
  #inferBinary({ operator, left, right }: Extract<Expression, { kind: "binary" }>): TypeName | undefined {
    if (operator === "&&" || operator === "||") {
      for (const side of [left, right]) this.#expect(side, "Boolean", operator);
      return "Boolean";
    }
    if (COMPARISONS.includes(operator)) {
      this.#together(operator, left, right);
      return "Boolean";
    }
    if (operator === "+") return this.#inferSum(left, right);
    const types = [left, right].map((side) => this.#expect(side, "Number", operator));
    return types.includes("Decimal") ? "Decimal" : "Integer";
  }
  /** The sum of numbers or of texts. */
  #inferSum(left: Expression, right: Expression): TypeName | undefined {
    const types = this.#together("+", left, right);
    if (types.includes("Boolean"))
      this.#mismatch(
        "+",
        types.filter((type) => type !== undefined),
      );
    if (types.includes("String")) return "String";
    if (types.includes("Decimal")) return "Decimal";
    return types.includes("Integer") ? "Integer" : undefined;
  }
  #inferCall({ name, arguments: given }: Extract<Expression, { kind: "call" }>): TypeName | undefined {
    if (name === "convert") {
      const [type, value] = given;
      if (value !== undefined) this.#infer(value);
      return type?.kind === "literal" ? (type.value as TypeName) : undefined;
    }
    const family = ARGUMENTS[name];
    for (const argument of given)
      if (family === undefined) this.#infer(argument);
      else this.#expect(argument, family, name);
    return family === "Number" ? "Integer" : "Boolean";
  }

  /** Infers an expression and checks the type that its place requires. */
  read(eventPath: string, found: FoundExpression): TypeName | undefined {
    this.#where = { eventPath, found };
    const type = this.#infer(found.expression);
    const wanted = WANTED[found.wanted];
    if (wanted === undefined) return type;
    if (type === undefined) {
      const reference = referenceOf(found.expression);
      if (reference !== undefined && found.wanted !== "jsonPayload")
        this.note(reference, TYPE_OF[wanted.family]);
    } else if (familyOf(type) !== wanted.family && !(wanted.mayBeText && type === "String"))
      this.findings.push(
        finding("data-type", "ERROR", `"${found.text}" gives ${type}, and ${wanted.what}.`, eventPath),
      );
    return type;
  }
}

const WANTED: Readonly<
  Partial<Record<Wanted, { readonly family: Family; readonly what: string; readonly mayBeText?: boolean }>>
> = {
  condition: { family: "Boolean", what: "a condition must be true or false" },
  duration: { family: "Number", what: "the duration of a timer must be a number" },
  jsonPayload: { family: "String", what: "a payload of type JSON must be a text" },
  integer: { family: "Number", what: "an integer is needed", mayBeText: true },
  double: { family: "Number", what: "a number is needed", mayBeText: true },
  boolean: { family: "Boolean", what: "true or false is needed", mayBeText: true },
};

/** An assigned value is evidence for the type of the variable. */
function readEvent(inference: Inference, { path, expressions }: FoundEvent): void {
  for (const found of expressions) {
    const type = inference.read(path, found);
    if (found.variable !== undefined && type !== undefined)
      inference.note(`$variable.${found.variable}`, type);
  }
}

/** The first pass collects types of variables. Later passes use them. */
const PASSES = 3;

function infer(events: readonly FoundEvent[]): Inference {
  let inference = new Inference();
  for (let pass = 0; pass < PASSES; pass += 1) {
    inference = new Inference(inference.evidence);
    for (const event of events) readEvent(inference, event);
  }
  return inference;
}

const typesOf = (evidence: Iterable<Evidence>): TypeName[] =>
  [...new Set([...evidence].map(({ type }) => type))].sort();
const isMixed = (types: readonly TypeName[]): boolean => new Set(types.map(familyOf)).size > 1;

/** A conflict within one expression is an error. Across expressions it is a warning. */
function conflict(reference: string, evidence: readonly Evidence[]): Finding | undefined {
  const types = typesOf(evidence);
  if (!isMixed(types)) return undefined;
  const inExpressions = groupsOf(evidence, ({ expressionPath }) => expressionPath);
  const isInOne = [...inExpressions.values()].some((all) => isMixed(typesOf(all)));
  return finding(
    "data-type",
    isInOne ? "ERROR" : "WARNING",
    `${reference} is used with the types [${types.join(", ")}], which don't go together.`,
    ...new Set(evidence.map(({ eventPath }) => eventPath)),
  );
}

export function types(events: readonly FoundEvent[]): Finding[] {
  const { evidence, findings } = infer(events);
  const references = [...evidence].map(([reference, all]) => [reference, [...all.values()]] as const);
  return [
    ...references.map(([reference, all]) =>
      finding("data-type", "INFO", `Inferred data types [${typesOf(all).join(", ")}] for ${reference}`),
    ),
    ...references.flatMap(([reference, all]) => conflict(reference, all) ?? []),
    ...findings,
  ];
}

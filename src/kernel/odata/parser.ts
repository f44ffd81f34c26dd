/** Parses `$filter` by recursive descent: `not` binds tightest, then comparisons, then `and`, then `or`. */
import {
  COMPARISON_OPERATORS,
  type ComparisonOperator,
  FILTER_FUNCTIONS,
  type FilterFunction,
  type FilterNode,
  type FunctionNode,
  type LiteralNode,
  type PropertyNode,
} from "./ast.ts";
import { FilterSyntaxError } from "./errors.ts";
import { type Token, tokenize } from "./tokenizer.ts";

/** A filter comes from outside: its size limits the work of parsing and of evaluating it for every record. */
export const filterLimits = { lengthMax: 2_000, depthMax: 32, nodesMax: 200, pathSegmentsMax: 8 } as const;

const operators: ReadonlySet<string> = new Set(COMPARISON_OPERATORS);
const functions: ReadonlySet<string> = new Set(FILTER_FUNCTIONS);
const reserved: ReadonlySet<string> = new Set([...COMPARISON_OPERATORS, "and", "or", "not"]);
const KNOWN_BUT_UNSUPPORTED: ReadonlySet<string> = new Set(["add", "sub", "mul", "div", "mod", "has", "in"]);

class FilterParser {
  private readonly tokens: readonly Token[];
  private index = 0;
  private depth = 0;
  private nodes = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): FilterNode {
    if (this.peek().kind === "end") throw new FilterSyntaxError("The filter is empty.", 0);
    const node = this.parseConnective("or");
    if (this.peek().kind !== "end") throw this.unexpected("'and', 'or' or the end of the filter");
    return node;
  }

  private peek(): Token {
    return this.tokens[this.index] as Token;
  }

  private next(): Token {
    const token = this.peek();
    this.index += 1;
    return token;
  }

  private unexpected(expected: string): FilterSyntaxError {
    const token = this.peek();
    const found = token.kind === "end" ? "the filter ends" : `found ${describe(token)}`;
    return new FilterSyntaxError(
      `Expected ${expected} at position ${token.position}, but ${found}.`,
      token.position,
    );
  }

  private expect(kind: "(" | ")" | ","): void {
    if (this.peek().kind !== kind) throw this.unexpected(`'${kind}'`);
    this.index += 1;
  }

  private keyword(): string | undefined {
    const token = this.peek();
    return token.kind === "word" ? token.text.toLowerCase() : undefined;
  }

  private counted<Node extends FilterNode>(node: Node): Node {
    this.nodes += 1;
    if (this.nodes > filterLimits.nodesMax) {
      throw new FilterSyntaxError(`The filter has more than ${filterLimits.nodesMax} parts.`, node.position);
    }
    return node;
  }

  private nested<Result>(position: number, parse: () => Result): Result {
    this.depth += 1;
    if (this.depth > filterLimits.depthMax) {
      throw new FilterSyntaxError(
        `The filter is nested deeper than ${filterLimits.depthMax} levels.`,
        position,
      );
    }
    const result = parse();
    this.depth -= 1;
    return result;
  }

  private parseConnective(kind: "and" | "or"): FilterNode {
    const parseOperand = () => (kind === "or" ? this.parseConnective("and") : this.parseComparison());
    const first = parseOperand();
    if (this.keyword() !== kind) return first;
    const operands = [first];
    while (this.keyword() === kind) {
      this.index += 1;
      operands.push(parseOperand());
    }
    return this.counted({ kind, operands, position: first.position });
  }

  private parseComparison(): FilterNode {
    const left = this.parseUnary();
    const operator = this.keyword();
    if (operator === undefined || !operators.has(operator)) {
      if (operator !== undefined && KNOWN_BUT_UNSUPPORTED.has(operator)) {
        const { position } = this.peek();
        throw new FilterSyntaxError(
          `The operator '${operator}' at position ${position} is not supported.`,
          position,
        );
      }
      return left;
    }
    this.index += 1;
    const right = this.parseUnary();
    const again = this.keyword();
    if (again !== undefined && operators.has(again)) {
      const { position } = this.peek();
      throw new FilterSyntaxError(
        `Comparisons cannot be chained (position ${position}); put one of them in parentheses.`,
        position,
      );
    }
    return this.counted({
      kind: "comparison",
      operator: operator as ComparisonOperator,
      left,
      right,
      position: left.position,
    });
  }

  private parseUnary(): FilterNode {
    if (this.keyword() !== "not") return this.parsePrimary();
    const { position } = this.next();
    return this.nested(position, () => this.counted({ kind: "not", operand: this.parseUnary(), position }));
  }

  private parsePrimary(): FilterNode {
    const token = this.peek();
    switch (token.kind) {
      case "(":
        this.index += 1;
        return this.nested(token.position, () => {
          const inner = this.parseConnective("or");
          this.expect(")");
          return inner;
        });
      case "word":
        return this.parseWord(token.text, token.position);
      case "string":
      case "guid":
      case "number":
      case "dateTime":
        this.index += 1;
        return this.counted(literalOf(token));
      default:
        throw this.unexpected("a field, a value, a function, 'not' or '('");
    }
  }

  private parseWord(text: string, position: number): FilterNode {
    const lower = text.toLowerCase();
    if (reserved.has(lower)) throw this.unexpected("a field or a value");
    if (this.tokens[this.index + 1]?.kind === "(") return this.parseFunction(lower, text, position);
    const word = literalWords.get(lower);
    if (word === undefined) return this.parseProperty();
    this.index += 1;
    return this.counted({ kind: "literal", ...word, position });
  }

  private parseProperty(): PropertyNode {
    const path: string[] = [];
    const { position } = this.peek();
    for (;;) {
      const token = this.peek();
      if (token.kind !== "word" || reserved.has(token.text.toLowerCase())) {
        throw this.unexpected("the name of a field");
      }
      path.push(token.text);
      this.index += 1;
      const separator = this.peek().kind;
      if (separator !== "/" && separator !== ".") break;
      this.index += 1;
    }
    if (path.length > filterLimits.pathSegmentsMax) {
      throw new FilterSyntaxError(
        `A field path may have at most ${filterLimits.pathSegmentsMax} segments (position ${position}).`,
        position,
      );
    }
    return this.counted({ kind: "property", path, position });
  }

  private parseFunction(name: string, spelling: string, position: number): FunctionNode {
    if (!functions.has(name)) {
      throw new FilterSyntaxError(
        `Unknown function '${spelling}' at position ${position}; known are ${FILTER_FUNCTIONS.join(", ")}.`,
        position,
      );
    }
    this.index += 1;
    this.expect("(");
    const textFirst = name === "substringof";
    const before = textFirst ? this.parseText(name) : "";
    if (textFirst) this.expect(",");
    const property = this.parseArgumentProperty(name);
    if (!textFirst) this.expect(",");
    const text = textFirst ? before : this.parseText(name);
    this.expect(")");
    return this.counted({ kind: "function", name: name as FilterFunction, property, text, position });
  }

  private parseText(name: string): string {
    const token = this.peek();
    if (token.kind !== "string")
      throw this.unexpected(`a quoted string as the ${place(name, "text")} argument of ${name}`);
    this.index += 1;
    return token.value;
  }

  private parseArgumentProperty(name: string): PropertyNode {
    const keyword = this.keyword();
    if (keyword === undefined || literalWords.has(keyword) || reserved.has(keyword)) {
      throw this.unexpected(`a field as the ${place(name, "field")} argument of ${name}`);
    }
    return this.parseProperty();
  }
}

function place(name: string, argument: "text" | "field"): string {
  return (name === "substringof") === (argument === "text") ? "first" : "second";
}

const literalWords: ReadonlyMap<string, { type: "boolean"; value: boolean } | { type: "null"; value: null }> =
  new Map([
    ["true", { type: "boolean", value: true }],
    ["false", { type: "boolean", value: false }],
    ["null", { type: "null", value: null }],
  ]);

function literalOf(token: Extract<Token, { value: unknown }>): LiteralNode {
  const { position } = token;
  if (token.kind === "string" || token.kind === "guid") {
    return { kind: "literal", type: token.kind, value: token.value, position };
  }
  return { kind: "literal", type: token.kind, value: token.value, position };
}

function describe(token: Token): string {
  if (token.kind === "word") return `'${token.text}'`;
  if (token.kind === "string") return "a string";
  if (token.kind === "dateTime") return "a date-time";
  return token.kind === "number" || token.kind === "guid" ? `a ${token.kind}` : `'${token.kind}'`;
}

/** Throws FilterSyntaxError. Keywords and functions ignore case; field names do not. */
export function parseFilter(text: string): FilterNode {
  if (text.length > filterLimits.lengthMax) {
    throw new FilterSyntaxError(
      `The filter is longer than ${filterLimits.lengthMax} characters.`,
      filterLimits.lengthMax,
    );
  }
  return new FilterParser(tokenize(text)).parse();
}

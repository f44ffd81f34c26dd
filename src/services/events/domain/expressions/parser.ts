/** Parses expressions. Depth and length are limited, which bounds time and stack. */
import { EXPRESSION_DEPTH_MAX, EXPRESSION_LENGTH_MAX } from "../limits.ts";
import { decimal } from "../values.ts";
import { Scanner } from "./scanner.ts";
import {
  type BinaryOperator,
  CONVERSIONS,
  type Expression,
  FUNCTIONS,
  type FunctionName,
  PRECEDENCE,
  type UnaryOperator,
} from "./syntax.ts";

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  "'": "'",
  '"': '"',
  "\\": "\\",
  "/": "/",
  $: "$",
};
const UNARY: readonly UnaryOperator[] = ["!", "~", "-"];

const isFunction = (name: string): name is FunctionName => Object.hasOwn(FUNCTIONS, name);

class Parser {
  readonly #scanner: Scanner;
  #depth = 0;
  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  whole(): Expression {
    const expression = this.#expression();
    this.#scanner.skipSpaces();
    if (!this.#scanner.isAtEnd) throw this.#scanner.fault("The expression should end here.");
    return expression;
  }
  /** Unquoted text with `${…}` templates. */
  bareTemplate(): Expression {
    return this.#templateUntil("", 1);
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > EXPRESSION_DEPTH_MAX)
      throw this.#scanner.fault(`Expressions are nested at most ${EXPRESSION_DEPTH_MAX} deep.`);
    const expression = this.#binary(0);
    this.#depth -= 1;
    return expression;
  }

  #binary(row: number): Expression {
    const operators = PRECEDENCE[row];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(row + 1);
    for (;;) {
      this.#scanner.skipSpaces();
      const at = this.#scanner.column;
      const operator = this.#operatorOf(operators);
      if (operator === undefined) return left;
      left = { kind: "binary", operator, left, right: this.#binary(row + 1), at };
    }
  }
  #operatorOf(operators: readonly BinaryOperator[]): BinaryOperator | undefined {
    const { text, position } = this.#scanner;
    const doubled = text.charAt(position) === text.charAt(position + 1);
    return operators.find(
      (operator) => !(doubled && (operator === "|" || operator === "&")) && this.#scanner.takes(operator),
    );
  }

  #unary(): Expression {
    this.#scanner.skipSpaces();
    const at = this.#scanner.column;
    const operator = UNARY.find((sign) => this.#scanner.takes(sign));
    if (operator === undefined) return this.#primary();
    this.#depth += 1;
    if (this.#depth > EXPRESSION_DEPTH_MAX) throw this.#scanner.fault("There are too many signs in a row.");
    const operand = this.#unary();
    this.#depth -= 1;
    return { kind: "unary", operator, operand, at };
  }

  #primary(): Expression {
    const scanner = this.#scanner;
    const at = scanner.column;
    if (scanner.takes("(")) {
      const inner = this.#expression();
      scanner.skipSpaces();
      scanner.expect(")");
      return inner;
    }
    if (scanner.takes("'")) return this.#templateUntil("'", at);
    if (scanner.takes('"')) return this.#quoted(at);
    if (scanner.isAtNumeral) return this.#number(at);
    if (scanner.takes("$")) return this.#reference(at);
    if (scanner.isAtWord) return this.#named(at);
    throw scanner.fault(scanner.isAtEnd ? "The expression ends too early." : "A value is expected here.");
  }

  #number(at: number): Expression {
    const numeral = this.#scanner.numeral();
    const value = Number(numeral);
    if (!Number.isFinite(value)) throw this.#scanner.fault("The number is too large.", at);
    const isDecimal = numeral.includes(".") || numeral.includes("e") || numeral.includes("E");
    if (!isDecimal && !Number.isSafeInteger(value))
      throw this.#scanner.fault("The integer is too large.", at);
    return { kind: "literal", value: isDecimal ? decimal(value) : value, at };
  }

  #reference(at: number): Expression {
    const scanner = this.#scanner;
    const root = scanner.isAtWord ? scanner.word() : "";
    if (root !== "input" && root !== "variable")
      throw scanner.fault('References begin with "$input." or "$variable.".', at);
    scanner.expect(".");
    const name = scanner.identifier();
    if (root === "variable") return { kind: "variable", name, at };
    const path = scanner.path();
    if (path.length === 0)
      throw scanner.fault(`The input "${name}" is referred to without an attribute.`, at);
    return { kind: "input", name, path, at };
  }

  #named(at: number): Expression {
    const scanner = this.#scanner;
    const word = scanner.word();
    if (word === "true" || word === "false") return { kind: "literal", value: word === "true", at };
    scanner.skipSpaces();
    if (!scanner.takes("("))
      throw scanner.fault(`"${word}" is neither a value nor a function; texts stand between quotes.`, at);
    if (!isFunction(word)) throw scanner.fault(`There is no function "${word}".`, at);
    return this.#call(word, at);
  }
  #call(name: FunctionName, at: number): Expression {
    const scanner = this.#scanner;
    const given: Expression[] = [];
    scanner.skipSpaces();
    if (!scanner.takes(")")) {
      do given.push(this.#argument(name, given.length));
      while (scanner.takes(","));
      scanner.expect(")");
    }
    if (given.length !== FUNCTIONS[name])
      throw scanner.fault(
        `"${name}" takes ${FUNCTIONS[name] === 1 ? "one argument" : `${FUNCTIONS[name]} arguments`}.`,
        at,
      );
    return { kind: "call", name, arguments: given, at };
  }
  #argument(name: FunctionName, index: number): Expression {
    const scanner = this.#scanner;
    scanner.skipSpaces();
    const at = scanner.column;
    const word =
      name === "convert" && index === 0 ? CONVERSIONS.find((type) => scanner.takes(type)) : undefined;
    const argument: Expression =
      word === undefined ? this.#expression() : { kind: "literal", value: word, at };
    scanner.skipSpaces();
    return argument;
  }

  /** Text in double quotes, without templates. */
  #quoted(at: number): Expression {
    const scanner = this.#scanner;
    let value = "";
    while (!scanner.takes('"')) value += this.#character(at);
    return { kind: "literal", value, at };
  }
  /** Text and templates up to the closing quote, or to the end if `quote` is "". */
  #templateUntil(quote: string, at: number): Expression {
    const scanner = this.#scanner;
    const parts: (string | Expression)[] = [];
    let text = "";
    while (quote === "" ? !scanner.isAtEnd : !scanner.takes(quote)) {
      if (!scanner.takes("${")) {
        text += this.#character(at);
        continue;
      }
      if (text !== "") parts.push(text);
      text = "";
      parts.push(this.#expression());
      scanner.skipSpaces();
      scanner.expect("}");
    }
    if (parts.length === 0) return { kind: "literal", value: text, at };
    if (text !== "") parts.push(text);
    return { kind: "template", parts, at };
  }
  /** One character of a text, with backslash escapes. */
  #character(at: number): string {
    const scanner = this.#scanner;
    if (scanner.isAtEnd) throw scanner.fault("The text has no closing quote.", at);
    const character = scanner.next;
    scanner.position += 1;
    if (character !== "\\") return character;
    const escaped = scanner.next;
    if (Object.hasOwn(ESCAPES, escaped)) {
      scanner.position += 1;
      return ESCAPES[escaped] ?? "";
    }
    return character;
  }
}

function checkLength(text: string): void {
  if (text.length > EXPRESSION_LENGTH_MAX)
    throw new Scanner(text).fault(`Expressions have at most ${EXPRESSION_LENGTH_MAX} characters.`);
}

export function parseExpression(text: string): Expression {
  checkLength(text);
  return new Parser(text).whole();
}

/**
 * For places that allow an expression or plain text, such as topics. Text that does not look like an
 * expression and does not parse as one is plain text with templates.
 */
export function parseTextOrExpression(text: string): Expression {
  checkLength(text);
  try {
    return new Parser(text).whole();
  } catch (fault) {
    if ("'\"$(".includes(text.charAt(0)) && !text.startsWith("${")) throw fault;
    return new Parser(text).bareTemplate();
  }
}

/** Compiles the expressions of one model, and records places, inputs, variables and timers. */
import type { InputAttributes, KnownInputs } from "./definition.ts";
import { type Compiled, compileExpression } from "./expressions/compile.ts";
import { parseExpression, parseTextOrExpression } from "./expressions/parser.ts";
import { parsePath, pathText } from "./expressions/scanner.ts";
import { type Expression, type Path, partsOf } from "./expressions/syntax.ts";
import { ExpressionFault, ModelFault } from "./faults.ts";
import { keptValueAt, keyValueAt } from "./payload.ts";
import type { KeptValue } from "./values.ts";

export type Reference = { readonly name: string; readonly place: string };

/** Converts a fault of an expression to a fault of the model. */
const faultAt = (place: string, fault: unknown): unknown =>
  fault instanceof ExpressionFault
    ? new ModelFault(`${place} (column ${fault.column})`, fault.message)
    : fault;

function begins(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((part, index) => part === path[index]);
}
/** Whether the path is a declared attribute, a parent of one, or inside one. */
export const isDeclared = (path: Path, attributes: readonly Path[]): boolean =>
  attributes.some((attribute) => begins(path, attribute) || begins(attribute, path));

export function attributePaths(attributes: InputAttributes, place: string): readonly Path[] {
  return attributes.map(({ jsonPath }, index) => {
    try {
      return parsePath(jsonPath);
    } catch (fault) {
      throw faultAt(`${place}[${index}].jsonPath`, fault);
    }
  });
}

export class ModelReader {
  /** Undefined for a stored model: it was checked at creation, and inputs can have changed since. */
  readonly #inputs: KnownInputs | undefined;
  readonly #attributes = new Map<string, readonly Path[]>();
  readonly #paths = new Map<string, Map<string, Path>>();
  /** Variables and timers in expressions. */
  readonly variables: Reference[] = [];
  readonly timers: Reference[] = [];
  /** Number of references to inputs. */
  inputMentions = 0;

  constructor(inputs: KnownInputs | undefined) {
    this.#inputs = inputs;
  }
  get inputNames(): readonly string[] {
    return [...this.#paths.keys()];
  }

  expression(place: string, text: string): Compiled {
    return this.#compile(place, () => parseExpression(text));
  }
  /** An expression or plain text. */
  text(place: string, text: string): Compiled {
    return this.#compile(place, () => parseTextOrExpression(text));
  }

  #compile(place: string, parse: () => Expression): Compiled {
    try {
      const expression = parse();
      for (const part of partsOf(expression)) this.#note(place, part);
      return compileExpression(expression);
    } catch (fault) {
      throw faultAt(place, fault);
    }
  }
  #note(place: string, part: Expression): void {
    if (part.kind === "variable") this.variables.push({ name: part.name, place });
    if (part.kind === "input") this.#noteAttribute(`${place} (column ${part.at})`, part.name, part.path);
    if (part.kind !== "call") return;
    const [argument] = part.arguments;
    if (argument?.kind !== "literal" || typeof argument.value !== "string") return;
    if (part.name === "timeout") this.timers.push({ name: argument.value, place });
    if (part.name === "currentInput") this.#pathsOf(`${place} (column ${argument.at})`, argument.value);
  }
  #noteAttribute(place: string, name: string, path: Path): void {
    const paths = this.#pathsOf(place, name);
    const attributes = this.#attributes.get(name);
    if (attributes !== undefined && !isDeclared(path, attributes))
      throw new ModelFault(place, `The input "${name}" has no attribute "${pathText(path)}".`);
    paths.set(pathText(path), path);
  }
  #pathsOf(place: string, name: string): Map<string, Path> {
    this.inputMentions += 1;
    const known = this.#paths.get(name);
    if (known !== undefined) return known;
    if (this.#inputs !== undefined) {
      const attributes = Object.hasOwn(this.#inputs, name) ? this.#inputs[name] : undefined;
      if (attributes === undefined) throw new ModelFault(place, `There is no input "${name}".`);
      this.#attributes.set(name, attributePaths(attributes, `inputs.${name}.attributes`));
    }
    const paths = new Map<string, Path>();
    this.#paths.set(name, paths);
    return paths;
  }

  /** Functions that extract the attributes that the model uses, by input. */
  extractors(): ReadonlyMap<string, (payload: unknown) => Record<string, KeptValue>> {
    return new Map([...this.#paths].map(([name, paths]) => [name, extractor([...paths])]));
  }
  /** Finds the key of a message. Inputs need not declare it. */
  keyOf(key: string | undefined): (inputName: string, payload: unknown) => string | undefined {
    if (key === undefined) return () => "";
    const find = compileKey(key);
    return (_inputName, payload) => find(payload);
  }
}

/** Finds the key of a message by its path. Throws a ModelFault if the path is invalid. */
export function compileKey(key: string): (payload: unknown) => string | undefined {
  try {
    const path = parsePath(key);
    return (payload) => keyValueAt(payload, path);
  } catch (fault) {
    throw faultAt("key", fault);
  }
}

const extractor = (paths: readonly (readonly [string, Path])[]) => (payload: unknown) => {
  const values: Record<string, KeptValue> = {};
  for (const [text, path] of paths) {
    const value = keptValueAt(payload, path);
    if (value !== undefined) values[text] = value;
  }
  return values;
};

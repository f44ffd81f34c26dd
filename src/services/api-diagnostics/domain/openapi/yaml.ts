/** YAML as interface descriptions are written in. Aliases are refused: a few of them can stand for very much. */
import { createRequire } from "node:module";
import { DocumentError } from "./document.ts";

const require = createRequire(import.meta.url);
/** Loaded with the first document. */
const yaml = (): typeof import("yaml") => require("yaml");

/** Throws a DocumentError with the line. */
export function parseYaml(text: string): unknown {
  const { LineCounter, parseDocument } = yaml();
  const lineCounter = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem)
      throw new DocumentError(`Line ${lineCounter.linePos(problem.pos[0]).line}: ${problem.message}`);
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // Nested too deeply, or with an alias.
    throw new DocumentError(`The document cannot be read as YAML: ${(error as Error).message}`);
  }
}

export const writeYaml = (value: unknown): string =>
  yaml().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });

/** YAML as interface descriptions are written in. Aliases are refused: a few of them can stand for very much. */
import { createRequire } from "node:module";
import type { Document, Range as YamlRange } from "yaml";
import { DocumentError } from "../domain/index.ts";

const require = createRequire(import.meta.url);
/** Loaded with the first document. */
const yaml = (): typeof import("yaml") => require("yaml");

/** The library compares each key with all others of its map, which takes minutes where there are very many. */
function findRepeatedKey(document: Document.Parsed): YamlRange | undefined {
  const { visit, isScalar } = yaml();
  let repeated: YamlRange | undefined;
  visit(document, {
    Map: (_key, map) => {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) repeated ??= key.range ?? undefined;
        seen.add(key.value);
      }
    },
  });
  return repeated;
}

/** Reading takes seconds for a megabyte. JSON of that size takes a hundredth. */
const YAML_LENGTH_MAX = 256 * 1024;

/** Throws a DocumentError with the line. */
export function parseYaml(text: string): unknown {
  if (text.length > YAML_LENGTH_MAX)
    throw new DocumentError(
      `A YAML document has ${YAML_LENGTH_MAX} characters at the most. Send a larger document as JSON.`,
    );
  const { LineCounter, parseDocument } = yaml();
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): string => `Line ${lineCounter.linePos(offset).line}`;
  try {
    const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new DocumentError(`${lineAt(problem.pos[0])}: ${problem.message}`);
    const repeated = findRepeatedKey(document);
    if (repeated) throw new DocumentError(`${lineAt(repeated[0])}: Map keys must be unique`);
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // Nested too deeply, or with an alias.
    throw new DocumentError(`The document cannot be read as YAML: ${(error as Error).message}`);
  }
}

export const writeYaml = (value: unknown): string =>
  yaml().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });

/**
 * YAML of API descriptions. Aliases are rejected, because a few of them can expand to a very large document.
 */
import { createRequire } from "node:module";
import type { Document, Range as YamlRange } from "yaml";
import { DocumentError } from "../domain/index.ts";

const require = createRequire(import.meta.url);
/** Loaded on first use. */
const yaml = (): typeof import("yaml") => require("yaml");

/**
 * Detects duplicate keys. The library compares each key with all others, which takes minutes for very large
 * maps.
 */
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

/** A megabyte of YAML takes seconds to parse. JSON takes a hundredth of that. */
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
    // The document is nested too deeply or has an alias.
    throw new DocumentError(`The document cannot be read as YAML: ${(error as Error).message}`);
  }
}

export const writeYaml = (value: unknown): string =>
  yaml().stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 });

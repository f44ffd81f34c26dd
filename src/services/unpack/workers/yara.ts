/** The YARA engine in its thread. It is compiled once and has a memory limit. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Compiler, initSync, type Rules } from "@virustotal/yara-x";
import { shownBytes } from "../domain/rules.ts";
import { withMemoryLimit } from "./bounded-wasm.ts";
import type { AppliedRules, RuleMatch, RulesApplied } from "./tasks.ts";

const MEMORY_BYTES_MAX = 256 * 1024 * 1024;
/** Limits of reported matches, for one string and in total. Conditions still count all matches. */
const MATCHES_PER_STRING_TOLD_MAX = 100;
const MATCHES_TOLD_MAX = 5000;

let isReady = false;
function prepare(): void {
  if (isReady) return;
  const folder = dirname(createRequire(import.meta.url).resolve("@virustotal/yara-x"));
  const module = readFileSync(join(folder, "yara_x_js_bg.wasm"));
  initSync({ module: Buffer.from(withMemoryLimit(module, MEMORY_BYTES_MAX)) });
  isReady = true;
}

/** The used part of the engine's result. The package has no types. */
type Scanned = {
  readonly matches: readonly {
    readonly identifier: string;
    readonly namespace: string;
    readonly isPrivate: boolean;
    readonly tags: readonly string[];
    readonly metadata: readonly { readonly identifier: string; readonly value: unknown }[];
    readonly patterns: readonly {
      readonly identifier: string;
      readonly isPrivate: boolean;
      readonly matches: readonly { readonly offset: number; readonly length: number }[];
    }[];
  }[];
};

/** Compiles each source separately, so that an invalid one does not affect the others. */
function problemsOf(source: string): Pick<AppliedRules, "errors" | "warnings"> {
  const compiler = new Compiler();
  try {
    compiler.addSource(source);
    return { errors: [], warnings: compiler.warnings };
  } catch (error) {
    const { errors } = compiler;
    return { errors: errors.length > 0 ? errors : [String(error)], warnings: [] };
  } finally {
    compiler.free();
  }
}
function compiled(sources: ReadonlyMap<string, string>): Rules {
  const compiler = new Compiler();
  for (const [namespace, source] of sources) {
    compiler.newNamespace(namespace);
    compiler.addSource(source);
  }
  return compiler.build();
}
const metaValueOf = (value: unknown): string | number | boolean =>
  typeof value === "number" || typeof value === "boolean" ? value : String(value);

function scan(rules: Rules, content: Uint8Array): Scanned {
  const scanner = rules.scanner();
  try {
    return scanner.scan(content) as Scanned;
  } finally {
    scanner.free();
    rules.free();
  }
}

export function applyRules(content: Uint8Array, texts: readonly string[]): RulesApplied {
  prepare();
  const problems = texts.map(problemsOf);
  const sources = new Map(
    texts.flatMap((text, index) => (problems[index]?.errors.length === 0 ? [[`rules_${index}`, text]] : [])),
  );
  const { matches } = sources.size > 0 ? scan(compiled(sources), content) : { matches: [] };
  let told = 0;
  const strings = (match: Scanned["matches"][number]): RuleMatch["strings"] =>
    match.patterns
      .filter(({ isPrivate }) => !isPrivate)
      .flatMap(({ identifier, matches: places }) => {
        const shown = places.slice(0, Math.min(MATCHES_PER_STRING_TOLD_MAX, MATCHES_TOLD_MAX - told));
        told += shown.length;
        return shown.map(({ offset, length }) => ({
          identifier,
          offset,
          length,
          data: shownBytes(content, offset, length),
        }));
      })
      .sort((a, b) => a.offset - b.offset);
  return {
    rules: problems.map((problem, index) => ({
      ...problem,
      matches: matches
        .filter(({ namespace, isPrivate }) => namespace === `rules_${index}` && !isPrivate)
        .map((match) => ({
          rule: match.identifier,
          tags: match.tags,
          meta: match.metadata.map(({ identifier, value }) => ({
            name: identifier,
            value: metaValueOf(value),
          })),
          strings: strings(match),
        })),
    })),
  };
}

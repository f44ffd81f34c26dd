/** Built files of the console app, plain and compressed, and the entry files of its pages. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { workerFile } from "#kernel/workers";

type Chunk = {
  readonly file: string;
};
export type BuiltFile = { readonly type: string; readonly plain: Uint8Array; readonly packed: Uint8Array };
export type Built = { readonly script: string; readonly style: string };

const FOLDER = workerFile(import.meta.url, "console");
const SCRIPT = "main.tsx";
const STYLE = "style.css";
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
const manifestFile = join(FOLDER, "manifest.json");

const readManifest = (): Readonly<Record<string, Chunk>> =>
  existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, "utf8")) : {};

const addressOf = (file: string): string => `/console/${file}`;

/** Addresses of the entry files. Without a build, these addresses do not exist. */
export function builtApp(): Built {
  const manifest = readManifest();
  return {
    script: addressOf(manifest[SCRIPT]?.file ?? "assets/not-built.js"),
    style: addressOf(manifest[STYLE]?.file ?? "assets/not-built.css"),
  };
}

/**
 * Files are read on first request. Only names in the manifest are served, and a newer build may have removed
 * a file.
 */
export class BuiltFiles {
  readonly #known = new Map<string, BuiltFile>();
  #names: ReadonlySet<string> | undefined;

  find(name: string): BuiltFile | undefined {
    const wanted = `assets/${name}`;
    this.#names ??= new Set(Object.values(readManifest()).map(({ file }) => file));
    const type = TYPES[name.split(".").at(-1) ?? ""];
    if (!this.#names.has(wanted) || type === undefined) return undefined;
    const known = this.#known.get(wanted);
    if (known) return known;
    const path = join(FOLDER, wanted);
    if (!existsSync(path)) return undefined;
    const plain = readFileSync(path);
    const made = { type, plain, packed: gzipSync(plain, { level: 9 }) };
    this.#known.set(wanted, made);
    return made;
  }
}

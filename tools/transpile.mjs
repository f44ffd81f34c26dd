/**
 * Every module of src/ as JavaScript in dist/, without looking at its types. WebAssembly's text format becomes binary, and
 * other languages are copied. Files that are gone from src/ go from dist/.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import startWabt from "wabt";

/** The bundle has its own `main.js`. */
const BUNDLED = new Set(["main.js"]);
const COPIED = /\.(?:py|cjs)$/;
const FOLDERS = ["admin", "app", "cli", "examples", "kernel", "ports", "services"];

/** `import "./x.ts"` in a source becomes `import "./x.js"`. */
const RELATIVE_IMPORT = /((?:from|import)\s*\(?\s*)"(\.{1,2}\/[^"\n]+)\.ts"/g;

export async function transpile() {
  const names = readdirSync("src", { recursive: true });
  const sources = names.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const { outputFiles } = await build({
    entryPoints: sources.map((name) => join("src", name)),
    outbase: "src",
    outdir: "dist",
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  const made = new Set();
  for (const { path, text } of outputFiles) {
    const name = nameOf(path);
    if (BUNDLED.has(name)) continue;
    made.add(name);
    writeIfChanged(join("dist", name), text.replace(RELATIVE_IMPORT, '$1"$2.js"'));
  }
  for (const name of names.filter((one) => COPIED.test(one))) {
    made.add(name);
    writeIfChanged(join("dist", name), readFileSync(join("src", name), "utf8"));
  }
  for (const name of names.filter((one) => one.endsWith(".wat"))) {
    const binary = name.replace(/wat$/, "wasm");
    made.add(binary);
    const module = (await startWabt()).parseWat(name, readFileSync(join("src", name)), { simd: true });
    writeIfChanged(join("dist", binary), Buffer.from(module.toBinary({}).buffer));
    module.destroy();
  }
  for (const folder of FOLDERS) removeAllBut(made, folder);
}
const nameOf = (path) => path.slice(join(process.cwd(), "dist").length + 1);

/** The folder of dist/ has these files and no others afterwards. */
export function replaceFolder(folder, outputFiles) {
  for (const { path, text } of outputFiles) writeIfChanged(path, text);
  removeAllBut(new Set(outputFiles.map(({ path }) => nameOf(path))), folder);
}

function writeIfChanged(path, content) {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

function removeAllBut(made, folder) {
  if (!existsSync(join("dist", folder))) return;
  for (const entry of readdirSync(join("dist", folder), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && !made.has(path.slice("dist/".length))) rmSync(path);
  }
}

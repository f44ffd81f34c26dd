/**
 * Workers that need a tenth of a large package are bundled with that part, and the files that they read are copied, so that
 * installations of the product do without those packages.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const WORKERS = [
  "services/face/recognizer/worker",
  "services/language/learning/training-worker",
  "services/language/recognition/finding-worker",
];
/** Folders, which of their files are needed, and where they go in dist/. */
const FILES = [
  {
    from: "node_modules/@vladmandic/face-api/model",
    isNeeded: (name) => !name.includes("tiny"),
    to: "vendor/face-models",
  },
  {
    from: "node_modules/@vladmandic/face-api",
    isNeeded: (name) => name === "LICENSE",
    to: "vendor/face-models",
  },
  {
    from: "node_modules/@tensorflow/tfjs-backend-wasm/dist",
    isNeeded: (name) => name.endsWith(".wasm"),
    to: "vendor/tfjs-wasm",
  },
  { from: "src/services/braille/tables", isNeeded: () => true, to: "vendor/braille-tables" },
];
const BANNER = [
  'import { createRequire as createRequireHere } from "node:module";',
  "const require = createRequireHere(import.meta.url);",
  "const __filename = require('node:url').fileURLToPath(import.meta.url);",
  "const __dirname = require('node:path').dirname(__filename);",
];

/** Needs what `transpile` makes: the bundled workers take the places of the plain ones. */
export async function vendor() {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  await build({
    entryPoints: WORKERS.map((name) => ({ in: `src/${name}.ts`, out: name })),
    outdir: "dist",
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    conditions: ["source"],
    external: [...Object.keys(dependencies), ...Object.keys(optionalDependencies)],
    banner: { js: BANNER.join(" ") },
    minifyWhitespace: true,
    lineLimit: 160,
    logLevel: "warning",
  });
  for (const { from, isNeeded, to } of FILES) {
    mkdirSync(join("dist", to), { recursive: true });
    for (const name of readdirSync(from).filter(isNeeded)) cpSync(join(from, name), join("dist", to, name));
  }
}

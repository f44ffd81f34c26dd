/**
 * Puts the product into one file, which is loaded with a code cache: loading a thousand small modules one by one takes a
 * second. Each service in it is loaded on first use. Packages with binaries or data of their own stay where they are.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

/** Pure code. Everything else is loaded from its package, mostly on first use. */
const bundled = new Set([
  "@sinclair/typebox",
  "kysely",
  "pg",
  "find-my-way",
  "croner",
  "ipaddr.js",
  "@fastify/busboy",
  // These two cannot be loaded with `require`.
  "any-ascii",
  "@marcbachmann/cel-js",
]);
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const BUNDLE = "dist/medley.cjs";
const CACHE = /^medley\..*\.cache$/;

/** Services are loaded at once when they are asked for, and until then their outlines tell what a start needs. */
const lazyServices = (outlines) => ({
  name: "lazy-services",
  setup({ onLoad }) {
    onLoad({ filter: /src[\\/]app[\\/]services\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/import\("(\.\.\/services\/[^"]+)"\)/g, 'require("$1")'),
      loader: "ts",
    }));
    onLoad({ filter: /src[\\/]app[\\/]outlines\.ts$/ }, () => ({
      contents: `export const outlines = ${JSON.stringify(outlines)};`,
      loader: "js",
    }));
  },
});

/** Of the services as they were built just now. A process of its own: what it has loaded may change before the next build. */
function outlinesNow() {
  const { stdout, stderr, status } = spawnSync(process.execPath, ["tools/outlines.mjs"], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** Text of one byte a character is read faster and takes half the memory. */
const inAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Needs what `transpile` makes. */
export async function bundle() {
  const { outputFiles } = await build({
    entryPoints: ["src/main.ts"],
    outfile: BUNDLE,
    write: false,
    bundle: true,
    plugins: [lazyServices(outlinesNow())],
    platform: "node",
    format: "cjs",
    target: "node20",
    conditions: ["source"],
    external: [...Object.keys(dependencies).filter((name) => !bundled.has(name)), "pg-native", "piscina"],
    // The code cache and jest need `require` for what is loaded later.
    supported: { "dynamic-import": false },
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: "none",
    logLevel: "warning",
  });
  cpSync("tools/entries", "dist", { recursive: true });
  const text = inAscii(outputFiles[0].text);
  if (existsSync(BUNDLE) && readFileSync(BUNDLE, "utf8") === text && hasCache()) return;
  writeFileSync(BUNDLE, text);
  for (const name of readdirSync("dist").filter((one) => CACHE.test(one))) rmSync(`dist/${name}`);
  // Each in a process of its own: the first two load every service, which the code cache leaves out.
  for (const tool of ["tools/write-schema.mjs", "tools/write-documents.mjs", "tools/write-code-cache.mjs"]) {
    const { status } = spawnSync(process.execPath, [tool], { stdio: "inherit" });
    if (status !== 0) throw new Error(`${tool} failed`);
  }
}
const hasCache = () => readdirSync("dist").some((name) => CACHE.test(name));

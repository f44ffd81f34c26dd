/**
 * Puts the command line and the library into a few files: loading a thousand small modules one by one takes a second,
 * a bundle takes a tenth of that. Packages with binaries or data of their own stay where they are.
 */
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

/** Pure code, needed at every start. Everything else is loaded from its package, mostly on first use. */
const bundled = new Set([
  "@sinclair/typebox",
  "kysely",
  "pg",
  "find-my-way",
  "croner",
  "ipaddr.js",
  "@fastify/busboy",
]);
const { dependencies } = JSON.parse(readFileSync("package.json", "utf8"));

rmSync("dist/chunks", { recursive: true, force: true });
await build({
  // The benchmark's own service must run on the very modules that the product runs on.
  entryPoints: [
    "src/main.ts",
    "src/index.ts",
    "src/kernel/testing/index.ts",
    "src/kernel/protocols/index.ts",
  ],
  outbase: "src",
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["source"],
  external: [...Object.keys(dependencies).filter((name) => !bundled.has(name)), "pg-native", "piscina"],
  banner: {
    js: 'import { createRequire as medleyRequire } from "node:module"; const require = medleyRequire(import.meta.url);',
  },
  logLevel: "warning",
});

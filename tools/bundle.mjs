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

/**
 * In the bundle services come in one piece: forty files instead of a dozen take a quarter more processor time to load, and
 * most instances mount them all. Outside of it each is loaded when it is mounted.
 */
const servicesInOnePiece = {
  name: "services-in-one-piece",
  setup({ onLoad }) {
    onLoad({ filter: /src[\\/]app[\\/]services\.ts$/ }, ({ path }) => {
      const imports = [];
      const contents = readFileSync(path, "utf8").replace(/import\(("[^"]+")\)/g, (_whole, file) => {
        imports.push(`import * as service${imports.length} from ${file};\n`);
        return `Promise.resolve(service${imports.length - 1})`;
      });
      return { contents: imports.join("") + contents, loader: "ts" };
    });
  },
};

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
  plugins: [servicesInOnePiece],
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

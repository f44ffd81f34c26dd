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
 * most instances mount them all. It is loaded with the first service; commands that only ask a server need none.
 */
const servicesInOnePiece = {
  name: "services-in-one-piece",
  setup({ onLoad, onResolve }) {
    const files = [];
    onLoad({ filter: /src[\\/]app[\\/]services\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replace(/import\("([^"]+)"\)/g, (_whole, file) => {
        files.push(file);
        return `import("all-services").then((all) => all.service${files.length - 1})`;
      });
      return { contents, loader: "ts" };
    });
    onResolve({ filter: /^all-services$/ }, ({ resolveDir }) => ({
      path: "services",
      namespace: "all",
      pluginData: resolveDir,
    }));
    onLoad({ filter: /^services$/, namespace: "all" }, ({ pluginData }) => ({
      contents: files.map((file, at) => `export * as service${at} from "${file}";\n`).join(""),
      resolveDir: pluginData,
      loader: "ts",
    }));
  },
};

/** The benchmark's own service must run on the very modules that the product runs on. */
const ENTRIES = [
  { in: "src/main.ts", out: "main" },
  { in: "src/index.ts", out: "index" },
  { in: "src/kernel/testing/index.ts", out: "bundled/testing" },
  { in: "src/kernel/protocols/index.ts", out: "bundled/protocols" },
];

export async function bundle() {
  rmSync("dist/chunks", { recursive: true, force: true });
  await build({
    entryPoints: ENTRIES,
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
}

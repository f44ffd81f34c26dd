/**
 * Tests, worker threads and child processes run the modules that `npm run build` made in dist/. Node loads those directly;
 * only the tests themselves are transformed. `npm test` builds first.
 */
import { dirname, join, sep } from "node:path";
import { defineConfig, type Plugin } from "vitest/config";

const SOURCES = join(import.meta.dirname, "src") + sep;
const BUILT = join(import.meta.dirname, "dist") + sep;

/** `./x.ts` below src/ is dist/x.js, unless it is a test. */
const builtModules: Plugin = {
  name: "built-modules",
  enforce: "pre",
  resolveId(id, importer) {
    if (!id.endsWith(".ts") || id.endsWith(".test.ts") || importer === undefined) return undefined;
    const path = id.startsWith(".") ? join(dirname(importer), id) : id;
    if (!path.startsWith(SOURCES)) return undefined;
    return { id: `${BUILT}${path.slice(SOURCES.length, -".ts".length)}.js`, external: true };
  },
};

export default defineConfig({
  plugins: [builtModules],
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", ".mutants/**"],
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/fixed-seed.ts"],
    server: { deps: { external: [/\/dist\//] } },
    // Limits are for what hangs: a machine that is slow and busy besides is no failure.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 90_000 } },
    // More than twice the two cores it is meant for: many tests wait for other processes.
    maxWorkers: 5,
    isolate: false,
    pool: "forks",
  },
});

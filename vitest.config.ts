/** Tests run the sources directly; workers and child processes run the built files in dist/. */
import { defineConfig } from "vitest/config";

const conditions = ["source", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    exclude: ["**/node_modules/**", ".mutants/**"],
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/fixed-seed.ts"],
    // Limits are for what hangs: a machine that is slow and busy besides is no failure.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 90_000 } },
    // Twice the two cores it is meant for: many tests wait for other processes or for a moment to pass.
    maxWorkers: 4,
    isolate: false,
    pool: "forks",
  },
});

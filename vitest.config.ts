/** Tests run the sources directly; workers and child processes run the built files in dist/. */
import { defineConfig } from "vitest/config";

const conditions = ["source", "node"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: ["tests/support/global-setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    isolate: false,
    pool: "forks",
  },
});

/** Tests run the sources directly; workers and child processes run the built files in dist/. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  ssr: { resolve: { conditions: ["source", "node", "import", "default"], externalConditions: ["node", "import"] } },
  resolve: { conditions: ["source", "node", "import", "default"] },
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

/** Once per test run: the modules under test are built, and one PostgreSQL is started for all tests. */
import type { TestProject } from "vitest/node";
import { bundle } from "../../tools/bundle.mjs";
import { transpile } from "../../tools/transpile.mjs";
import { vendor } from "../../tools/vendor.mjs";
import { startPostgres } from "./own-postgres.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one that is declared there.
  interface ProvidedContext {
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await transpile();
  await vendor();
  await bundle();
  // What one test's change has read is remembered until every other test's has ended.
  const { url, stop } = await startPostgres(["max_connections=200", "max_pred_locks_per_transaction=1024"]);
  project.provide("postgresUrl", url);
  return stop;
}

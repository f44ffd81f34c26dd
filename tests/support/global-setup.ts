/** Once per test run: the modules under test are built, and one PostgreSQL is started for all tests. */
import type { TestProject } from "vitest/node";
import { bundle } from "../../tools/bundle.mjs";
import { buildServicePages } from "../../tools/service-pages.mjs";
import { transpile } from "../../tools/transpile.mjs";
import { vendor } from "../../tools/vendor.mjs";
import { startPostgres } from "./own-postgres.ts";

declare module "vitest" {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface adds to the one that is declared there.
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** Every test leaves a database behind that nobody uses again: vacuuming them all and logging for replicas is not needed. */
const SETTINGS = [
  "max_connections=200",
  // PostgreSQL keeps what a transaction has read until all transactions that overlap it have ended.
  "max_pred_locks_per_transaction=1024",
  "autovacuum=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.MEDLEY_TEST_BUILT === undefined) {
    await transpile();
    await vendor();
    await buildServicePages();
    await bundle();
  }
  const { url, stop } = await startPostgres(SETTINGS);
  project.provide("postgresUrl", url);
  return stop;
}

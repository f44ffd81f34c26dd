/**
 * The job scheduler: jobs in collections that send HTTP requests or queue messages, once or by a
 * recurrence.
 */
import { provide } from "#kernel/operation";
import { defineResourceProvider } from "#kernel/resource-provider";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersDialect } from "./dialect.ts";
import { attemptJob, occurrenceJob, pruneJob } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { jobCollections } from "./operations/job-collections.ts";
import { jobs } from "./operations/jobs.ts";
import { findRelated } from "./resources.ts";
import { seed } from "./seed.ts";
import { tables } from "./tables.ts";

export default defineResourceProvider({
  name: "scheduler",
  title: "Job scheduler",
  summary:
    "Runs jobs on time: HTTP calls and queue messages, once or again and again, with retries and a history.",
  contract: "J",
  namespace: "Vendor.Scheduler",
  apiVersions: ["2016-03-01", "2016-01-01", "2014-08-01-preview"],
  types: [jobCollections, jobs],
  dialects: [makersDialect],
  jobs: [occurrenceJob, attemptJob, pruneJob],
  provides: [provide(backupSources, backupSource)],
  migrations,
  tables,
  console: consoleViews,
  findRelated,
  seed,
});

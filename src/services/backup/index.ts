/**
 * Backup (specification K). Start with storage/ (how bytes are stored), then jobs/ (how they move), then
 * operations/.
 */
import { defineService } from "#kernel/operation";
import { sigv4 } from "#kernel/protocols";
import { consoleViews } from "./console.ts";
import { makersSpelling } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import { planJobs, storageJobs } from "./jobs/index.ts";
import { migrations } from "./migrations/index.ts";
import { operations } from "./operations/index.ts";
import { findRelated, resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { start, stop } from "./state.ts";
import { tables } from "./tables/index.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "backup",
  title: "Backup",
  summary:
    "Backs up resources and folders on schedule into encrypted vaults, and restores them as they were.",
  contract: "K",
  mount: "/backup",
  protocol: sigv4({ signingName: "backup", messageMember: "Message" }),
  sharedWords,
  errorNames,
  dialects: [makersSpelling],
  operations,
  jobs: [...storageJobs, ...planJobs],
  migrations,
  tables,
  objectTables: [{ table: "backup_chunk", key: ["account", "vault_id", "id"] }],
  console: consoleViews,
  resourceKinds,
  findRelated,
  seed,
  sealedColumns: { backup_vault: ["sealed_key", "endpoint_secret"] },
  start,
  stop,
});

/** Resource groups (specification R). Read domain/query.ts and operations/ next. */
import { defineService, provide } from "#kernel/operation";
import { sigv4 } from "#kernel/protocols";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersSpelling } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import {
  applyConfiguration,
  applySettings,
  catalogueChanged,
  compareMembers,
  recordMembers,
} from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { configurationOperations } from "./operations/configuration.ts";
import { groupOperations } from "./operations/groups.ts";
import { memberOperations } from "./operations/members.ts";
import { queryOperations } from "./operations/queries.ts";
import { settingsOperations } from "./operations/settings.ts";
import { tagOperations } from "./operations/tags.ts";
import { findRelated, resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { forget, start } from "./state.ts";
import { tables } from "./tables.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "resource-groups",
  title: "Resource groups",
  summary: "Groups resources by tags, by stack or by hand, and tells when their members change.",
  contract: "R",
  mount: "/resource-groups",
  protocol: sigv4({ signingName: "resource-groups", messageMember: "Message" }),
  sharedWords,
  errorNames,
  dialects: [makersSpelling],
  operations: [
    ...groupOperations,
    ...queryOperations,
    ...configurationOperations,
    ...memberOperations,
    ...tagOperations,
    ...settingsOperations,
  ],
  jobs: [applyConfiguration, applySettings, catalogueChanged, compareMembers, recordMembers],
  migrations,
  tables,
  provides: [provide(backupSources, backupSource)],
  console: consoleViews,
  resourceKinds,
  findRelated,
  seed,
  start,
  forget,
});

/** Contribution collection (specification S2). Read domain/access.ts and operations/create-contribution.ts next. */
import { BLOB_CHUNKS } from "#kernel/blobs";
import { defineService, provide } from "#kernel/operation";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup/source.ts";
import { consoleViews } from "./console.ts";
import { exportJobs } from "./export/job.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations/index.ts";
import { accessOperations } from "./operations/access.ts";
import { assignmentOperations } from "./operations/assignments.ts";
import { contributionOperations } from "./operations/contributions.ts";
import { editOperations } from "./operations/edits.ts";
import { exportOperations } from "./operations/exports.ts";
import { formOperations } from "./operations/forms.ts";
import { mediaOperations } from "./operations/media.ts";
import { MODERATION_PATH, moderationOperations } from "./operations/moderation-page.ts";
import { opinionOperations } from "./operations/opinions.ts";
import { pageOperations } from "./operations/pages.ts";
import { referenceOperations } from "./operations/reference.ts";
import { refinementOperations } from "./operations/refinements.ts";
import { subscriptionOperations } from "./operations/subscriptions.ts";
import { tagOperations } from "./operations/tags.ts";
import { userOperations } from "./operations/users.ts";
import { protocol } from "./protocol.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { start, stop } from "./state.ts";
import { tables } from "./tables/index.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "contributions",
  title: "Contributions",
  summary: "Collects pictures and words that people send to assignments: found, moderated and exported.",
  contract: "S2",
  mount: "/contributions/1",
  protocol,
  sharedWords,
  operations: [
    ...accessOperations,
    ...assignmentOperations,
    ...contributionOperations,
    ...editOperations,
    ...opinionOperations,
    ...moderationOperations,
    ...refinementOperations,
    ...tagOperations,
    ...formOperations,
    ...userOperations,
    ...mediaOperations,
    ...exportOperations,
    ...subscriptionOperations,
    ...pageOperations,
    ...referenceOperations,
  ],
  jobs: [...jobs, ...exportJobs],
  migrations,
  tables,
  objectTables: [BLOB_CHUNKS],
  sealedColumns: { contributions_subscription: ["token"] },
  provides: [provide(backupSources, backupSource)],
  console: consoleViews,
  resourceKinds,
  pages: [
    {
      path: MODERATION_PATH,
      isTool: true,
      title: "Moderation",
      summary: "Decide on contributions one after the other, by keys: approve, reject, flag, next.",
    },
  ],
  seed,
  start,
  stop,
});

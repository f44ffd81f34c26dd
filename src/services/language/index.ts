/**
 * Language understanding (specification L): authoring, and predictions of published versions. Read
 * operations/index.ts next.
 */
import { defineService, operationGroup, provide } from "#kernel/operation";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersSpelling } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { operations } from "./operations/index.ts";
import { WORKBENCH_PATH } from "./operations/workbench.ts";
import { languageModels, provideModels } from "./port.ts";
import { protocol } from "./protocol.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "language",
  title: "Language understanding",
  summary:
    "Teaches applications to understand what people say: intents, entities, labelled utterances, training.",
  contract: "L",
  mount: "/language/luis/authoring/v3.0-preview",
  rootPaths: ["/apps", "/azureaccounts", "/package"],
  protocol,
  sharedWords,
  errorNames,
  dialects: [makersSpelling],
  // Browser apps call it from their own origin, with a credential in a header.
  operations: operationGroup({ crossOrigin: true }, operations),
  jobs,
  migrations,
  tables,
  provides: [provide(languageModels, provideModels), provide(backupSources, backupSource)],
  console: consoleViews,
  resourceKinds,
  pages: [
    {
      path: WORKBENCH_PATH,
      isTool: true,
      title: "Language workbench",
      summary: "Try applications, and see their intents, what they confuse, and what to review.",
    },
  ],
  seed,
  start,
  forget,
  stop,
});

export { predictions } from "./predictions.ts";

/** Cloud functions: an uploaded archive becomes something that runs. Read operations/ next, then running/. */
import { BLOB_CHUNKS } from "#kernel/blobs";
import { defineService, outboxListeners, provide } from "#kernel/operation";
import { backupSources } from "#ports/backup-sources";
import { cloudEvents } from "#ports/cloud-events";
import { functionInvocations } from "#ports/function-invocations";
import { backupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { gateway } from "./gateway.ts";
import { invoke, jobs, publish, publishMessage } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { TRY_PATH } from "./operations/figures.ts";
import { operations } from "./operations/index.ts";
import { protocol } from "./protocol.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "functions",
  title: "Cloud functions",
  summary:
    "Runs uploaded Node.js and Python functions behind addresses of their own, for requests and for events.",
  contract: "G",
  mount: "/functions",
  rootPaths: ["/v2/projects", "/v1/projects"],
  protocol,
  sharedWords,
  operations,
  gateway,
  provides: [
    provide(backupSources, backupSource),
    provide(cloudEvents, (own) => ({ publish: (context, event) => publish(own(context), event) })),
    provide(functionInvocations, (own) => ({
      invoke: (context, invocation) => invoke(own(context), invocation),
    })),
    provide(outboxListeners, (own) => ({
      hear: (context, message) => publishMessage(own(context), message),
    })),
  ],
  jobs,
  migrations,
  tables,
  objectTables: [BLOB_CHUNKS],
  sealedColumns: { functions_secret: ["value"] },
  console: consoleViews,
  resourceKinds,
  pages: [
    {
      path: TRY_PATH,
      isTool: true,
      title: "Try a function",
      summary: "Call a function and see its answer, its processes, what they took, and what it wrote.",
    },
  ],
  seed,
  start,
  startsEarly: { table: "functions_function" },
  forget,
  stop,
});

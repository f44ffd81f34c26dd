/** Contributions. Read operations/ next. */
import { defineService } from "#kernel/operation";
import { apiKeyIn, plain } from "#kernel/protocols";
import { consoleViews } from "./console.ts";
import { makersDialect } from "./dialect.ts";
import { jobs } from "./jobs.ts";
import { migrations } from "./migrations.ts";
import { noteOperations } from "./operations/notes.ts";
import { seed } from "./seed.ts";
import { start } from "./state.ts";
import { tables } from "./tables.ts";

export default defineService({
  name: "contributions",
  title: "Contributions",
  summary: "Keeps notes, and reminds of them when their time has come.",
  contract: "S2",
  mount: "/contributions/1",
  protocol: plain({ scheme: apiKeyIn("X-Vendor-Api-Key") }),
  dialects: [makersDialect],
  operations: noteOperations,
  jobs,
  migrations,
  tables,
  console: consoleViews,
  seed,
  start,
});

/** Unpack analysis (specification S3). Read operations/analysis.ts next, then unpacking/unpack.ts. */
import { defineService } from "#kernel/operation";
import { consoleViews } from "./console.ts";
import { makersShape } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import { jobs } from "./jobs.ts";
import { migrations } from "./migrations.ts";
import { cleanOperations } from "./operations/clean.ts";
import { ruleOperations } from "./operations/rules.ts";
import { unpackOperations } from "./operations/unpack.ts";
import { VIEWER_PATH, viewerOperations } from "./operations/viewer.ts";
import { protocol } from "./protocol.ts";
import { seed } from "./seed/index.ts";
import { start, stop } from "./state.ts";
import { tables } from "./tables.ts";

export default defineService({
  name: "unpack",
  title: "Unpack analysis",
  summary:
    "Unpacks executables by emulating them, tells what they do meanwhile, and makes and applies YARA rules.",
  contract: "S3",
  mount: "/unpack/v1",
  protocol,
  errorNames,
  dialects: [makersShape],
  operations: [...unpackOperations, ...ruleOperations, ...cleanOperations, ...viewerOperations],
  jobs,
  migrations,
  tables,
  console: consoleViews,
  pages: [
    {
      path: VIEWER_PATH,
      isTool: true,
      title: "Executables",
      summary:
        "Drop an executable and see what it unpacks to, what it calls, what it says and which rules match.",
    },
  ],
  seed,
  start,
  stop,
});

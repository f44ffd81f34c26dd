/** Face recognition (specification F). Read operations/detect.ts next, then recognizer/worker.ts. */
import { defineService, operationGroup, provide } from "#kernel/operation";
import { apiKeyIn, plain } from "#kernel/protocols";
import { backupSources } from "#ports/backup-sources";
import { backupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersSpelling } from "./dialect.ts";
import { LATER_VERSIONS } from "./domain/versions.ts";
import { errorNames } from "./errors.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { operations } from "./operations/index.ts";
import { VIEWER_PATH } from "./operations/viewer.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { forget, start, stop } from "./state.ts";
import { tables } from "./tables.ts";

export default defineService({
  name: "face",
  title: "Face recognition",
  summary: "Finds faces in pictures, and tells who is who.",
  contract: "F",
  mount: "/face/v1.0",
  alsoAt: LATER_VERSIONS.map((version) => `/face/${version}`),
  protocol: plain({ scheme: apiKeyIn("Vendor-Subscription-Key") }),
  errorNames,
  dialects: [makersSpelling],
  // Browser apps call this service cross-origin, with a credential in a header.
  operations: operationGroup({ crossOrigin: true }, operations),
  jobs,
  migrations,
  tables,
  sealedColumns: {
    face_detected: ["descriptor"],
    face_persisted: ["descriptor"],
    face_index_block: ["entries"],
  },
  provides: [provide(backupSources, backupSource)],
  console: consoleViews,
  resourceKinds,
  pages: [
    {
      path: VIEWER_PATH,
      isTool: true,
      title: "Faces in pictures",
      summary: "Drop pictures and see faces, landmarks, matches and the nearest persons.",
    },
  ],
  seed,
  start,
  forget,
  stop,
});

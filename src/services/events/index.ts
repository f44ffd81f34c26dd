/** Event detection (specification T). Read domain/index.ts, jobs/evaluate.ts and operations/ next. */
import { defineService, provide } from "#kernel/operation";
import { sigv4 } from "#kernel/protocols";
import { backupSources } from "#ports/backup-sources";
import { backupSourceOf, inputBackupSource } from "./backup-source.ts";
import { consoleViews } from "./console.ts";
import { makersSpelling } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import { jobs } from "./jobs/index.ts";
import { migrations } from "./migrations.ts";
import { alarmModelOperations } from "./operations/alarm-models.ts";
import { alarmOperations } from "./operations/alarms.ts";
import { analysisOperations } from "./operations/analysis.ts";
import { detectorModelOperations } from "./operations/detector-models.ts";
import { detectorOperations } from "./operations/detectors.ts";
import { endpointOperations } from "./operations/endpoints.ts";
import { inputOperations } from "./operations/inputs.ts";
import { loggingOperations } from "./operations/logging.ts";
import { messageOperations } from "./operations/messages.ts";
import { tagOperations } from "./operations/tags.ts";
import { resourceKinds } from "./resources.ts";
import { seed } from "./seed.ts";
import { forget, start } from "./state.ts";
import { tables } from "./tables.ts";
import { sharedWords } from "./words.ts";

export default defineService({
  name: "events",
  title: "Event detection",
  summary: "Watches messages of devices with state machines and alarms, and acts when something happens.",
  contract: "T",
  mount: "/events",
  protocol: sigv4({ signingName: "iotevents", otherSigningNames: ["ioteventsdata"] }),
  sharedWords,
  errorNames,
  dialects: [makersSpelling],
  operations: [
    ...inputOperations,
    ...detectorModelOperations,
    ...alarmModelOperations,
    ...messageOperations,
    ...detectorOperations,
    ...alarmOperations,
    ...analysisOperations,
    ...loggingOperations,
    ...tagOperations,
    ...endpointOperations,
  ],
  jobs,
  migrations,
  tables,
  provides: [
    provide(backupSources, backupSourceOf("detector")),
    provide(backupSources, backupSourceOf("alarm")),
    provide(backupSources, inputBackupSource),
  ],
  sealedColumns: { events_endpoint: ["secret"] },
  console: consoleViews,
  resourceKinds,
  seed,
  start,
  forget,
});

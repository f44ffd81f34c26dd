/** All operations of this service. */
import { operationGroup } from "#kernel/operation";
import { containerOperations } from "./containers.ts";
import { detectOperations } from "./detect.ts";
import { listFaceOperations, personFaceOperations } from "./persisted-faces.ts";
import { personOperations } from "./persons.ts";
import { recognitionOperations } from "./recognition.ts";
import { snapshotOperations } from "./snapshots.ts";
import { trainingOperations } from "./training.ts";
import { viewerOperations } from "./viewer.ts";

export const operations = operationGroup({ strictMediaTypes: true }, [
  ...detectOperations,
  ...recognitionOperations,
  ...(["facelist", "largefacelist"] as const).flatMap((kind) => [
    ...containerOperations(kind),
    ...listFaceOperations(kind),
  ]),
  ...(["persongroup", "largepersongroup"] as const).flatMap((kind) => [
    ...containerOperations(kind),
    ...personOperations(kind),
    ...personFaceOperations(kind),
  ]),
  ...(["largefacelist", "persongroup", "largepersongroup"] as const).flatMap(trainingOperations),
  ...snapshotOperations,
  ...viewerOperations,
]);

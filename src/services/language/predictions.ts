/** The prediction service for trained and published versions, in both published API versions. */
import { defineService, operationGroup } from "#kernel/operation";
import { makersSpelling } from "./dialect.ts";
import { errorNames } from "./errors.ts";
import { batchTestOperations } from "./operations/batch-tests.ts";
import { predictionOperations } from "./operations/predictions.ts";
import { languageModels } from "./port.ts";
import { protocol } from "./protocol.ts";
import { sharedWords } from "./words.ts";

export const predictions = defineService({
  name: "language-predictions",
  title: "Language predictions",
  summary: "Says what an utterance means: its intent and entities, by a published application.",
  needs: [languageModels],
  mount: "/language/luis",
  rootPaths: ["/prediction", "/v2.0"],
  protocol,
  sharedWords,
  errorNames,
  dialects: [makersSpelling],
  operations: operationGroup({ crossOrigin: true }, [...predictionOperations, ...batchTestOperations]),
});

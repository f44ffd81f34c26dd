/** All authoring operations. Each can refuse its input. */
import { type Operation, operationGroup } from "#kernel/operation";
import { membersInAnyCase } from "#kernel/shape";
import { errors } from "../errors.ts";
import { applicationOperations } from "./applications.ts";
import { catalogueOperations } from "./catalogue.ts";
import { entityReadingOperations } from "./entity-reading.ts";
import { exampleOperations } from "./examples.ts";
import { featureRelationOperations } from "./feature-relations.ts";
import { intentOperations } from "./intents.ts";
import { learnedEntityOperations } from "./learned-entities.ts";
import { listOperations } from "./lists.ts";
import { patternOperations } from "./patterns.ts";
import { phraseListOperations } from "./phrase-lists.ts";
import { prebuiltDomainOperations } from "./prebuilt-domains.ts";
import { publishingOperations } from "./publishing.ts";
import { roleOperations } from "./roles.ts";
import { suggestionOperations } from "./suggestions.ts";
import { testSetOperations } from "./test-sets.ts";
import { trainingOperations } from "./training.ts";
import { transferOperations } from "./transfer.ts";
import { versionOperations } from "./versions.ts";
import { workbenchOperations } from "./workbench.ts";
import { writtenEntityOperations } from "./written-entities.ts";

/** The contract writes `Name` and `IsActive` where clients write `name` and `isActive`: both are understood. */
const inEitherCase = (one: Operation): Operation =>
  one.body ? { ...one, body: membersInAnyCase(one.body) } : one;

export const operations = operationGroup({ errors: [errors.badArgument] }, [
  ...applicationOperations,
  ...catalogueOperations,
  ...prebuiltDomainOperations,
  ...transferOperations,
  ...publishingOperations,
  ...versionOperations,
  ...trainingOperations,
  ...intentOperations,
  ...entityReadingOperations,
  ...learnedEntityOperations,
  ...listOperations,
  ...writtenEntityOperations,
  ...roleOperations,
  ...phraseListOperations,
  ...featureRelationOperations,
  ...patternOperations,
  ...exampleOperations,
  ...suggestionOperations,
  ...testSetOperations,
])
  .map(inEitherCase)
  .concat(workbenchOperations);

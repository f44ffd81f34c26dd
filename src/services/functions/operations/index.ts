/** All operations of this service. */
import { figureOperations } from "./figures.ts";
import { functionOperations } from "./functions.ts";
import { listOperationDeclarations } from "./lists.ts";
import { logOperations } from "./logs.ts";
import { policyOperations } from "./policies.ts";
import { serviceOperations } from "./services.ts";
import { sourceOperations } from "./source.ts";
import { upgradeOperations } from "./upgrades.ts";

export const operations = [
  ...functionOperations,
  ...listOperationDeclarations,
  ...sourceOperations,
  ...policyOperations,
  ...upgradeOperations,
  ...logOperations,
  ...figureOperations,
  ...serviceOperations,
];

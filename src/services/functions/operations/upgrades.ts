/** The steps by which a function of the first generation becomes one of the second. */
import { Type } from "@sinclair/typebox";
import { FUNCTION_FORM, stepUpgrade, type UpgradeStep } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { beginOperation, upgrade } from "../jobs/index.ts";
import { saveFunction } from "../store/index.ts";
import * as wire from "../wire.ts";
import { getFunction, named, operation, refuseBusy } from "./operation.ts";
import { operationView, originOf } from "./views.ts";

const FUNCTION = "projects/demo/locations/us-central1/functions/hello";

const stepOperation = (verb: string, step: UpgradeStep, summary: string, description: string) =>
  operation({
    id: `functions.${verb}`,
    summary,
    description,
    method: "POST",
    path: `/v2/{name}:${verb}`,
    segments: { name: [FUNCTION_FORM] },
    permission: "cloudfunctions.functions.update",
    tags: ["additional"],
    params: Type.Object({ name: wire.name("The function.", FUNCTION) }),
    body: Type.Object({}),
    bodyOptional: true,
    answers: { 200: wire.OperationView },
    errors: [
      errors.invalidArgument,
      errors.permissionDenied,
      errors.notFound,
      errors.aborted,
      errors.failedPrecondition,
    ],
    resource: named,
    async handle({ params }, context) {
      const one = await getFunction(context, params.name, "cloudfunctions.functions.update");
      refuseBusy(one);
      stepUpgrade(one.definition.environment, one.upgrade, step);
      const begun = await beginOperation(context, one, {
        verb: "update",
        stages: ["SERVICE"],
        requestResource: null,
      });
      await saveFunction(context.db, context.account, { ...one, busyWith: begun.id });
      const { project, location, functionId } = one;
      await context.enqueue(upgrade, { operation: begun.id, step, project, location, functionId });
      return operationView(begun, originOf(context.request));
    },
  });

export const upgradeOperations = [
  stepOperation(
    "setupFunctionUpgradeConfig",
    "setup",
    "Prepares the upgrade of a first-generation function",
    "The first step of an upgrade. A job records the step; the same processes keep serving requests. Refused for functions of the second generation. Next: `functions.redirectFunctionUpgradeTraffic`.",
  ),
  stepOperation(
    "redirectFunctionUpgradeTraffic",
    "redirect",
    "Marks the traffic of a function as redirected to its upgrade",
    "Needs a prepared upgrade. Both generations run the same code here, so callers notice nothing. Next: `functions.commitFunctionUpgrade` or `functions.rollbackFunctionUpgradeTraffic`.",
  ),
  stepOperation(
    "rollbackFunctionUpgradeTraffic",
    "rollback",
    "Marks the traffic of a function as returned to the first generation",
    "Needs redirected traffic, and returns to the prepared state. The upgrade can be redirected again or aborted.",
  ),
  stepOperation(
    "commitFunctionUpgrade",
    "commit",
    "Completes an upgrade: the function is of the second generation",
    "Needs redirected traffic. This cannot be undone.",
  ),
  stepOperation(
    "abortFunctionUpgrade",
    "abort",
    "Cancels an upgrade that is not committed",
    "Allowed after the preparation or the redirect. The function stays in the first generation and can be upgraded again.",
  ),
];

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

const stepOperation = (verb: string, step: UpgradeStep, summary: string) =>
  operation({
    id: `functions.${verb}`,
    summary,
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
  stepOperation("setupFunctionUpgradeConfig", "setup", "Prepares a function's upgrade"),
  stepOperation("redirectFunctionUpgradeTraffic", "redirect", "Sends requests to the upgraded function"),
  stepOperation("rollbackFunctionUpgradeTraffic", "rollback", "Sends requests to the function as it was"),
  stepOperation("commitFunctionUpgrade", "commit", "Makes an upgrade final"),
  stepOperation("abortFunctionUpgrade", "abort", "Takes an upgrade back"),
];

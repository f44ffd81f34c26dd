/** The inferred metadata of restore tests, and the validation results of restores. */
import { Type } from "@sinclair/typebox";
import { answer, noBody } from "#kernel/operation";
import { vaultArnOf } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { cleanUpLater, scratchMetadata } from "../jobs/index.ts";
import * as store from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { operation } from "./operation.ts";

const getRestoreTestingInferredMetadata = operation({
  id: "backup.GetRestoreTestingInferredMetadata",
  summary: "Returns the metadata that a restore test of a recovery point would use",
  description: "Restores nothing. The name in it is a temporary one. Vaults of other accounts are refused.",
  method: "GET",
  path: "/restore-testing/inferred-metadata",
  permission: "backup:GetRestoreTestingInferredMetadata",
  query: Type.Object({
    BackupVaultAccountId: Type.Optional(wire.AccountId),
    BackupVaultName: wire.VaultName,
    RecoveryPointArn: wire.ResourceArn,
  }),
  answers: {
    200: Type.Object({ InferredMetadata: Type.Record(Type.String(), Type.String()) }),
  },
  errors: [errors.invalidParameterValue, errors.missingParameterValue, errors.notFound],
  resource: ({ query }, account, region) => vaultArnOf(account, region, query.BackupVaultName),
  async handle({ query }, context) {
    const { db, account, request } = context;
    if ((query.BackupVaultAccountId ?? account) !== account)
      throw errors.notFound(`There is no backup vault ${query.BackupVaultName} of that account here.`);
    const vault = await store.getVault(db, account, request.region, query.BackupVaultName);
    const point = await store.getPointInVault(
      db,
      account,
      request.region,
      vault.name,
      query.RecoveryPointArn,
    );
    return { InferredMetadata: { ...scratchMetadata(context, point) } };
  },
});

const DONE: ReadonlySet<string> = new Set(["SUCCESSFUL", "FAILED", "TIMED_OUT"]);
const putRestoreValidationResult = operation({
  id: "backup.PutRestoreValidationResult",
  summary: "Records the validation result of a restore test",
  description:
    "With SUCCESSFUL, FAILED or TIMED_OUT, a job deletes the restored resource now instead of at the end of the window. Refused for other restore jobs, and after a result.",
  method: "PUT",
  path: "/restore-jobs/{restoreJobId}/validations",
  permission: "backup:PutRestoreValidationResult",
  params: Type.Object({
    restoreJobId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The restore job.",
      examples: ["9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"],
    }),
  }),
  body: Type.Object({
    ValidationStatus: Type.Union(
      (["FAILED", "SUCCESSFUL", "TIMED_OUT", "VALIDATING"] as const).map((status) => Type.Literal(status)),
      { description: "What became of the validation." },
    ),
    ValidationStatusMessage: Type.Optional(
      Type.String({ maxLength: 1024, description: "Why.", examples: ["All keys are there."] }),
    ),
  }),
  answers: { 204: noBody },
  errors: [
    errors.invalidParameterValue,
    errors.invalidRequest,
    errors.missingParameterValue,
    errors.notFound,
  ],
  async handle({ params: { restoreJobId }, body }, context) {
    const { db, account, clock, request } = context;
    const job = await store.getRestoreJob(db, account, request.region, restoreJobId);
    if (job.testing_plan_arn === null)
      throw errors.invalidRequest(`The restore job ${restoreJobId} is not one of a restore test.`);
    if (job.validation_status !== "VALIDATING")
      throw errors.invalidRequest(`Nothing is to be validated of the restore job ${restoreJobId}.`);
    await store.updateRestoreJob(db, job, {
      validation_status: body.ValidationStatus,
      validation_message: body.ValidationStatusMessage ?? null,
    });
    if (DONE.has(body.ValidationStatus)) await cleanUpLater(context, job, clock.nowMs());
    return answer(204);
  },
});

export const restoreValidationOperations = [getRestoreTestingInferredMetadata, putRestoreValidationResult];

/** Backup plans and their versions. */
import { Type } from "@sinclair/typebox";
import {
  checkTags,
  findVaultNameIn,
  type PlanDocument,
  planArnOf,
  planDocumentOf,
  type Tags,
  TYPES,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { forgetDeletedPlans, notifyVault, schedulePlan, sourcesOf, unschedulePlan } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/plans.ts";
import type { PlanRow, PlanVersionRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const PLANS_MAX = 300;
const VERSIONS_MAX = 2000;
const PLAN_BODY_BYTES_MAX = 256 * 1024;

export const planParams = Type.Object({ backupPlanId: wire.PlanId });
export const namedPlan = (
  { params: { backupPlanId } }: { params: { backupPlanId: string } },
  account: string,
  region: string,
): string => planArnOf(account, region, backupPlanId);

/** The caller's document, checked against existing resources. */
export async function checkedDocument(
  context: BackupContext,
  region: string,
  given: Parameters<typeof planDocumentOf>[0],
  before?: PlanDocument,
): Promise<PlanDocument> {
  const { account, db, clock, ids } = context;
  const sources = sourcesOf(context);
  const document = planDocumentOf(
    given,
    {
      nowMs: clock.nowMs(),
      optionsOf: (type) => sources.findByResourceType(type)?.options,
      newId: () => ids.uuid(),
    },
    before,
  );
  const vaults = document.rules.flatMap(({ vaultName, copyActions }) => [
    vaultName,
    ...copyActions
      .map(({ destinationVaultArn }) => findVaultNameIn(destinationVaultArn, account, region))
      .filter((name) => name !== undefined),
  ]);
  const [missing] = await store.listMissingVaults(db, account, region, [...new Set(vaults)]);
  if (missing !== undefined)
    throw errors.invalidParameterValue(`There is no backup vault ${missing} in this account and region.`);
  return document;
}

const madeOf = (plan: PlanRow, version: PlanVersionRow, document: PlanDocument) => ({
  BackupPlanId: plan.id,
  BackupPlanArn: planArnOf(plan.account, plan.region, plan.id),
  CreationDate: wire.timeOf(version.created_at),
  VersionId: version.id,
  ...wire.advancedSettingsOf(document.advancedSettings),
});

/** Idempotent: the same request returns the existing plan. A different plan of the same name is refused. */
async function findMade(
  context: BackupContext,
  given: ReturnType<typeof wire.givenPlanOf>,
  creatorRequestId: string | undefined,
) {
  const { db, account, request } = context;
  const there = await store.findLivePlanByName(db, account, request.region, given.name);
  if (!there) return undefined;
  const version = await store.getPlanVersion(db, account, there);
  const document = store.documentOf(version);
  const again = await checkedDocument(context, context.request.region, given, document);
  if (
    creatorRequestId !== undefined &&
    there.creator_request_id === creatorRequestId &&
    JSON.stringify(again) === JSON.stringify(document)
  )
    return madeOf(there, version, document);
  throw errors.alreadyExists(`There is a backup plan ${given.name} already.`, {
    fields: {
      Arn: planArnOf(account, request.region, there.id),
      ...(there.creator_request_id !== null && { CreatorRequestId: there.creator_request_id }),
    },
  });
}

/** Notifies the vaults of a plan, if they subscribed. */
async function tellVaults(
  context: BackupContext,
  { region, id }: Pick<PlanRow, "region" | "id">,
  document: PlanDocument,
  event: "BACKUP_PLAN_CREATED" | "BACKUP_PLAN_MODIFIED",
): Promise<void> {
  for (const vaultName of new Set(document.rules.map((rule) => rule.vaultName)))
    await notifyVault(context, {
      region,
      vaultName,
      events: [event],
      message: `The backup plan ${document.name} ${event === "BACKUP_PLAN_CREATED" ? "was made" : "has a new version"}.`,
      about: { BackupPlanId: id },
    });
}

export type NewPlan = {
  readonly given: ReturnType<typeof wire.givenPlanOf>;
  readonly tags?: Tags | undefined;
  readonly creatorRequestId?: string | undefined;
};
export async function createPlan(context: BackupContext, region: string, plan: NewPlan) {
  const { db, account, clock, ids } = context;
  checkTags(plan.tags ?? {});
  const document = await checkedDocument(context, region, plan.given);
  if ((await store.countLivePlans(db, account, region)) >= PLANS_MAX)
    throw errors.limitExceeded(`An account can have ${PLANS_MAX} backup plans in a region.`);
  const nowMs = clock.nowMs();
  const row: PlanRow = {
    account,
    region,
    id: ids.uuid(),
    name: document.name,
    version: ids.uuid(),
    creator_request_id: plan.creatorRequestId ?? null,
    created_at: nowMs,
    updated_at: nowMs,
    deleted_at: null,
    last_run_at: null,
  };
  const version = {
    account,
    region,
    plan_id: row.id,
    sequence: 1,
    id: row.version,
    document: JSON.stringify(document),
    created_at: nowMs,
  };
  await store.insertPlan(db, account, row, version);
  await context.catalog.put({
    arn: planArnOf(account, region, row.id),
    type: TYPES["backup-plan"],
    name: document.name,
    region,
    tags: plan.tags ?? {},
  });
  await schedulePlan(context, row, document);
  await tellVaults(context, row, document, "BACKUP_PLAN_CREATED");
  return madeOf(row, version, document);
}

const createBackupPlan = operation({
  id: "backup.CreateBackupPlan",
  summary: "Creates a backup plan",
  description: `Rules run on their schedule from now on, for the resources of its selections; without selections nothing is backed up. All vaults must exist. A repeated request with the same \`CreatorRequestId\` and content returns the same plan. An account may have ${PLANS_MAX} plans in a region, each with at most 10 rules. Next: \`backup.CreateBackupSelection\`.`,
  method: "PUT",
  path: "/backup/plans/",
  permission: "backup:CreateBackupPlan",
  bodyBytesMax: PLAN_BODY_BYTES_MAX,
  body: Type.Object({
    BackupPlan: wire.PlanInput,
    BackupPlanTags: Type.Optional(wire.Tags),
    CreatorRequestId: Type.Optional(wire.CreatorRequestId),
  }),
  answers: { 200: wire.PlanMade },
  errors: [
    errors.alreadyExists,
    errors.limitExceeded,
    errors.invalidParameterValue,
    errors.missingParameterValue,
  ],
  async handle({ body }, context) {
    const given = wire.givenPlanOf(body.BackupPlan);
    const made = await findMade(context, given, body.CreatorRequestId);
    if (made) return made;
    return createPlan(context, context.request.region, {
      given,
      tags: body.BackupPlanTags,
      creatorRequestId: body.CreatorRequestId,
    });
  },
});

const updateBackupPlan = operation({
  id: "backup.UpdateBackupPlan",
  summary: "Creates a new version of a backup plan",
  description: `The new schedule replaces the old one immediately; running jobs continue. Earlier versions stay readable, up to ${VERSIONS_MAX}.`,
  method: "POST",
  path: "/backup/plans/{backupPlanId}",
  permission: "backup:UpdateBackupPlan",
  bodyBytesMax: PLAN_BODY_BYTES_MAX,
  params: planParams,
  body: Type.Object({ BackupPlan: wire.PlanInput }),
  answers: { 200: wire.PlanMade },
  errors: [errors.notFound, errors.invalidParameterValue, errors.missingParameterValue],
  resource: namedPlan,
  async handle({ params, body }, context) {
    const { db, account, clock, ids, request } = context;
    const plan = await store.getLivePlan(db, account, request.region, params.backupPlanId);
    const current = await store.getPlanVersion(db, account, plan);
    const before = store.documentOf(current);
    const given = wire.givenPlanOf(body.BackupPlan);
    const document = await checkedDocument(context, context.request.region, given, before);
    const named = await store.findLivePlanByName(db, account, plan.region, document.name);
    if (named && named.id !== plan.id)
      throw errors.invalidParameterValue(`There is a backup plan ${document.name} already.`);
    if (current.sequence >= VERSIONS_MAX)
      throw errors.invalidParameterValue(`A backup plan can have ${VERSIONS_MAX} versions.`);
    const version: PlanVersionRow = {
      ...current,
      sequence: current.sequence + 1,
      id: ids.uuid(),
      document: JSON.stringify(document),
      created_at: clock.nowMs(),
    };
    await store.addPlanVersion(db, account, plan, version);
    await schedulePlan(context, plan, document, before);
    await tellVaults(context, plan, document, "BACKUP_PLAN_MODIFIED");
    return madeOf(plan, version, document);
  },
});

const getBackupPlan = operation({
  id: "backup.GetBackupPlan",
  summary: "Returns a version of a backup plan",
  description:
    "The current version unless `versionId` names another. Deleted plans stay readable while they have recovery points.",
  method: "GET",
  path: "/backup/plans/{backupPlanId}/",
  permission: "backup:GetBackupPlan",
  params: planParams,
  query: Type.Object({ versionId: Type.Optional(wire.VersionId) }),
  answers: { 200: wire.PlanDescribed },
  errors: [errors.notFound],
  resource: namedPlan,
  async handle({ params, query }, { db, account, request }) {
    const plan = await store.getPlanRow(db, account, request.region, params.backupPlanId);
    const version = await store.getPlanVersion(db, account, plan, query.versionId);
    const document = store.documentOf(version);
    return {
      BackupPlan: wire.planViewOf(document),
      ...memberOf(plan, version, document),
      ...wire.advancedSettingsOf(document.advancedSettings),
    };
  },
});
const memberOf = (
  plan: PlanRow,
  version: Pick<PlanVersionRow, "id" | "created_at">,
  document: PlanDocument,
) => ({
  BackupPlanArn: planArnOf(plan.account, plan.region, plan.id),
  BackupPlanId: plan.id,
  CreationDate: wire.timeOf(version.created_at),
  ...(plan.deleted_at !== null && { DeletionDate: wire.timeOf(plan.deleted_at) }),
  VersionId: version.id,
  ...(plan.creator_request_id !== null && { CreatorRequestId: plan.creator_request_id }),
  ...(plan.last_run_at !== null && { LastExecutionDate: wire.timeOf(plan.last_run_at) }),
  ...wire.advancedSettingsOf(document.advancedSettings),
});
const listMemberOf = (
  plan: PlanRow,
  version: Pick<PlanVersionRow, "id" | "created_at">,
  document: PlanDocument,
) => ({
  ...memberOf(plan, version, document),
  BackupPlanName: document.name,
});

const deleteBackupPlan = operation({
  id: "backup.DeleteBackupPlan",
  summary: "Deletes a backup plan without selections",
  description:
    "Its rules stop. Recovery points stay, and its versions stay readable as long as there are any.",
  method: "DELETE",
  path: "/backup/plans/{backupPlanId}",
  permission: "backup:DeleteBackupPlan",
  params: planParams,
  answers: { 200: wire.PlanDeleted },
  errors: [errors.notFound, errors.invalidRequest],
  resource: namedPlan,
  async handle({ params }, context) {
    const { db, account, clock, request } = context;
    const plan = await store.getLivePlan(db, account, request.region, params.backupPlanId);
    if ((await store.countSelections(db, account, plan.region, plan.id)) > 0)
      throw errors.invalidRequest("The selections of a backup plan have to be deleted before it.");
    const nowMs = clock.nowMs();
    await store.changePlan(db, account, plan, { deleted_at: nowMs });
    await unschedulePlan(context, plan, store.documentOf(await store.getPlanVersion(db, account, plan)));
    const arn = planArnOf(account, plan.region, plan.id);
    await context.catalog.remove(arn);
    await forgetDeletedPlans(context, plan.region);
    return {
      BackupPlanId: plan.id,
      BackupPlanArn: arn,
      DeletionDate: wire.timeOf(nowMs),
      VersionId: plan.version,
    };
  },
});

const listBackupPlans = operation({
  id: "backup.ListBackupPlans",
  summary: "Lists backup plans by id",
  description: "`includeDeleted` adds deleted plans that still have recovery points.",
  method: "GET",
  path: "/backup/plans/",
  permission: "backup:ListBackupPlans",
  query: Type.Object({
    ...wire.page,
    includeDeleted: Type.Optional(
      Type.Boolean({ description: "Whether deleted plans are listed that still have recovery points." }),
    ),
  }),
  answers: {
    200: Type.Object({
      BackupPlansList: Type.Array(wire.PlanListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const includeDeleted = query.includeDeleted ?? false;
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { includeDeleted }),
      (row: store.Plan) => [row.id],
      (after, limit) =>
        store.listPlans(db, account, request.region, { after: after?.[0] ?? "", limit, includeDeleted }),
    );
    return {
      BackupPlansList: rows.map((plan) =>
        listMemberOf(plan, { id: plan.version, created_at: plan.updated_at }, plan.document),
      ),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const listBackupPlanVersions = operation({
  id: "backup.ListBackupPlanVersions",
  summary: "Lists the versions of a backup plan, newest first",
  description: "Read one with `backup.GetBackupPlan` and its `versionId`.",
  method: "GET",
  path: "/backup/plans/{backupPlanId}/versions/",
  permission: "backup:ListBackupPlanVersions",
  params: planParams,
  query: Type.Object(wire.page),
  answers: {
    200: Type.Object({
      BackupPlanVersionsList: Type.Array(wire.PlanListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.notFound, errors.invalidParameterValue],
  resource: namedPlan,
  async handle({ params, query }, { db, account, request, pages }) {
    const plan = await store.getPlanRow(db, account, request.region, params.backupPlanId);
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { plan: plan.id }),
      (row: PlanVersionRow) => [String(row.sequence)],
      (after, limit) =>
        store.listPlanVersions(db, account, plan, {
          before: Number(after?.[0] ?? Number.MAX_SAFE_INTEGER),
          limit,
        }),
    );
    return {
      BackupPlanVersionsList: rows.map((row) => listMemberOf(plan, row, store.documentOf(row))),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const planOperations = [
  createBackupPlan,
  updateBackupPlan,
  getBackupPlan,
  deleteBackupPlan,
  listBackupPlans,
  listBackupPlanVersions,
];

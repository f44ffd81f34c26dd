/** Legal holds. */
import { Type } from "@sinclair/typebox";
import {
  checkHoldSelection,
  checkTags,
  holdArnOf,
  pointArnOf,
  retainUntilMs,
  type Tags,
  TYPES,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import { moveHold } from "../jobs/index.ts";
import type { BackupContext } from "../state.ts";
import * as store from "../store/index.ts";
import type { HoldRow, PointRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { operation, pageRequestOf } from "./operation.ts";

const HOLDS_MAX = 50;
const params = Type.Object({ legalHoldId: wire.HoldId });
const namedHold = (
  { params: { legalHoldId } }: { params: { legalHoldId: string } },
  account: string,
  region: string,
): string => holdArnOf(account, region, legalHoldId);

const commonOf = (hold: store.Hold) => ({
  Title: hold.title,
  Status: hold.status,
  Description: hold.description,
  LegalHoldId: hold.id,
  LegalHoldArn: holdArnOf(hold.account, hold.region, hold.id),
  CreationDate: wire.timeOf(hold.created_at),
});
const memberOf = (hold: store.Hold) => ({
  ...commonOf(hold),
  ...(hold.canceled_at !== null && { CancellationDate: wire.timeOf(hold.canceled_at) }),
});
const madeOf = (hold: store.Hold) => ({
  ...commonOf(hold),
  RecoveryPointSelection: wire.pointSelectionOf(hold.selection),
});

type NewHold = Pick<HoldRow, "title" | "description"> & {
  readonly selection: store.Hold["selection"];
  readonly token?: string | undefined;
  readonly tags?: Tags | undefined;
};
export async function createHold(
  context: BackupContext,
  region: string,
  given: NewHold,
): Promise<store.Hold> {
  const { db, account, clock, ids } = context;
  const { title, description, selection, token, tags = {} } = given;
  checkHoldSelection(selection);
  checkTags(tags);
  const active = await store.listActiveHolds(db, account, region);
  if (active.length >= HOLDS_MAX)
    throw errors.limitExceeded(`An account can have ${HOLDS_MAX} legal holds in a region.`);
  const hold: store.Hold = {
    account,
    region,
    id: ids.uuid(),
    title,
    description,
    status: "CREATING",
    selection,
    token: token ?? null,
    created_at: clock.nowMs(),
    canceled_at: null,
    cancel_description: null,
    retain_until: null,
  };
  await store.insertHold(db, account, { ...hold, selection: JSON.stringify(selection) });
  await context.catalog.put({
    arn: holdArnOf(account, region, hold.id),
    type: TYPES["legal-hold"],
    name: title,
    region,
    tags,
  });
  await moveHold(context, region, hold.id);
  return hold;
}

const createLegalHold = operation({
  id: "backup.CreateLegalHold",
  summary: "Creates a legal hold on recovery points",
  description: `Recovery points that it selects, now or later, are not deleted, disassociated or moved to cold storage until the hold is canceled, even if their lifecycle ends. An account may have ${HOLDS_MAX} active holds in a region. \`IdempotencyToken\` returns the same hold again.`,
  method: "POST",
  path: "/legal-holds/",
  permission: "backup:CreateLegalHold",
  body: Type.Object({
    Title: wire.HoldTitle,
    Description: wire.HoldDescription,
    IdempotencyToken: Type.Optional(wire.CreatorRequestId),
    RecoveryPointSelection: Type.Optional(wire.PointSelection),
    Tags: Type.Optional(wire.Tags),
  }),
  answers: { 200: wire.HoldMade },
  errors: [errors.invalidParameterValue, errors.missingParameterValue, errors.limitExceeded],
  async handle({ body }, context) {
    const { db, account, request } = context;
    const token = body.IdempotencyToken;
    const there =
      token === undefined ? undefined : await store.findHoldByToken(db, account, request.region, token);
    if (there) return madeOf(there);
    const hold = await createHold(context, request.region, {
      title: body.Title,
      description: body.Description,
      selection: wire.holdSelectionOf(body.RecoveryPointSelection),
      token,
      tags: body.Tags,
    });
    return madeOf(hold);
  },
});

const getLegalHold = operation({
  id: "backup.GetLegalHold",
  summary: "Returns a legal hold",
  description: "`Status` is CREATING, ACTIVE, CANCELING or CANCELED; a job moves it on.",
  method: "GET",
  path: "/legal-holds/{legalHoldId}/",
  permission: "backup:GetLegalHold",
  params,
  answers: { 200: wire.HoldDescribed },
  errors: [errors.notFound],
  resource: namedHold,
  async handle({ params: { legalHoldId } }, { db, account, request }) {
    const hold = await store.getHold(db, account, request.region, legalHoldId);
    return {
      ...memberOf(hold),
      ...(hold.cancel_description !== null && { CancelDescription: hold.cancel_description }),
      ...(hold.retain_until !== null && { RetainRecordUntil: wire.timeOf(hold.retain_until) }),
      RecoveryPointSelection: wire.pointSelectionOf(hold.selection),
    };
  },
});

const cancelLegalHold = operation({
  id: "backup.CancelLegalHold",
  summary: "Cancels a legal hold",
  description:
    "Its recovery points follow their lifecycle again, so overdue ones are deleted soon. The record is kept for `retainRecordInDays`, a year by default. A canceled hold is refused.",
  method: "DELETE",
  path: "/legal-holds/{legalHoldId}",
  permission: "backup:CancelLegalHold",
  params,
  query: Type.Object({
    cancelDescription: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "Why the hold ends.",
      examples: ["The case is closed."],
    }),
    retainRecordInDays: Type.Optional(
      Type.Integer({ description: "How long its record is kept; a year without it.", examples: [90] }),
    ),
  }),
  answers: { 200: wire.Nothing },
  errors: [
    errors.invalidParameterValue,
    errors.invalidResourceState,
    errors.missingParameterValue,
    errors.notFound,
  ],
  resource: namedHold,
  async handle({ params: { legalHoldId }, query }, context) {
    const { db, account, clock, request } = context;
    const hold = await store.getHold(db, account, request.region, legalHoldId);
    if (hold.status === "CANCELING" || hold.status === "CANCELED")
      throw errors.invalidResourceState(`The legal hold ${legalHoldId} has been cancelled before.`);
    const nowMs = clock.nowMs();
    await store.changeHold(db, account, hold, {
      status: "CANCELING",
      canceled_at: nowMs,
      cancel_description: query.cancelDescription,
      retain_until: retainUntilMs(query.retainRecordInDays, nowMs),
    });
    await moveHold(context, request.region, legalHoldId);
    return {};
  },
});

const listLegalHolds = operation({
  id: "backup.ListLegalHolds",
  summary: "Lists legal holds",
  description: "Includes canceled holds while their record is kept.",
  method: "GET",
  path: "/legal-holds/",
  permission: "backup:ListLegalHolds",
  query: Type.Object(wire.page),
  answers: {
    200: Type.Object({
      LegalHolds: Type.Array(wire.HoldListMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  async handle({ query }, { db, account, request, pages }) {
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, {}),
      (hold: store.Hold) => [hold.id],
      (after, limit) => store.listHolds(db, account, request.region, { after: after?.[0] ?? "", limit }),
    );
    return {
      LegalHolds: rows.map(memberOf),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

const listRecoveryPointsByLegalHold = operation({
  id: "backup.ListRecoveryPointsByLegalHold",
  summary: "Lists the recovery points that a legal hold keeps",
  description: "Empty for a canceled hold.",
  method: "GET",
  path: "/legal-holds/{legalHoldId}/recovery-points",
  permission: "backup:ListRecoveryPointsByLegalHold",
  params,
  query: Type.Object(wire.page),
  answers: {
    200: Type.Object({
      RecoveryPoints: Type.Array(wire.HeldPointMember),
      NextToken: Type.Optional(wire.NextToken),
    }),
  },
  errors: [errors.invalidParameterValue],
  resource: namedHold,
  async handle({ params: { legalHoldId }, query }, { db, account, request, pages }) {
    const hold = await store.findHold(db, account, request.region, legalHoldId);
    if (!hold) throw errors.invalidParameterValue(`There is no legal hold ${legalHoldId}.`);
    if (hold.status === "CANCELED") return { RecoveryPoints: [] };
    const { rows, nextToken } = await pages.of(
      pageRequestOf(query, { hold: hold.id }),
      (point: PointRow) => [point.id],
      (after, limit) => store.listHeldPoints(db, account, hold, { after: after?.[0] ?? "", limit }),
    );
    return {
      RecoveryPoints: rows.map((point) => ({
        RecoveryPointArn: pointArnOf(account, point.region, point.id),
        ResourceArn: point.resource_arn,
        ResourceType: point.resource_type,
        BackupVaultName: point.vault,
      })),
      ...(nextToken !== undefined && { NextToken: nextToken }),
    };
  },
});

export const legalHoldOperations = [
  createLegalHold,
  getLegalHold,
  cancelLegalHold,
  listLegalHolds,
  listRecoveryPointsByLegalHold,
];

/**
 * Orders of payment service providers: drafts that the account's owner answers, and payments approved on the
 * issuer's page.
 */

import {
  type BankContext,
  clearDeadline,
  createRecord,
  errors,
  findRecordById,
  keptIn,
  type LedgerRow,
  moveRecord,
  type RecordRow,
} from "../book/index.ts";
import { findInside, type Money, receive } from "../money/index.ts";
import type { DraftKept } from "./views/drafts.ts";
import { IssuerKept, ProvidedDraftKept } from "./views/providers.ts";

const DRAFT = "payment-service-provider-draft-payment";
export const ISSUER = "payment-service-provider-issuer-transaction";
/** Shows the owner of the account a draft to answer. */
export async function createProvidedDraft(
  context: BankContext,
  {
    sender,
    entry,
    providerUserId,
    id,
  }: {
    readonly sender: LedgerRow;
    readonly entry: DraftKept["entries"][number];
    readonly providerUserId: number;
    readonly id: number;
  },
): Promise<number> {
  const kept: DraftKept = {
    entries: [entry],
    acceptsNeeded: 1,
    creatorId: providerUserId,
    said: [],
    providedId: id,
  };
  const place = { kind: "draft-payment", userId: sender.user_id, ownerId: sender.id };
  return (await createRecord(context, { ...place, body: kept })).id;
}
/** The owner has answered: the provider sees it too. */
export async function settleProvided(context: BankContext, providedId: number | undefined, status: string) {
  if (providedId === undefined) return;
  const provided = await findRecordById(context.db, context.account, DRAFT, providedId);
  if (provided?.status === "PENDING") await moveRecord(context, provided, { status });
}
export async function cancelProvided(context: BankContext, provided: RecordRow): Promise<void> {
  const { draftId } = keptIn(ProvidedDraftKept, provided);
  const draft = await findRecordById(context.db, context.account, "draft-payment", draftId);
  if (draft?.status === "PENDING") await moveRecord(context, draft, { status: "CANCELLED" });
}

const OUTCOMES: Readonly<Record<string, string>> = {
  SUCCESS: "ACCEPTED",
  FAILURE: "REJECTED",
  CANCELLED: "CANCELLED",
};
export function findProvided(record: RecordRow) {
  const { money, description, counterparty, urlRedirect } = keptIn(IssuerKept, record);
  return {
    bank: "Test Bank Amsterdam",
    payee: counterparty.display_name,
    money,
    description,
    isOpen: record.status === "PENDING",
    status: record.status,
    back: urlRedirect,
  };
}
async function pay(context: BankContext, { money, to, description, alias }: IssuerKept): Promise<void> {
  const target = await findInside(context, to);
  if (!target) throw errors.badRequest("The account to be paid is no longer there.");
  await receive(context, target.ledger, money satisfies Money, description, {
    type: "IDEAL",
    counterparty: alias,
  });
}
/** The payer has decided at their bank. */
export async function decideProvided(
  context: BankContext,
  record: RecordRow,
  outcome: string,
): Promise<void> {
  if (record.status !== "PENDING") return;
  const status = OUTCOMES[outcome] ?? "REJECTED";
  await clearDeadline(context, ISSUER, record.id);
  if (status === "ACCEPTED") await pay(context, keptIn(IssuerKept, record));
  await moveRecord(context, record, { status });
}

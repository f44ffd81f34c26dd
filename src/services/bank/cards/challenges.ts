/**
 * 3-D Secure: a web shop may ask the card holder to confirm. The answer decides whether the payment is made.
 */

import {
  type BankContext,
  clearDeadline,
  createRecord,
  errors,
  findRecordById,
  happened,
  keptIn,
  moveRecord,
  type RecordRow,
  setDeadline,
  takeId,
} from "../book/index.ts";
import { bodyOf, CARD, findSecret, sealSecret } from "./cards.ts";
import { type Authorisation, ChallengeKept } from "./domain/card-actions.ts";
import type { Refusal } from "./domain/cards.ts";
import { authorise } from "./transactions.ts";
import { challengeView } from "./views/challenges.ts";

const CHALLENGE = "challenge-request";
const OPEN_MS = 5 * 60_000;
const CVC2 = "cvc2";

const tellChallenge = (context: BankContext, record: RecordRow, action: "CREATE" | "UPDATE") =>
  happened(context, {
    category: record.status === "REJECTED" ? "CARD_TRANSACTION_FAILED" : "CARD_TRANSACTION_SUCCESSFUL",
    action,
    userId: record.user_id,
    object: {
      type: "MasterCardIdentityCheckChallengeRequest",
      id: record.id,
      body: challengeView(context, record),
    },
  });

/** Asks the card holder. No payment is made before the answer. */
export async function challenge(
  context: BankContext,
  { pin: _pin, cvc2, ...use }: Authorisation,
): Promise<{ readonly record: RecordRow; readonly ledgerId: number }> {
  if (use.entry !== "E_COMMERCE") throw errors.badRequest("Only a payment on the web is asked about.");
  const id = await takeId(context.db, context.account);
  const card = await findRecordById(context.db, context.account, CARD, use.cardId);
  if (!card) throw errors.notFound(`There is no card ${use.cardId}.`);
  if (cvc2 !== undefined) await sealSecret(context, id, CVC2, cvc2);
  const kept: ChallengeKept = { use, expiresAtMs: context.clock.nowMs() + OPEN_MS };
  const record = await createRecord(context, {
    kind: CHALLENGE,
    userId: card.user_id,
    ownerId: 0,
    id,
    body: kept,
  });
  await setDeadline(context, CHALLENGE, id, kept.expiresAtMs);
  await tellChallenge(context, record, "CREATE");
  return { record, ledgerId: bodyOf(card).orderedLedgerId };
}

const REFUSALS: Readonly<Record<string, Refusal>> = {
  REJECTED: { decision: "REFUSED_BY_HOLDER", reason: "The holder of the card said no." },
  EXPIRED: { decision: "REFUSED_NO_ANSWER", reason: "The holder of the card gave no answer." },
};
/** The payment goes on as the card allows, or is refused: either way there is an action to read. */
export async function concludeChallenge(
  context: BankContext,
  record: RecordRow,
  status: "ACCEPTED" | "REJECTED" | "EXPIRED",
): Promise<ChallengeKept> {
  const kept = keptIn(ChallengeKept, record);
  await clearDeadline(context, CHALLENGE, record.id);
  const cvc2 = await findSecret(context, record.id, CVC2);
  const action = await authorise(context, { ...kept.use, cvc2 }, REFUSALS[status]);
  return { ...kept, actionId: action.id };
}
export async function expireChallenge(context: BankContext, record: RecordRow): Promise<void> {
  if (record.status !== "PENDING") return;
  const body = await concludeChallenge(context, record, "EXPIRED");
  await tellChallenge(context, await moveRecord(context, record, { status: "EXPIRED", body }), "UPDATE");
}

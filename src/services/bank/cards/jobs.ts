/** Scheduled changes of cards, and the expiry of reserved amounts. */
import { jobsFor } from "#kernel/operation";
import { findRecordById, type State, type Tables } from "../book/index.ts";
import { cardSettlement, settleCardAccount } from "./accounts.ts";
import { advanceOrder, CARD, cardStep, expireCard } from "./cards.ts";
import { reservationEnd, reverse } from "./transactions.ts";

const job = jobsFor<Tables, State>();

const takeCardStep = job({
  ...cardStep,
  async run({ cardId, step }, context) {
    const card = await findRecordById(context.db, context.account, CARD, cardId);
    if (card) await (step === "order" ? advanceOrder(context, card) : expireCard(context, card));
  },
});
const endReservation = job({
  ...reservationEnd,
  async run({ actionId }, context) {
    const action = await findRecordById(context.db, context.account, "mastercard-action", actionId);
    if (action?.status === "AUTHORISED") await reverse(context, actionId, "EXPIRED");
  },
});

const settleCards = job({
  ...cardSettlement,
  run: ({ ledgerId }, context) => settleCardAccount(context, ledgerId),
});

export const cardJobs = [takeCardStep, endReservation, settleCards];

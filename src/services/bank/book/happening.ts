/**
 * Adds an event to the event list and enqueues notifications for matching filters, all in the caller's
 * transaction.
 */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import type { BankContext } from "./state.ts";
import { insertEvents, listFilters } from "./store/events.ts";
import { takeIds } from "./store/sequence.ts";
import type { EventRow, FilterRow } from "./tables.ts";

export const CATEGORIES = [
  "BILLING",
  "CARD_TRANSACTION_SUCCESSFUL",
  "CARD_TRANSACTION_FAILED",
  "CHAT",
  "DRAFT_PAYMENT",
  "IDEAL",
  "SOFORT",
  "MUTATION",
  "OAUTH",
  "PAYMENT",
  "REQUEST",
  "SCHEDULE_RESULT",
  "SCHEDULE_STATUS",
  "SHARE",
  "TAB_RESULT",
  "VENDORME_TAB",
  "SUPPORT",
] as const;
export type Category = (typeof CATEGORIES)[number];

export type Happening = {
  readonly category: Category;
  readonly action: "CREATE" | "UPDATE";
  readonly userId: number;
  readonly ledgerId?: number | undefined;
  /** `type` as the maker wraps it, such as `RequestInquiry`; a payment is read from its own table where its body is absent. */
  readonly object: { readonly type: string; readonly id: number; readonly body?: unknown };
};

/** Delivers one event to one filter. The handler is `jobs/notify.ts` of money. */
export const notification = {
  name: "bank.notify",
  payload: Type.Object({
    eventId: Type.Integer(),
    filterId: Type.Integer(),
    attempt: Type.Optional(Type.Integer()),
  }),
} satisfies WorkKind<{ eventId: number; filterId: number; attempt?: number }>;

/** A filter for payments also matches mutations and gets them under that name. */
const isAbout = ({ user_id, ledger_id, category }: FilterRow, { event, category: of }: Noted): boolean =>
  user_id === event.user_id &&
  (ledger_id === 0 || ledger_id === event.ledger_id) &&
  (category === of || (category === "MUTATION" && of === "PAYMENT"));
type Noted = { readonly event: EventRow; readonly category: Category };

export async function happened(context: BankContext, ...happenings: readonly Happening[]): Promise<void> {
  await noteHappenings(context, await takeIds(context.db, context.account, happenings.length), happenings);
}
/** For callers that have already taken ids for the events. */
export async function noteHappenings(
  context: BankContext,
  firstId: number,
  happenings: readonly Happening[],
): Promise<void> {
  const { db, account, clock } = context;
  const now = clock.nowMs();
  const noted = happenings.map(({ category, action, userId, ledgerId = 0, object }, at) => ({
    category,
    event: {
      account,
      id: firstId + at,
      user_id: userId,
      ledger_id: ledgerId,
      action,
      status: "FINALIZED",
      category,
      object_kind: object.type,
      object_id: object.id,
      body: object.body === undefined ? "" : JSON.stringify(object.body),
      created_at: now,
    },
  }));
  await insertEvents(
    db,
    noted.map(({ event }) => event),
  );
  const users = [...new Set(happenings.map(({ userId }) => userId))];
  for (const filter of await listFilters(db, account, users))
    for (const one of noted)
      if (isAbout(filter, one))
        await context.enqueue(notification, { eventId: one.event.id, filterId: filter.id });
}

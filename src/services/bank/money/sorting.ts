/**
 * Sorts payments into categories and keeps sums by category. Both happen in the transaction of the payment.
 */
import { Type } from "@sinclair/typebox";
import type { WorkKind } from "#kernel/operation";
import {
  type BankContext,
  type InsightRow,
  type PaymentRow,
  pageOfEvents,
  recordKind,
} from "../book/index.ts";
import { categoryOf, type Rule } from "./domain/categories.ts";
import { hourOf } from "./domain/times.ts";
import { addInsights, listRules, updateCategory } from "./store/insights.ts";
import { insertPayments, listPayments } from "./store/payments.ts";

export const CATEGORY = "category";
/** A category of one user. */
export const CategoryKept = recordKind(
  [CATEGORY],
  Type.Object({
    category: Type.String(),
    description: Type.String(),
    color: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
  }),
);
/** How many payments are sorted again in one transaction. */
const AGAIN_MAX = 100;

export type Unsorted = Omit<PaymentRow, "category">;
type Side<Payment = PaymentRow> = { readonly payment: Payment; readonly userId: number };

/** The text that sorting rules read: the description and the counterparty's name. */
const textWith = ({ description }: Unsorted, name: string): string => `${description} ${name}`;
export const textOf = (payment: PaymentRow): string =>
  textWith(payment, JSON.parse(payment.counterparty).display_name);

/** The user-defined categories, by user. */
async function rulesOf({ db, account }: BankContext, users: readonly number[]): Promise<Map<number, Rule[]>> {
  const rules = new Map<number, Rule[]>();
  for (const { user_id, body } of await listRules(db, account, CATEGORY, [...new Set(users)])) {
    const { category, description } = CategoryKept.read(body);
    rules.set(user_id, [...(rules.get(user_id) ?? []), { category, words: [description] }]);
  }
  return rules;
}
const insightOf = ({ payment, userId }: Side): InsightRow => ({
  account: payment.account,
  user_id: userId,
  hour_at: hourOf(payment.created_at),
  category: payment.category,
  currency: payment.currency,
  amount: payment.amount,
  count: 1,
});
const takenAway = (insight: InsightRow): InsightRow => ({ ...insight, amount: -insight.amount, count: -1 });

type Kept<Sides extends readonly unknown[]> = { readonly [At in keyof Sides]: PaymentRow };
/** Assigns each side to a category, writes it, and adds it to the sums. */
export async function keepPayments<const Sides extends readonly (Side<Unsorted> & { name: string })[]>(
  context: BankContext,
  sides: Sides,
): Promise<Kept<Sides>> {
  const rules = await rulesOf(
    context,
    sides.map(({ userId }) => userId),
  );
  const sorted = sides.map(({ payment, userId, name }) => ({
    userId,
    payment: { ...payment, category: categoryOf(textWith(payment, name), rules.get(userId) ?? []) },
  }));
  const payments = sorted.map(({ payment }) => payment);
  await insertPayments(context.db, payments);
  await addInsights(context.db, sorted.map(insightOf));
  return payments as Kept<Sides>;
}

/** Sorts a user's older payments again, one batch in each transaction. The handler is `jobs/sorting.ts`. */
export const sorting = {
  name: "bank.sort",
  payload: Type.Object({ userId: Type.Integer(), olderThan: Type.Integer() }),
} satisfies WorkKind<{ userId: number; olderThan: number }>;

/**
 * Sorts again after a change of rules, the newest first. The caller holds the lock on the account's
 * sequence.
 */
export async function sortAgain(context: BankContext, userId: number, olderThan?: number): Promise<void> {
  const { db, account } = context;
  const events = await pageOfEvents(db, account, userId, { olderThan, limit: AGAIN_MAX });
  const ids = events.filter(({ object_kind }) => object_kind === "Payment").map(({ object_id }) => object_id);
  const own = (await rulesOf(context, [userId])).get(userId) ?? [];
  const changes: InsightRow[] = [];
  for (const payment of await listPayments(db, account, [...new Set(ids)])) {
    const category = categoryOf(textOf(payment), own);
    if (category === payment.category) continue;
    await updateCategory(db, { account, id: payment.id, category });
    changes.push(
      takenAway(insightOf({ payment, userId })),
      insightOf({ payment: { ...payment, category }, userId }),
    );
  }
  await addInsights(db, changes);
  const last = events.at(-1);
  if (last && events.length === AGAIN_MAX) await context.enqueue(sorting, { userId, olderThan: last.id });
}

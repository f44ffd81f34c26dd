/** Insights: categories, including user-defined ones, their sums, and the payments in each. */
import { Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  createRecord,
  type EventRow,
  errors,
  Id,
  idOf,
  keptIn,
  keptText,
  ListQuery,
  listOf,
  listRecords,
  operation,
  pageOfEvents,
  requireUser,
  takeId,
  updateRecord,
  userParams,
} from "../../book/index.ts";
import { CATEGORIES, type Category } from "../domain/categories.ts";
import { amountOf } from "../domain/money.ts";
import { HOUR_MS, hourOf, readInstant } from "../domain/times.ts";
import { CATEGORY, CategoryKept, sortAgain, textOf } from "../sorting.ts";
import { type InsightSum, sumHours, sumPayments } from "../store/insights.ts";
import { listPayments } from "../store/payments.ts";
import { Event, eventView } from "../wire/events.ts";

const OWN_MAX = 100;
const EVENTS_MAX = 1000;

type OwnCategory = Category & { readonly id: number; readonly status: string };
async function ownCategories({ db, account }: BankContext, userId: number): Promise<OwnCategory[]> {
  const records = await listRecords(db, account, { kind: CATEGORY, userId, ownerId: 0 }, OWN_MAX);
  return records.map(({ id, status, body }) => {
    const { category, description, color = "#6b7280", icon = "tag" } = CategoryKept.read(body);
    return { id, status, category, description, color, icon, words: [description] };
  });
}
const shown = (
  { category, description, color, icon }: Category,
  type: string,
  order: number,
  status: string,
) => ({
  category,
  type,
  status,
  order,
  description,
  description_translated: description,
  color,
  icon,
});
const listCategories = operation({
  id: "bank.ListAdditionalTransactionInformationCategories",
  summary: "Lists the categories of payments, own ones first",
  description:
    "A payment is in the first category one of whose words it has in its description or in the other side's name.",
  method: "GET",
  path: "/user/{userID}/additional-transaction-information-category",
  permission: "bank:ListCategories",
  wrapper: "AdditionalTransactionInformationCategory",
  params: Type.Object(userParams),
  answers: {
    200: Type.Array(
      Type.Object({
        category: Type.String(),
        type: Type.String(),
        status: Type.String(),
        order: Type.Integer(),
        description: Type.String(),
        description_translated: Type.String(),
        color: Type.String(),
        icon: Type.String(),
      }),
    ),
  },
  async handle({ params }, context) {
    const own = await ownCategories(context, requireUser(context, params.userID));
    return [
      ...own.map((one, at) => shown(one, "USER_DEFINED", at, one.status)),
      ...CATEGORIES.map((one, at) => shown(one, "SYSTEM", own.length + at, "ACTIVE")),
    ];
  },
});
const createCategory = operation({
  id: "bank.CreateAdditionalTransactionInformationCategoryUserDefined",
  summary: "Creates or changes an own category",
  description:
    "Without a category, or with one that is not there yet, a new one is made. The newest payments are sorted anew at once, older ones soon after.",
  method: "POST",
  path: "/user/{userID}/additional-transaction-information-category-user-defined",
  permission: "bank:CreateCategory",
  params: Type.Object(userParams),
  body: Type.Object({
    category: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    status: Type.Union([Type.Literal("ACTIVE"), Type.Literal("INACTIVE")]),
    description: Type.Optional(Type.String({ minLength: 1, maxLength: 140 })),
    color: Type.Optional(Type.String({ maxLength: 9 })),
    icon: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const { db, account, clock } = context;
    const userId = requireUser(context, params.userID);
    const { status, ...given } = body;
    const id = await takeId(db, account);
    const place = { kind: CATEGORY, userId, ownerId: 0 };
    const own = await listRecords(db, account, place, OWN_MAX);
    const known = own.find((record) => keptIn(CategoryKept, record).category === given.category);
    const now = clock.nowMs();
    if (known) {
      const changed = keptText(CATEGORY, { ...keptIn(CategoryKept, known), ...given });
      await updateRecord(db, { ...known, status, body: changed, updated_at: now });
      await sortAgain(context, userId);
      return idOf(known.id);
    }
    if (CATEGORIES.some(({ category }) => category === given.category))
      throw errors.badRequest("This is the name of a category that everybody has.");
    if (own.length >= OWN_MAX) throw errors.badRequest(`A user has at most ${OWN_MAX} categories.`);
    const category = given.category ?? `USER_DEFINED_${id}`;
    const kept = { description: category, ...given, category };
    await createRecord(context, { ...place, id, status, body: kept });
    await sortAgain(context, userId);
    return idOf(id);
  },
});

const PeriodQuery = {
  time_start: Type.Optional(Type.String({ maxLength: 40 })),
  time_end: Type.Optional(Type.String({ maxLength: 40 })),
};
const MONTH_MS = 31 * 86_400_000;
type Period = { readonly sinceMs: number; readonly untilMs: number };
/** The default period is the last month. */
function periodIn({ clock }: BankContext, query: { time_start?: string; time_end?: string }): Period {
  const read = (member: "time_start" | "time_end", otherwise: number): number => {
    const text = query[member];
    const ms = text === undefined ? otherwise : readInstant(text);
    if (ms === undefined) throw errors.badRequest(`${member} must be a time such as 2026-11-16 09:30:00.`);
    return ms;
  };
  const untilMs = read("time_end", clock.nowMs() + 1);
  return { sinceMs: read("time_start", untilMs - MONTH_MS), untilMs };
}
/**
 * Sums the whole hours that the period touches. It then subtracts the payments outside the period in the
 * first and last hour.
 */
async function sumsIn({ db, account }: BankContext, userId: number, { sinceMs, untilMs }: Period) {
  const hours = { sinceMs: hourOf(sinceMs), untilMs: hourOf(untilMs - 1) + HOUR_MS };
  const sums = new Map<string, InsightSum>();
  const add = (found: readonly InsightSum[], sign: 1 | -1) => {
    for (const { category, currency, amount, count } of found) {
      const key = `${category} ${currency}`;
      const before = sums.get(key) ?? { amount: 0, count: 0 };
      const after = { amount: before.amount + sign * amount, count: before.count + sign * count };
      sums.set(key, { category, currency, ...after });
    }
  };
  if (untilMs <= sinceMs) return [];
  add(await sumHours(db, account, userId, hours), 1);
  add(await sumPayments(db, account, userId, { sinceMs: hours.sinceMs, untilMs: sinceMs }), -1);
  add(await sumPayments(db, account, userId, { sinceMs: untilMs, untilMs: hours.untilMs }), -1);
  return [...sums.values()].filter(({ count }) => count > 0);
}
const listInsights = operation({
  id: "bank.ListInsights",
  summary: "Sums what was paid and received by category, in each currency",
  description: "Of the last month, where no time is given.",
  method: "GET",
  path: "/user/{userID}/insights",
  permission: "bank:ListInsights",
  wrapper: "InsightCategory",
  params: Type.Object(userParams),
  query: Type.Object(PeriodQuery),
  answers: {
    200: Type.Array(
      Type.Object({
        category: Type.String(),
        category_translated: Type.String(),
        category_color: Type.String(),
        category_icon: Type.String(),
        amount_total: Amount,
        number_of_transactions: Type.Integer(),
      }),
    ),
  },
  async handle({ params, query }, context) {
    const userId = requireUser(context, params.userID);
    const period = periodIn(context, query);
    const own = await ownCategories(context, userId);
    const all = new Map<string, Category>([...CATEGORIES, ...own].map((one) => [one.category, one]));
    return (await sumsIn(context, userId, period)).map(({ category, currency, amount, count }) => ({
      category,
      category_translated: all.get(category)?.description ?? category,
      category_color: all.get(category)?.color ?? "",
      category_icon: all.get(category)?.icon ?? "",
      amount_total: amountOf({ minor: amount, currency }),
      number_of_transactions: count,
    }));
  },
});
type Sought = { readonly category?: string | undefined; readonly query?: string | undefined };
/** The events of payments that match the filter. */
async function fitting(
  { db, account }: BankContext,
  events: readonly EventRow[],
  { category, query = "" }: Sought,
): Promise<EventRow[]> {
  const paid = events.filter(({ object_kind }) => object_kind === "Payment");
  const payments = await listPayments(
    db,
    account,
    paid.map(({ object_id }) => object_id),
  );
  const words = query.toLowerCase();
  const found = new Set(
    payments
      .filter((payment) => category === undefined || payment.category === category)
      .filter((payment) => textOf(payment).toLowerCase().includes(words))
      .map(({ id }) => id),
  );
  return paid.filter(({ object_id }) => found.has(object_id));
}
const searchInsights = operation({
  id: "bank.SearchInsights",
  summary: "Lists the events of payments in a category, the newest first",
  description: `Looks at the last ${EVENTS_MAX} events of the time.`,
  method: "GET",
  path: "/user/{userID}/insights-search",
  permission: "bank:ListInsights",
  wrapper: "Event",
  params: Type.Object(userParams),
  query: Type.Object({
    ...ListQuery.properties,
    ...PeriodQuery,
    category: Type.Optional(Type.String({ maxLength: 50 })),
    query: Type.Optional(Type.String({ maxLength: 140 })),
  }),
  answers: { 200: Type.Array(Event) },
  async handle({ params, query }, context) {
    const userId = requireUser(context, params.userID);
    const period = periodIn(context, query);
    return listOf(
      context,
      query,
      async ({ limit, ...slice }) => {
        const place = { ...slice, ...period, limit: EVENTS_MAX };
        const events = await pageOfEvents(context.db, context.account, userId, place);
        const found = await fitting(context, events, query);
        return slice.newerThan === undefined ? found.slice(0, limit) : found.slice(-limit);
      },
      (event) => eventView(context, event),
    );
  },
});
/** The interface has no operation that changes it. */
const FIRST_DAY = 1;
const preferenceDate = operation({
  id: "bank.ListInsightPreferenceDates",
  summary: "Reads the day of the month on which the months of insights begin",
  description:
    "It is always the first day: no operation changes it. `bank.ListInsights` sums payments by these months.",
  method: "GET",
  path: "/user/{userID}/insight-preference-date",
  permission: "bank:ListInsights",
  wrapper: "InsightPreferenceDate",
  params: Type.Object(userParams),
  answers: { 200: Type.Array(Type.Object({ day_of_month: Type.Integer() })) },
  handle({ params }, context) {
    requireUser(context, params.userID);
    return [{ day_of_month: FIRST_DAY }];
  },
});

export const insightOperations = [
  listCategories,
  createCategory,
  listInsights,
  searchInsights,
  preferenceDate,
];

/** What money was spent on: categories, also of one's own, sums of them, and the payments in each. */
import { Type } from "@sinclair/typebox";
import { CATEGORIES, type Category, categoryOf } from "../domain/categories.ts";
import { amountOf } from "../domain/money.ts";
import { readInstant } from "../domain/times.ts";
import { errors } from "../errors.ts";
import type { BankContext } from "../state.ts";
import {
  findUser,
  insertRecord,
  listPaymentsOfUser,
  listRecords,
  pageOfEvents,
  takeId,
  updateRecord,
} from "../store/index.ts";
import type { PaymentRow } from "../tables.ts";
import { Event, eventView } from "../wire/events.ts";
import { Amount, Id, idOf, ListQuery, userParams } from "../wire/shared.ts";
import { listOf, operation, requireUser } from "./operation.ts";

const OWN_MAX = 100;
const PAYMENTS_MAX = 20_000;
const EVENTS_MAX = 1000;
const KIND = "category";

type OwnCategory = Category & { readonly id: number; readonly status: string };
async function ownCategories({ db, account }: BankContext, userId: number): Promise<OwnCategory[]> {
  const records = await listRecords(db, account, { kind: KIND, userId, ownerId: 0 }, OWN_MAX);
  return records.map(({ id, status, body }) => {
    const { category, description, color = "#6b7280", icon = "tag" } = JSON.parse(body);
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
  summary: "Lists categories that payments are put in, a user's own first",
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
  summary: "Makes a category of one's own, or changes it",
  description: "Without a category, or with one that is not there yet, a new one is made.",
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
    const place = { kind: KIND, userId, ownerId: 0 };
    const own = await listRecords(db, account, place, OWN_MAX);
    const known = own.find((record) => JSON.parse(record.body).category === given.category);
    const now = clock.nowMs();
    if (known) {
      const changed = JSON.stringify({ ...JSON.parse(known.body), ...given });
      await updateRecord(db, { ...known, status, body: changed, updated_at: now });
      return idOf(known.id);
    }
    if (CATEGORIES.some(({ category }) => category === given.category))
      throw errors.badRequest("This is the name of a category that everybody has.");
    if (own.length >= OWN_MAX) throw errors.badRequest(`A user has at most ${OWN_MAX} categories.`);
    const category = given.category ?? `USER_DEFINED_${id}`;
    const kept = JSON.stringify({ description: category, ...given, category });
    await insertRecord(db, {
      account,
      kind: KIND,
      id,
      user_id: userId,
      owner_id: 0,
      status,
      body: kept,
      created_at: now,
      updated_at: now,
    });
    return idOf(id);
  },
});

const PeriodQuery = {
  time_start: Type.Optional(Type.String({ maxLength: 40 })),
  time_end: Type.Optional(Type.String({ maxLength: 40 })),
};
const MONTH_MS = 31 * 86_400_000;
/** The last month, where nobody says another time. */
function periodIn({ clock }: BankContext, query: { time_start?: string; time_end?: string }) {
  const read = (member: "time_start" | "time_end", otherwise: number): number => {
    const text = query[member];
    const ms = text === undefined ? otherwise : readInstant(text);
    if (ms === undefined) throw errors.badRequest(`${member} must be a time such as 2026-11-16 09:30:00.`);
    return ms;
  };
  const untilMs = read("time_end", clock.nowMs() + 1);
  return { sinceMs: read("time_start", untilMs - MONTH_MS), untilMs };
}
const textOf = ({ description, counterparty }: PaymentRow): string =>
  `${description} ${JSON.parse(counterparty).display_name}`;
async function categorised(context: BankContext, userId: number) {
  const own = (await ownCategories(context, userId)).filter(({ status }) => status === "ACTIVE");
  const all = new Map<string, Category>([...CATEGORIES, ...own].map((one) => [one.category, one]));
  return { all, of: (payment: PaymentRow) => categoryOf(textOf(payment), own) };
}
const listInsights = operation({
  id: "bank.ListInsights",
  summary: "Sums what was paid and received by category, in each currency",
  description: `Of the newest ${PAYMENTS_MAX} payments of the time.`,
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
    const payments = await listPaymentsOfUser(context.db, context.account, userId, {
      ...period,
      limit: PAYMENTS_MAX,
    });
    const { all, of } = await categorised(context, userId);
    const sums = new Map<string, { category: string; currency: string; minor: number; count: number }>();
    for (const payment of payments) {
      const category = of(payment);
      const key = `${category} ${payment.currency}`;
      const sum = sums.get(key) ?? { category, currency: payment.currency, minor: 0, count: 0 };
      sums.set(key, { ...sum, minor: sum.minor + payment.amount, count: sum.count + 1 });
    }
    return [...sums.values()].map(({ category, currency, minor, count }) => ({
      category,
      category_translated: all.get(category)?.description ?? category,
      category_color: all.get(category)?.color ?? "",
      category_icon: all.get(category)?.icon ?? "",
      amount_total: amountOf({ minor, currency }),
      number_of_transactions: count,
    }));
  },
});
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
    const { of } = await categorised(context, userId);
    const payments = await listPaymentsOfUser(context.db, context.account, userId, {
      ...period,
      limit: PAYMENTS_MAX,
    });
    const sought = query.query?.toLowerCase();
    const found = new Set(
      payments
        .filter((payment) => query.category === undefined || of(payment) === query.category)
        .filter((payment) => sought === undefined || textOf(payment).toLowerCase().includes(sought))
        .map(({ id }) => id),
    );
    return listOf(
      context,
      query,
      async ({ limit, ...slice }) => {
        const events = await pageOfEvents(context.db, context.account, userId, {
          ...slice,
          ...period,
          limit: EVENTS_MAX,
        });
        const fitting = events.filter(
          ({ object_kind, object_id }) => object_kind === "Payment" && found.has(object_id),
        );
        return slice.newerThan === undefined ? fitting.slice(0, limit) : fitting.slice(-limit);
      },
      (event) => eventView(context, event),
    );
  },
});
const preferenceDate = operation({
  id: "bank.ListInsightPreferenceDates",
  summary: "Tells on which day of a month a user's months begin",
  method: "GET",
  path: "/user/{userID}/insight-preference-date",
  permission: "bank:ListInsights",
  wrapper: "InsightPreferenceDate",
  params: Type.Object(userParams),
  answers: { 200: Type.Array(Type.Object({ day_of_month: Type.Integer() })) },
  async handle({ params }, context) {
    const user = await findUser(context.db, context.account, requireUser(context, params.userID));
    return [{ day_of_month: JSON.parse(user?.details ?? "{}").day_of_month ?? 1 }];
  },
});

export const insightOperations = [
  listCategories,
  createCategory,
  listInsights,
  searchInsights,
  preferenceDate,
];

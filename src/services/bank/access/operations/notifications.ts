/** Notification filters by URL, push and e-mail, failed deliveries, and the list of events. */
import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  CATEGORIES,
  type Category,
  collection,
  deleteFilters,
  deleteRecord,
  errors,
  type FilterRow,
  findEvent,
  findRecord,
  getLedger,
  Id,
  idOf,
  insertFilter,
  itemParams,
  keptIn,
  ListQuery,
  ledgerParams,
  listFilters,
  listOf,
  notification,
  operation,
  pageOfEvents,
  requireUser,
  takeId,
  userParams,
} from "../../book/index.ts";
import { Event, eventView, FAILURE, FailureKept } from "../../money/index.ts";

const FILTERS_MAX = 50;
const URLS_PER_CATEGORY_MAX = 2;
const FAILURES_MAX = 1000;
type FilterMethod = "URL" | "PUSH" | "EMAIL";

const Filter = Type.Object({
  category: Type.String({ minLength: 1, maxLength: 50 }),
  notification_target: Type.Optional(Type.String({ maxLength: 1000 })),
});
const FilterBody = Type.Object({
  notification_filters: Type.Array(Filter, { maxItems: FILTERS_MAX }),
});
const FilterList = Type.Object({
  notification_filters: Type.Array(
    Type.Object({
      notification_delivery_method: Type.String(),
      notification_target: Type.Optional(Type.String()),
      category: Type.String(),
    }),
  ),
});
const listed = (filters: readonly Pick<FilterRow, "method" | "target" | "category">[]) => ({
  notification_filters: filters.map(({ method, target, category }) => ({
    notification_delivery_method: method,
    ...(target !== "" && { notification_target: target }),
    category,
  })),
});

/** The maker's word for one of them has its own name in it. */
function requireCategory(name: string): Category {
  const category = CATEGORIES.find((one) => one === name.replace("BUNQME", "VENDORME"));
  if (!category) throw errors.badRequest(`category must be one of ${CATEGORIES.join(", ")}.`);
  return category;
}
function requireTarget(method: FilterMethod, target: string | undefined): string {
  if (method !== "URL") return target ?? "";
  const url = target !== undefined && URL.canParse(target) ? new URL(target) : undefined;
  if (url?.protocol !== "https:" && url?.protocol !== "http:")
    throw errors.badRequest("notification_target must be an http or https address.");
  return target ?? "";
}
type Given = { readonly category: string; readonly notification_target?: string };
/** The new filters replace all existing filters of the same delivery method. */
async function replaceFilters(
  context: BankContext,
  { userId, ledgerId, method }: { userId: number; ledgerId: number; method: FilterMethod },
  given: readonly Given[],
): Promise<number> {
  const { db, account, clock } = context;
  const counts = new Map<string, number>();
  const first = await takeId(db, account);
  await deleteFilters(db, account, userId, { method, ledgerId });
  for (const { category: name, notification_target } of given) {
    const category = requireCategory(name);
    const count = (counts.get(category) ?? 0) + 1;
    counts.set(category, count);
    if (method === "URL" && count > URLS_PER_CATEGORY_MAX)
      throw errors.badRequest(`A category has at most ${URLS_PER_CATEGORY_MAX} addresses.`);
    await insertFilter(db, {
      account,
      id: await takeId(db, account),
      user_id: userId,
      ledger_id: ledgerId,
      method,
      category,
      target: requireTarget(method, notification_target),
      created_at: clock.nowMs(),
    });
  }
  return first;
}
const WRAPPERS = {
  URL: "NotificationFilterUrl",
  PUSH: "NotificationFilterPush",
  EMAIL: "NotificationFilterEmail",
} as const;

const creating = (method: FilterMethod) =>
  operation({
    id: `bank.Create${WRAPPERS[method]}`,
    summary: "Replaces the notification filters of a user",
    description: `The given filters replace all of this delivery method; an empty list deletes them. Events from now on are delivered by jobs. At most ${FILTERS_MAX} filters${method === "URL" ? `, and ${URLS_PER_CATEGORY_MAX} URLs for a category` : ""}.`,
    method: "POST",
    path: `/user/{userID}/notification-filter-${method.toLowerCase()}`,
    permission: "bank:CreateNotificationFilter",
    ...(method !== "URL" && { wrapper: WRAPPERS[method] }),
    params: Type.Object(userParams),
    body: FilterBody,
    answers: { 200: Id },
    async handle({ params, body }, context) {
      const userId = requireUser(context, params.userID);
      return idOf(await replaceFilters(context, { userId, ledgerId: 0, method }, body.notification_filters));
    },
  });
const listing = (method: FilterMethod) =>
  operation({
    id: `bank.List${WRAPPERS[method]}s`,
    summary: "Lists the notification filters of a user",
    description: "Filters of single accounts are not included.",
    method: "GET",
    path: `/user/{userID}/notification-filter-${method.toLowerCase()}`,
    permission: "bank:ListNotificationFilters",
    wrapper: WRAPPERS[method],
    params: Type.Object(userParams),
    answers: { 200: Type.Array(FilterList) },
    async handle({ params }, context) {
      const userId = requireUser(context, params.userID);
      const all = await listFilters(context.db, context.account, [userId]);
      return [listed(all.filter((filter) => filter.method === method && filter.ledger_id === 0))];
    },
  });
const LEDGER_PATH = "/user/{userID}/monetary-account/{monetaryAccountID}/notification-filter-url";
const createOfLedger = operation({
  id: "bank.CreateNotificationFilterUrlMonetaryAccount",
  summary: "Replaces the notification filters of an account",
  description: `The given filters replace all filters of the account; an empty list deletes them. A category has at most ${URLS_PER_CATEGORY_MAX} URLs.`,
  method: "POST",
  path: LEDGER_PATH,
  permission: "bank:CreateNotificationFilter",
  params: Type.Object(ledgerParams),
  body: FilterBody,
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID);
    const place = { userId: ledger.user_id, ledgerId: ledger.id, method: "URL" as const };
    return idOf(await replaceFilters(context, place, body.notification_filters));
  },
});
const listOfLedger = operation({
  id: "bank.ListNotificationFilterUrlMonetaryAccounts",
  summary: "Lists the notification filters of an account",
  description: "Filters of the user as a whole are not included.",
  method: "GET",
  path: LEDGER_PATH,
  permission: "bank:ListNotificationFilters",
  wrapper: "NotificationFilterUrl",
  params: Type.Object(ledgerParams),
  answers: { 200: Type.Array(FilterList) },
  async handle({ params }, context) {
    const ledger = await getLedger(context, params.userID, params.monetaryAccountID);
    const all = await listFilters(context.db, context.account, [ledger.user_id]);
    return [listed(all.filter(({ ledger_id }) => ledger_id === ledger.id))];
  },
});

const failures = collection({
  kind: FAILURE,
  name: "NotificationFilterFailure",
  noun: "notification that failed",
  path: "/user/{userID}/notification-filter-failure",
  params: userParams,
  wrapper: "NotificationFilterFailure",
  methods: ["list"],
  countMax: FAILURES_MAX,
  shown: {
    id: Type.Integer(),
    ...FilterList.properties,
    category: Type.String(),
    event_type: Type.String(),
    object_id: Type.Integer(),
    exception_message: Type.String(),
    response_code: Type.Integer(),
  },
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  show(_context, record) {
    const { category, event_type, object_id, exception_message, response_code, ...filter } = keptIn(
      FailureKept,
      record,
    );
    return {
      id: record.id,
      ...listed([{ method: filter.method, target: filter.target, category }]),
      category,
      event_type,
      object_id,
      exception_message,
      response_code,
    };
  },
});
const IDS = /^\d{1,15}(?:,\d{1,15}){0,99}$/;
const retryFailures = operation({
  id: "bank.CreateNotificationFilterFailure",
  summary: "Retries notifications that could not be delivered",
  description:
    "Takes up to 100 ids of `bank.ListNotificationFilterFailure`, separated by commas. Each is removed from that list and delivered again by a job. If that fails too, it is listed again.",
  method: "POST",
  path: "/user/{userID}/notification-filter-failure",
  permission: "bank:CreateNotificationFilter",
  params: Type.Object(userParams),
  body: Type.Object({ notification_filter_failed_ids: Type.String({ maxLength: 2000 }) }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const { db, account } = context;
    const userId = requireUser(context, params.userID);
    const text = body.notification_filter_failed_ids.replaceAll(" ", "");
    if (!IDS.test(text))
      throw errors.badRequest("notification_filter_failed_ids must be numbers with commas between them.");
    const first = await takeId(db, account);
    for (const id of text.split(",").map(Number)) {
      const place = { kind: FAILURE, userId, ownerId: 0 };
      const failure = await findRecord(db, account, place, id);
      if (!failure) throw errors.badRequest(`There is no notification ${id} that failed.`);
      const { eventId, filterId } = keptIn(FailureKept, failure);
      await context.enqueue(notification, { eventId, filterId });
      await deleteRecord(db, account, FAILURE, id);
    }
    return idOf(first);
  },
});

const listEvents = operation({
  id: "bank.ListEvents",
  summary: "Lists events, the newest first",
  description:
    "An event is recorded for each change of a payment, a request, a card and so on. `monetary_account_id` limits the list to one account. Notification filters deliver the same events.",
  method: "GET",
  path: "/user/{userID}/event",
  permission: "bank:ListEvents",
  wrapper: "Event",
  params: Type.Object(userParams),
  query: Type.Object({
    ...ListQuery.properties,
    monetary_account_id: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  answers: { 200: Type.Array(Event) },
  handle({ params, query }, context) {
    const userId = requireUser(context, params.userID);
    const { monetary_account_id: ledgerId } = query;
    return listOf(
      context,
      query,
      (slice) => pageOfEvents(context.db, context.account, userId, { ...slice, ledgerId }),
      (event) => eventView(context, event),
    );
  },
});
const readEvent = operation({
  id: "bank.ReadEvent",
  summary: "Reads an event",
  description: "Shows the object as it was when the event happened. Only events of the user can be read.",
  method: "GET",
  path: "/user/{userID}/event/{itemId}",
  permission: "bank:ReadEvent",
  wrapper: "Event",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: Event },
  async handle({ params }, context) {
    requireUser(context, params.userID);
    const event = await findEvent(context.db, context.account, params.itemId);
    if (event?.user_id !== params.userID) throw errors.notFound(`There is no event ${params.itemId}.`);
    return eventView(context, event);
  },
});

const METHODS = ["URL", "PUSH", "EMAIL"] as const;
export const notificationOperations = [
  ...METHODS.flatMap((method) => [creating(method), listing(method)]),
  createOfLedger,
  listOfLedger,
  ...failures,
  retryFailures,
  listEvents,
  readEvent,
];

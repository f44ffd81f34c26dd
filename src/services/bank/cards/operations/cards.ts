/** Cards: ordered, changed, replaced, one or many at a time. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  BareId,
  errors,
  Id,
  idOf,
  itemParams,
  type LedgerRow,
  ListQuery,
  listOf,
  operation,
  pageOfLedgers,
  pageOfRecords,
  type RecordRow,
  requireUser,
  takeId,
  userParams,
} from "../../book/index.ts";
import {
  findTarget,
  findUser,
  getKnownLedger,
  labelled,
  monetaryAccountView,
  readAmount,
  readTime,
  requireRoom,
} from "../../money/index.ts";
import { openCardAccount } from "../accounts.ts";
import { bodyOf, CARD, type GivenPin, getCard, orderCard, requireOwnLedger } from "../cards.ts";
import { type CardChange, changeCard, replaceCard } from "../changes.ts";
import { isFreelyReplaced, namesOnCard } from "../domain/cards.ts";
import { Card, CountryPermission, cardView, PinAssignment, PrimaryAccountNumber } from "../wire/cards.ts";

const TYPES = ["MAESTRO", "MASTERCARD"] as const;
const BATCH_MAX = 50;
const name = Type.String({ minLength: 1, maxLength: 26 });

async function viewOf(context: BankContext, card: RecordRow) {
  const body = bodyOf(card);
  const ordered = await getKnownLedger(context.db, context.account, body.orderedLedgerId);
  const current = await getKnownLedger(
    context.db,
    context.account,
    body.pins.find(({ type }) => type === "PRIMARY")?.ledgerId ?? ordered.id,
  );
  const accounts = {
    label_monetary_account_ordered: await labelled(context, ordered),
    label_monetary_account_current: await labelled(context, current),
    monetary_account: await monetaryAccountView(context, current),
  };
  return cardView(card, body, accounts, isFreelyReplaced(body.expiresAt, context.clock.nowMs()));
}

const orderMembers = {
  second_line: Type.String({ maxLength: 50 }),
  name_on_card: name,
  preferred_name_on_card: Type.Optional(name),
  alias: Type.Optional(
    Type.Object({
      type: Type.String({ maxLength: 50 }),
      value: Type.String({ maxLength: 255 }),
      name: Type.Optional(Type.String({ maxLength: 140 })),
    }),
  ),
  type: Type.Union(TYPES.map((type) => Type.Literal(type))),
  product_type: Type.String({ maxLength: 50 }),
  pin_code_assignment: Type.Optional(Type.Array(PinAssignment, { maxItems: 3 })),
  monetary_account_id_fallback: Type.Optional(Type.Integer({ minimum: 1 })),
  order_status: Type.Optional(Type.String({ maxLength: 50 })),
};

/** A credit card without a named account gets a new one, with the user's oldest account as its fallback. */
async function openOwn(context: BankContext, userId: number, description: string): Promise<LedgerRow> {
  await takeId(context.db, context.account);
  await requireRoom(context, userId);
  return openCardAccount(context, await getOldest(context, userId, ["bank", "joint"]), description);
}
async function getOldest(context: BankContext, userId: number, kinds: readonly string[]): Promise<LedgerRow> {
  const slice = { newerThan: 0, limit: 1 };
  const [oldest] = await pageOfLedgers(context.db, context.account, { userId, kinds }, slice);
  if (!oldest) throw errors.badRequest("A card needs a monetary account.");
  return oldest;
}
/** The account that a card is for: by its alias, by its first code, or the oldest. */
async function ledgerFor(
  context: BankContext,
  userId: number,
  kind: "debit" | "credit",
  { alias, pin_code_assignment: pins = [], second_line }: Static<typeof DebitBody>,
): Promise<LedgerRow> {
  if (alias) {
    const target = await findTarget(context, alias);
    if (!("ledger" in target) || target.ledger.user_id !== userId)
      throw errors.badRequest("The alias does not belong to one of your accounts.");
    return target.ledger;
  }
  const id = pins.find(({ monetary_account_id }) => monetary_account_id !== undefined)?.monetary_account_id;
  if (id !== undefined) return requireOwnLedger(context, userId, id);
  if (kind === "credit") return openOwn(context, userId, second_line);
  return getOldest(context, userId, ["bank", "joint", "card"]);
}
const DebitBody = Type.Object(orderMembers);
const CreditBody = Type.Object({
  first_line: Type.Optional(Type.String({ maxLength: 50 })),
  ...orderMembers,
});

const ordering = (kind: "debit" | "credit") =>
  operation({
    id: kind === "debit" ? "bank.CreateCardDebit" : "bank.CreateCardCredit",
    summary: `Orders a ${kind} card`,
    description:
      kind === "credit"
        ? "Where no account is named it draws on one of its own with a credit, which the oldest account settles every month."
        : "The account is that of the alias, or of the first code, or else the user's oldest. `name_on_card` must be one of `bank.ListCardNames`. The request must be signed.",
    method: "POST",
    path: `/user/{userID}/card-${kind}`,
    permission: "bank:CreateCard",
    signed: true,
    wrapper: kind === "debit" ? "CardDebit" : "CardCredit",
    params: Type.Object(userParams),
    body: kind === "debit" ? DebitBody : CreditBody,
    answers: { 200: Id },
    async handle({ params, body }, context) {
      const userId = requireUser(context, params.userID);
      const user = await findUser(context.db, context.account, userId);
      if (!namesOnCard(user?.display_name ?? "").includes(body.name_on_card))
        throw errors.badRequest("name_on_card must be one of the names that card-name lists.");
      const card = await orderCard(context, {
        userId,
        type: body.type,
        subType: kind === "debit" ? "DEBIT" : "CREDIT",
        productType: body.product_type,
        firstLine: (body as Static<typeof CreditBody>).first_line,
        secondLine: body.second_line,
        nameOnCard: body.name_on_card,
        preferredName: body.preferred_name_on_card,
        pins: (body.pin_code_assignment ?? []) as readonly GivenPin[],
        ledger: await ledgerFor(context, userId, kind, body),
        fallbackLedgerId: body.monetary_account_id_fallback,
        orderStatus: body.order_status,
      });
      return idOf(card.id);
    },
  });

const changeMembers = {
  status: Type.Optional(Type.String({ maxLength: 50 })),
  card_limit: Type.Optional(Amount),
  card_limit_atm: Type.Optional(Amount),
  country_permission: Type.Optional(Type.Array(CountryPermission, { maxItems: 250 })),
  monetary_account_id_fallback: Type.Optional(Type.Integer({ minimum: 1 })),
};
const CardChangeBody = Type.Object({
  pin_code: Type.Optional(Type.String({ maxLength: 10 })),
  activation_code: Type.Optional(Type.String({ maxLength: 20 })),
  order_status: Type.Optional(Type.String({ maxLength: 50 })),
  ...changeMembers,
  pin_code_assignment: Type.Optional(Type.Array(PinAssignment, { maxItems: 3 })),
  primary_account_numbers: Type.Optional(Type.Array(PrimaryAccountNumber, { maxItems: 10 })),
  preferred_name_on_card: Type.Optional(name),
  second_line: Type.Optional(Type.String({ maxLength: 50 })),
  cancellation_reason: Type.Optional(Type.String({ maxLength: 140 })),
});
type Given = Partial<Static<typeof CardChangeBody>>;

function limitOf(member: string, amount: Static<typeof Amount> | undefined, currency: string) {
  if (amount === undefined) return undefined;
  const minor = amount.currency === currency ? readAmount(amount.value, currency) : undefined;
  if (minor === undefined) throw errors.badRequest(`${member} must be an amount in ${currency}.`);
  return minor;
}
const COUNTRY = /^[A-Z]{2}$/;
function permissionOf(
  { country, expiry_time, id }: Static<typeof CountryPermission>,
  nowMs: number,
): { country: string; expiresAt: number | null; id?: number } {
  if (!COUNTRY.test(country)) throw errors.badRequest("A country has two capital letters.");
  const expiresAt = expiry_time === undefined ? null : readTime(expiry_time);
  if (expiresAt === undefined || (expiresAt !== null && expiresAt <= nowMs))
    throw errors.badRequest("expiry_time must be a time to come, such as 2026-12-31 23:59:59.");
  return { country, expiresAt, ...(id !== undefined && { id }) };
}
/** Translates a request body into the bank's own names and leaves out absent members. */
function changeOf(given: Given, currency: string, nowMs: number): CardChange {
  const named = {
    pin_code: given.pin_code,
    activation_code: given.activation_code,
    status: given.status,
    order_status: given.order_status,
    limitMinor: limitOf("card_limit", given.card_limit, currency),
    limitAtmMinor: limitOf("card_limit_atm", given.card_limit_atm, currency),
    permissions: given.country_permission?.map((one) => permissionOf(one, nowMs)),
    pins: given.pin_code_assignment,
    numbers: given.primary_account_numbers,
    fallbackLedgerId: given.monetary_account_id_fallback,
    preferredName: given.preferred_name_on_card,
    secondLine: given.second_line,
    cancellationReason: given.cancellation_reason,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as CardChange;
}
async function change(context: BankContext, userId: number, id: number, given: Given): Promise<void> {
  const card = await getCard(context, userId, id);
  await changeCard(context, card, changeOf(given, bodyOf(card).currency, context.clock.nowMs()));
}

const updateCard = operation({
  id: "bank.UpdateCard",
  summary: "Changes a card: its status, codes, limits, countries and accounts",
  description:
    "Members that are not given stay. Limits must be in the currency of the card. Permissions of countries replace the earlier ones, and expire at their `expiry_time`.",
  method: "PUT",
  path: "/user/{userID}/card/{itemId}",
  permission: "bank:UpdateCard",
  wrapper: "Card",
  params: Type.Object({ ...userParams, ...itemParams }),
  body: CardChangeBody,
  answers: { 200: Id },
  async handle({ params, body }, context) {
    await change(context, requireUser(context, params.userID), params.itemId, body);
    return idOf(params.itemId);
  },
});
const readCard = operation({
  id: "bank.ReadCard",
  summary: "Reads a card",
  description: "A card of another user gives 404.",
  method: "GET",
  path: "/user/{userID}/card/{itemId}",
  permission: "bank:ReadCard",
  wrapper: "Card",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: Card },
  handle: async ({ params }, context) =>
    viewOf(context, await getCard(context, requireUser(context, params.userID), params.itemId)),
});
const listCards = operation({
  id: "bank.ListCards",
  summary: "Lists cards, the newest first",
  description: "Includes cards that were cancelled or replaced.",
  method: "GET",
  path: "/user/{userID}/card",
  permission: "bank:ListCards",
  wrapper: "Card",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Card) },
  async handle({ params, query }, context) {
    const place = { kind: CARD, userId: requireUser(context, params.userID), ownerId: 0 };
    const read = (slice: Parameters<typeof pageOfRecords>[3]) =>
      pageOfRecords(context.db, context.account, place, slice);
    return listOf(context, query, read, (card) => viewOf(context, card));
  },
});
const listNames = operation({
  id: "bank.ListCardNames",
  summary: "Lists the names that may be printed on a card of the user",
  description: "Use one of them as `name_on_card` of an order; others are refused.",
  method: "GET",
  path: "/user/{userID}/card-name",
  permission: "bank:ListCardNames",
  wrapper: "CardUserNameArray",
  params: Type.Object(userParams),
  answers: { 200: Type.Array(Type.Object({ possible_card_name_array: Type.Array(Type.String()) })) },
  async handle({ params }, context) {
    const userId = requireUser(context, params.userID);
    const user = await findUser(context.db, context.account, userId);
    return [{ possible_card_name_array: namesOnCard(user?.display_name ?? "") }];
  },
});

const replaceMembers = {
  name_on_card: Type.Optional(name),
  second_line: Type.Optional(Type.String({ maxLength: 50 })),
  pin_code_assignment: Type.Optional(Type.Array(PinAssignment, { maxItems: 3 })),
};
type Replacing = {
  readonly name_on_card?: string;
  readonly preferred_name_on_card?: string;
  readonly second_line?: string;
  readonly pin_code_assignment?: readonly GivenPin[];
};
async function replace(context: BankContext, userId: number, id: number, given: Replacing): Promise<number> {
  const card = await replaceCard(context, await getCard(context, userId, id), {
    nameOnCard: given.name_on_card,
    preferredName: given.preferred_name_on_card,
    secondLine: given.second_line,
    pins: given.pin_code_assignment,
  });
  return card.id;
}
const createReplacement = operation({
  id: "bank.ReplaceCard",
  summary: "Replaces a card by a new one",
  description:
    "Orders a new card with the settings of the old one; the response has the new id. The request must be signed.",
  method: "POST",
  path: "/user/{userID}/card/{cardID}/replace",
  permission: "bank:ReplaceCard",
  signed: true,
  params: Type.Object({ ...userParams, cardID: Type.Integer({ minimum: 1 }) }),
  body: Type.Object({ ...replaceMembers, preferred_name_on_card: Type.Optional(name) }),
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const userId = requireUser(context, params.userID);
    return idOf(await replace(context, userId, params.cardID, body as Replacing));
  },
});

const batching = <Entry extends TSchema>(
  given: { id: string; path: string; summary: string; description: string; wrapper: string },
  entry: Entry,
  work: (context: BankContext, userId: number, one: Static<Entry>) => Promise<number>,
) =>
  operation({
    ...given,
    method: "POST",
    permission: "bank:UpdateCard",
    signed: true,
    params: Type.Object(userParams),
    body: Type.Object({ cards: Type.Array(entry, { minItems: 1, maxItems: BATCH_MAX }) }),
    answers: { 200: Type.Object({ updated_card_ids: Type.Array(BareId) }) },
    async handle({ params, body }, context) {
      const userId = requireUser(context, params.userID);
      const ids = [];
      for (const one of (body as { cards: Static<Entry>[] }).cards)
        ids.push({ id: await work(context, userId, one) });
      return { updated_card_ids: ids };
    },
  });
const cardId = { id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) };
const changeMany = batching(
  {
    id: "bank.CreateCardBatch",
    path: "/user/{userID}/card-batch",
    summary: "Changes several cards, all or none",
    description: `Takes the members of \`bank.UpdateCard\` for up to ${BATCH_MAX} cards of the user, in one transaction. If one card is refused, none is changed.`,
    wrapper: "CardBatch",
  },
  Type.Object({ ...cardId, ...changeMembers }),
  async (context, userId, { id, ...given }) => {
    await change(context, userId, id, given);
    return id;
  },
);
const replaceMany = batching(
  {
    id: "bank.CreateCardBatchReplace",
    path: "/user/{userID}/card-batch-replace",
    summary: "Replaces several cards, all or none",
    description: `Takes the members of \`bank.ReplaceCard\` for up to ${BATCH_MAX} cards of the user, in one transaction. The answer has the ids of the new cards.`,
    wrapper: "CardBatchReplace",
  },
  Type.Object({ ...cardId, ...replaceMembers }),
  (context, userId, { id, ...given }) => replace(context, userId, id, given as Replacing),
);

export const cardOperations = [
  ordering("debit"),
  ordering("credit"),
  updateCard,
  readCard,
  listCards,
  listNames,
  createReplacement,
  changeMany,
  replaceMany,
];

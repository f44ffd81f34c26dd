/**
 * Read-only information about users and the bank: limits, trees, funds, announcements, health, error
 * reports, challenges.
 */
import { Type } from "@sinclair/typebox";
import {
  Amount,
  Avatar,
  type BankContext,
  callerOf,
  countPayments,
  countRecords,
  createRecord,
  errors,
  findLedger,
  Id,
  idOf,
  itemParams,
  LabelUser,
  mayUse,
  operation,
  pageOfLedgers,
  recordKind,
  requireUser,
  spentByUserSince,
  takeId,
  userParams,
} from "../../book/index.ts";
import { CARDS_MAX } from "../../cards/index.ts";
import {
  ACCOUNTS_MAX,
  amountOf,
  findAlias,
  findUser,
  getMoney,
  labelOfUser,
  MONTH_MS,
  MONTHLY_LIMIT,
  PEOPLES_KINDS,
  readIban,
} from "../../money/index.ts";

const ERRORS_MAX = 1000;
/** One tree is planted for this number of payments. */
const PAYMENTS_PER_TREE = 100;

const listLimits = operation({
  id: "bank.ListLimits",
  summary: "Lists the limits of a user, and how much of each is left",
  description:
    "Counts the open accounts and the cards of the user, and sums what was spent in the last month in the currency of the limit. `bank.CreatePayment` refuses what exceeds the monthly limit.",
  method: "GET",
  path: "/user/{userID}/limit",
  permission: "bank:ListLimits",
  wrapper: "CustomerLimit",
  params: Type.Object(userParams),
  answers: {
    200: Type.Array(
      Type.Object({
        limit_monetary_account: Type.Integer(),
        limit_monetary_account_remaining: Type.Integer(),
        limit_card_debit_maestro: Type.Integer(),
        limit_card_debit_mastercard: Type.Integer(),
        limit_card_wildcard: Type.Integer(),
        limit_card_replacement: Type.Integer(),
        limit_amount_monthly: Amount,
        spent_amount_monthly: Amount,
      }),
    ),
  },
  async handle({ params }, context) {
    return [await limitsOf(context, requireUser(context, params.userID))];
  },
});
async function limitsOf({ db, account, clock }: BankContext, userId: number) {
  const all = await pageOfLedgers(db, account, { userId, kinds: PEOPLES_KINDS }, { limit: ACCOUNTS_MAX });
  const spent = await spentByUserSince(
    db,
    account,
    { userId, currency: MONTHLY_LIMIT.currency },
    clock.nowMs() - MONTH_MS,
  );
  const cards = await countRecords(db, account, { kind: "card", userId, ownerId: 0 });
  return {
    limit_monetary_account: ACCOUNTS_MAX,
    limit_monetary_account_remaining: ACCOUNTS_MAX - all.length,
    limit_card_debit_maestro: CARDS_MAX,
    limit_card_debit_mastercard: CARDS_MAX,
    limit_card_wildcard: Math.max(0, CARDS_MAX - cards),
    limit_card_replacement: CARDS_MAX,
    limit_amount_monthly: amountOf(MONTHLY_LIMIT),
    spent_amount_monthly: amountOf({ minor: spent, currency: MONTHLY_LIMIT.currency }),
  };
}

const treeProgress = operation({
  id: "bank.ListTreeProgress",
  summary: "Tells how many trees a user's payments have planted",
  description: `Every ${PAYMENTS_PER_TREE} payments of a user plant one.`,
  method: "GET",
  path: "/user/{userID}/tree-progress",
  permission: "bank:ReadTreeProgress",
  wrapper: "TreeProgress",
  params: Type.Object(userParams),
  answers: {
    200: Type.Array(
      Type.Object({
        number_of_tree: Type.Integer(),
        progress_tree_next: Type.Integer(),
        url_invite_profile: Type.String(),
        label_user: LabelUser,
      }),
    ),
  },
  async handle({ params }, context) {
    const userId = requireUser(context, params.userID);
    const user = await findUser(context.db, context.account, userId);
    if (!user) throw errors.notFound(`There is no user ${userId}.`);
    const count = await countPayments(context.db, context.account, userId);
    return [
      {
        number_of_tree: Math.floor(count / PAYMENTS_PER_TREE),
        progress_tree_next: count % PAYMENTS_PER_TREE,
        url_invite_profile: `${context.request.mountUrl}/user/${userId}/tree-progress`,
        label_user: labelOfUser(user),
      },
    ];
  },
});

/** Whoever may ask about any amount learns the balance. */
async function mayAskAbout(context: BankContext, userId: number, ledgerId: number): Promise<boolean> {
  if (await mayUse(context, ledgerId, "view")) return true;
  return (await findUser(context.db, context.account, userId))?.kind === "provider";
}
const confirmFunds = operation({
  id: "bank.CreateConfirmationOfFunds",
  summary: "Tells whether an account has enough money for an amount",
  description:
    "Answers yes or no and changes nothing: balance and overdraft of an active account must cover the amount, in the currency of the account. The amount is not reserved. Users may ask about accounts whose balance they may view; payment service providers may ask about every account.",
  method: "POST",
  path: "/user/{userID}/confirmation-of-funds",
  permission: "bank:CreateConfirmationOfFunds",
  wrapper: "ConfirmationOfFunds",
  params: Type.Object(userParams),
  body: Type.Object({
    pointer_iban: Type.Object({
      type: Type.String({ maxLength: 50 }),
      value: Type.String({ minLength: 1, maxLength: 60 }),
      name: Type.Optional(Type.String({ maxLength: 140 })),
    }),
    amount: Amount,
  }),
  answers: { 200: Type.Object({ has_sufficient_funds: Type.Boolean() }) },
  async handle({ params, body }, context) {
    requireUser(context, params.userID);
    const { minor, currency } = getMoney(body.amount);
    const iban = readIban(body.pointer_iban.value);
    const alias = iban && (await findAlias(context.db, context.account, "IBAN", iban));
    const ledger = alias && (await findLedger(context.db, context.account, alias.ledger_id));
    if (!ledger || !(await mayAskAbout(context, params.userID, ledger.id)))
      throw errors.badRequest("pointer_iban is no account that you may ask about.");
    const isEnough = ledger.currency === currency && ledger.balance + ledger.overdraft_limit >= minor;
    return { has_sufficient_funds: isEnough && ledger.status === "ACTIVE" };
  },
});

/** Announcements to all users, by number. */
const ANNOUNCEMENTS = [
  { title: "Savings with goals", sub_title: "Tell an account what it is for, and see how far it is." },
  { title: "Your statements", sub_title: "As PDF, CSV and MT940, made from the ledger." },
  { title: "Shared accounts", sub_title: "Let somebody see, propose or pay." },
] as const;
const readAnnouncement = operation({
  id: "bank.ReadFeatureAnnouncement",
  summary: "Reads an announcement of the bank",
  description: `The bank has ${ANNOUNCEMENTS.length} announcements, with the numbers 1 to ${ANNOUNCEMENTS.length}. They are the same for every user.`,
  method: "GET",
  path: "/user/{userID}/feature-announcement/{itemId}",
  permission: "bank:ReadFeatureAnnouncement",
  wrapper: "FeatureAnnouncement",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: {
    200: Type.Object({
      avatar: Type.Optional(Avatar),
      title: Type.String(),
      sub_title: Type.String(),
      type: Type.String(),
    }),
  },
  handle({ params }, context) {
    requireUser(context, params.userID);
    const found = ANNOUNCEMENTS[params.itemId - 1];
    if (!found) throw errors.notFound(`There is no announcement ${params.itemId}.`);
    return { ...found, type: "FEATURE" };
  },
});

const healthCheck = operation({
  id: "bank.ListHealthChecks",
  summary: "Tells whether the ledger can be read",
  description:
    "Reads the caller's own user from the database. The status is HEALTHY if it is found. `GET /_medley/health` tells about the whole process.",
  method: "GET",
  path: "/health-check",
  permission: "bank:ReadHealth",
  wrapper: "HealthCheckResult",
  answers: {
    200: Type.Array(
      Type.Object({
        status: Type.String(),
        allEntry: Type.Array(Type.Object({ type: Type.String(), status: Type.String() })),
      }),
    ),
  },
  async handle(_input, context) {
    const user = await findUser(context.db, context.account, callerOf(context).userId);
    const status = user ? "HEALTHY" : "UNHEALTHY";
    return [{ status, allEntry: [{ type: "LEDGER", status }] }];
  },
});

export const ServerErrorKept = recordKind(
  ["server-error"],
  Type.Object({ message: Type.Optional(Type.String()) }),
);
const reportError = operation({
  id: "bank.CreateServerError",
  summary: "Reports an error of a client to the operator of the bank",
  description: `Stores the message and writes a line to the log of the server. The console lists the reports. A user reports at most ${ERRORS_MAX} errors.`,
  method: "POST",
  path: "/server-error",
  permission: "bank:CreateServerError",
  body: Type.Object({ message: Type.Optional(Type.String({ maxLength: 2000 })) }),
  bodyOptional: true,
  answers: { 200: Id },
  async handle({ body }, context) {
    const { db, account, log } = context;
    const { userId } = callerOf(context);
    const id = await takeId(db, account);
    const place = { kind: "server-error", userId, ownerId: 0 };
    if ((await countRecords(db, account, place)) >= ERRORS_MAX)
      throw errors.badRequest(`A user reports at most ${ERRORS_MAX} errors.`);
    log.info("a client of the bank reports an error", { user: userId, report: id });
    await createRecord(context, { ...place, id, body: body ?? {} });
    return idOf(id);
  },
});

export const factOperations = [
  listLimits,
  treeProgress,
  confirmFunds,
  readAnnouncement,
  healthCheck,
  reportError,
];

/** Whitelists for direct debits, made from an earlier debit: for one debit, or for recurring ones. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  belowUser,
  collection,
  errors,
  findLedger,
  findRecord,
  findRecordById,
  itemParams,
  keptIn,
  ListQuery,
  ledgerIn,
  ledgerParams,
  listOf,
  operation,
  pageOfRecords,
  requireUser,
  userParams,
} from "../../book/index.ts";
import { getPositive } from "../../money/index.ts";
import { RequestKept } from "../views/requests.ts";
import { WHITELIST_KINDS, WhitelistKept } from "../views/whitelists.ts";
import { Whitelist, whitelistMembers, whitelistView } from "../wire/whitelists.ts";

const COUNT_MAX = 1000;
const limits = {
  maximum_amount_per_month: Type.Optional(Amount),
  maximum_amount_per_payment: Type.Optional(Amount),
  routing_type: Type.Optional(Type.String({ maxLength: 50 })),
};
const Limits = Type.Object(limits);
function limitsOf({
  maximum_amount_per_month: month,
  maximum_amount_per_payment: payment,
  routing_type,
}: Static<typeof Limits>) {
  return {
    ...(month && { perMonth: getPositive(month, "maximum_amount_per_month") }),
    ...(payment && { perPayment: getPositive(payment, "maximum_amount_per_payment") }),
    ...(routing_type !== undefined && { routing: routing_type }),
  };
}
async function requireOwn({ db, account }: BankContext, userId: number, ledgerId: number): Promise<void> {
  const ledger = await findLedger(db, account, ledgerId);
  if (ledger?.user_id !== userId) throw errors.badRequest(`There is no monetary account ${ledgerId}.`);
}
async function getDebit({ db, account }: BankContext, userId: number, requestId: number) {
  const response = await findRecordById(db, account, "request-response", requestId);
  const kept = response && keptIn(RequestKept, response);
  if (response?.user_id !== userId || kept?.type !== "DIRECT_DEBIT")
    throw errors.badRequest(`There is no direct debit ${requestId}.`);
  return { ledgerId: response.owner_id, kept };
}

const NAMES = {
  "whitelist-sdd-one-off": "WhitelistSddOneOff",
  "whitelist-sdd-recurring": "WhitelistSddRecurring",
};
const whitelists = WHITELIST_KINDS.flatMap((kind) =>
  collection({
    kind,
    name: NAMES[kind],
    noun: "whitelist",
    ...belowUser(kind),
    wrapper: NAMES[kind],
    methods: ["create", "list", "read", "update", "delete"],
    countMax: COUNT_MAX,
    given: {
      monetary_account_paying_id: Type.Integer({ minimum: 1 }),
      request_id: Type.Integer({ minimum: 1 }),
      ...limits,
    },
    changed: { monetary_account_paying_id: Type.Optional(Type.Integer({ minimum: 1 })), ...limits },
    shown: whitelistMembers,
    async make(context, { monetary_account_paying_id, request_id, ...rest }, { userID = 0 }) {
      await requireOwn(context, userID, monetary_account_paying_id);
      const { ledgerId, kept } = await getDebit(context, userID, request_id);
      const made: WhitelistKept = {
        payingLedgerId: monetary_account_paying_id,
        incomingLedgerId: ledgerId,
        scheme: kept.credit_scheme_identifier ?? "",
        mandate: kept.mandate_identifier ?? "",
        counterparty: kept.counterparty,
        creator: kept.alias.label_user,
        ...limitsOf(rest),
      };
      return { body: made };
    },
    async change(context, record, { monetary_account_paying_id, ...rest }) {
      if (monetary_account_paying_id !== undefined)
        await requireOwn(context, record.user_id, monetary_account_paying_id);
      const kept = keptIn(WhitelistKept, record);
      const payingLedgerId = monetary_account_paying_id ?? kept.payingLedgerId;
      return { body: { ...kept, payingLedgerId, ...limitsOf(rest) } };
    },
    show: (_context, record) => whitelistView(record),
  }),
);

const listOfUser = operation({
  id: "bank.ListWhitelistSdd",
  summary: "Lists all whitelists of direct debits, the newest first",
  description:
    "Includes both kinds: for one debit and for recurring debits. They are created with `bank.CreateWhitelistSddOneOff` and `bank.CreateWhitelistSddRecurring`.",
  method: "GET",
  path: "/user/{userID}/whitelist-sdd",
  permission: "bank:ListWhitelistSdd",
  wrapper: "WhitelistSdd",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Whitelist) },
  async handle({ params, query }, context) {
    const place = { kind: WHITELIST_KINDS, userId: requireUser(context, params.userID) };
    return listOf(
      context,
      query,
      (slice) => pageOfRecords(context.db, context.account, place, slice),
      whitelistView,
    );
  },
});
async function getWhitelist(context: BankContext, userId: number, id: number) {
  const found = await findRecord(context.db, context.account, { kind: WHITELIST_KINDS, userId }, id);
  if (!found) throw errors.notFound(`There is no whitelist ${id}.`);
  return whitelistView(found);
}
const readOfUser = operation({
  id: "bank.ReadWhitelistSdd",
  summary: "Reads a whitelist of direct debits",
  description:
    "Finds both kinds by id. It shows the account that pays, the creditor and the limits of a month and of one debit.",
  method: "GET",
  path: "/user/{userID}/whitelist-sdd/{itemId}",
  permission: "bank:ReadWhitelistSdd",
  wrapper: "WhitelistSdd",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: Whitelist },
  handle: ({ params }, context) => getWhitelist(context, requireUser(context, params.userID), params.itemId),
});
const listOfLedger = operation({
  id: "bank.ListWhitelistSddOfAccount",
  summary: "Lists the whitelists that an account pays for, the newest first",
  description:
    "Only whitelists whose `monetary_account_paying_id` is this account. `bank.ListWhitelistSdd` lists those of all accounts.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/whitelist-sdd",
  permission: "bank:ListWhitelistSdd",
  wrapper: "WhitelistSdd",
  params: Type.Object(ledgerParams),
  query: ListQuery,
  answers: { 200: Type.Array(Whitelist) },
  async handle({ params, query }, context) {
    const ledger = await ledgerIn(context, params);
    const place = { kind: WHITELIST_KINDS, userId: ledger.user_id };
    return listOf(
      context,
      query,
      async ({ limit, ...slice }) => {
        const all = await pageOfRecords(context.db, context.account, place, { ...slice, limit: COUNT_MAX });
        const own = all.filter((one) => keptIn(WhitelistKept, one).payingLedgerId === ledger.id);
        return slice.newerThan === undefined ? own.slice(0, limit) : own.slice(-limit);
      },
      whitelistView,
    );
  },
});
const readOfLedger = operation({
  id: "bank.ReadWhitelistSddOfAccount",
  summary: "Reads a whitelist that an account pays for",
  description:
    "Not found if another account of the user pays for it. `bank.ReadWhitelistSdd` finds it for every account.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/whitelist-sdd/{itemId}",
  permission: "bank:ReadWhitelistSdd",
  wrapper: "WhitelistSdd",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  answers: { 200: Whitelist },
  async handle({ params }, context) {
    const ledger = await ledgerIn(context, params);
    const found = await getWhitelist(context, ledger.user_id, params.itemId);
    if (found.monetary_account_paying_id !== ledger.id)
      throw errors.notFound(`There is no whitelist ${params.itemId}.`);
    return found;
  },
});

export const whitelistOperations = [...whitelists, listOfUser, readOfUser, listOfLedger, readOfLedger];

/** Tabs and fundraisers: addresses to share, and the payments they received. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type BankContext,
  belowLedger,
  clearDeadline,
  collection,
  errors,
  findRecord,
  itemParams,
  keptIn,
  type LedgerRow,
  ListQuery,
  ledgerIn,
  ledgerParams,
  listOf,
  openPage,
  operation,
  pageOfRecords,
  type RecordRow,
  requireUser,
  setDeadline,
  userParams,
} from "../../book/index.ts";
import {
  findPayment,
  getKnownLedger,
  getPositive,
  getWebAddress,
  labelled,
  Payment,
  paymentView,
  StatusBody,
  TabKept,
} from "../../money/index.ts";
import { listResults } from "../payables.ts";
import {
  FundraiserProfile,
  FundraiserResult,
  fundraiserResultView,
  profileView,
  TabEntryBody,
  tabMembers,
  tabView,
} from "../wire/tabs.ts";

const COUNT_MAX = 100_000;
const OPEN_MS = 30 * 86_400_000;

function termsOf(ledger: LedgerRow, entry: Static<typeof TabEntryBody>) {
  const { amount_inquired, description = "", redirect_url } = entry;
  const money = amount_inquired && getPositive(amount_inquired, "amount_inquired");
  if (money && money.currency !== ledger.currency)
    throw errors.badRequest(`The account ${ledger.id} is in ${ledger.currency}.`);
  return { money, description, redirectUrl: getWebAddress("redirect_url", redirect_url) };
}
const ledgerOf = ({ db, account }: BankContext, { owner_id }: RecordRow): Promise<LedgerRow> =>
  getKnownLedger(db, account, owner_id);

const tabs = collection({
  kind: "vendorme-tab",
  name: "VendormeTab",
  noun: "tab",
  ...belowLedger("vendorme-tab"),
  wrapper: "BunqMeTab",
  methods: ["create", "list", "read", "update"],
  bareId: true,
  category: "VENDORME_TAB",
  countMax: COUNT_MAX,
  given: {
    vendorme_tab_entry: TabEntryBody,
    status: Type.Optional(StatusBody),
    event_id: Type.Optional(Type.Integer()),
  },
  changed: {
    vendorme_tab_entry: Type.Optional(TabEntryBody),
    status: Type.Optional(StatusBody),
    event_id: Type.Optional(Type.Integer()),
  },
  shown: tabMembers,
  async make(context, { vendorme_tab_entry }, params, id) {
    const terms = termsOf(await ledgerIn(context, params), vendorme_tab_entry);
    const expiresAtMs = context.clock.nowMs() + OPEN_MS;
    const shareUuid = await openPage(context, { kind: "vendorme-tab", recordId: id });
    await setDeadline(context, "vendorme-tab", id, expiresAtMs);
    return { body: { ...terms, shareUuid, expiresAtMs } satisfies TabKept };
  },
  async change(context, tab, { vendorme_tab_entry, status }) {
    if (tab.status !== "WAITING_FOR_PAYMENT")
      throw errors.badRequest(`A tab that is ${tab.status} cannot be changed any more.`);
    if (status !== undefined) await clearDeadline(context, "vendorme-tab", tab.id);
    const terms = vendorme_tab_entry && termsOf(await ledgerOf(context, tab), vendorme_tab_entry);
    return { ...(status !== undefined && { status }), body: { ...keptIn(TabKept, tab), ...terms } };
  },
  async show(context, tab) {
    const alias = await labelled(context, await ledgerOf(context, tab));
    const results = await listResults(context, tab);
    return tabView(tab, { alias, results, mountUrl: context.request.mountUrl });
  },
});

const readTabResult = operation({
  id: "bank.ReadVendormeTabResultResponse",
  summary: "Reads what a user of the bank paid on somebody's tab",
  description: "It has the number of the payment.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/vendorme-tab-result-response/{itemId}",
  permission: "bank:ReadVendormeTab",
  wrapper: "BunqMeTabResultResponse",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  answers: { 200: Type.Object({ payment: Payment }) },
  async handle({ params }, context) {
    const ledger = await ledgerIn(context, params);
    const { db, account } = context;
    const place = { kind: "vendorme-tab-result-response", userId: ledger.user_id, ownerId: ledger.id };
    const found = await findRecord(db, account, place, params.itemId);
    const payment = found && (await findPayment(db, account, ledger.id, params.itemId));
    if (!payment) throw errors.notFound(`No tab was paid with the payment ${params.itemId}.`);
    return { payment: paymentView(payment) };
  },
});

const PROFILE = "vendorme-fundraiser-profile";
async function shownOf(context: BankContext, profile: RecordRow) {
  const ledger = await ledgerOf(context, profile);
  const { mountUrl } = context.request;
  return { alias: await labelled(context, ledger), currency: ledger.currency, mountUrl };
}
const listProfiles = operation({
  id: "bank.ListVendormeFundraiserProfiles",
  summary: "Lists the pages on which a user raises money",
  description:
    "Each page has a public address, where visitors pay without an account of this bank. The money arrives on the account that the page names.",
  method: "GET",
  path: "/user/{userID}/vendorme-fundraiser-profile",
  permission: "bank:ReadVendormeFundraiser",
  wrapper: "BunqMeFundraiserProfile",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(FundraiserProfile) },
  async handle({ params, query }, context) {
    const place = { kind: PROFILE, userId: requireUser(context, params.userID) };
    return listOf(
      context,
      query,
      (slice) => pageOfRecords(context.db, context.account, place, slice),
      async (profile) => profileView(profile, await shownOf(context, profile)),
    );
  },
});
const readProfile = operation({
  id: "bank.ReadVendormeFundraiserProfile",
  summary: "Reads a page on which a user raises money",
  description:
    "Shows its public address, its account and its currency. `bank.ReadVendormeFundraiserResult` lists what was paid there.",
  method: "GET",
  path: "/user/{userID}/vendorme-fundraiser-profile/{itemId}",
  permission: "bank:ReadVendormeFundraiser",
  wrapper: "BunqMeFundraiserProfile",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: FundraiserProfile },
  async handle({ params }, context) {
    const place = { kind: PROFILE, userId: requireUser(context, params.userID) };
    const profile = await findRecord(context.db, context.account, place, params.itemId);
    if (!profile) throw errors.notFound(`There is no fundraiser ${params.itemId}.`);
    return profileView(profile, await shownOf(context, profile));
  },
});
const readResult = operation({
  id: "bank.ReadVendormeFundraiserResult",
  summary: "Reads the payments that a fundraiser received",
  description: "Its id is the id of the profile.",
  method: "GET",
  path: "/user/{userID}/monetary-account/{monetaryAccountID}/vendorme-fundraiser-result/{itemId}",
  permission: "bank:ReadVendormeFundraiser",
  wrapper: "BunqMeFundraiserResult",
  params: Type.Object({ ...ledgerParams, ...itemParams }),
  answers: { 200: FundraiserResult },
  async handle({ params }, context) {
    const { user_id, id } = await ledgerIn(context, params);
    const place = { kind: PROFILE, userId: user_id, ownerId: id };
    const profile = await findRecord(context.db, context.account, place, params.itemId);
    if (!profile) throw errors.notFound(`There is no fundraiser ${params.itemId}.`);
    const results = await listResults(context, profile);
    return fundraiserResultView(profile, { ...(await shownOf(context, profile)), results });
  },
});

export const tabOperations = [...tabs, readTabResult, listProfiles, readProfile, readResult];

/** Accounts of money of every kind: opened, read, changed, closed when they are empty. */
import { type Static, Type } from "@sinclair/typebox";
import {
  Amount,
  type BankContext,
  errors,
  getLedger,
  Id,
  idOf,
  isRunning,
  itemParams,
  type LedgerRow,
  ListQuery,
  ledgerDetails,
  listActiveShares,
  listOf,
  operation,
  pageOfLedgers,
  requireAsked,
  requireUser,
  takeId,
  updateSettings,
  userParams,
} from "../../book/index.ts";
import { COUNTRIES } from "../domain/iban.ts";
import { ACCOUNTS_MAX } from "../domain/limits.ts";
import { isCurrency, readAmount } from "../domain/money.ts";
import { followAccount } from "../fundraisers.ts";
import { openLedger } from "../opening.ts";
import { invite } from "../sharing.ts";
import { findAvatar } from "../store/attachments.ts";
import { findUser } from "../store/users.ts";
import { type LedgerKind, PEOPLES_KINDS, WRAPPERS } from "../views/accounts.ts";
import { MonetaryAccount, monetaryAccountView, Setting } from "../wire/accounts.ts";

const OVERDRAFT_MAX_MINOR = 1_000_000;
const CO_OWNERS_MAX = 10;

function requireAmount(
  member: string,
  amount: { value: string; currency: string },
  currency: string,
): number {
  const minor = amount.currency === currency ? readAmount(amount.value, currency) : undefined;
  if (minor === undefined || minor < 0)
    throw errors.badRequest(`${member} must be an amount in ${currency}.`);
  return minor;
}

const bodyMembers = {
  description: Type.Optional(Type.String({ maxLength: 140 })),
  display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 140 })),
  daily_limit: Type.Optional(Amount),
  overdraft_limit: Type.Optional(Amount),
  avatar_uuid: Type.Optional(Type.String({ maxLength: 36 })),
  status: Type.Optional(Type.String({ maxLength: 50 })),
  sub_status: Type.Optional(Type.String({ maxLength: 50 })),
  reason: Type.Optional(Type.String({ maxLength: 50 })),
  reason_description: Type.Optional(Type.String({ maxLength: 500 })),
  setting: Type.Optional(Setting),
  savings_goal: Type.Optional(Amount),
};
const CoOwners = Type.Optional(
  Type.Array(
    Type.Object({
      alias: Type.Object({
        type: Type.String({ maxLength: 50 }),
        value: Type.String({ minLength: 1, maxLength: 255 }),
        name: Type.Optional(Type.String({ maxLength: 140 })),
      }),
    }),
    { maxItems: CO_OWNERS_MAX },
  ),
);
const CreateBody = Type.Object({
  currency: Type.Optional(Type.String({ maxLength: 3 })),
  country_iban: Type.Optional(Type.String({ maxLength: 2 })),
  service: Type.Optional(Type.String({ maxLength: 50 })),
  all_co_owner: CoOwners,
  ...bodyMembers,
});
const ChangeBody = Type.Object(bodyMembers);
type Changed = Static<typeof ChangeBody>;

const isSavings = (kind: string): boolean => kind.endsWith("savings");
/** The stored members besides the columns. */
async function detailsOf(context: BankContext, kind: string, currency: string, body: Changed) {
  const { setting, reason, reason_description, savings_goal, avatar_uuid } = body;
  if (avatar_uuid !== undefined && !(await findAvatar(context.db, context.account, avatar_uuid)))
    throw errors.badRequest(`There is no avatar ${avatar_uuid}.`);
  if (savings_goal && !isSavings(kind)) throw errors.badRequest("Only savings accounts have a savings_goal.");
  return {
    ...(setting && { setting }),
    ...(reason !== undefined && { reason }),
    ...(reason_description !== undefined && { reason_description }),
    ...(avatar_uuid !== undefined && { avatar_uuid }),
    ...(savings_goal && { savings_goal_minor: requireAmount("savings_goal", savings_goal, currency) }),
  };
}
/** The overdraft that an account may have without a further check. */
function overdraftOf({ overdraft_limit }: Changed, currency: string): number | undefined {
  if (!overdraft_limit) return undefined;
  const minor = requireAmount("overdraft_limit", overdraft_limit, currency);
  if (minor > OVERDRAFT_MAX_MINOR) throw errors.badRequest("The overdraft_limit is too high.");
  return minor;
}
export async function requireRoom({ db, account }: BankContext, userId: number): Promise<void> {
  const choice = { userId, kinds: PEOPLES_KINDS };
  const others = await pageOfLedgers(db, account, choice, { limit: ACCOUNTS_MAX });
  if (others.length >= ACCOUNTS_MAX) throw errors.badRequest(`A user has at most ${ACCOUNTS_MAX} accounts.`);
}

const creating = (kind: LedgerKind) =>
  operation({
    id: `bank.Create${WRAPPERS[kind]}`,
    summary: "Opens an account",
    description: `Gives it an IBAN of \`country_iban\` (NL by default) and the currency EUR unless another is named. Co-owners are invited, and must accept. A user may have ${ACCOUNTS_MAX} accounts. An overdraft limit may be 10000 EUR at most.`,
    method: "POST",
    path: `/user/{userID}/monetary-account-${kind}`,
    permission: "bank:CreateMonetaryAccount",
    params: Type.Object(userParams),
    body: CreateBody,
    answers: { 200: Id },
    async handle({ params, body }, context) {
      const userId = requireUser(context, params.userID);
      const { currency = "EUR", country_iban: country = "NL", all_co_owner = [], service } = body;
      if (!isCurrency(currency)) throw errors.badRequest(`${currency} is no currency.`);
      if (!COUNTRIES.includes(country))
        throw errors.badRequest(`country_iban must be one of ${COUNTRIES.join(", ")}.`);
      await takeId(context.db, context.account);
      await requireRoom(context, userId);
      const user = await findUser(context.db, context.account, userId);
      const ledger = await openLedger(context, {
        userId,
        kind,
        currency,
        country,
        displayName: body.display_name ?? user?.display_name ?? "",
        description: body.description ?? "",
        overdraftLimitMinor: overdraftOf(body, currency) ?? 0,
        ...(body.daily_limit && {
          dailyLimitMinor: requireAmount("daily_limit", body.daily_limit, currency),
        }),
        details: {
          ...(await detailsOf(context, kind, currency, body)),
          ...(service !== undefined && { service }),
        },
      });
      for (const { alias } of all_co_owner)
        await invite(context, ledger, { to: alias, access: "FULL_TRANSIENT" });
      return idOf(ledger.id);
    },
  });

const CLOSED = "REDEMPTION_VOLUNTARY";
const BLOCKED = ["COMPLETELY", "ONLY_ACCEPTING_INCOMING"];
/**
 * An account can be closed if it is empty and not the user's last. It can be blocked completely, or for
 * outgoing payments only.
 */
type Moved = { readonly status?: string; readonly sub_status?: string };
async function statusAfter(
  context: BankContext,
  ledger: LedgerRow,
  { status, sub_status }: Changed,
): Promise<Moved> {
  if (status === undefined) return {};
  requireAsked("monetary-account", ledger.status, status);
  if (status === "BLOCKED") {
    const sub = sub_status ?? "COMPLETELY";
    if (!BLOCKED.includes(sub))
      throw errors.badRequest(`An account is blocked with a sub_status of ${BLOCKED.join(" or ")}.`);
    return { status, sub_status: sub };
  }
  if (status !== "CANCELLED") return { status, sub_status: "NONE" };
  if (sub_status !== CLOSED) throw errors.badRequest(`An account is closed with the sub_status ${CLOSED}.`);
  if (ledger.balance !== 0) throw errors.badRequest("Only an empty account can be closed.");
  const choice = { userId: ledger.user_id, kinds: PEOPLES_KINDS };
  const all = await pageOfLedgers(context.db, context.account, choice, { limit: ACCOUNTS_MAX });
  if (!all.some((other) => other.id !== ledger.id && other.status === "ACTIVE"))
    throw errors.badRequest("The last account of a user stays open.");
  return { status, sub_status };
}
const updating = (kind: LedgerKind) =>
  operation({
    id: `bank.Update${WRAPPERS[kind]}`,
    summary: "Changes an account, or closes it",
    description: `Members that are not given stay. To close it, send the status CANCELLED with the sub-status ${CLOSED}: it must be empty, and not the user's last active account. BLOCKED stops outgoing payments, or all.`,
    method: "PUT",
    path: `/user/{userID}/monetary-account-${kind}/{itemId}`,
    permission: "bank:UpdateMonetaryAccount",
    params: Type.Object({ ...userParams, ...itemParams }),
    body: ChangeBody,
    answers: { 200: Id },
    async handle({ params, body }, context) {
      await takeId(context.db, context.account);
      const ledger = await getOfKind(context, params, kind, "own");
      const before = ledgerDetails.read(ledger.details);
      const { setting, ...details } = await detailsOf(context, kind, ledger.currency, body);
      const overdraft = overdraftOf(body, ledger.currency);
      const moved = await statusAfter(context, ledger, body);
      if (moved.status !== undefined) await followAccount(context, ledger, moved.status);
      await updateSettings(context.db, {
        ...ledger,
        ...moved,
        ...(body.description !== undefined && { description: body.description }),
        ...(body.display_name !== undefined && { display_name: body.display_name }),
        ...(body.daily_limit && {
          daily_limit: requireAmount("daily_limit", body.daily_limit, ledger.currency),
        }),
        ...(overdraft !== undefined && { overdraft_limit: overdraft }),
        details: ledgerDetails.write({
          ...before,
          ...details,
          ...(setting && { setting: { ...before.setting, ...setting } }),
        }),
        updated_at: context.clock.nowMs(),
      });
      return idOf(ledger.id);
    },
  });

type Params = { readonly userID: number; readonly itemId: number };
async function getOfKind(
  context: BankContext,
  { userID, itemId }: Params,
  kind: LedgerKind | undefined,
  right: "own" | "view",
): Promise<LedgerRow> {
  const ledger = await getLedger(context, userID, itemId, right);
  if (kind !== undefined && ledger.kind !== kind)
    throw errors.notFound(`There is no monetary account ${itemId} of this kind.`);
  return ledger;
}
/** Accounts that others share with the user are listed with the user's own. */
async function sharedWith({ db, account, clock }: BankContext, userId: number): Promise<number[]> {
  const shares = await listActiveShares(db, account, userId);
  return shares.filter((share) => isRunning(share, clock.nowMs())).map(({ ledger_id }) => ledger_id);
}
const listing = (kind?: LedgerKind) =>
  operation({
    id: kind === undefined ? "bank.ListMonetaryAccounts" : `bank.List${WRAPPERS[kind]}s`,
    summary: "Lists accounts, the oldest first: clients take the first active one as the primary one",
    description: "Includes accounts that others share with the user, while the share is active.",
    method: "GET",
    path: `/user/{userID}/monetary-account${kind === undefined ? "" : `-${kind}`}`,
    permission: "bank:ListMonetaryAccounts",
    wrapper: kind === undefined ? wrapperOf : WRAPPERS[kind],
    params: Type.Object(userParams),
    query: ListQuery,
    answers: { 200: Type.Array(MonetaryAccount) },
    async handle({ params, query }, context) {
      const userId = requireUser(context, params.userID);
      const choice = {
        userId,
        kinds: kind === undefined ? PEOPLES_KINDS : [kind],
        sharedIds: await sharedWith(context, userId),
      };
      return listOf(
        context,
        query,
        (slice) => pageOfLedgers(context.db, context.account, choice, slice),
        (ledger) => monetaryAccountView(context, ledger),
        { oldestFirst: true },
      );
    },
  });
const reading = (kind?: LedgerKind) =>
  operation({
    id: kind === undefined ? "bank.ReadMonetaryAccount" : `bank.Read${WRAPPERS[kind]}`,
    summary: "Reads an account with its balance",
    description: "Needs the right to view the account; an account of another kind gives 404.",
    method: "GET",
    path: `/user/{userID}/monetary-account${kind === undefined ? "" : `-${kind}`}/{itemId}`,
    permission: "bank:ReadMonetaryAccount",
    wrapper: kind === undefined ? wrapperOf : WRAPPERS[kind],
    params: Type.Object({ ...userParams, ...itemParams }),
    answers: { 200: MonetaryAccount },
    handle: async ({ params }, context) =>
      monetaryAccountView(context, await getOfKind(context, params, kind, "view")),
  });
const wrapperOf = ({ kind }: { kind: LedgerKind }): string => WRAPPERS[kind];

const OPENED = ["bank", "savings", "joint", "external", "external-savings"] as const;
export const accountOperations = [
  ...OPENED.map(creating),
  ...PEOPLES_KINDS.flatMap((kind) => [updating(kind), listing(kind), reading(kind)]),
  listing(),
  reading(),
];

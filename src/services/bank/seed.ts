/** Demo data: three people and a company with a year of life; seeding again changes nothing. */
import { Clock } from "#kernel/clock";
import { bill, collect, INVOICE } from "./billing.ts";
import { authorise, reservationEnd, settle } from "./card-transactions.ts";
import { orderCard } from "./cards.ts";
import { laterMonth } from "./domain/days.ts";
import { openLedger, openUser, type UserKind } from "./opening.ts";
import { type Label, labelled, pay, receive } from "./paying.ts";
import type { BankContext } from "./state.ts";
import { findAlias, findDefaultUser, findLedger, insertAlias, pageOfRecords } from "./store/index.ts";
import type { LedgerRow } from "./tables.ts";

const MARK = { type: "URL", value: "https://bank.example/nora" } as const;
const MONTHS = 12;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SHOPS = [
  ["Corner Bakery", "Utrecht", "5462"],
  ["Green Grocer", "Utrecht", "5411"],
  ["City Cinema", "Amsterdam", "7832"],
  ["Bicycle Repair", "Utrecht", "7699"],
] as const;
const elsewhere = (display_name: string): Label => ({ display_name, country: "NL", is_light: false });

/**
 * The same work, at another time: what is kept of it says when. Ends of reservations are left out, since all of them are
 * settled at once: jobs that are due already would be taken up while this is written, and PostgreSQL lets but one of both stand.
 */
function standingAt(context: BankContext, ms: number): BankContext {
  const clock = new Clock();
  clock.standAt(ms);
  const enqueue: BankContext["enqueue"] = async (job, payload, options) =>
    job.name === reservationEnd.name ? "" : context.enqueue(job, payload, options);
  return new Proxy(context, {
    get(target, name) {
      if (name === "clock") return clock;
      if (name === "enqueue") return enqueue;
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

type Somebody = { readonly userId: number; readonly ledgerId: number; readonly name: string };
async function settleIn(
  context: BankContext,
  kind: UserKind,
  names: readonly [string, string],
  isDefault = false,
): Promise<Somebody> {
  const { userId, ledger } = await openUser(context, { kind, isDefault, names });
  return { userId, ledgerId: ledger.id, name: ledger.display_name };
}
async function ledgerNow({ db, account }: BankContext, id: number): Promise<LedgerRow> {
  const ledger = await findLedger(db, account, id);
  if (!ledger) throw new Error(`the account ${id} is gone`);
  return ledger;
}
async function transfer(
  context: BankContext,
  fromId: number,
  toId: number,
  minor: number,
  description: string,
) {
  const [from, ledger] = [await ledgerNow(context, fromId), await ledgerNow(context, toId)];
  const to = { ledger, label: await labelled(context, ledger) };
  await pay(context, { from, to, money: { minor, currency: "EUR" }, description, type: "BUNQ" });
}
async function spend(context: BankContext, fromId: number, whom: string, minor: number, description: string) {
  const to = { own: "outside", label: elsewhere(whom) } as const;
  const from = await ledgerNow(context, fromId);
  await pay(context, { from, to, money: { minor, currency: "EUR" }, description, type: "EBA_SCT" });
}
async function earn(context: BankContext, toId: number, whom: string, minor: number, description: string) {
  const ledger = await ledgerNow(context, toId);
  const source = { type: "EBA_SCT", counterparty: elsewhere(whom) };
  await receive(context, ledger, { minor, currency: "EUR" }, description, source);
}

async function giveCard(context: BankContext, { userId, ledgerId, name }: Somebody): Promise<number> {
  const card = await orderCard(context, {
    userId,
    type: "MASTERCARD",
    subType: "DEBIT",
    productType: "MASTERCARD_DEBIT",
    secondLine: "Everyday",
    nameOnCard: name,
    pins: [{ type: "PRIMARY", pin_code: "4821" }],
    ledger: await ledgerNow(context, ledgerId),
    orderStatus: "VIRTUAL_DELIVERY",
  });
  return card.id;
}
async function shop(context: BankContext, cardId: number, at: number, minor: number): Promise<void> {
  const [name, city, categoryCode] = SHOPS[at % SHOPS.length] ?? SHOPS[0];
  const money = { minor, currency: "EUR" };
  const merchant = { name, city, country: "NL", categoryCode, id: `M${1000 + (at % SHOPS.length)}` };
  const { id, status } = await authorise(context, {
    cardId,
    local: money,
    billing: money,
    merchant,
    entry: "CONTACTLESS",
  });
  if (status === "AUTHORISED") await settle(context, id);
}

type Town = {
  readonly people: readonly Somebody[];
  readonly company: Somebody;
  readonly savingsId: number;
  readonly cards: readonly number[];
};
/** The 1st to the 28th of a month, day by day, as far as time has come. */
async function liveMonth(context: BankContext, { people, company, savingsId, cards }: Town, startMs: number) {
  const nowMs = context.clock.nowMs();
  const on = (day: number) => standingAt(context, startMs + (day - 1) * DAY_MS + 10 * HOUR_MS);
  const plan: [day: number, what: (then: BankContext) => Promise<void>][] = [
    [2, (then) => earn(then, company.ledgerId, "Book fair", 1_120_000, "Sales")],
    [3, (then) => spend(then, company.ledgerId, "Paper mill", 310_000, "Paper and ink")],
  ];
  for (const [at, { ledgerId, name }] of people.entries()) {
    plan.push([
      1 + at,
      (then) => transfer(then, company.ledgerId, ledgerId, 215_000 + at * 7_500, `Salary of ${name}`),
    ]);
    plan.push([4, (then) => spend(then, ledgerId, "Housing society", 98_000 + at * 4_000, "Rent")]);
    plan.push([5, (then) => spend(then, ledgerId, "Energy company", 12_400 + at * 310, "Gas and light")]);
    for (const day of [6, 13, 20, 27])
      plan.push([day, (then) => shop(then, cards[at] ?? 0, day + at, 1_850 + day * 37 + at * 211)]);
  }
  const [nora, sam] = people;
  if (nora && sam) {
    plan.push([7, (then) => transfer(then, nora.ledgerId, savingsId, 20_000, "For the summer")]);
    plan.push([15, (then) => transfer(then, sam.ledgerId, nora.ledgerId, 2_350, "Dinner, my half")]);
  }
  plan.sort(([a], [b]) => a - b);
  for (const [day, what] of plan) {
    const then = on(day);
    if (then.clock.nowMs() < nowMs) await what(then);
  }
}
async function billMonth(context: BankContext, { userId }: Somebody): Promise<void> {
  await bill(context, userId);
  const place = { kind: INVOICE, userId, ownerId: 0 };
  const [invoice] = await pageOfRecords(context.db, context.account, place, { limit: 1 });
  if (invoice) await collect(context, invoice.id, 0);
}

export async function seed(context: BankContext): Promise<void> {
  const { db, account, clock } = context;
  if (await findAlias(db, account, MARK.type, MARK.value)) return;
  const beginMs = laterMonth(clock.nowMs(), -MONTHS);
  const begin = standingAt(context, beginMs);
  const isFirst = (await findDefaultUser(db, account)) === undefined;
  const nora = await settleIn(begin, "person", ["Nora", "Visser"], isFirst);
  const people = [
    nora,
    await settleIn(begin, "person", ["Sam", "Dekker"]),
    await settleIn(begin, "person", ["Ines", "Laurent"]),
  ];
  const company = await settleIn(begin, "company", ["Harbour", "Books"]);
  await insertAlias(db, {
    account,
    ...MARK,
    name: nora.name,
    user_id: nora.userId,
    ledger_id: nora.ledgerId,
  });
  await earn(begin, company.ledgerId, "Founders", 1_500_000, "To begin with");
  const savings = await openLedger(begin, {
    userId: nora.userId,
    kind: "savings",
    currency: "EUR",
    country: "NL",
    displayName: nora.name,
    description: "Summer",
    details: { savings_goal: { value: "3000.00", currency: "EUR" } },
  });
  const cards = [];
  for (const person of people) cards.push(await giveCard(begin, person));
  const town = { people, company, savingsId: savings.id, cards };
  for (let month = 0; month <= MONTHS; month += 1) {
    const startMs = laterMonth(beginMs, month);
    if (month > 0) await billMonth(standingAt(context, startMs), company);
    await liveMonth(context, town, startMs);
  }
}

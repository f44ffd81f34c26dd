/** Demo data: three people and a company with a year of life; seeding again changes nothing. */
import { Clock } from "#kernel/clock";
import { openUser, type UserKind } from "./access/index.ts";
import {
  type BankContext,
  createRecord,
  deadline,
  findRecordById,
  moveRecord,
  pageOfRecords,
  takeId,
} from "./book/index.ts";
import { authorise, orderCard, reservationEnd, settle } from "./cards/index.ts";
import {
  bill,
  collect,
  findAlias,
  findDefaultUser,
  getKnownLedger,
  INVOICE,
  insertAlias,
  type Label,
  labelled,
  laterMonth,
  openLedger,
  pay,
  receive,
} from "./money/index.ts";
import { answerRequest, makeInquiry, tellInquiry } from "./requests/index.ts";

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
const ENDS: readonly string[] = [reservationEnd.name, deadline.name];
const elsewhere = (display_name: string): Label => ({ display_name, country: "NL", is_light: false });

/**
 * The same context with its clock at another time, so that rows get timestamps in the past.
 * Jobs for deadlines that have passed are not enqueued, because the seed settles those records itself. Such a job would
 * start while the seed is still writing, and PostgreSQL would abort one of the two with a serialisation conflict.
 */
function standingAt(context: BankContext, ms: number): BankContext {
  const clock = new Clock();
  clock.standAt(ms);
  const isPast = (job: string, runAtMs = 0) => ENDS.includes(job) && runAtMs <= context.clock.nowMs();
  const enqueue: BankContext["enqueue"] = async (job, payload, options) =>
    isPast(job.name, options?.runAtMs) ? "" : context.enqueue(job, payload, options);
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
async function transfer(
  context: BankContext,
  fromId: number,
  toId: number,
  minor: number,
  description: string,
) {
  const [from, ledger] = [
    await getKnownLedger(context.db, context.account, fromId),
    await getKnownLedger(context.db, context.account, toId),
  ];
  const to = { ledger, label: await labelled(context, ledger) };
  await pay(context, { from, to, money: { minor, currency: "EUR" }, description, type: "BUNQ" });
}
async function spend(context: BankContext, fromId: number, whom: string, minor: number, description: string) {
  const to = { own: "outside", label: elsewhere(whom) } as const;
  const from = await getKnownLedger(context.db, context.account, fromId);
  await pay(context, { from, to, money: { minor, currency: "EUR" }, description, type: "EBA_SCT" });
}
async function earn(context: BankContext, toId: number, whom: string, minor: number, description: string) {
  const ledger = await getKnownLedger(context.db, context.account, toId);
  const source = { type: "EBA_SCT", counterparty: elsewhere(whom) };
  await receive(context, ledger, { minor, currency: "EUR" }, description, source);
}

/** Asks for money, and has it answered on the spot where an answer is given. */
async function ask(
  context: BankContext,
  asker: Somebody,
  asked: Somebody,
  { minor, description, answer }: { minor: number; description: string; answer?: "ACCEPTED" | "REJECTED" },
) {
  const { db, account } = context;
  const from = await getKnownLedger(db, account, asker.ledgerId);
  const { iban } = await getKnownLedger(db, account, asked.ledgerId);
  const id = await takeId(db, account);
  const inquiry = {
    money: { minor, currency: "EUR" },
    to: { type: "IBAN", value: iban },
    description,
    isLowerAllowed: true,
    isHigherAllowed: false,
    extras: {},
  };
  const made = await makeInquiry(context, from, inquiry, id);
  const place = { kind: "request-inquiry", userId: asker.userId, ownerId: asker.ledgerId, id };
  await tellInquiry(context, await createRecord(context, { ...place, ...made }), "CREATE");
  const response = answer && (await findRecordById(db, account, "request-response", id));
  if (response)
    await moveRecord(context, response, await answerRequest(context, response, { status: answer }));
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
    ledger: await getKnownLedger(context.db, context.account, ledgerId),
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
    const dinner = { minor: 2_350, description: "Dinner, your half", answer: "ACCEPTED" } as const;
    plan.push([15, (then) => ask(then, nora, sam, dinner)]);
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
    details: { savings_goal_minor: 300_000 },
  });
  const cards = [];
  for (const person of people) cards.push(await giveCard(begin, person));
  const town = { people, company, savingsId: savings.id, cards };
  for (let month = 0; month <= MONTHS; month += 1) {
    const startMs = laterMonth(beginMs, month);
    if (month > 0) await billMonth(standingAt(context, startMs), company);
    await liveMonth(context, town, startMs);
  }
  const [, sam = nora, ines = nora] = people;
  const lately = (days: number) => standingAt(context, clock.nowMs() - days * DAY_MS);
  await ask(lately(3), sam, ines, { minor: 4_900, description: "The window", answer: "REJECTED" });
  await ask(lately(1), ines, nora, { minor: 1_275, description: "Concert tickets" });
}

/** The bank book: accounts with their balances over time, mutations, cards, requests, and whether the books balance. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView, Context, Widget } from "#kernel/operation";
import { ServerErrorKept } from "./access/index.ts";
import {
  keptIn,
  type LedgerRow,
  listBookLedgers,
  listBookPayments,
  listBookRecords,
  listMovedLedgers,
  proveBooks,
} from "./book/index.ts";
import { actionBodyOf, bodyOf } from "./cards/index.ts";
import { entriesAfter } from "./documents/index.ts";
import { amountText, dayText } from "./money/index.ts";
import { RequestKept } from "./requests/index.ts";

const CHARTS_MAX = 6;
const POINTS_MAX = 400;
const timeOf = (ms: number): string => isoOf(Number(ms));
function moneyOf(minor: number, currency: string): string {
  const [whole = "", ...decimals] = amountText(Math.abs(Number(minor)), currency).split(".");
  const amount = [BigInt(whole).toLocaleString("en"), ...decimals].join(".");
  return `${Number(minor) < 0 ? "-" : ""}${amount} ${currency}`;
}

async function chartOf({ db, account, clock }: Context, ledger: LedgerRow): Promise<Widget> {
  const serial = Number(ledger.serial);
  const span = { afterSerial: Math.max(0, serial - POINTS_MAX), untilSerial: serial };
  const entries = await entriesAfter(db, account, Number(ledger.id), span, POINTS_MAX);
  const { currency, balance, display_name, description, iban } = ledger;
  const pointOf = (ms: number, minor: number) => ({
    name: timeOf(ms),
    value: Number(amountText(minor, currency)),
    text: moneyOf(minor, currency),
  });
  return {
    kind: "chart",
    title: `${display_name}, ${description} (${iban}): ${moneyOf(balance, currency)}`,
    form: "steps",
    unit: currency,
    points: [
      ...entries.map(({ atMs, balanceAfter }) => pointOf(atMs, balanceAfter)),
      pointOf(clock.nowMs(), Number(balance)),
    ],
  };
}
const accounts: ConsoleView = {
  title: "Accounts",
  madeBy: "bank.CreateSandboxUserPerson",
  columns: ["Account", "User", "Holder", "Kind", "IBAN", "Description", "Balance", "Entries", "Status"],
  async rows({ db, account }: Context, limit: number) {
    const ledgers = await listBookLedgers(db, account, limit);
    return ledgers.map((ledger) => [
      Number(ledger.id),
      Number(ledger.user_id),
      Number(ledger.user_id) === 0 ? "the bank itself" : ledger.display_name,
      ledger.kind,
      ledger.iban,
      ledger.description,
      moneyOf(ledger.balance, ledger.currency),
      Number(ledger.serial),
      ledger.status,
    ]);
  },
  async widgets(context: Context) {
    const widgets = [];
    for (const ledger of await listMovedLedgers(context.db, context.account, CHARTS_MAX))
      widgets.push(await chartOf(context, ledger));
    return widgets;
  },
};
const mutations: ConsoleView = {
  title: "Mutations",
  madeBy: "bank.CreatePayment",
  columns: ["Payment", "Time", "Account", "Amount", "Balance after", "Counterparty", "Description", "Type"],
  async rows({ db, account }: Context, limit: number) {
    const payments = await listBookPayments(db, account, limit);
    return payments.map((payment) => [
      Number(payment.id),
      timeOf(payment.created_at),
      Number(payment.ledger_id),
      moneyOf(payment.amount, payment.currency),
      moneyOf(payment.balance_after, payment.currency),
      JSON.parse(payment.counterparty).display_name,
      payment.description,
      payment.type,
    ]);
  },
};
const cards: ConsoleView = {
  title: "Cards",
  madeBy: "bank.CreateCardDebit",
  columns: ["Card", "User", "Name", "Type", "Status", "Order", "Limit a day", "Ends"],
  async rows({ db, account }: Context, limit: number) {
    const records = await listBookRecords(db, account, "card", limit);
    return records.map((record) => {
      const body = bodyOf(record);
      return [
        Number(record.id),
        Number(record.user_id),
        body.nameOnCard,
        `${body.type} ${body.subType}`,
        record.status,
        body.orderStatus,
        moneyOf(body.limitMinor, body.currency),
        dayText(body.expiresAt),
      ];
    });
  },
};
const cardTransactions: ConsoleView = {
  title: "Card transactions",
  columns: ["Transaction", "Time", "Card", "Merchant", "Amount", "Status", "Decision"],
  async rows({ db, account }: Context, limit: number) {
    const records = await listBookRecords(db, account, "mastercard-action", limit);
    return records.map((record) => {
      const { cardId, merchant, billing, decision } = actionBodyOf(record);
      return [
        Number(record.id),
        timeOf(record.created_at),
        cardId,
        `${merchant.name} ${merchant.city}`,
        moneyOf(billing.minor, billing.currency),
        record.status,
        decision,
      ];
    });
  },
};
const requests: ConsoleView = {
  title: "Requests",
  madeBy: "bank.CreateRequestInquiry",
  columns: ["Request", "Time", "Account", "Asked of", "Amount", "Description", "Status", "Changed"],
  async rows({ db, account }: Context, limit: number) {
    const records = await listBookRecords(db, account, "request-inquiry", limit);
    return records.map((record) => {
      const { amount, counterparty, description } = keptIn(RequestKept, record);
      return [
        Number(record.id),
        timeOf(record.created_at),
        Number(record.owner_id),
        counterparty.display_name,
        moneyOf(amount.minor, amount.currency),
        description,
        record.status,
        timeOf(record.updated_at),
      ];
    });
  },
};
const reports: ConsoleView = {
  title: "Errors that clients reported",
  madeBy: "bank.CreateServerError",
  columns: ["Report", "Time", "User", "Message"],
  async rows({ db, account }: Context, limit: number) {
    const records = await listBookRecords(db, account, "server-error", limit);
    return records.map((record) => [
      Number(record.id),
      timeOf(record.created_at),
      Number(record.user_id),
      keptIn(ServerErrorKept, record).message ?? "",
    ]);
  },
};
/**
 * Recomputes the ledger: the entries of each currency must sum to zero, and each balance must equal the sum
 * of its entries.
 */
const proof: ConsoleView = {
  title: "Proof of the ledger",
  columns: ["What", "Which", "Should be", "Is", "Entries"],
  async rows({ db, account }: Context, limit: number) {
    const { isSound, entries, sums, wrong } = await proveBooks(db, account);
    return [
      ["All books", isSound ? "balance" : "do not balance", "", "", entries],
      ...sums.map(({ currency, sum, entries: count }) => [
        "Sum of all entries",
        currency,
        moneyOf(0, currency),
        moneyOf(sum, currency),
        count,
      ]),
      ...wrong.slice(0, limit).map(({ ledgerId, balance, sum }) => ["Account", ledgerId, sum, balance, ""]),
    ];
  },
};

export const consoleViews: readonly ConsoleView[] = [
  accounts,
  mutations,
  cards,
  cardTransactions,
  requests,
  reports,
  proof,
];

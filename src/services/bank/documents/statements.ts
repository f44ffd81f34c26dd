/** Statements of accounts and cards, made from the ledger. */

import { Type } from "@sinclair/typebox";
import {
  type BankContext,
  findRecordById,
  type KeptOf,
  keptIn,
  type RecordRow,
  recordKind,
} from "../book/index.ts";
import { ACTION, actionBodyOf, bodyOf, CARD, listCardUses } from "../cards/index.ts";
import { amountText, dayText, findAttachment, getKnownLedger, type Made } from "../money/index.ts";
import { statementCamt053 } from "./domain/camt053.ts";
import { Content } from "./domain/content.ts";
import { csvOf, regionalAmount, statementCsv } from "./domain/csv.ts";
import { statementMt940 } from "./domain/mt940.ts";
import type { Statement, StatementLine } from "./domain/statement.ts";
import { type AttachedFile, renderPdf } from "./pdf.ts";
import { type EntryOnPaper, entriesAfter, ledgerBefore, listPaymentPictures } from "./store/statements.ts";

/** The largest number of lines in a document. A caller with more lines must ask for a shorter period. */
export const LINES_MAX = 50_000;
const READ_AT_ONCE = 1000;

export const STATEMENT_FORMATS = ["CSV", "MT940", "CAMT053", "PDF"] as const;
export const StatementKept = recordKind(
  ["customer-statement", "export-statement-card-csv", "export-statement-card-pdf"],
  Type.Object({
    format: Type.Union(STATEMENT_FORMATS.map((format) => Type.Literal(format))),
    regional: Type.Union([Type.Literal("UK_US"), Type.Literal("EUROPEAN")]),
    fromMs: Type.Number(),
    untilMs: Type.Number(),
    number: Type.Number(),
    /** Whether pictures that payments have go along, on paper. */
    withPictures: Type.Optional(Type.Boolean()),
    ...Content.properties,
  }),
);
export type StatementBody = KeptOf<typeof StatementKept>;

const lineOf = (entry: EntryOnPaper): StatementLine => {
  const { display_name = "Medley Bank", iban = "" } =
    entry.counterparty === "" ? {} : JSON.parse(entry.counterparty);
  return {
    id: entry.paymentId,
    atMs: entry.atMs,
    minor: entry.minor,
    balanceAfter: entry.balanceAfter,
    name: display_name,
    iban,
    description: entry.description,
    reference: entry.reference,
  };
};
/** All sums are computed from the ledger entries, so a statement cannot differ from the ledger. */
export async function readStatement(
  { db, account }: BankContext,
  ledgerId: number,
  { fromMs, untilMs, number }: Pick<StatementBody, "fromMs" | "untilMs" | "number">,
): Promise<Statement> {
  const ledger = await getKnownLedger(db, account, ledgerId);
  const opening = await ledgerBefore(db, account, ledgerId, fromMs);
  const closing = await ledgerBefore(db, account, ledgerId, untilMs);
  const lines: StatementLine[] = [];
  for (let afterSerial = opening.serial; afterSerial < closing.serial && lines.length < LINES_MAX; ) {
    const span = { afterSerial, untilSerial: closing.serial };
    const entries = await entriesAfter(db, account, ledgerId, span, READ_AT_ONCE);
    lines.push(...entries.map(lineOf));
    afterSerial = entries.at(-1)?.serial ?? closing.serial;
  }
  return {
    number,
    holder: ledger.display_name,
    iban: ledger.iban,
    currency: ledger.currency,
    fromMs,
    untilMs,
    openingMinor: opening.balance,
    closingMinor: closing.balance,
    lines,
  };
}

const STATEMENT_COLUMNS = [
  { title: "Date", width: 58 },
  { title: "Name", width: 120 },
  { title: "Description", width: 157 },
  { title: "Amount", width: 80, align: "right" },
  { title: "Balance", width: 80, align: "right" },
] as const;
function statementPdf(statement: Statement, files: readonly AttachedFile[], nowMs: number): Promise<Buffer> {
  const { currency, lines, openingMinor, closingMinor } = statement;
  const money = (minor: number) => `${currency} ${amountText(minor, currency)}`;
  const sumOf = (isWanted: (minor: number) => boolean) =>
    lines.reduce((sum, { minor }) => (isWanted(minor) ? sum + minor : sum), 0);
  return renderPdf(
    {
      title: "Statement of account",
      facts: [
        ["Account holder", statement.holder],
        ["Account", statement.iban],
        ["Period", `${dayText(statement.fromMs)} to ${dayText(statement.untilMs - 1)}`],
        ["Number", String(statement.number)],
      ],
      table: {
        columns: STATEMENT_COLUMNS,
        rows: lines.map((line) => [
          dayText(line.atMs),
          line.name,
          line.description,
          amountText(line.minor, currency),
          amountText(line.balanceAfter, currency),
        ]),
      },
      totals: [
        ["Balance before", money(openingMinor)],
        ["Came in", money(sumOf((minor) => minor > 0))],
        ["Went out", money(sumOf((minor) => minor < 0))],
        ["Balance after", money(closingMinor)],
      ],
      ...(files.length > 0 && { closing: `Attached: ${files.map(({ name }) => name).join(", ")}`, files }),
    },
    nowMs,
  );
}

const FILES_MAX = 100;
const FILES_BYTES_MAX = 20 * 1024 * 1024;
/** Pictures of the payments, as many as fit: those sent with a payment, and those that its owner added. */
async function picturesOf(
  context: BankContext,
  ledgerId: number,
  { lines }: Statement,
): Promise<AttachedFile[]> {
  const { db, account, blobs } = context;
  const ids = new Set(lines.map(({ id }) => id));
  const span = { ledgerId, firstId: lines[0]?.id ?? 0, lastId: Math.max(0, ...ids) };
  const files: AttachedFile[] = [];
  let room = FILES_BYTES_MAX;
  for (const { paymentId, attachmentId } of await listPaymentPictures(db, account, span, FILES_MAX)) {
    const picture = ids.has(paymentId) ? await findAttachment(db, account, attachmentId) : undefined;
    const bytes = picture && (await blobs.read(picture.blob_id));
    if (!picture || !bytes) continue;
    room -= bytes.length;
    if (room < 0) break;
    const [, kind = ""] = picture.content_type.split("/");
    const name = `payment-${paymentId}-${attachmentId}.${kind}`;
    files.push({
      name,
      description: picture.description,
      type: picture.content_type,
      bytes,
    });
  }
  return files;
}

const text = (content: string, type: string): Made => ({ bytes: Buffer.from(content, "utf8"), type });
export async function makeStatement(context: BankContext, record: RecordRow): Promise<Made> {
  const { owner_id } = record;
  const wanted = keptIn(StatementKept, record);
  const statement = await readStatement(context, owner_id, wanted);
  if (wanted.format === "CSV") return text(statementCsv(statement, wanted.regional), "text/csv");
  if (wanted.format === "MT940") return text(statementMt940(statement), "text/plain");
  if (wanted.format === "CAMT053")
    return text(statementCamt053(statement, context.clock.nowMs()), "application/xml");
  const files = wanted.withPictures ? await picturesOf(context, owner_id, statement) : [];
  return { bytes: await statementPdf(statement, files, context.clock.nowMs()), type: "application/pdf" };
}

const CARD_COLUMNS = [
  { title: "Date", width: 58 },
  { title: "Merchant", width: 150 },
  { title: "Place", width: 117 },
  { title: "Status", width: 90 },
  { title: "Amount", width: 80, align: "right" },
] as const;
/** The uses of a card and their outcome. */
export async function makeCardStatement(context: BankContext, record: RecordRow): Promise<Made> {
  const { db, account, clock } = context;
  const { owner_id } = record;
  const { format, regional, fromMs, untilMs } = keptIn(StatementKept, record);
  const card = await findRecordById(db, account, CARD, owner_id);
  if (!card) throw new Error(`the card ${owner_id} is gone`);
  const { nameOnCard, numbers, currency } = bodyOf(card);
  const lines = [];
  for (const use of await listCardUses(db, account, card.id, { fromMs, untilMs }, LINES_MAX)) {
    const action = await findRecordById(db, account, ACTION, use.action_id);
    if (!action) continue;
    const { merchant, refunds } = actionBodyOf(action);
    const minor = use.amount - refunds.reduce((sum, refund) => sum + refund.minor, 0);
    lines.push({ id: action.id, atMs: use.created_at, merchant, status: action.status, minor });
  }
  const total = lines.reduce((sum, { minor }) => sum + minor, 0);
  if (format === "CSV") {
    const rows = lines.map(({ id, atMs, merchant, status, minor }) => [
      dayText(atMs),
      String(id),
      merchant.name,
      merchant.city,
      merchant.country,
      status,
      { amount: regionalAmount(minor, currency, regional) },
      currency,
    ]);
    const columns = ["Date", "Transaction", "Merchant", "City", "Country", "Status", "Amount", "Currency"];
    return text(csvOf([columns, ...rows], regional), "text/csv");
  }
  const sheet = {
    title: "Statement of card",
    facts: [
      ["Name on card", nameOnCard],
      ["Card", `•••• ${numbers[0]?.fourDigit ?? ""}`],
      ["Period", `${dayText(fromMs)} to ${dayText(untilMs - 1)}`],
    ] as const,
    table: {
      columns: CARD_COLUMNS,
      rows: lines.map(({ atMs, merchant, status, minor }) => [
        dayText(atMs),
        merchant.name,
        `${merchant.city} ${merchant.country}`,
        status,
        amountText(minor, currency),
      ]),
    },
    totals: [["Spent", `${currency} ${amountText(total, currency)}`]] as const,
  };
  return { bytes: await renderPdf(sheet, clock.nowMs()), type: "application/pdf" };
}

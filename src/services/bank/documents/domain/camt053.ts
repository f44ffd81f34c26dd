/** Statements as banks exchange them today: the message camt.053.001.02 of ISO 20022, in XML. */
import { isoOf } from "#kernel/clock";
import { escapeHtml } from "#kernel/html";
import { amountText, dayText } from "../../money/index.ts";
import type { Statement, StatementLine } from "./statement.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.02";
const IBAN = /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/;
const BANK_NAME = "Medley Bank";
/** The standard's value for a payment without a reference. */
const NO_REFERENCE = "NOTPROVIDED";
const NAME_LENGTH_MAX = 140;
const REFERENCE_LENGTH_MAX = 35;
const NUMBER_LENGTH_MAX = 34;
/** Digits of the account number in a message id, which has at most 35 characters. */
const NAMING_LENGTH = 17;
/** XML has no way to write most control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Characters are counted, not halves of them. */
const cut = (text: string, length: number): string => Array.from(text).slice(0, length).join("");
const textOf = (text: string, length: number): string =>
  escapeHtml(cut(text.replace(NOT_XML, " "), length)).replaceAll("\r", "&#13;");
const element = (name: string, ...content: readonly string[]): string =>
  `<${name}>${content.join("")}</${name}>`;

type Money = Pick<Statement, "currency">;
/** Amounts have no sign. The credit or debit mark beside them gives the direction. */
const amountOf = (minor: number, { currency }: Money): string =>
  `<Amt Ccy="${currency}">${amountText(Math.abs(minor), currency)}</Amt>${element("CdtDbtInd", minor < 0 ? "DBIT" : "CRDT")}`;
const balanceOf = (code: string, minor: number, atMs: number, statement: Money): string =>
  element(
    "Bal",
    element("Tp", element("CdOrPrtry", element("Cd", code))),
    amountOf(minor, statement),
    element("Dt", element("Dt", dayText(atMs))),
  );
const sumOf = (name: string, minors: readonly number[], { currency }: Money): string =>
  element(
    name,
    element("NbOfNtries", String(minors.length)),
    element(
      "Sum",
      amountText(
        minors.reduce((sum, minor) => sum + Math.abs(minor), 0),
        currency,
      ),
    ),
  );

const accountOf = (name: string, number: string, ...more: readonly string[]): string =>
  element(
    name,
    element(
      "Id",
      IBAN.test(number)
        ? element("IBAN", number)
        : element("Othr", element("Id", textOf(number, NUMBER_LENGTH_MAX))),
    ),
    ...more,
  );
/** The other party: the payee of an outgoing payment, or the payer of an incoming one. */
function partiesOf({ minor, name, iban }: StatementLine): string {
  const side = minor < 0 ? "Cdtr" : "Dbtr";
  const person = element(side, element("Nm", textOf(name || BANK_NAME, NAME_LENGTH_MAX)));
  return element("RltdPties", person, iban === "" ? "" : accountOf(`${side}Acct`, iban));
}
function entryOf(line: StatementLine, statement: Statement): string {
  const { id, minor, atMs, description, reference } = line;
  const family = element("Cd", minor < 0 ? "ICDT" : "RCDT") + element("SubFmlyCd", "OTHR");
  const references =
    element("AcctSvcrRef", String(id)) +
    element("EndToEndId", textOf(reference || NO_REFERENCE, REFERENCE_LENGTH_MAX));
  const remittance = element("Ustrd", textOf(description, NAME_LENGTH_MAX));
  return element(
    "Ntry",
    element("NtryRef", String(id)),
    amountOf(minor, statement),
    element("Sts", "BOOK"),
    element("BookgDt", element("DtTm", isoOf(atMs))),
    element("ValDt", element("Dt", dayText(atMs))),
    element("AcctSvcrRef", String(id)),
    element("BkTxCd", element("Domn", element("Cd", "PMNT"), element("Fmly", family))),
    element(
      "NtryDtls",
      element(
        "TxDtls",
        element("Refs", references),
        partiesOf(line),
        description === "" ? "" : element("RmtInf", remittance),
      ),
    ),
  );
}
const summaryOf = (statement: Statement): string => {
  const minors = statement.lines.map(({ minor }) => minor);
  return element(
    "TxsSummry",
    sumOf("TtlNtries", minors, statement),
    sumOf(
      "TtlCdtNtries",
      minors.filter((minor) => minor >= 0),
      statement,
    ),
    sumOf(
      "TtlDbtNtries",
      minors.filter((minor) => minor < 0),
      statement,
    ),
  );
};

export function statementCamt053(statement: Statement, nowMs: number): string {
  const { number, holder, iban, currency, fromMs, untilMs, openingMinor, closingMinor, lines } = statement;
  const id = `${iban.slice(-NAMING_LENGTH)}-${number}`;
  const made = element("CreDtTm", isoOf(nowMs));
  const content = [
    element("Id", id),
    element("ElctrncSeqNb", String(number)),
    made,
    element("FrToDt", element("FrDtTm", isoOf(fromMs)), element("ToDtTm", isoOf(untilMs - 1))),
    accountOf(
      "Acct",
      iban,
      element("Ccy", currency),
      element("Ownr", element("Nm", textOf(holder || iban, NAME_LENGTH_MAX))),
      element("Svcr", element("FinInstnId", element("Nm", BANK_NAME))),
    ),
    balanceOf("OPBD", openingMinor, fromMs, statement),
    balanceOf("CLBD", closingMinor, untilMs - 1, statement),
    summaryOf(statement),
    ...lines.map((line) => entryOf(line, statement)),
  ];
  const message = element("GrpHdr", element("MsgId", id), made) + element("Stmt", ...content);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${element("BkToCstmrStmt", message)}</Document>\n`;
}

/** Statements as CAMT.053: laid out as the public message camt.053.001.02, and equal to the ledger. */
import { XMLParser } from "fast-xml-parser";
import { expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

type Node = {
  readonly name: string;
  readonly text: string;
  readonly children: readonly Node[];
  readonly currency?: string;
};
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
});
function nodesOf(parsed: any[]): Node[] {
  return parsed.flatMap((one) => {
    const name = Object.keys(one).find((key) => key !== ":@") ?? "";
    if (name === "#text" || name.startsWith("?")) return [];
    const text = one[name].map((inner: any) => inner["#text"] ?? "").join("");
    const currency = one[":@"]?.["@_Ccy"];
    return [{ name, text, children: nodesOf(one[name]), ...(currency !== undefined && { currency }) }];
  });
}

const AMOUNT = /^\d{1,13}(?:\.\d{1,5})?$/;
const CURRENCY = /^[A-Z]{3}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const upTo = (length: number) => new RegExp(`^[^]{1,${length}}$`, "u");
type Layout = { readonly [element: string]: RegExp | Layout };
/** The order of the schema's sequences. `?` may be absent, `*` may be there any number of times, `+` at least once. */
const mark = { Amt: AMOUNT, CdtDbtInd: /^(?:CRDT|DBIT)$/ };
const accountIn = { Id: { "IBAN?": /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/, "Othr?": { Id: upTo(34) } } };
const sum = { NbOfNtries: /^\d{1,15}$/, Sum: AMOUNT };
const LAYOUT: Layout = {
  Document: {
    BkToCstmrStmt: {
      GrpHdr: { MsgId: upTo(35), CreDtTm: INSTANT },
      Stmt: {
        Id: upTo(35),
        ElctrncSeqNb: /^\d{1,18}$/,
        CreDtTm: INSTANT,
        FrToDt: { FrDtTm: INSTANT, ToDtTm: INSTANT },
        Acct: {
          ...accountIn,
          Ccy: CURRENCY,
          Ownr: { Nm: upTo(140) },
          Svcr: { FinInstnId: { Nm: upTo(140) } },
        },
        "Bal+": { Tp: { CdOrPrtry: { Cd: /^(?:OPBD|CLBD)$/ } }, ...mark, Dt: { Dt: DAY } },
        TxsSummry: { TtlNtries: sum, TtlCdtNtries: sum, TtlDbtNtries: sum },
        "Ntry*": {
          NtryRef: upTo(35),
          ...mark,
          Sts: /^BOOK$/,
          BookgDt: { DtTm: INSTANT },
          ValDt: { Dt: DAY },
          AcctSvcrRef: upTo(35),
          BkTxCd: { Domn: { Cd: /^PMNT$/, Fmly: { Cd: /^(?:RCDT|ICDT)$/, SubFmlyCd: /^OTHR$/ } } },
          NtryDtls: {
            TxDtls: {
              Refs: { AcctSvcrRef: upTo(35), EndToEndId: upTo(35) },
              RltdPties: {
                "Dbtr?": { Nm: upTo(140) },
                "DbtrAcct?": accountIn,
                "Cdtr?": { Nm: upTo(140) },
                "CdtrAcct?": accountIn,
              },
              "RmtInf?": { Ustrd: upTo(140) },
            },
          },
        },
      },
    },
  },
};
function check(nodes: readonly Node[], layout: Layout, path: string): void {
  const left = [...nodes];
  for (const [key, inner] of Object.entries(layout)) {
    const [, name = "", times = ""] = /^(\w+)([?*+]?)$/.exec(key) ?? [];
    let count = 0;
    for (; left[0]?.name === name; count += 1) {
      const node = left.shift() as Node;
      const here = `${path}/${name}`;
      if (inner instanceof RegExp) {
        expect(node.text, here).toMatch(inner);
        expect(node.children, here).toEqual([]);
      } else check(node.children, inner, here);
      expect(node.currency !== undefined, `${here} has a currency`).toBe(name === "Amt");
    }
    const isRight = times === "*" || (times === "?" ? count <= 1 : times === "+" ? count > 0 : count === 1);
    expect(isRight, `${path} has ${count} of ${key}`).toBe(true);
  }
  expect(
    left.map(({ name }) => name),
    path,
  ).toEqual([]);
}
const below = (node: Node | undefined, ...names: string[]): Node | undefined =>
  names.reduce((at, name) => at?.children.find((one) => one.name === name), node);
const textAt = (node: Node | undefined, path: string): string | undefined =>
  below(node, ...path.split("/"))?.text;
/** In hundredths, exactly: the text itself is read. */
const signed = (node: Node): number => {
  const minor = Number((textAt(node, "Amt") ?? "").replace(".", ""));
  return textAt(node, "CdtDbtInd") === "DBIT" ? -minor : minor;
};
const minorOf = ({ value }: { value: string }): number => Number(value.replace(".", ""));

onBothDatabases(
  "bank statements as CAMT.053",
  (instance) => {
    const statementOf = async (person: BankPerson, days: object) => {
      const path = `${person.ledger}/customer-statement`;
      const id = await person.made(path, { statement_format: "CAMT053", ...days });
      const answer = await eventually(async () => {
        const one = await person.send("GET", `${path}/${id}/content`);
        return one.status === 200 && one;
      }, "the statement");
      expect(answer.headers.get("content-type")).toBe("application/xml");
      expect(answer.text).toMatch(
        /^<\?xml version="1.0" encoding="UTF-8"\?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">/,
      );
      const nodes = nodesOf(parser.parse(answer.text));
      check(nodes, LAYOUT, "");
      return below(nodes[0], "BkToCstmrStmt", "Stmt") as Node;
    };

    it("has the layout, and every entry, balance and reference of the ledger", async () => {
      const ann = await newHolder(instance);
      const ben = await newHolder(instance);
      const descriptions = ["Lunch & <drinks>", "", "Miete für Žofie 東京", `${"long ".repeat(28)}`];
      for (const [index, description] of descriptions.entries()) {
        const body = {
          amount: euros(`${index + 1}.0${index}`),
          counterparty_alias: { type: "IBAN", value: ben.iban },
          description,
          ...(index === 0 && { merchant_reference: "ORDER-1" }),
        };
        await ann.made(`${ann.ledger}/payment`, body);
      }
      const day = new Date(instance().clock.nowMs()).toISOString().slice(0, 10);
      const payments = (await ann.done("GET", `${ann.ledger}/payment`)).toReversed();
      const statement = await statementOf(ann, { date_start: "2020-01-01", date_end: day });
      const entries = statement.children.filter(({ name }) => name === "Ntry");
      expect(entries.map((entry) => [Number(textAt(entry, "NtryRef")), signed(entry)])).toEqual(
        payments.map((one: any) => [one.id, minorOf(one.amount)]),
      );
      const [opening, closing] = statement.children.filter(({ name }) => name === "Bal") as [Node, Node];
      expect([opening, closing].map((one) => textAt(one, "Tp/CdOrPrtry/Cd"))).toEqual(["OPBD", "CLBD"]);
      const moved = entries.reduce((total, entry) => total + signed(entry), 0);
      expect(signed(opening) + moved).toBe(signed(closing));
      expect(signed(closing)).toBe(minorOf(euros(await ann.balance())));
      expect(textAt(statement, "Acct/Id/IBAN")).toBe(ann.iban);
      expect(textAt(statement, "TxsSummry/TtlNtries/NbOfNtries")).toBe(String(payments.length));
      const details = entries.slice(-4).map((entry) => below(entry, "NtryDtls", "TxDtls"));
      expect(details.map((one) => textAt(one, "Refs/EndToEndId"))).toEqual([
        "ORDER-1",
        "NOTPROVIDED",
        "NOTPROVIDED",
        "NOTPROVIDED",
      ]);
      expect(details.map((one) => textAt(one, "RltdPties/CdtrAcct/Id/IBAN"))).toEqual(
        descriptions.map(() => ben.iban),
      );
      const told = details.map((one) => textAt(one, "RmtInf/Ustrd"));
      expect(told).toEqual(["Lunch & <drinks>", undefined, "Miete für Žofie 東京", descriptions[3]]);
    });

    it("of days without entries has equal balances and none", async () => {
      const ann = await newHolder(instance);
      const statement = await statementOf(ann, { date_start: "2020-01-01", date_end: "2020-01-31" });
      const balances = statement.children.filter(({ name }) => name === "Bal");
      expect(balances.map((one) => [textAt(one, "Amt"), textAt(one, "Dt/Dt")])).toEqual([
        ["0.00", "2020-01-01"],
        ["0.00", "2020-01-31"],
      ]);
      expect(statement.children.some(({ name }) => name === "Ntry")).toBe(false);
      expect(textAt(statement, "FrToDt/ToDtTm")).toBe("2020-01-31T23:59:59.999Z");
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

/** Documents and invoices: made from the ledger, read back, and compared with it. */
import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { BankCaller } from "../../../tests/support/bank.ts";
import { PICTURE } from "../../../tests/support/bank-things.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

/** The words of a PDF in the order in which they were written, one string for each piece. */
function wordsOf(pdf: Buffer): string[] {
  const words: string[] = [];
  const text = pdf.toString("latin1");
  for (const { index } of text.matchAll(/stream\r?\n/g)) {
    const start = index + (text[index + 6] === "\r" ? 8 : 7);
    const end = text.indexOf("endstream", start);
    let content = "";
    try {
      content = inflateSync(pdf.subarray(start, end)).toString("latin1");
    } catch {
      continue;
    }
    for (const [, pieces = ""] of content.matchAll(/\[([^\]]*)\] TJ/g))
      words.push(
        [...pieces.matchAll(/<([0-9a-f]*)>/g)]
          .map(([, hex = ""]) => Buffer.from(hex, "hex").toString("latin1"))
          .join(""),
      );
  }
  return words;
}
const minorOf = (text: string): number => Math.round(Number(text.replace(",", ".")) * 100);

onBothDatabases(
  "bank documents",
  (instance) => {
    const user = async (kind: "person" | "company") => {
      const path = `/bank/v1/sandbox-user-${kind}`;
      const { body } = await instance().apiKey("X-Vendor-Client-Authentication", "POST", path, { body: {} });
      // The key itself: a session would end on journeys in time.
      const caller = new BankCaller(instance);
      caller.session = body.api_key;
      caller.signs = false;
      caller.userId = (await caller.send("GET", "/user")).body[0].id;
      const home = `/user/${caller.userId}`;
      const [ledger] = (await caller.send("GET", `${home}/monetary-account`)).body;
      return { caller, home, ledger, account: `${home}/monetary-account/${ledger.id}` };
    };
    const today = () => new Date(instance().clock.nowMs()).toISOString().slice(0, 10);
    const content = ({ caller }: { caller: BankCaller }, path: string) =>
      eventually(async () => {
        const answer = await caller.send("GET", path);
        return answer.status === 200 && answer;
      }, path);

    it("tells an account as CSV, MT940 and PDF, and each adds up to the ledger", async () => {
      const payer = await user("person");
      const { caller, account } = payer;
      const [, iban = ""] = [
        0,
        (await user("person")).ledger.alias.find((one: any) => one.type === "IBAN").value,
      ];
      await instance().clock.advance("P2D");
      for (const [value, description] of [
        ["12.34", 'Lunch; "both", of us'],
        ["0.01", "=1+1"],
        ["100.00", "Miete für Žofie 東京\n:61:"],
      ]) {
        const body = {
          amount: { value, currency: "EUR" },
          counterparty_alias: { type: "IBAN", value: iban },
          description,
        };
        expect((await caller.send("POST", `${account}/payment`, { body })).status).toBe(200);
      }
      const payments = (await caller.send("GET", `${account}/payment`)).body.toReversed();
      const day = today();
      const ask = async (statement_format: string, date_start: string, more: object = {}) => {
        const body = { statement_format, date_start, date_end: day, ...more };
        const made = await caller.send("POST", `${account}/customer-statement`, { body });
        expect(made.status).toBe(200);
        return content(payer, `${account}/customer-statement/${made.body.id}/content`);
      };
      const csv = (await ask("CSV", "2020-01-01")).text.split("\r\n").slice(1, -1);
      const cells = csv.map((line) => line.slice(1, -1).split('";"'));
      expect(cells.map((row) => [Number(row[1]), minorOf(row[2] ?? ""), minorOf(row[3] ?? "")])).toEqual(
        payments.map((one: any) => [
          one.id,
          minorOf(one.amount.value),
          minorOf(one.balance_after_mutation.value),
        ]),
      );
      expect(cells.map((row) => row[8])).toEqual([
        "A first deposit",
        'Lunch; ""both"", of us',
        "'=1+1",
        "Miete für Žofie 東京\n:61:",
      ]);
      const since = (await ask("CSV", day, { regional_format: "UK_US" })).text;
      expect(since).toContain('"-12.34","487.66"');
      const swift = (await ask("MT940", day)).text;
      expect(swift).toMatch(/:60F:C\d{6}EUR500,00\r\n/);
      expect(swift).toMatch(/:62F:C\d{6}EUR387,65\r\n-\r\n$/);
      const signed = [...swift.matchAll(/^:61:\d{10}([CD])([\d,]+)NTRF(\d+)\r$/gm)];
      expect(
        signed.map(([, mark, amount = "", id]) => [Number(id), (mark === "D" ? -1 : 1) * minorOf(amount)]),
      ).toEqual(payments.slice(1).map((one: any) => [one.id, minorOf(one.amount.value)]));
      expect(swift).toContain(":86:/IBAN/");
      const pdf = await ask("PDF", "2020-01-01");
      expect(pdf.headers.get("content-type")).toBe("application/pdf");
      const words = wordsOf(pdf.bytes);
      expect(words).toEqual(
        expect.arrayContaining(["Statement of account", "-12.34", "487.66", "EUR 387.65", "EUR -112.35"]),
      );
      expect(words.some((word) => word.startsWith("Miete f\xfcr Zofie"))).toBe(true);
      const uploaded = await instance().send("POST", `/bank/v1${account}/attachment`, {
        body: PICTURE,
        headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": caller.session },
      });
      const receipt = { attachment_id: uploaded.body.id, description: "The receipt" };
      const noted = `${account}/payment/${payments[1].id}/note-attachment`;
      expect((await caller.send("POST", noted, { body: receipt })).status).toBe(200);
      const name = `payment-${payments[1].id}-${uploaded.body.id}.png`;
      const withPictures = (await ask("PDF", day, { include_attachment: true })).bytes;
      expect(wordsOf(withPictures)).toContain(`Attached: ${name}`);
      expect(withPictures.toString("latin1")).toContain("/EmbeddedFile");
      const list = (await caller.send("GET", `${account}/customer-statement`)).body.slice(1);
      expect(list.map((one: any) => [one.status, one.statement_format])).toEqual([
        ["COMPLETED", "PDF"],
        ["COMPLETED", "MT940"],
        ["COMPLETED", "CSV"],
        ["COMPLETED", "CSV"],
      ]);
      const one = `${account}/customer-statement/${list[0].id}`;
      expect((await caller.send("GET", one)).body.statement_number).toBe(4);
      expect((await caller.send("DELETE", one)).status).toBe(200);
      expect((await caller.send("GET", `${one}/content`)).status).toBe(404);
      for (const wrong of [
        { statement_format: "DOC", date_start: day, date_end: day },
        { statement_format: "CSV", date_start: "2026-02-30", date_end: day },
        { statement_format: "CSV", date_start: day, date_end: "2020-01-01" },
        { statement_format: "CSV", date_start: day, date_end: day, regional_format: "MARTIAN" },
      ])
        expect((await caller.send("POST", `${account}/customer-statement`, { body: wrong })).status).toBe(
          400,
        );
      const stranger = await user("person");
      const theirs = `${stranger.account}/customer-statement/${list[1].id}/content`;
      expect((await stranger.caller.send("GET", theirs)).status).toBe(404);
    });

    it("makes overviews, account details and confirmations", async () => {
      const someone = await user("person");
      const { caller, home, account, ledger } = someone;
      const year = Number(today().slice(0, 4));
      const overview = await caller.send("POST", `${home}/export-annual-overview`, { body: { year } });
      const overviews = `${home}/export-annual-overview`;
      const paper = wordsOf((await content(someone, `${overviews}/${overview.body.id}/content`)).bytes);
      expect(paper).toEqual(
        expect.arrayContaining([`Annual overview ${year}`, "0.00", "500.00", today(), "EUR 500.00"]),
      );
      expect((await caller.send("GET", overviews)).body[0]).toMatchObject({ year, id: overview.body.id });
      expect((await caller.send("GET", `${overviews}/${overview.body.id}`)).status).toBe(200);
      expect((await caller.send("POST", overviews, { body: { year: year + 1 } })).status).toBe(400);
      expect((await caller.send("DELETE", `${overviews}/${overview.body.id}`)).status).toBe(200);
      const rib = await caller.send("POST", `${account}/export-rib`, { body: {} });
      const details = wordsOf((await content(someone, `${account}/export-rib/${rib.body.id}/content`)).bytes);
      const iban = ledger.alias.find((one: any) => one.type === "IBAN").value;
      expect(details.map((word) => word.replaceAll(" ", ""))).toContain(iban);
      expect((await caller.send("GET", `${account}/export-rib`)).body).toHaveLength(1);
      expect((await caller.send("GET", `${account}/export-rib/${rib.body.id}`)).status).toBe(200);
      expect((await caller.send("DELETE", `${account}/export-rib/${rib.body.id}`)).status).toBe(200);
      const events = (await caller.send("GET", `${home}/event`)).body;
      const event = events.find((one: any) => one.monetary_account_id === String(ledger.id));
      const confirmations = `${account}/event/${event.id}/statement`;
      const confirmed = await caller.send("POST", confirmations, { body: {} });
      const confirmation = wordsOf(
        (await content(someone, `${confirmations}/${confirmed.body.id}/content`)).bytes,
      );
      expect(confirmation).toEqual(expect.arrayContaining(["Confirmation of payment", "EUR 500.00"]));
      expect((await caller.send("GET", `${confirmations}/${confirmed.body.id}`)).body.status).toBe(
        "COMPLETED",
      );
      expect((await caller.send("POST", `${account}/event/999999/statement`, { body: {} })).status).toBe(404);
    });

    it("tells what a card was used for", async () => {
      const someone = await user("person");
      const { caller, home } = someone;
      const [{ possible_card_name_array: names }] = (await caller.send("GET", `${home}/card-name`)).body;
      const body = {
        second_line: "",
        name_on_card: names[0],
        type: "MASTERCARD",
        product_type: "MASTERCARD_DEBIT",
      };
      const ordered = await caller.send("POST", `${home}/card-debit`, {
        body: { ...body, order_status: "VIRTUAL_DELIVERY" },
      });
      const cardId = ordered.body.Id.id;
      const use = (more: object) =>
        instance().bearer("POST", "/_medley/bank/card-transactions", {
          body: { account: accounts.first.id, ...more },
        });
      const merchant = { name: "Corner Bakery", city: "Utrecht" };
      const kept = await use({ cardId, amount: { value: "20.00", currency: "EUR" }, merchant });
      await use({
        action: "settle",
        transactionId: kept.body.id,
        amount: { value: "15.00", currency: "EUR" },
      });
      await use({ cardId, amount: { value: "5000.00", currency: "EUR" }, merchant });
      const below = `${home}/card/${cardId}`;
      const days = { date_start: today(), date_end: today() };
      const csv = await caller.send("POST", `${below}/export-statement-card-csv`, {
        body: { ...days, regional_format: "UK_US" },
      });
      const pdf = await caller.send("POST", `${below}/export-statement-card-pdf`, { body: days });
      const table = await content(someone, `${below}/export-statement-card/${csv.body.Id.id}/content`);
      expect(table.text).toContain('"Corner Bakery","Utrecht","NL","SETTLED","15.00","EUR"');
      expect(table.text).toContain('"REFUSED","0.00"');
      const paper = await content(someone, `${below}/export-statement-card/${pdf.body.Id.id}/content`);
      expect(wordsOf(paper.bytes)).toContain("EUR 15.00");
      const both = await caller.send("GET", `${below}/export-statement-card?count=1`);
      expect(both.body.map((one: any) => one.id)).toEqual([pdf.body.Id.id]);
      const older = await caller.send("GET", `${below}/export-statement-card?older_id=${pdf.body.Id.id}`);
      expect(older.body.map((one: any) => one.id)).toEqual([csv.body.Id.id]);
      const newer = await caller.send(
        "GET",
        `${below}/export-statement-card?newer_id=${csv.body.Id.id}&count=1`,
      );
      expect(newer.body.map((one: any) => one.id)).toEqual([pdf.body.Id.id]);
      expect((await caller.send("GET", `${below}/export-statement-card/${csv.body.Id.id}`)).status).toBe(200);
      for (const [kind, { body: made }] of [
        ["csv", csv],
        ["pdf", pdf],
      ] as const) {
        const one = `${below}/export-statement-card-${kind}`;
        expect((await caller.send("GET", one)).body).toHaveLength(1);
        expect((await caller.send("GET", `${one}/${made.Id.id}`)).body.card_id).toBe(cardId);
        expect((await caller.send("DELETE", `${one}/${made.Id.id}`)).status).toBe(200);
      }
      expect((await caller.send("GET", `${below}/export-statement-card`)).body).toEqual([]);
    });

    it("bills companies every month, and others for what they ordered", async () => {
      const company = await user("company");
      const { caller, home, account } = company;
      const [contract] = (await caller.send("GET", `${home}/billing-contract-subscription`)).body;
      expect(contract).toMatchObject({ subscription_type: "COMPANY_V1", status: "ACTIVE" });
      const [{ possible_card_name_array: names }] = (await caller.send("GET", `${home}/card-name`)).body;
      const order = {
        second_line: "",
        name_on_card: names[0],
        type: "MASTERCARD",
        product_type: "MASTERCARD_BUSINESS",
      };
      for (let time = 0; time < 2; time += 1)
        expect((await caller.send("POST", `${home}/card-credit`, { body: order })).status).toBe(200);
      await instance().clock.advance("P32D");
      const invoices = await eventually(async () => {
        const { body } = await caller.send("GET", `${home}/invoice`);
        return body.length > 0 && body;
      });
      const [invoice] = invoices;
      expect(invoice).toMatchObject({
        status: "PAID",
        total_vat_inclusive: { value: "16.99", currency: "EUR" },
        total_vat_exclusive: { value: "14.04" },
        total_vat: { value: "2.95" },
      });
      expect(invoice.group.map((one: any) => one.type)).toEqual(["SUBSCRIPTION", "CARD"]);
      const [payment] = (await caller.send("GET", `${account}/payment`)).body;
      expect(payment).toMatchObject({ amount: { value: "-16.99" }, sub_type: "BILLING" });
      expect((await caller.send("GET", `${account}/invoice`)).body).toEqual([invoice]);
      expect((await caller.send("GET", `${account}/invoice/${invoice.id}`)).body).toEqual(invoice);
      expect((await caller.send("GET", `${home}/invoice/${invoice.id}`)).body).toEqual(invoice);
      const paper = wordsOf((await content(company, `${home}/invoice/${invoice.id}/pdf-content`)).bytes);
      expect(paper).toEqual(expect.arrayContaining(["EUR 16.99", "EUR 2.95", "Further card"]));
      const exports = `${home}/invoice/${invoice.id}/invoice-export`;
      const { body: made } = await caller.send("POST", exports, { body: {} });
      const isDone = () =>
        eventually(
          async () => (await caller.send("GET", `${exports}/${made.Id.id}`)).body.status === "COMPLETED",
        );
      await isDone();
      expect((await caller.send("PUT", `${exports}/${made.Id.id}`, { body: {} })).status).toBe(200);
      await isDone();
      expect((await caller.send("DELETE", `${exports}/${made.Id.id}`)).status).toBe(200);
      const person = await user("person");
      expect((await person.caller.send("GET", `${person.home}/invoice`)).body).toEqual([]);
      expect((await person.caller.send("GET", `${person.home}/invoice/${invoice.id}`)).status).toBe(404);
    });

    it("tries every day to have an invoice paid", async () => {
      const company = await user("company");
      const other = await user("person");
      const pay = (from: typeof company, to: typeof company, value: string) =>
        from.caller.send("POST", `${from.account}/payment`, {
          body: {
            amount: { value, currency: "EUR" },
            counterparty_alias: {
              type: "IBAN",
              value: to.ledger.alias.find((one: any) => one.type === "IBAN").value,
            },
            description: "All of it",
          },
        });
      expect((await pay(company, other, "500.00")).status).toBe(200);
      await instance().clock.advance("P32D");
      const invoice = async () => (await company.caller.send("GET", `${company.home}/invoice`)).body[0];
      expect((await invoice()).status).toBe("OPEN");
      await pay(other, company, "20.00");
      await instance().clock.advance("P1D");
      expect((await invoice()).status).toBe("PAID");
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

/** What counts however much came after it or beside it, and how long invoices are tried. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { euros, newHolder } from "../../../tests/support/bank-people.ts";
import { PICTURE } from "../../../tests/support/bank-things.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const data = mkdtempSync(join(tmpdir(), "medley-far-back-"));
const NEXT = "copied.id + 1000000 + n";
let running: Instance;
const newUser = (kind?: string) => newHolder(() => running, kind);
beforeAll(async () => {
  running = await startInstance({ services: ["bank"], bankRateLimit: 0, data });
  await running.clock.freeze();
});
afterAll(async () => {
  await running.stop();
  rmSync(data, { recursive: true, force: true });
});

it("an invoice has all that was ordered since the last one", async () => {
  const company = await newUser("company");
  for (let card = 0; card < 2; card += 1)
    await company.orderedCard({ type: "MASTERCARD", product_type: "MASTERCARD_BUSINESS" });
  const charges = { table: "bank_record", changed: { id: NEXT }, where: "kind = 'charge'" };
  copyRow(data, { ...charges, count: 501 });
  await running.clock.advance("P32D");
  const [invoice] = await company.done("GET", `${company.user}/invoice`);
  const [, cards] = invoice.group;
  expect([cards.type, cards.item.length]).toEqual(["CARD", 502]);
});

it("a code is paid from the account in its currency, even if a hundred others are newer", async () => {
  const [shop, buyer] = [await newUser(), await newUser()];
  const { id } = await buyer.openAccount("USD");
  const changed = { id: NEXT, iban: "copied.iban || n", public_uuid: "copied.public_uuid || n" };
  copyRow(data, { table: "bank_ledger", count: 498, changed, where: `id = ${id}` });
  const path = `${shop.ledger}/ideal-merchant-transaction`;
  const made = await shop.made(path, { amount_requested: euros("3.00"), issuer: "TESTNL2A" });
  const { transaction_identifier: token } = await shop.done("GET", `${path}/${made}`);
  const response = await buyer.done("POST", `${buyer.user}/token-qr-request-ideal`, { token });
  expect(response.monetary_account_id).toBe(buyer.ledgerId);
});

it("an event is delivered, however long the receiver's answer is", async () => {
  const person = await newUser();
  let heard = 0;
  const server = createServer((request, response) => {
    heard += 1;
    request.resume();
    response.end("x".repeat(100_000));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const filters = { notification_filters: [{ category: "MUTATION", notification_target: target }] };
    await person.done("POST", `${person.user}/notification-filter-url`, filters);
    await person.done("POST", `${person.ledger}/payment`, {
      amount: euros("3.00"),
      counterparty_alias: { type: "IBAN", value: (await newUser()).iban },
      description: "Coffee",
    });
    await eventually(() => heard === 1, "the event");
    await running.clock.advance("1h");
    expect(heard).toBe(1);
    expect(await person.done("GET", `${person.user}/notification-filter-failure`)).toEqual([]);
  } finally {
    server.close();
  }
});

it("an invoice is tried on thirty days", async () => {
  const [payee, ...companies] = [await newUser(), await newUser("company"), await newUser("company")];
  const pay = (from: typeof payee, to: typeof payee, value: string) =>
    from.done("POST", `${from.ledger}/payment`, {
      amount: euros(value),
      counterparty_alias: { type: "IBAN", value: to.iban },
      description: "All of it",
    });
  for (const company of companies) await pay(company, payee, await company.balance());
  const firstInvoice = async (company: typeof payee) =>
    (await company.done("GET", `${company.user}/invoice`)).at(-1);
  await running.clock.advance("P32D");
  const [{ created }] = await Promise.all(companies.map(firstInvoice));
  const [early, late] = companies as [typeof payee, typeof payee];
  const billedMs = Date.parse(`${created.replace(" ", "T")}Z`);
  const advanceToDay = (day: number) =>
    running.clock.advance(billedMs + day * 86_400_000 - running.clock.nowMs());
  await advanceToDay(29.5);
  await pay(payee, early, "100.00");
  await advanceToDay(30.5);
  await pay(payee, late, "100.00");
  await advanceToDay(33);
  expect([(await firstInvoice(early)).status, (await firstInvoice(late)).status]).toEqual(["PAID", "OPEN"]);
});

it("five hundred characters describe an attachment", async () => {
  const person = await newUser();
  const lengthOf = async (length: number) => {
    const made = await running.send("POST", "/bank/v1/attachment-public", {
      body: PICTURE,
      headers: {
        "content-type": "image/png",
        "X-Vendor-Client-Authentication": person.secret,
        "X-Vendor-Attachment-Description": "x".repeat(length),
      },
    });
    const shown = await person.done("GET", `/attachment-public/${made.body.Uuid.uuid}`);
    return shown.attachment.description.length;
  };
  expect([await lengthOf(500), await lengthOf(501)]).toEqual([500, 500]);
});

it("all who own an account are shown, and a hundred accounts whose books are wrong", async () => {
  const person = await newUser();
  const invited = { type: "IBAN", value: (await newUser()).iban };
  const joint = { currency: "EUR", description: "Ours", all_co_owner: [{ alias: invited }] };
  const id = await person.made(`${person.user}/monetary-account-joint`, joint);
  copyRow(data, { table: "bank_share", count: 49, changed: { id: NEXT }, where: `ledger_id = ${id}` });
  const { all_co_owner } = await person.done("GET", `${person.user}/monetary-account/${id}`);
  expect(all_co_owner).toHaveLength(50);
  const wrong = async (count: number) => {
    const some = `id in (select id from bank_ledger order by id desc limit ${count})`;
    const shift = (by: number) =>
      changeRows(data, (database) =>
        database.exec(`update bank_ledger set balance = balance + ${by} where ${some}`),
      );
    shift(1);
    const { body } = await running.bearer("GET", "/_medley/bank/proof");
    shift(-1);
    return body.wrong.length;
  };
  expect([await wrong(100), await wrong(101)]).toEqual([100, 100]);
});

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

const LEDGERS = { id: NEXT, iban: "copied.iban || n", public_uuid: "copied.public_uuid || n" };

it("an invoice has all that was ordered since the last one, however many accounts are newer", async () => {
  const company = await newUser("company");
  for (let card = 0; card < 2; card += 1)
    await company.orderedCard({ type: "MASTERCARD", product_type: "MASTERCARD_BUSINESS" });
  const charges = { table: "bank_record", changed: { id: NEXT }, where: "kind = 'charge'" };
  copyRow(data, { ...charges, count: 501 });
  const { id } = await company.openAccount("USD");
  copyRow(data, { table: "bank_ledger", count: 498, changed: LEDGERS, where: `id = ${id}` });
  await running.clock.advance("P32D");
  // At the end of a month there are two.
  const invoices: { group: { type: string; item: unknown[] }[] }[] = await company.done(
    "GET",
    `${company.user}/invoice`,
  );
  const cards = invoices.flatMap(({ group }) => group).filter(({ type }) => type === "CARD");
  expect(cards.map(({ item }) => item.length)).toEqual([502]);
});

it("a code is paid from the account in its currency, even if a hundred others are newer", async () => {
  const [shop, buyer] = [await newUser(), await newUser()];
  const { id } = await buyer.openAccount("USD");
  const changed = { ...LEDGERS, id: "copied.id + 2000000 + n" };
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

it("all money that waits for a name is handed out, and the names of others keep theirs", async () => {
  const payer = await newUser();
  const pay = (value: string) =>
    payer.made(`${payer.ledger}/payment`, {
      amount: euros("0.01"),
      counterparty_alias: { type: "EMAIL", value, name: "Late" },
      description: "A gift",
      allow_vendorto: true,
    });
  const other = await pay("other@example.com");
  for (let paid = 0; paid < 201; paid += 1) await pay("late@example.com");
  const alias = [{ type: "EMAIL", value: "late@example.com" }];
  const key = "X-Vendor-Client-Authentication";
  const made = await running.apiKey(key, "POST", "/bank/v1/sandbox-user-person", { body: { alias } });
  const own = async (path: string) =>
    (await running.send("GET", `/bank/v1${path}`, { headers: { [key]: made.body.api_key } })).body;
  const [{ id }] = await own("/user");
  await eventually(
    async () => (await own(`/user/${id}/monetary-account`))[0].balance.value === "502.01",
    "all of the money",
  );
  expect((await payer.done("GET", `${payer.ledger}/payment/${other}`)).vendorto_status).toBe("PENDING");
});

it("an offer holds, however many newer ones there are for others", async () => {
  const person = await newUser();
  const beneficiaryNamed = (name: string) =>
    person.made(`${person.user}/currency-cloud-beneficiary`, {
      name,
      country: "GB",
      currency: "GBP",
      payment_type: "sort_code",
      legal_entity_type: "COMPANY",
      all_field: ["sortCode=231470", "accountNumber=28821822"],
    });
  const offerFor = async (id: number) => {
    const pointers = [{ type: "CURRENCY_CLOUD_BENEFICIARY", value: String(id) }];
    return person.made(`${person.ledger}/currency-cloud-payment-quote`, { pointers });
  };
  const [wanted, other] = [await beneficiaryNamed("Acme Ltd"), await beneficiaryNamed("Other Ltd")];
  await offerFor(wanted);
  const newer = await offerFor(other);
  copyRow(data, { table: "bank_record", count: 100, changed: { id: NEXT }, where: `id = ${newer}` });
  const counterparty_alias = { type: "CURRENCY_CLOUD_BENEFICIARY", value: String(wanted) };
  const order = { amount: { value: "8.00", currency: "GBP" }, description: "Parts", counterparty_alias };
  await person.done("POST", `${person.ledger}/payment`, order);
  await running.clock.advance("61m");
  expect(await person.refused("POST", `${person.ledger}/payment`, order)).toMatch(/ask for one/);
});

it("a tab shows the newest two hundred payments", async () => {
  const [shop, buyer] = [await newUser(), await newUser()];
  const vendorme_tab_entry = { amount_inquired: euros("1.00"), description: "Tea" };
  const path = `${shop.ledger}/vendorme-tab`;
  const tab = `${path}/${await shop.made(path, { vendorme_tab_entry })}`;
  const pay = async () =>
    buyer.made(`${buyer.ledger}/payment`, {
      amount: euros("1.00"),
      description: "Tea",
      counterparty_alias: { type: "URL", value: (await shop.done("GET", tab)).vendorme_tab_share_url },
    });
  await pay();
  const shown = async () => (await shop.done("GET", tab)).result_inquiries.length;
  const grow = (count: number, by: number) =>
    copyRow(data, {
      table: "bank_record",
      count,
      changed: { id: `copied.id + ${by} + n` },
      where: "kind = 'share-result'",
    });
  grow(199, 1_000_000);
  const most = await shown();
  grow(1, 2_000_000);
  expect([most, await shown()]).toEqual([200, 200]);
});

it("six accounts are drawn, each with its newest four hundred changes", async () => {
  const charts = async () => {
    const { body } = await running.bearer("GET", "/_medley/views/bank?limit=1");
    return body.views.find(({ title }: { title: string }) => title === "Accounts").widgets;
  };
  const moved = "update bank_ledger set serial = serial + 1 where user_id > 0 and serial = 1";
  for (let users = 0; users < 7; users += 1) await newUser();
  changeRows(data, (database) => database.exec(moved));
  const [chart, ...others] = await charts();
  expect(others).toHaveLength(5);
  const [, iban] = /\((NL\w+)\)/.exec(chart.title) ?? [];
  const where = `ledger_id = (select id from bank_ledger where iban = '${iban}') and serial = 1`;
  const pointsOf = async (serial: number) => {
    changeRows(data, (database) =>
      database.exec(`update bank_ledger set serial = ${serial} where iban = '${iban}';
        delete from bank_entry where ${where.replace("= 1", "> 1")}`),
    );
    const changed = { serial: "copied.serial + n" };
    copyRow(data, { table: "bank_entry", count: serial - 1, changed, where });
    return (await charts())[0].points.length;
  };
  const now = 1;
  expect([await pointsOf(400), await pointsOf(401)]).toEqual([400 + now, 400 + now]);
});

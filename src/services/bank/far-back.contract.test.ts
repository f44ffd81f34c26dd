/** What counts, however much came after it or beside it. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { euros, newHolder } from "../../../tests/support/bank-people.ts";
import { copyRow } from "../../../tests/support/copied-rows.ts";
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

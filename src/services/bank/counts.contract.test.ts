/** How much a user may have, over HTTP: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { PICTURE } from "../../../tests/support/bank-things.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;
const data = mkdtempSync(join(tmpdir(), "medley-counts-"));
let running: Instance;
let ann: BankPerson;
let holder: BankPerson | undefined;
beforeAll(async () => {
  running = await startInstance({ services: ["bank"], bankRateLimit: 0, data });
  await running.clock.freeze();
  ann = await newHolder(() => running);
});
afterAll(async () => {
  await running.stop();
  rmSync(data, { recursive: true, force: true });
});

let made = 0;
const category = () => {
  made += 1;
  const body = { category: `OWN${made}`, description: `own ${made}`, status: "ACTIVE" };
  return ann.send("POST", `${ann.user}/additional-transaction-information-category-user-defined`, { body });
};
const attachment = () =>
  running.send("POST", "/bank/v1/attachment-public", {
    body: PICTURE,
    headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": ann.secret },
  });
const account = () =>
  ann.send("POST", `${ann.user}/monetary-account-bank`, { body: { currency: "EUR", description: "more" } });
/** Another person's, who needs no card later. */
const card = async () => {
  holder ??= await newHolder(() => running);
  const [{ possible_card_name_array: names }] = await holder.done("GET", `${holder.user}/card-name`);
  const product = { type: "MASTERCARD", product_type: "MASTERCARD_DEBIT" };
  const body = { second_line: "", name_on_card: names[0], ...product };
  return holder.send("POST", `${holder.user}/card-debit`, { body });
};
const NEXT = "copied.id + 1000000 + n";

it.each<
  [string, number, () => Promise<{ status: number; text: string }>, string, Record<string, string>, string]
>([
  [
    "errors",
    1000,
    () => ann.send("POST", "/server-error", { body: {} }),
    "bank_record",
    { id: NEXT },
    "kind = 'server-error'",
  ],
  [
    "OAuth clients",
    10,
    () => ann.send("POST", `${ann.user}/oauth-client`, { body: {} }),
    "bank_oauth_client",
    { id: NEXT, client_id: "copied.client_id || n" },
    "true",
  ],
  [
    "categories",
    100,
    category,
    "bank_record",
    { id: NEXT, body: "replace(copied.body, 'OWN', 'COPY' || n)" },
    "body like '%OWN%'",
  ],
  ["cards", 100, card, "bank_record", { id: NEXT }, "kind = 'card'"],
  ["attachments", 10_000, attachment, "bank_attachment", { id: NEXT, uuid: "copied.uuid || n" }, "true"],
  [
    "accounts",
    499,
    account,
    "bank_ledger",
    { id: NEXT, iban: "copied.iban || n", public_uuid: "copied.public_uuid || n" },
    "description = 'more'",
  ],
])("%s: %i at the most", async (_what, most, create, table, changed, where) => {
  const first = await create();
  expect([first.status, first.text]).toEqual([200, first.text]);
  copyRow(data, { table, count: most - 2, changed, where });
  const last = await create();
  expect([last.status, last.text]).toEqual([200, last.text]);
  const beyond = await create();
  expect([beyond.status, beyond.text]).toEqual([400, expect.stringMatching(/at most/)]);
});

it("users of an account: 10,000 at the most", async () => {
  const open = () =>
    running.apiKey("X-Vendor-Client-Authentication", "POST", "/bank/v1/sandbox-user-person", { body: {} });
  const users = changeRows(data, (database) =>
    database.prepare("select count(*) as count from bank_user where account = '111111111111'").get(),
  ) as { count: number };
  const changed = { id: NEXT, public_uuid: "copied.public_uuid || n", is_default: "0" };
  const where = `account = '111111111111' and id = ${ann.user.split("/").at(-1)}`;
  copyRow(data, { table: "bank_user", count: 9_999 - users.count, changed, where });
  const last = await open();
  expect([last.status, last.text]).toEqual([200, last.text]);
  const beyond = await open();
  expect([beyond.status, beyond.text]).toEqual([400, expect.stringMatching(/at most 10000 users/)]);
});

it("as many as a collection takes", async () => {
  const [client] = await ann.done("GET", `${ann.user}/oauth-client`);
  const addresses = `${ann.user}/oauth-client/${client.id}/callback-url`;
  const body = { url: "https://shop.example/back" };
  for (let made = 0; made < 20; made += 1) await ann.done("POST", addresses, body);
  expect(await ann.refused("POST", addresses, body)).toBe("There are 20 already: no more can be made here.");
});

it("two addresses for a category of events", async () => {
  const filters = (count: number) => ({
    notification_filters: Array.from({ length: count }, (_, at) => ({
      category: "PAYMENT",
      notification_target: `https://shop${at}.example/`,
    })),
  });
  await ann.done("POST", `${ann.user}/notification-filter-url`, filters(2));
  expect(await ann.refused("POST", `${ann.user}/notification-filter-url`, filters(3))).toMatch(/at most 2/);
});

it("limits and countries of a card", async () => {
  const card = `${ann.user}/card/${await ann.orderedCard()}`;
  const countries = (count: number) => ({
    country_permission: Array.from({ length: count }, (_, at) => ({
      country: `${String.fromCharCode(65 + Math.floor(at / 26))}${String.fromCharCode(65 + (at % 26))}`,
    })),
  });
  await ann.done("PUT", card, { card_limit: euros("50000.00") });
  await ann.refused("PUT", card, { card_limit: euros("50000.01") });
  await ann.done("PUT", card, countries(250));
  await ann.refused("PUT", card, countries(251));
});

it("ids of requests are kept for ninety days, to the millisecond", async () => {
  const nowMs = running.clock.nowMs();
  const night = new Date(nowMs);
  night.setUTCHours(3, 45, 0, 0);
  const lookMs = night.getTime() > nowMs ? night.getTime() : night.getTime() + DAY_MS;
  const insert =
    "insert into bank_request_id (account, device_id, request_id, created_at) values (?, 0, ?, ?)";
  changeRows(data, (database) => {
    for (const [id, ageMs] of [
      ["last kept", 0],
      ["first gone", 1],
    ] as const)
      database.prepare(insert).run("111111111111", id, lookMs - 90 * DAY_MS - ageMs);
  });
  await running.clock.advance(lookMs - nowMs);
  const left = changeRows(data, (database) =>
    database.prepare("select request_id from bank_request_id where device_id = 0").all(),
  );
  expect(left).toEqual([{ request_id: "last kept" }]);
});

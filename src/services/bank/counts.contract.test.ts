/** How much a user may have, over HTTP: the last that fits, and the first that does not. */
import { createPublicKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { PICTURE, worldDoes } from "../../../tests/support/bank-things.ts";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { eventually } from "../../../tests/support/eventually.ts";
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
let pictureUuid: string | undefined;
const attachment = async () => {
  const made = await running.send("POST", "/bank/v1/attachment-public", {
    body: PICTURE,
    headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": ann.secret },
  });
  pictureUuid ??= made.body.Uuid.uuid;
  return made;
};
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
const company = () => ann.send("POST", `${ann.user}/company`, { body: { name: "Novak" } });
const avatar = () =>
  ann.send("POST", "/avatar", { body: { image: [{ attachment_public_uuid: pictureUuid }] } });
const invite = async () => {
  const other = await newHolder(() => running);
  const counter_user_alias = { type: "IBAN", value: other.iban };
  const path = `${ann.ledger}/share-invite-monetary-account-inquiry`;
  return ann.send("POST", path, { body: { counter_user_alias, access_type: "VIEW_BALANCE" } });
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
  ["companies", 20, company, "bank_record", { id: NEXT }, "kind = 'company'"],
  ["shares of an account", 50, invite, "bank_share", { id: NEXT }, "true"],
  ["attachments", 10_000, attachment, "bank_attachment", { id: NEXT, uuid: "copied.uuid || n" }, "true"],
  ["avatars", 1000, avatar, "bank_avatar", { id: NEXT, uuid: "copied.uuid || n" }, "true"],
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

it("50,000 lines of a statement", async () => {
  const holderOfMany = await newHolder(() => running);
  const { ledgerId } = holderOfMany;
  const ask = () => {
    const today = new Date(running.clock.nowMs()).toISOString().slice(0, 10);
    const body = { statement_format: "CSV", date_start: today, date_end: today, regional_format: "EUROPEAN" };
    return holderOfMany.send("POST", `${holderOfMany.ledger}/customer-statement`, { body });
  };
  const entries = changeRows(data, (database) =>
    database.prepare(`select max(serial) as last from bank_entry where ledger_id = ${ledgerId}`).get(),
  ) as { last: number };
  const grow = (count: number, by: number) =>
    copyRow(data, {
      table: "bank_entry",
      count,
      changed: { serial: `copied.serial + ${by} + n` },
      where: `ledger_id = ${ledgerId} and serial = ${entries.last}`,
    });
  grow(50_000 - entries.last, 0);
  expect((await ask()).status).toBe(200);
  grow(1, 50_000 - entries.last);
  const beyond = await ask();
  expect([beyond.status, beyond.text]).toEqual([400, expect.stringContaining("at most 50000 lines")]);
  changeRows(data, (database) =>
    database.exec(`delete from bank_entry where ledger_id = ${ledgerId} and serial > ${entries.last}`),
  );
});

/** How many files a statement of today has. */
async function filesOfStatement(person: BankPerson): Promise<number | undefined> {
  const today = new Date(running.clock.nowMs()).toISOString().slice(0, 10);
  const path = `${person.ledger}/customer-statement`;
  const period = { date_start: today, date_end: today };
  const made = await person.made(path, { statement_format: "PDF", ...period, include_attachment: true });
  const { bytes } = await eventually(async () => {
    const content = await person.send("GET", `${path}/${made}/content`);
    return content.status === 200 && content;
  }, "the statement");
  return bytes.toString("latin1").match(/\/EmbeddedFile\b/g)?.length;
}
it("100 pictures of a statement", async () => {
  const person = await newHolder(() => running);
  const [{ id: payment }] = await person.done("GET", `${person.ledger}/payment`);
  const uploaded = await running.send("POST", `/bank/v1${person.ledger}/attachment`, {
    body: PICTURE,
    headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": person.secret },
  });
  const id = changeRows(data, (database) =>
    database.prepare("select max(id) as last from bank_attachment where id < 1000000").get(),
  ) as { last: number };
  expect([uploaded.status, uploaded.text]).toEqual([200, expect.stringContaining(String(id.last))]);
  const noted = `${person.ledger}/payment/${payment}/note-attachment`;
  await person.made(noted, { attachment_id: id.last, description: "" });
  const changed = { id: "copied.id + 2000000 + n", uuid: "copied.uuid || n" };
  copyRow(data, { table: "bank_attachment", count: 100, changed, where: `id = ${id.last}` });
  const noteMore = (first: number, count: number) =>
    copyRow(data, {
      table: "bank_record",
      count,
      changed: {
        id: `copied.id + 1000000 + ${first} + n`,
        body: `json_set(copied.body, '$.attachment_id', ${id.last + 2_000_000 + first} + n)`,
      },
      where: "kind = 'note-attachment/payment'",
    });
  noteMore(0, 99);
  const most = await filesOfStatement(person);
  noteMore(99, 1);
  expect([most, await filesOfStatement(person)]).toEqual([100, 100]);
});

it.each([
  [0, 3],
  [1, 2],
])("20 MB of pictures of a statement, and %i bytes more: %i of three", async (more, count) => {
  const person = await newHolder(() => running);
  const [{ id: payment }] = await person.done("GET", `${person.ledger}/payment`);
  const most = 10 * 1024 * 1024;
  for (const length of [PICTURE.length, most - PICTURE.length + more, most]) {
    const answer = (
      await running.send("POST", `/bank/v1${person.ledger}/attachment`, {
        body: Buffer.concat([PICTURE, Buffer.alloc(length - PICTURE.length)]),
        headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": person.secret },
      })
    ).body;
    const noted = `${person.ledger}/payment/${payment}/note-attachment`;
    await person.made(noted, { attachment_id: answer.id, description: "" });
  }
  expect(await filesOfStatement(person)).toBe(count);
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
  // Nobody answers there: the events of the tests below are not to be sent.
  await ann.done("POST", `${ann.user}/notification-filter-url`, filters(0));
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

it("ten numbers of a card", async () => {
  const card = `${ann.user}/card/${await ann.orderedCard()}`;
  const { primary_account_numbers: had } = await ann.done("GET", card);
  const more = (count: number) => ({
    primary_account_numbers: Array.from({ length: count }, (_, at) => ({
      description: `Shop ${at}`,
      monetary_account_id: ann.ledgerId,
    })),
  });
  await ann.done("PUT", card, more(10 - had.length));
  expect(await ann.refused("PUT", card, more(1))).toBe("A card has at most 10 numbers.");
});

it("all that a whitelist has let through counts for its month, however many came after it", async () => {
  const debited = (value: string) =>
    worldDoes(running, "direct-debits", {
      iban: ann.iban,
      amount: euros(value),
      creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
      mandateIdentifier: "M-1",
      description: "Electricity",
    });
  await ann.made(`${ann.user}/whitelist-sdd-one-off`, {
    monetary_account_paying_id: ann.ledgerId,
    request_id: (await debited("1.00")).id,
    maximum_amount_per_month: euros("10.00"),
  });
  expect((await debited("5.00")).status).toBe("ACCEPTED");
  const changed = { id: NEXT, body: `replace(copied.body, '"minor":500', '"minor":0')` };
  copyRow(data, { table: "bank_record", count: 1000, changed, where: "kind = 'whitelist-result'" });
  expect((await debited("5.01")).status).toBe("PENDING");
  expect((await debited("5.00")).status).toBe("ACCEPTED");
});

it("fifty refunds of what was settled, in parts", async () => {
  const cardId = await ann.orderedCard({ order_status: "VIRTUAL_DELIVERY" });
  const use = (body: object) =>
    running.bearer("POST", "/_medley/bank/card-transactions", {
      body: { cardId, merchant: { name: "Shop" }, ...body },
    });
  const { body: kept } = await use({ amount: euros("1.00") });
  expect(kept.decision).toBe("ALLOWED");
  const change = (action: string, value: string) =>
    use({ action, transactionId: kept.id, amount: euros(value) });
  expect((await change("settle", "1.00")).status).toBe(200);
  for (let refund = 1; refund <= 50; refund += 1) expect((await change("refund", "0.01")).status).toBe(200);
  const beyond = await change("refund", "0.01");
  expect([beyond.status, beyond.text]).toEqual([400, expect.stringContaining("at most 50 refunds")]);
});

it("a credit of 10,000.00 for an account", async () => {
  const account = `${ann.user}/monetary-account-bank/${ann.ledgerId}`;
  await ann.done("PUT", account, { overdraft_limit: euros("10000.00") });
  expect(await ann.refused("PUT", account, { overdraft_limit: euros("10000.01") })).toContain("too high");
});

it("keys of 2048 to 4096 bits", async () => {
  const install = async (bits: number) => {
    const modulus = Buffer.alloc(Math.ceil(bits / 8), 0xff);
    modulus[0] = 2 ** (bits % 8 || 8) - 1;
    const jwk = { kty: "RSA", n: modulus.toString("base64url"), e: "AQAB" };
    const key = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
    return (await running.send("POST", "/bank/v1/installation", { body: { client_public_key: key } })).status;
  };
  expect(await Promise.all([2047, 2048, 4096, 4097].map(install))).toEqual([400, 200, 200, 400]);
});

it("a hundred characters of a request id", async () => {
  const ask = async (length: number) => {
    const headers = { "X-Vendor-Client-Request-Id": "r".repeat(length) };
    const { status, headers: answered } = await ann.send("POST", `${ann.user}/company`, {
      body: {},
      headers,
    });
    return [status, answered.get("x-vendor-client-request-id")?.length];
  };
  expect(await ask(100)).toEqual([400, 100]);
  expect(await ask(101)).toEqual([400, 100]);
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

/** Notes and pictures on things of all twenty kinds: each of their two hundred operations. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newPerson } from "../../../tests/support/bank-people.ts";
import { accounts, type Instance, startInstance } from "../../../tests/support/medley.ts";
import { noteOperations } from "./operations/notes.ts";

let running: Instance | undefined;
const instance = () => running!;
beforeAll(async () => {
  running = await startInstance({ services: ["bank"], bankRateLimit: 0 });
});
afterAll(() => running?.stop());

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const ELSEWHERE = { type: "IBAN", value: "DE75512108001245126199", name: "G. Haus" };
const DAY_MS = 86_400_000;
const admin = async (path: string, body: object): Promise<any> => {
  const given = { account: accounts.first.id, ...body };
  const answer = await instance().bearer("POST", `/_medley/bank/${path}`, { body: given });
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return answer.body;
};

/** One thing of each kind, by the parameter that names it. */
async function makeThings(ann: BankPerson, bob: BankPerson): Promise<Record<string, number>> {
  const { ledger, user, iban } = ann;
  const to = { type: "IBAN", value: bob.iban };
  const entry = { amount: euros("1.00"), counterparty_alias: to, description: "Tea" };
  const request = { amount_inquired: euros("1.00"), counterparty_alias: to, description: "Tea" };
  const asking = { ...request, allow_vendorme: false };
  const time_start = new Date(instance().clock.nowMs() + DAY_MS).toISOString().replace("T", " ").slice(0, 23);
  const schedule = { time_start, recurrence_unit: "ONCE" };
  const from = { name: "Old Employer", iban: ELSEWHERE.value };
  const incoming = (by: string, value: string) =>
    admin("incoming-payments", { iban, amount: euros(value), description: "Back pay", from, by });
  await incoming("TRANSFER", "40000.00");
  const scheduleID = await ann.made(`${ledger}/schedule-payment`, { payment: entry, schedule });
  const [instanceOf] = await ann.done("GET", `${ledger}/schedule/${scheduleID}/schedule-instance`);
  const [profile] = await ann.done("GET", `${user}/vendorme-fundraiser-profile`);
  const asked = await bob.made(`${bob.ledger}/request-inquiry`, {
    ...asking,
    counterparty_alias: { type: "IBAN", value: iban },
  });
  const collected = {
    iban,
    amount: euros("5.00"),
    creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
    mandateIdentifier: "M-1",
    description: "Electricity",
  };
  const whitelistID = await ann.made(`${user}/whitelist-sdd-one-off`, {
    monetary_account_paying_id: ann.ledgerId,
    request_id: (await admin("direct-debits", collected)).id,
  });
  return {
    paymentID: await ann.made(`${ledger}/payment`, entry),
    paymentDelayedID: await ann.made(`${ledger}/payment`, {
      ...entry,
      amount: euros("15000.00"),
      counterparty_alias: ELSEWHERE,
    }),
    paymentBatchID: await ann.made(`${ledger}/payment-batch`, { payments: [entry] }),
    draftPaymentID: await ann.made(`${ledger}/draft-payment`, {
      entries: [entry],
      number_of_required_accepts: 1,
    }),
    requestInquiryID: await ann.made(`${ledger}/request-inquiry`, asking),
    requestInquiryBatchID: await ann.made(`${ledger}/request-inquiry-batch`, { request_inquiries: [asking] }),
    requestResponseID: asked,
    scheduleID,
    scheduleInstanceID: instanceOf.id,
    schedulePaymentID: scheduleID,
    schedulePaymentBatchID: await ann.made(`${ledger}/schedule-payment-batch`, {
      payments: [entry],
      schedule,
    }),
    scheduleRequestInquiryID: await ann.made(`${ledger}/schedule-request-inquiry`, {
      request_inquiries: [asking],
      schedule,
    }),
    scheduleRequestInquiryBatchID: await ann.made(`${ledger}/schedule-request-inquiry-batch`, {
      request_inquiries: [asking],
      schedule,
    }),
    adyenCardTransactionID: (await incoming("CARD", "1.00")).id,
    switchServicePaymentID: (await incoming("SWITCH_SERVICE", "1.00")).id,
    vendormeFundraiserResultID: profile.id,
    whitelistID,
    whitelistResultID: (await admin("direct-debits", collected)).id,
    mastercardActionID: await useCard(ann),
    ...(await makeMerchantTransactions(ann)),
  };
}
async function useCard(ann: BankPerson): Promise<number> {
  const [{ possible_card_name_array: names }] = await ann.done("GET", `${ann.user}/card-name`);
  const cardId = await ann.made(`${ann.user}/card-debit`, {
    second_line: "",
    name_on_card: names[0],
    type: "MASTERCARD",
    product_type: "MASTERCARD_DEBIT",
    order_status: "VIRTUAL_DELIVERY",
  });
  const merchant = { name: "Corner Bakery", city: "Utrecht" };
  return (await admin("card-transactions", { cardId, amount: euros("2.00"), merchant })).id;
}
/** Those that begin on a page have numbers that follow each other. */
async function makeMerchantTransactions(ann: BankPerson): Promise<Record<string, number>> {
  const { ledger } = ann;
  const entry = { amount_inquired: euros("2.00"), description: "Tea" };
  const tab = await ann.made(`${ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
  const url = (await ann.done("GET", `${ledger}/vendorme-tab/${tab}`)).vendorme_tab_share_url;
  const press = async (way: string) => {
    const [, attempt = ""] =
      /name="attempt" value="([^"]+)"/.exec((await instance().send("GET", url)).text) ?? [];
    const body = new URLSearchParams({ attempt, way, name: "Sam" });
    expect((await instance().send("POST", url, { body })).status).toBe(303);
  };
  const order = { amount_requested: euros("3.00"), issuer: "TESTNL2A" };
  const ideal = await ann.made(`${ledger}/ideal-merchant-transaction`, order);
  await press("open-banking");
  await press("sofort");
  const [sofort] = await ann.done("GET", `${ledger}/sofort-merchant-transaction`);
  let open = ideal + 1;
  const isThere = async (id: number) => {
    const path = `${ledger}/open-banking-merchant-transaction/${id}/note-text`;
    return (await ann.send("GET", path)).status === 200;
  };
  while (open < sofort.id && !(await isThere(open))) open += 1;
  return {
    idealMerchantTransactionID: ideal,
    sofortMerchantTransactionID: sofort.id,
    openBankingMerchantTransactionID: open,
  };
}

it("puts notes and pictures on everything, changes and deletes them", async () => {
  const [ann, bob] = await Promise.all([newPerson(instance), newPerson(instance)]);
  const things: Record<string, number> = {
    ...(await makeThings(ann, bob)),
    userID: ann.userId,
    monetaryAccountID: ann.ledgerId,
  };
  const uploaded = await instance().send("POST", `/bank/v1${ann.ledger}/attachment`, {
    body: PICTURE,
    headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": ann.session },
  });
  expect(uploaded.status).toBe(200);
  const attachment_id = uploaded.body.id;
  const collections = noteOperations.filter(({ method }) => method === "POST");
  expect([collections.length, noteOperations.length]).toEqual([40, 200]);
  // By the key itself: a signature for each request would take most of the time.
  ann.session = ann.secret;
  for (const { path } of collections) {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(things[name]));
    const isText = path.endsWith("note-text");
    const given = isText ? { content: "Good" } : { description: "Good", attachment_id };
    const changed = isText ? { content: "Better" } : { description: "Better" };
    const one = `${filled}/${await ann.made(filled, given)}`;
    expect(await ann.done("GET", one)).toMatchObject(isText ? given : { description: "Good" });
    await ann.done("PUT", one, changed);
    expect(await ann.done("GET", filled)).toMatchObject([changed]);
    expect((await bob.send("GET", one)).status).toBe(404);
    await ann.done("DELETE", one);
    await ann.refused("GET", one, undefined, 404);
  }
});

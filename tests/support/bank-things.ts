/** One thing of every kind that a user of the bank can have, for tests that look at all of them. */
import { expect } from "vitest";
import { generateKeyPem, issueAuthority } from "../../src/kernel/tls/issue.ts";
import { noteOperations } from "../../src/services/bank/access/index.ts";
import bank from "../../src/services/bank/index.ts";
import { type BankPerson, euros } from "./bank-people.ts";
import { eventually } from "./eventually.ts";
import { accounts, type Instance } from "./medley.ts";

/** The smallest picture there is. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const ELSEWHERE = { type: "IBAN", value: "DE75512108001245126199", name: "G. Haus" };
const DAY_MS = 86_400_000;
/** What the world does to the bank. */
export async function worldDoes(instance: Instance, path: string, body: object): Promise<any> {
  const given = { account: accounts.first.id, ...body };
  const answer = await instance.bearer("POST", `/_medley/bank/${path}`, { body: given });
  expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
  return answer.body;
}

/** One thing of each kind, by the parameter that names it. */
export async function makeThings(
  instance: Instance,
  ann: BankPerson,
  bob: BankPerson,
): Promise<Record<string, number>> {
  const { ledger, user, iban } = ann;
  const to = { type: "IBAN", value: bob.iban };
  const entry = { amount: euros("1.00"), counterparty_alias: to, description: "Tea" };
  const request = { amount_inquired: euros("1.00"), counterparty_alias: to, description: "Tea" };
  const asking = { ...request, allow_vendorme: false };
  const time_start = new Date(instance.clock.nowMs() + DAY_MS).toISOString().replace("T", " ").slice(0, 23);
  const schedule = { time_start, recurrence_unit: "ONCE" };
  const from = { name: "Old Employer", iban: ELSEWHERE.value };
  const incoming = (by: string, value: string) =>
    worldDoes(instance, "incoming-payments", {
      iban,
      amount: euros(value),
      description: "Back pay",
      from,
      by,
    });
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
    request_id: (await worldDoes(instance, "direct-debits", collected)).id,
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
    whitelistResultID: (await worldDoes(instance, "direct-debits", collected)).id,
    mastercardActionID: await useCard(instance, ann),
    ...(await makeMerchantTransactions(instance, ann)),
  };
}
async function useCard(instance: Instance, ann: BankPerson): Promise<number> {
  const cardId = await ann.orderedCard({ order_status: "VIRTUAL_DELIVERY" });
  const merchant = { name: "Corner Bakery", city: "Utrecht" };
  return (await worldDoes(instance, "card-transactions", { cardId, amount: euros("2.00"), merchant })).id;
}
/** Those that begin on a page have numbers that follow each other. */
async function makeMerchantTransactions(
  instance: Instance,
  ann: BankPerson,
): Promise<Record<string, number>> {
  const { ledger } = ann;
  const entry = { amount_inquired: euros("2.00"), description: "Tea" };
  const tab = await ann.made(`${ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
  const url = (await ann.done("GET", `${ledger}/vendorme-tab/${tab}`)).vendorme_tab_share_url;
  const press = async (way: string) => {
    const [, attempt = ""] =
      /name="attempt" value="([^"]+)"/.exec((await instance.send("GET", url)).text) ?? [];
    const body = new URLSearchParams({ attempt, way, name: "Sam" });
    expect((await instance.send("POST", url, { body })).status).toBe(303);
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

/** What the things above lack of what can be read, by the path that it is read at, without the number. */
export async function makeFurtherThings(
  instance: Instance,
  ann: BankPerson,
  bob: BankPerson,
): Promise<Record<string, number>> {
  const { ledger, user } = ann;
  const certificatePem = await issueAuthority(await generateKeyPem(), Date.now());
  const dollars = await ann.openAccount("USD");
  const own = { type: "IBAN", value: dollars.iban };
  const day = new Date(instance.clock.nowMs()).toISOString().slice(0, 10);
  const days = { date_start: day, date_end: day };
  for (const kind of ["savings", "joint", "external", "external-savings"])
    await ann.made(`${user}/monetary-account-${kind}`, { currency: "EUR", description: kind });
  const [{ id: keyId }] = await ann.done("GET", `${user}/credential-password-ip`);
  await ann.made(`${user}/credential-password-ip/${keyId}/ip`, { ip: "*" });
  await ann.made(`${user}/company`, { name: "Novak" });
  await ann.made(`${ledger}/share-invite-monetary-account-inquiry`, {
    counter_user_alias: { type: "IBAN", value: bob.iban },
    access_type: "VIEW_BALANCE",
  });
  await bob.made(`${bob.ledger}/share-invite-monetary-account-inquiry`, {
    counter_user_alias: { type: "IBAN", value: ann.iban },
    access_type: "VIEW_BALANCE",
  });
  const converted = { currency_source: "EUR", currency_target: "USD", amount: euros("1.00") };
  const quotes = `${ledger}/currency-conversion-quote`;
  const quoteId = await ann.made(quotes, { ...converted, order_type: "SELL", counterparty_alias: own });
  await ann.done("PUT", `${quotes}/${quoteId}`, { status: "ACCEPTED" });
  const [latest] = (await ann.done("GET", `${ledger}/payment?count=200`)).filter(
    ({ amount }: { amount: { value: string } }) => Number(amount.value) > 0,
  );
  const savings = await ann.openAccount("EUR");
  const rules = `${ledger}/payment-auto-allocate`;
  const ruleId = await ann.made(rules, {
    payment_id: latest.id,
    type: "RECURRING",
    definition: [
      {
        counterparty_alias: { type: "IBAN", value: savings.iban },
        description: "Save",
        amount: euros("0.10"),
      },
    ],
  });
  const application = await ann.made(`${user}/oauth-client`, {});
  await ann.made(`${user}/oauth-client/${application}/callback-url`, { url: "https://shop.example/back" });
  await ann.made(`${user}/payment-service-provider-draft-payment`, {
    sender_iban: ann.iban,
    counterparty_iban: bob.iban,
    counterparty_name: "Bob",
    description: "Order",
    amount: euros("1.00"),
  });
  await ann.made(`${user}/payment-service-provider-issuer-transaction`, {
    counterparty_alias: { type: "IBAN", value: ann.iban },
    amount: euros("1.00"),
    description: "Order",
    url_redirect: "https://shop.example/back",
  });
  const documents = {
    customerStatementID: await ann.made(`${ledger}/customer-statement`, { statement_format: "CSV", ...days }),
    exportAnnualOverviewID: await ann.made(`${user}/export-annual-overview`, {
      year: Number(day.slice(0, 4)),
    }),
    exportRibID: await ann.made(`${ledger}/export-rib`, {}),
  };
  await ann.made(`${user}/certificate-pinned`, { certificate_chain: [{ certificate: certificatePem }] });
  const collected = {
    iban: ann.iban,
    amount: euros("5.00"),
    creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
    mandateIdentifier: "M-2",
    recurring: true,
  };
  await ann.made(`${user}/whitelist-sdd-recurring`, {
    monetary_account_paying_id: ann.ledgerId,
    request_id: (await worldDoes(instance, "direct-debits", collected)).id,
  });
  const tab = await bob.made(`${bob.ledger}/vendorme-tab`, {
    vendorme_tab_entry: { amount_inquired: euros("1.00"), description: "Tea" },
  });
  const { vendorme_tab_share_url: value } = await bob.done("GET", `${bob.ledger}/vendorme-tab/${tab}`);
  const [{ id: eventId }] = await ann.done(
    "GET",
    `${user}/event?monetary_account_id=${ann.ledgerId}&count=1`,
  );
  const statementId = await ann.made(`${ledger}/event/${eventId}/statement`, {});
  await eventually(
    async () => (await ann.done("GET", `${rules}/${ruleId}/instance`)).length > 0,
    "the instance",
  );
  return {
    ...documents,
    vendormeTabResultResponseID: await ann.made(`${ledger}/payment`, {
      amount: euros("1.00"),
      counterparty_alias: { type: "URL", value },
      description: "Tea",
    }),
    chatConversationID: ann.userId,
    featureAnnouncementID: 1,
    currencyConversionQuoteID: quoteId,
    paymentAutoAllocateID: ruleId,
    oauthClientID: application,
    credentialPasswordIpID: keyId,
    eventID: eventId,
    statementID: statementId,
    ...(await makeCardThings(instance, ann, days)),
    ...(await makeThingsAbroad(ann)),
    ...(await makeInvoice(instance, ann)),
  };
}
async function makeCardThings(
  instance: Instance,
  ann: BankPerson,
  days: object,
): Promise<Record<string, number>> {
  const [{ id: cardID }] = await ann.done("GET", `${ann.user}/card`);
  const card = `${ann.user}/card/${cardID}`;
  await ann.made(`${card}/generated-cvc2`, {});
  const exportStatementCardID = await ann.made(`${card}/export-statement-card-csv`, days);
  await ann.made(`${card}/export-statement-card-pdf`, days);
  const merchant = { name: "Web Shop" };
  const use = { cardId: cardID, amount: euros("1.00"), merchant, entry: "E_COMMERCE", challenge: true };
  return {
    cardID,
    exportStatementCardID,
    challengeRequestID: (await worldDoes(instance, "card-transactions", use)).id,
  };
}
/** Credit has an account of its own, and a further card has its price. */
async function makeInvoice(instance: Instance, ann: BankPerson): Promise<Record<string, number>> {
  const [{ possible_card_name_array: names }] = await ann.done("GET", `${ann.user}/card-name`);
  await ann.made(`${ann.user}/card-credit`, {
    second_line: "",
    name_on_card: names[0],
    type: "MASTERCARD",
    product_type: "MASTERCARD_TRAVEL",
  });
  await instance.clock.advance(32 * DAY_MS);
  const newest = async (): Promise<number | undefined> =>
    (await ann.done("GET", `${ann.user}/invoice`))[0]?.id;
  const invoiceID = await eventually(newest, "the invoice");
  const exports = `${ann.user}/invoice/${invoiceID}/invoice-export`;
  const invoiceExportID = await ann.made(exports, {});
  const isDone = async () => (await ann.done("GET", `${exports}/${invoiceExportID}`)).status === "COMPLETED";
  await eventually(isDone, "the invoice on paper");
  return { invoiceID, invoiceExportID };
}
async function makeThingsAbroad(ann: BankPerson): Promise<Record<string, number>> {
  const both = { currency_source: "EUR", currency_target: "GBP", amount_source: euros("10.00") };
  const transferwiseQuoteID = await ann.made(`${ann.user}/transferwise-quote`, both);
  const path = `${ann.user}/transferwise-quote/${transferwiseQuoteID}`;
  const detail = [
    { key: "sortCode", value: "231470" },
    { key: "accountNumber", value: "28821822" },
  ];
  const recipient = { name_account_holder: "Jo Bloggs", type: "sort_code", detail };
  const recipientId = await ann.made(`${path}/transferwise-recipient`, recipient);
  await ann.made(`${path}/transferwise-transfer`, {
    monetary_account_id: String(ann.ledgerId),
    recipient_id: String(recipientId),
  });
  await ann.made(`${ann.user}/currency-cloud-beneficiary`, {
    name: "Jo",
    country: "US",
    currency: "USD",
    payment_type: "aba",
    legal_entity_type: "INDIVIDUAL",
    all_field: ["abartn=111000025", "accountNumber=12345678"],
  });
  return {
    transferwiseQuoteID,
    transferwiseQuoteTemporaryID: await ann.made(`${ann.user}/transferwise-quote-temporary`, both),
  };
}

type Things = Readonly<Record<string, number | string>>;
/** A path with the numbers of things in it. */
export const filledIn = (path: string, things: Things): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(things[name]));
/** The name of the id parameter where a list does not give it, such as `cardID` for `card/{itemId}`. */
const ownName = (path: string): string => {
  const [kind = ""] = path.split("/").slice(-2);
  return `${kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}ID`;
};
/** The paths of all GET operations of a user, filled in with ids of existing records. */
export async function readablePaths(ann: BankPerson, things: Things): Promise<string[]> {
  const reads = bank.operations.filter(({ method, path }) => method === "GET" && path.includes("{userID}"));
  const isOfNotes = new Set(noteOperations.map(({ path }) => path));
  const paths = reads.map(({ path }) => path).filter((path) => !isOfNotes.has(path));
  const found = [];
  for (const path of paths) {
    if (!path.endsWith("/{itemId}")) found.push(filledIn(path, things));
    else {
      const list = path.replace("/{itemId}", "");
      const [newest] = paths.includes(list) ? await ann.done("GET", filledIn(list, things)) : [];
      found.push(`${filledIn(list, things)}/${newest?.id ?? things[ownName(path)]}`);
    }
  }
  return found;
}

/** Operations of the bank that need what an earlier call answered, or another user's part. Each is recorded. */
import { eventually } from "./asking.mjs";
import { ELSEWHERE, euros, MOUNT, newPerson } from "./bank-person.mjs";

const DAY_MS = 86_400_000;
/** The smallest picture there is. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);
const listed = async (own, path) => (await own.shown("GET", path))[0];

async function accounts(own, other) {
  const { user, ledger } = own;
  const invited = { counter_user_alias: { type: "IBAN", value: other.iban }, access_type: "VIEW_BALANCE" };
  const invite = `${ledger}/share-invite-monetary-account-inquiry`;
  const id = await own.making(invite, invited);
  await own.shown("GET", `${invite}/${id}`);
  const back = { counter_user_alias: { type: "IBAN", value: own.iban }, access_type: "VIEW_BALANCE" };
  await other.made(`${other.ledger}/share-invite-monetary-account-inquiry`, back);
  const response = await listed(own, `${user}/share-invite-monetary-account-response`);
  await own.shown("GET", `${user}/share-invite-monetary-account-response/${response.id}`);
  await own.shown("PUT", `${user}/share-invite-monetary-account-response/${response.id}`, {
    status: "ACTIVE",
  });
  await own.shown("PUT", `${invite}/${id}`, { status: "REVOKED" });
  for (const kind of ["joint", "external", "external-savings"]) {
    const made = await own.making(`${user}/monetary-account-${kind}`, {
      currency: "EUR",
      description: "Household",
    });
    await own.shown("GET", `${user}/monetary-account-${kind}/${made}`);
    await own.shown("PUT", `${user}/monetary-account-${kind}/${made}`, { description: "Home" });
  }
}
async function conversions(own) {
  const { user, ledger } = own;
  const dollars = await own.made(`${user}/monetary-account-bank`, {
    currency: "USD",
    description: "Dollars",
  });
  const { alias } = await own.done("GET", `${user}/monetary-account/${dollars}`);
  const { value } = alias.find(({ type }) => type === "IBAN");
  const quotes = `${ledger}/currency-conversion-quote`;
  const quote = await own.making(quotes, {
    amount: euros("1.00"),
    currency_source: "EUR",
    currency_target: "USD",
    order_type: "SELL",
    counterparty_alias: { type: "IBAN", value },
  });
  await own.shown("GET", `${quotes}/${quote}`);
  await own.shown("PUT", `${quotes}/${quote}`, { status: "ACCEPTED" });
  const { id } = await listed(own, `${ledger}/currency-conversion`);
  await own.shown("GET", `${ledger}/currency-conversion/${id}`);
}
async function allocations(own) {
  const { user, ledger } = own;
  const payments = await own.done("GET", `${ledger}/payment?count=200`);
  const incoming = payments.find(({ amount }) => Number(amount.value) > 0);
  const savings = await own.made(`${user}/monetary-account-bank`, {
    currency: "EUR",
    description: "Rainy days",
  });
  const { alias } = await own.done("GET", `${user}/monetary-account/${savings}`);
  const { value } = alias.find(({ type }) => type === "IBAN");
  const rules = `${ledger}/payment-auto-allocate`;
  const definition = [
    {
      type: "AMOUNT",
      counterparty_alias: { type: "IBAN", value },
      description: "Save",
      amount: euros("0.10"),
    },
  ];
  const id = await own.making(rules, { payment_id: incoming.id, type: "RECURRING", definition });
  await own.shown("GET", `${rules}/${id}`);
  await own.shown("GET", `${rules}/${id}/definition`);
  const instances = () => listed(own, `${rules}/${id}/instance`);
  const instance = await eventually(instances, "The first share of a payment");
  await own.shown("GET", `${rules}/${id}/instance/${instance.id}`);
  await own.shown("PUT", `${rules}/${id}`, { definition });
  await own.shown("DELETE", `${rules}/${id}`);
}
async function abroad(own) {
  const { user, ledger, ledgerId } = own;
  const both = { currency_source: "EUR", currency_target: "GBP", amount_source: euros("10.00") };
  const at = `${user}/transferwise-quote/${await own.made(`${user}/transferwise-quote`, both)}`;
  const detail = [
    { key: "sortCode", value: "231470" },
    { key: "accountNumber", value: "28821822" },
  ];
  const recipient = { name_account_holder: "Jo Bloggs", type: "sort_code", detail };
  await own.shown("POST", `${at}/transferwise-recipient-requirement`, recipient);
  const to = await own.making(`${at}/transferwise-recipient`, recipient);
  await own.shown("GET", `${at}/transferwise-recipient/${to}`);
  const transfer = { monetary_account_id: String(ledgerId), recipient_id: String(to) };
  await own.shown("POST", `${at}/transferwise-transfer-requirement`, transfer);
  await own.shown(
    "GET",
    `${at}/transferwise-transfer/${await own.making(`${at}/transferwise-transfer`, transfer)}`,
  );
  const beneficiary = await own.making(`${user}/currency-cloud-beneficiary`, {
    name: "Jo",
    country: "US",
    currency: "USD",
    payment_type: "aba",
    legal_entity_type: "INDIVIDUAL",
    all_field: ["abartn=111000025", "accountNumber=12345678"],
  });
  await own.shown("GET", `${user}/currency-cloud-beneficiary/${beneficiary}`);
  const pointers = [{ type: "BENEFICIARY", value: String(beneficiary) }];
  await own.shown("POST", `${ledger}/currency-cloud-payment-quote`, { pointers });
}
async function providers(own, other) {
  const { user } = own;
  const draft = await own.making(`${user}/payment-service-provider-draft-payment`, {
    sender_iban: own.iban,
    counterparty_iban: other.iban,
    counterparty_name: "Sam Example",
    description: "Order",
    amount: euros("1.00"),
  });
  const drafts = `${user}/payment-service-provider-draft-payment`;
  await own.shown("GET", `${drafts}/${draft}`);
  await own.shown("PUT", `${drafts}/${draft}`, { status: "CANCELLED" });
  const issuer = await own.making(`${user}/payment-service-provider-issuer-transaction`, {
    counterparty_alias: { type: "IBAN", value: own.iban },
    amount: euros("1.00"),
    description: "Order",
    url_redirect: "https://shop.example/back",
  });
  const transactions = `${user}/payment-service-provider-issuer-transaction`;
  await own.shown("GET", `${transactions}/${issuer}`);
  await own.shown("PUT", `${transactions}/${issuer}`, { status: "CANCELLED" });
}
/** The key of an account has no such credential; the key of a user has. */
async function credentials(_own, other) {
  const { user } = other;
  const { id } = await listed(other, `${user}/credential-password-ip`);
  await other.shown("GET", `${user}/credential-password-ip/${id}`);
  const permitted = `${user}/credential-password-ip/${id}/ip`;
  const ip = await other.making(permitted, { ip: "*" });
  await other.shown("GET", permitted);
  await other.shown("GET", `${permitted}/${ip}`);
  await other.shown("PUT", `${permitted}/${ip}`, { ip: "*", status: "ACTIVE" });
}
async function debits(own, _other, world) {
  const collected = {
    iban: own.iban,
    amount: euros("5.00"),
    creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
    mandateIdentifier: "M-2",
  };
  const asked = async (more) => (await world("direct-debits", { ...collected, ...more })).id;
  const whitelists = `${own.user}/whitelist-sdd-recurring`;
  const id = await own.making(whitelists, {
    monetary_account_paying_id: own.ledgerId,
    request_id: await asked({ recurring: true }),
  });
  await own.shown("GET", `${whitelists}/${id}`);
  await own.shown("PUT", `${whitelists}/${id}`, { maximum_amount_per_month: euros("50.00") });
  await own.shown("DELETE", `${whitelists}/${id}`);
  await own.shown("POST", `${own.user}/whitelist-sdd-one-off`, {
    monetary_account_paying_id: own.ledgerId,
    request_id: await asked({ mandateIdentifier: "M-3" }),
  });
}
async function cards(own, _other, world) {
  const { user } = own;
  const { id } = await listed(own, `${user}/card`);
  const day = new Date().toISOString().slice(0, 10);
  const csv = await own.made(`${user}/card/${id}/export-statement-card-csv`, {
    date_start: day,
    date_end: day,
  });
  await own.shown("GET", `${user}/card/${id}/export-statement-card/${csv}`);
  await own.shown("GET", `${user}/card/${id}/export-statement-card/${csv}/content`);
  const use = { cardId: id, amount: euros("1.00"), merchant: { name: "Web Shop" }, entry: "E_COMMERCE" };
  const asked = (await world("card-transactions", { ...use, challenge: true })).id;
  await own.shown("GET", `${user}/challenge-request/${asked}`);
  await own.shown("PUT", `${user}/challenge-request/${asked}`, { status: "ACCEPTED_PENDING_RESPONSE" });
}
async function newCards(own) {
  const { user } = own;
  const [{ possible_card_name_array: names }] = await own.done("GET", `${user}/card-name`);
  const order = { second_line: "Travel", name_on_card: names[0], type: "MASTERCARD" };
  const virtual = { ...order, order_status: "VIRTUAL_DELIVERY" };
  const debit = await own.made(`${user}/card-debit`, { ...virtual, product_type: "MASTERCARD_DEBIT" });
  const credit = await own.made(`${user}/card-credit`, { ...order, product_type: "MASTERCARD_TRAVEL" });
  const cardAccounts = `${user}/monetary-account-card`;
  const { id } = await listed(own, cardAccounts);
  await own.shown("GET", `${cardAccounts}/${id}`);
  await own.shown("PUT", `${cardAccounts}/${id}`, { description: "Travels" });
  const card_limit = euros("77.00");
  const both = [debit, credit].map((one) => ({ id: one, card_limit }));
  await own.shown("POST", `${user}/card-batch`, { cards: both });
  await own.shown("POST", `${user}/card-batch-replace`, { cards: [{ id: debit, second_line: "Next" }] });
  await own.shown("POST", `${user}/card/${credit}/replace`, { second_line: "Journeys" });
}
/** Payments to other banks can be recalled before the next clearing. */
async function recalls(own, other) {
  const { ledger } = own;
  const entry = { amount: euros("1.00"), counterparty_alias: ELSEWHERE, description: "Parts" };
  const batch = await own.made(`${ledger}/payment-batch`, { payments: [entry] });
  await own.shown("PUT", `${ledger}/payment-batch/${batch}`, { status: "REVOKED" });
  const asked = await own.made(`${ledger}/request-inquiry`, {
    amount_inquired: euros("1.00"),
    counterparty_alias: { type: "IBAN", value: other.iban },
    description: "Tea",
    allow_vendorme: false,
  });
  await own.shown("PUT", `${ledger}/request-inquiry/${asked}`, { status: "REVOKED" });
  const [time_start] = new Date(Date.now() + DAY_MS).toISOString().replace("T", " ").split(".");
  const schedule = await own.made(`${ledger}/schedule-payment`, {
    payment: entry,
    schedule: { time_start, recurrence_unit: "MONTHLY", recurrence_size: 1 },
  });
  const instances = `${ledger}/schedule/${schedule}/schedule-instance`;
  const [{ id }] = await own.done("GET", instances);
  await own.shown("PUT", `${instances}/${id}`, { state: "SKIPPED" });
}
async function pictures(own) {
  const { user, ledger } = own;
  const answer = await own.ask("POST", `${MOUNT}${ledger}/attachment`, PICTURE, {
    "content-type": "image/png",
    "x-vendor-attachment-description": "A dot",
  });
  const { id } = answer.body;
  await own.shown("GET", `${user}/attachment/${id}`);
  const conversation = user.replace("/user/", "");
  await own.shown("GET", `${user}/chat-conversation/${conversation}/attachment/${id}/content`);
}
async function companies(own) {
  const company = await newPerson(own, "company");
  const at = company.user.replace("/user/", "/user-company/");
  await company.shown("PUT", at, { name: "Visser Bakery" });
  await company.shown("GET", at);
  await company.shown("GET", `${at}/name`);
}
async function others(own, other) {
  const { user, ledger } = own;
  const person = user.replace("/user/", "/user-person/");
  await own.shown("GET", person);
  await own.shown("PUT", person, { public_nick_name: "Nora" });
  const entry = { amount_inquired: euros("1.00"), description: "Tea" };
  const tab = await other.made(`${other.ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
  const { vendorme_tab_share_url: value } = await other.done("GET", `${other.ledger}/vendorme-tab/${tab}`);
  const payment = { amount: euros("1.00"), counterparty_alias: { type: "URL", value }, description: "Tea" };
  const paid = await own.made(`${ledger}/payment`, payment);
  await own.shown("GET", `${ledger}/vendorme-tab-result-response/${paid}`);
  await own.shown("GET", `${user}/feature-announcement/1`);
}

/** One that fails leaves the others as they are. */
export async function makeFurtherThings(own, other, world) {
  for (const make of [
    accounts,
    conversions,
    allocations,
    abroad,
    providers,
    credentials,
    debits,
    cards,
    newCards,
    recalls,
    pictures,
    companies,
    others,
  ])
    await make(own, other, world).catch(({ message }) => console.error(`bank, ${make.name}: ${message}`));
}

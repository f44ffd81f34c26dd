/** Things of the bank's default user that come from outside, or that another user has a part in. */
import { askerOf } from "./asking.mjs";
import { makeFurtherThings } from "./bank-further.mjs";
import { recordSessions } from "./bank-sessions.mjs";

const MOUNT = "/bank/v1";
const AUTHENTICATION = "x-vendor-client-authentication";
const LEDGER = "/user/{userID}/monetary-account/{monetaryAccountID}";
const ELSEWHERE = { type: "IBAN", value: "DE75512108001245126199", name: "G. Haus" };
const DAY_MS = 86_400_000;
const euros = (value) => ({ value, currency: "EUR" });

class Person {
  constructor(url, key, record) {
    this.ask = askerOf(url, { [AUTHENTICATION]: key });
    this.record = record;
  }
  /** Recorded for the documentation. */
  async shown(method, path, body) {
    const answer = await this.ask(method, MOUNT + path, body);
    const type = answer.headers.get("content-type") ?? "";
    this.record({ method, path: MOUNT + path, ...(body && { body }) }, { ...answer, type });
    return answer.body;
  }
  async making(path, body) {
    const { id, Id } = await this.shown("POST", path, body);
    return id ?? Id.id;
  }
  async done(method, path, body) {
    return (await this.ask(method, MOUNT + path, body)).body;
  }
  async made(path, body) {
    const { id, Id } = await this.done("POST", path, body);
    return id ?? Id.id;
  }
  async settle() {
    const [{ id }] = await this.done("GET", "/user");
    this.user = `/user/${id}`;
    const ledgers = await this.done("GET", `${this.user}/monetary-account`);
    const [ledger] = ledgers.sort((a, b) => Number(b.balance?.value ?? 0) - Number(a.balance?.value ?? 0));
    this.ledgerId = ledger.id;
    this.ledger = `${this.user}/monetary-account/${ledger.id}`;
    this.iban = ledger.alias.find(({ type }) => type === "IBAN").value;
    return this;
  }
}

/** The numbers of things that have notes, by the last words of their paths. */
async function thingsWithNotes(own, world) {
  const from = { name: "Old Employer", iban: ELSEWHERE.value };
  const incoming = (by, value) =>
    world("incoming-payments", { iban: own.iban, amount: euros(value), description: "Back pay", from, by });
  await incoming("TRANSFER", "40000.00");
  const [profile] = await own.done("GET", `${own.user}/vendorme-fundraiser-profile`);
  const collected = {
    iban: own.iban,
    amount: euros("5.00"),
    creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
    mandateIdentifier: "M-1",
    description: "Electricity",
  };
  const whitelist = await own.made(`${own.user}/whitelist-sdd-one-off`, {
    monetary_account_paying_id: own.ledgerId,
    request_id: (await world("direct-debits", collected)).id,
  });
  const delayed = { amount: euros("15000.00"), counterparty_alias: ELSEWHERE, description: "A boat" };
  return {
    "adyen-card-transaction": (await incoming("CARD", "1.00")).id,
    "switch-service-payment": (await incoming("SWITCH_SERVICE", "1.00")).id,
    "vendorme-fundraiser-result": profile.id,
    "payment-delayed": await own.made(`${own.ledger}/payment`, delayed),
    whitelist: [whitelist, "whitelist-result", (await world("direct-debits", collected)).id],
    ...(await instanceOfSchedule(own)),
    ...(await merchantTransactions(own)),
  };
}
async function instanceOfSchedule(own) {
  const [time_start] = new Date(Date.now() + DAY_MS).toISOString().replace("T", " ").split(".");
  const schedule = await own.made(`${own.ledger}/schedule-payment`, {
    payment: { amount: euros("1.00"), counterparty_alias: ELSEWHERE, description: "Rent" },
    schedule: { time_start, recurrence_unit: "ONCE" },
  });
  const [instance] = await own.done("GET", `${own.ledger}/schedule/${schedule}/schedule-instance`);
  return { schedule: [schedule, "schedule-instance", instance.id] };
}
/** Those that begin on a page. Their numbers follow each other. */
async function merchantTransactions(own) {
  const { ledger, ask } = own;
  const entry = { amount_inquired: euros("2.00"), description: "Tea" };
  const tab = await own.made(`${ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
  const { vendorme_tab_share_url: url } = await own.done("GET", `${ledger}/vendorme-tab/${tab}`);
  const { pathname } = new URL(url);
  const press = async (way) => {
    const [, attempt] = /name="attempt" value="([^"]+)"/.exec((await ask("GET", pathname)).text);
    await ask("POST", pathname, new URLSearchParams({ attempt, way, name: "Sam" }));
  };
  await press("sofort");
  const [{ id: sofort }] = await own.done("GET", `${ledger}/sofort-merchant-transaction`);
  await press("open-banking");
  for (let id = sofort + 1; id < sofort + 20; id += 1) {
    const notes = `${ledger}/open-banking-merchant-transaction/${id}/note-text`;
    const isThere = await own.done("GET", notes).then(
      () => true,
      () => false,
    );
    if (isThere) return { "sofort-merchant-transaction": sofort, "open-banking-merchant-transaction": id };
  }
  throw new Error("there is no open-banking transaction");
}

const parameterOf = (kind) => `{${kind.replaceAll(/-([a-z])/g, (_, letter) => letter.toUpperCase())}ID}`;

export async function prepareBank({ url, account, admin, know, name, record }) {
  const own = await new Person(url, account.apiKeys[0], record).settle();
  const { api_key: key } = await own.done("POST", "/sandbox-user-person", {});
  const other = await new Person(url, key, record).settle();
  const world = async (path, body) => {
    const {
      status,
      text,
      body: made,
    } = await admin("POST", `/_medley/bank/${path}`, { account: account.id, ...body });
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return made;
  };
  name("otheriban", other.iban);
  for (const [kind, given] of Object.entries(await thingsWithNotes(own, world))) {
    const [id, innerKind, innerId] = [given].flat();
    const [template, path] = [
      `${LEDGER}/${kind}/${parameterOf(kind)}`,
      `${MOUNT}${own.ledger}/${kind}/${id}`,
    ];
    know(template, path);
    know(`${LEDGER}/${kind}/{itemId}`, path);
    if (innerKind)
      know(`${template}/${innerKind}/${parameterOf(innerKind)}`, `${path}/${innerKind}/${innerId}`);
  }
  await recordSessions({ url, record }, key);
  await makeFurtherThings(own, other, world);
}

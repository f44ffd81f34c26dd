/** Things of the bank's default user that come from outside, or that another user has a part in. */
import { recordDoors } from "./bank-doors.mjs";
import { makeFurtherThings } from "./bank-further.mjs";
import { recordMonth } from "./bank-month.mjs";
import { recordPages } from "./bank-pages.mjs";
import { ELSEWHERE, euros, MOUNT, newPerson, Person } from "./bank-person.mjs";
import { recordSessions } from "./bank-sessions.mjs";

const LEDGER = "/user/{userID}/monetary-account/{monetaryAccountID}";
const DAY_MS = 86_400_000;

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
  const other = await newPerson(own);
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
  await recordSessions(other);
  await makeFurtherThings(own, other, world);
  await recordDoors(own, other);
  await recordPages(own, other);
  await recordMonth(record);
}

/**
 * Puts every record that has a state table into each of its states over HTTP, and requests a move to every
 * other state.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { worldDoes } from "../../../tests/support/bank-things.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { recordStates } from "./book/index.ts";

let running: Instance | undefined;
let ann: BankPerson;
let bob: BankPerson;
let dollars: { id: number; iban: string };
let cardId: number;
const instance = () => running!;
beforeAll(async () => {
  running = await startInstance({ services: ["bank"], bankRateLimit: 0 });
  [ann, bob] = await Promise.all([newHolder(instance), newHolder(instance)]);
  await admin("incoming-payments", { iban: ann.iban, amount: euros("50000.00"), from: { name: "Employer" } });
  dollars = await ann.openAccount("USD");
  cardId = await newCard();
});
afterAll(() => running?.stop());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const advance = (ms: number) => instance().clock.advance(ms);
const admin = (path: string, body: object) => worldDoes(instance(), path, body);
const to = (person: BankPerson) => ({ type: "IBAN", value: person.iban });
const entry = (value = "1.00") => ({
  amount: euros(value),
  counterparty_alias: to(bob),
  description: "Tea",
});
const asking = (whom: BankPerson) => ({
  amount_inquired: euros("1.00"),
  counterparty_alias: to(whom),
  description: "Tea",
  allow_vendorme: false,
});
/** Creates a record and applies the given changes, one PUT each. Returns its path. */
async function walked(path: string, ...changes: readonly object[]): Promise<string> {
  for (const change of changes) await ann.done("PUT", path, change);
  return path;
}
const made = async (path: string, body: object): Promise<string> => `${path}/${await ann.made(path, body)}`;

const CLOSED = { status: "CANCELLED", sub_status: "REDEMPTION_VOLUNTARY" };
const openAccount = () =>
  made(`${ann.user}/monetary-account-bank`, { currency: "EUR", description: "Spare" });

/** An invitation to a new account, seen from both sides. */
async function invitation(...answers: readonly ("ACCEPTED" | "REJECTED" | "CANCELLED" | "REVOKED")[]) {
  const inquiries = `${(await openAccount()).replace("-bank", "")}/share-invite-monetary-account-inquiry`;
  const inquiry = await made(inquiries, { counter_user_alias: to(bob), access_type: "VIEW_BALANCE" });
  const response = `${bob.user}/share-invite-monetary-account-response/${inquiry.split("/").at(-1)}`;
  for (const status of answers)
    await (status === "REVOKED"
      ? ann.done("PUT", inquiry, { status })
      : bob.done("PUT", response, { status }));
  return { inquiry, response };
}
const invitationStates = (side: "inquiry" | "response") => ({
  PENDING: async () => (await invitation())[side],
  ACTIVE: async () => (await invitation("ACCEPTED"))[side],
  REJECTED: async () => (await invitation("REJECTED"))[side],
  REVOKED: async () => (await invitation("REVOKED"))[side],
  CANCELLED: async () => (await invitation("ACCEPTED", "CANCELLED"))[side],
});

async function challenge(...answers: readonly string[]): Promise<string> {
  const asked = {
    cardId,
    amount: euros("1.00"),
    merchant: { name: "Web Shop" },
    entry: "E_COMMERCE",
    challenge: true,
  };
  const { id } = await admin("card-transactions", asked);
  return walked(`${ann.user}/challenge-request/${id}`, ...answers.map((status) => ({ status })));
}
async function permittedIp(status: string): Promise<string> {
  const [{ id }] = await ann.done("GET", `${ann.user}/credential-password-ip`);
  return made(`${ann.user}/credential-password-ip/${id}/ip`, { ip: "*", status });
}

/** A request from ann to bob. Returns the path where bob answers it. */
async function inquiry(status?: "ACCEPTED" | "REJECTED"): Promise<string> {
  const id = await ann.made(`${ann.ledger}/request-inquiry`, asking(bob));
  if (status) await bob.done("PUT", `${bob.ledger}/request-response/${id}`, { status });
  return `${ann.ledger}/request-inquiry/${id}`;
}
async function response(...changes: readonly object[]): Promise<string> {
  const id = await bob.made(`${bob.ledger}/request-inquiry`, asking(ann));
  return walked(`${ann.ledger}/request-response/${id}`, ...changes);
}
async function revokedResponse(): Promise<string> {
  const path = await response();
  await bob.done("PUT", `${bob.ledger}/request-inquiry/${path.split("/").at(-1)}`, { status: "REVOKED" });
  return path;
}
async function debit(...states: readonly string[]): Promise<string> {
  const creditor = { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" };
  const collected = { iban: ann.iban, amount: euros("1.00"), creditor, mandateIdentifier: "M-1" };
  const { id } = await admin("direct-debits", collected);
  return walked(`${ann.ledger}/request-response/${id}`, ...states.map((status) => ({ status })));
}
const inquiryBatch = () =>
  made(`${ann.ledger}/request-inquiry-batch`, { request_inquiries: [asking(bob), asking(bob)] });
const outsideBatch = () => {
  const elsewhere = { type: "IBAN", value: "DE75512108001245126199", name: "G. Haus" };
  return made(`${ann.ledger}/payment-batch`, { payments: [{ ...entry(), counterparty_alias: elsewhere }] });
};
const draft = () =>
  made(`${ann.ledger}/draft-payment`, { entries: [entry()], number_of_required_accepts: 1 });

/** The first instance of a schedule that begins tomorrow. */
async function scheduled(value = "1.00"): Promise<{ instance: string; order: string }> {
  const time_start = new Date(instance().clock.nowMs() + DAY_MS).toISOString().replace("T", " ").slice(0, 23);
  const schedule = { time_start, recurrence_unit: "ONCE" };
  const order = await made(`${ann.ledger}/schedule-payment`, { payment: entry(value), schedule });
  const instances = `${ann.ledger}/schedule/${order.split("/").at(-1)}/schedule-instance`;
  const [{ id }] = await ann.done("GET", instances);
  return { instance: `${instances}/${id}`, order };
}
async function dueInstance(value: string): Promise<string> {
  const { instance: path } = await scheduled(value);
  await advance(DAY_MS);
  return path;
}
async function droppedInstance(): Promise<string> {
  const { instance: path, order } = await scheduled();
  await ann.done("DELETE", order);
  return path;
}

const tab = () => made(`${ann.ledger}/vendorme-tab`, { vendorme_tab_entry: { description: "Tea" } });
const quote = () =>
  made(`${ann.ledger}/currency-conversion-quote`, {
    amount: euros("1.00"),
    currency_source: "EUR",
    currency_target: "USD",
    order_type: "SELL",
    counterparty_alias: { type: "IBAN", value: dollars.iban },
  });
/** A draft that ann creates as a service provider for her own account, and then answers. */
async function providedDraft(status?: "ACCEPTED" | "REJECTED"): Promise<string> {
  const path = await made(`${ann.user}/payment-service-provider-draft-payment`, {
    sender_iban: ann.iban,
    counterparty_iban: bob.iban,
    counterparty_name: "Bob",
    description: "Order",
    amount: euros("1.00"),
  });
  const [{ id }] = await ann.done("GET", `${ann.ledger}/draft-payment?count=1`);
  if (status) await ann.done("PUT", `${ann.ledger}/draft-payment/${id}`, { status });
  return path;
}
async function issuerTransaction(outcome?: "SUCCESS" | "FAILURE"): Promise<string> {
  const path = await made(`${ann.user}/payment-service-provider-issuer-transaction`, {
    counterparty_alias: to(ann),
    amount: euros("1.00"),
    description: "Order",
    url_redirect: "https://shop.example/back",
  });
  const { public_uuid } = await ann.done("GET", path);
  const page = `${instance().url}/bank/v1/issuer/${public_uuid}`;
  if (outcome) await instance().send("POST", page, { body: new URLSearchParams({ outcome }) });
  return path;
}

const newCard = (more: object = { order_status: "VIRTUAL_DELIVERY" }): Promise<number> =>
  ann.orderedCard({
    pin_code_assignment: [{ type: "PRIMARY", routing_type: "MANUAL", pin_code: "4821" }],
    ...more,
  });
const card = async (...states: readonly string[]): Promise<string> =>
  walked(`${ann.user}/card/${await newCard()}`, ...states.map((status) => ({ status })));
async function lockedCard(): Promise<string> {
  const path = await card();
  const wrong = { cardId: Number(path.split("/").at(-1)), entry: "CHIP", pin: "1111" };
  for (let time = 0; time < 3; time += 1)
    await admin("card-transactions", { ...wrong, amount: euros("1.00"), merchant: { name: "Shop" } });
  return path;
}
const orderedCard = async (...changes: readonly object[]): Promise<string> =>
  walked(`${ann.user}/card/${await newCard({})}`, ...changes);
async function after(path: Promise<string>, ms: number): Promise<string> {
  const there = await path;
  await advance(ms);
  return there;
}

type Scene = {
  /**
   * How to bring a new record into each state. States that end before the response is sent are in `passing`.
   */
  readonly states: Readonly<Record<string, () => Promise<string>>>;
  readonly passing?: readonly string[];
  readonly member?: "state" | "order_status";
  readonly by?: () => BankPerson;
  /** Further members to send, and the resulting state where it differs from the requested one. */
  readonly more?: Readonly<Record<string, object>>;
  readonly becomes?: Readonly<Record<string, readonly string[]>>;
  /** The amount in euros that each move takes from ann's account. Moves that are not listed take nothing. */
  readonly costs?: Readonly<Record<string, number>>;
};
const HOUR_MS = 60 * MINUTE_MS;
const scenes: Readonly<Record<string, Scene>> = {
  "monetary-account": {
    states: {
      ACTIVE: openAccount,
      BLOCKED: async () => walked(await openAccount(), { status: "BLOCKED" }),
      CANCELLED: async () => walked(await openAccount(), CLOSED),
      PENDING_REOPEN: async () => walked(await openAccount(), CLOSED, { status: "PENDING_REOPEN" }),
    },
    more: { CANCELLED: CLOSED },
  },
  "share-invite-monetary-account-inquiry": { states: invitationStates("inquiry") },
  "share-invite-monetary-account-response": { states: invitationStates("response"), by: () => bob },
  "challenge-request": {
    states: {
      PENDING: challenge,
      ACCEPTED: () => challenge("ACCEPTED_PENDING_RESPONSE"),
      REJECTED: () => challenge("REJECTED_PENDING_RESPONSE"),
      EXPIRED: () => after(challenge(), 6 * MINUTE_MS),
    },
    passing: ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE"],
    becomes: { ACCEPTED_PENDING_RESPONSE: ["ACCEPTED"], REJECTED_PENDING_RESPONSE: ["REJECTED"] },
    costs: { ACCEPTED_PENDING_RESPONSE: 1 },
  },
  "permitted-ip": {
    states: { ACTIVE: () => permittedIp("ACTIVE"), INACTIVE: () => permittedIp("INACTIVE") },
    more: { ACTIVE: { ip: "*" }, INACTIVE: { ip: "*" } },
  },
  "oauth-client": {
    states: {
      ACTIVE: () => made(`${ann.user}/oauth-client`, {}),
      CANCELLED: async () => walked(await made(`${ann.user}/oauth-client`, {}), { status: "CANCELLED" }),
    },
  },
  "request-inquiry": {
    states: {
      PENDING: inquiry,
      ACCEPTED: () => inquiry("ACCEPTED"),
      REJECTED: () => inquiry("REJECTED"),
      REVOKED: async () => walked(await inquiry(), { status: "REVOKED" }),
      EXPIRED: () => after(inquiry(), 31 * DAY_MS),
    },
  },
  "request-response": {
    states: {
      PENDING: response,
      ACCEPTED: () => debit("ACCEPTED"),
      REJECTED: () => response({ status: "REJECTED" }),
      REVOKED: revokedResponse,
      EXPIRED: () => after(response(), 31 * DAY_MS),
      REFUND_REQUESTED: () => debit("ACCEPTED", "REFUND_REQUESTED"),
      REFUNDED: () => after(debit("ACCEPTED", "REFUND_REQUESTED"), 2 * DAY_MS),
    },
    costs: { ACCEPTED: 1 },
  },
  "request-inquiry-batch": {
    states: {
      PENDING: inquiryBatch,
      REVOKED: async () => walked(await inquiryBatch(), { status: "REVOKED" }),
    },
  },
  "payment-batch": {
    states: {
      FINISHED: outsideBatch,
      REVOKED: async () => walked(await outsideBatch(), { status: "REVOKED" }),
    },
    costs: { REVOKED: -1 },
  },
  "draft-payment": {
    states: {
      PENDING: draft,
      ACCEPTED: async () => walked(await draft(), { status: "ACCEPTED" }),
      REJECTED: async () => walked(await draft(), { status: "REJECTED" }),
      CANCELLED: async () => walked(await draft(), { status: "CANCELLED" }),
    },
    costs: { ACCEPTED: 1 },
  },
  "schedule-instance": {
    states: {
      PENDING: async () => (await scheduled()).instance,
      SKIPPED: async () => walked((await scheduled()).instance, { state: "SKIPPED" }),
      FINISHED_SUCCESSFULLY: () => dueInstance("1.00"),
      FAILED_USER_ERROR: () => dueInstance("900000.00"),
      CANCELLED: droppedInstance,
    },
    passing: ["RETRY"],
    member: "state",
    becomes: { RETRY: ["RETRY", "FAILED_USER_ERROR"] },
  },
  "vendorme-tab": {
    states: {
      WAITING_FOR_PAYMENT: tab,
      CANCELLED: async () => walked(await tab(), { status: "CANCELLED" }),
      EXPIRED: () => after(tab(), 31 * DAY_MS),
    },
  },
  "currency-conversion-quote": {
    states: {
      PENDING: quote,
      ACCEPTED: async () => walked(await quote(), { status: "ACCEPTED" }),
      CANCELLED: async () => walked(await quote(), { status: "CANCELLED" }),
      EXPIRED: () => after(quote(), 2 * MINUTE_MS),
    },
    costs: { ACCEPTED: 1 },
  },
  "payment-service-provider-draft-payment": {
    states: {
      PENDING: providedDraft,
      ACCEPTED: () => providedDraft("ACCEPTED"),
      REJECTED: () => providedDraft("REJECTED"),
      CANCELLED: async () => walked(await providedDraft(), { status: "CANCELLED" }),
    },
  },
  "payment-service-provider-issuer-transaction": {
    states: {
      PENDING: issuerTransaction,
      ACCEPTED: () => issuerTransaction("SUCCESS"),
      REJECTED: () => issuerTransaction("FAILURE"),
      CANCELLED: async () => walked(await issuerTransaction(), { status: "CANCELLED" }),
      EXPIRED: () => after(issuerTransaction(), 2 * HOUR_MS),
    },
  },
  "card-order": {
    states: {
      NEW_CARD_REQUEST_RECEIVED: orderedCard,
      CARD_REQUEST_PENDING: () => orderedCard({ order_status: "CARD_REQUEST_PENDING" }),
      NEW_CARD_REQUEST_CANCELLED: () => orderedCard({ order_status: "NEW_CARD_REQUEST_CANCELLED" }),
      SENT_FOR_PRODUCTION: () => after(orderedCard(), 4 * HOUR_MS),
      ACCEPTED_FOR_PRODUCTION: () => after(orderedCard(), 16 * HOUR_MS),
      SENT_FOR_DELIVERY: () => after(orderedCard(), 40 * HOUR_MS),
      DELIVERED_TO_CUSTOMER: () => after(orderedCard(), 4 * DAY_MS),
    },
    member: "order_status",
  },
  card: {
    states: {
      DEACTIVATED: () => card("DEACTIVATED"),
      ACTIVE: card,
      PIN_TRIES_EXCEEDED: lockedCard,
      LOST: () => card("LOST"),
      STOLEN: () => card("STOLEN"),
      CANCELLED: () => card("CANCELLED"),
      EXPIRED: () => after(card(), 5 * 366 * DAY_MS),
    },
    more: { ACTIVE: { pin_code: "2222" } },
  },
};

const asked = Object.entries(recordStates).filter(([, table]) => table.asked);
describe.each(asked)("a %s", (kind, table) => {
  const { states: reach, passing = [], member = "status", by = () => ann, ...scene } = scenes[kind]!;
  const { moves, asked: askable = [] } = table;
  const known = [...new Set([table.initial, ...Object.keys(moves), ...Object.values(moves).flat()])];
  const put = (path: string, state: string) =>
    by().send("PUT", path, { body: { ...scene.more?.[state], [member]: state } });
  const stateOf = async (path: string): Promise<string> => (await by().done("GET", path))[member];
  const balance = async () => Math.round(Number(await ann.balance()) * 100);

  it("is brought into every state of its table", () => {
    expect([...Object.keys(reach), ...passing].toSorted()).toEqual(known.toSorted());
  });

  it.each(Object.keys(reach))("that is %s moves where its table says, and nowhere else", async (from) => {
    const isMove = (state: string) => askable.includes(state) && (moves[from] ?? []).includes(state);
    const path = await reach[from]!();
    expect(await stateOf(path)).toBe(from);
    const before = await balance();
    for (const state of [...known, "ELSEWHERE"].filter((one) => !isMove(one))) {
      const { status, body } = await put(path, state);
      expect([state, status, body.Error?.[0].error_description]).toEqual([
        state,
        400,
        expect.stringMatching(/\w/),
      ]);
    }
    expect([await stateOf(path), await balance()]).toEqual([from, before]);
    for (const state of known.filter(isMove)) {
      const fresh = await reach[from]!();
      const had = await balance();
      const answer = await put(fresh, state);
      expect([from, state, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([
        from,
        state,
        200,
        "",
      ]);
      expect(scene.becomes?.[state] ?? [state]).toContain(await stateOf(fresh));
      expect([state, await balance()]).toEqual([state, had - (scene.costs?.[state] ?? 0) * 100]);
    }
  });
});

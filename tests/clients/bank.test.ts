/** The community's client library, unmodified: the way in, payments, requests, cards and tabs; then the same in neutral words. */
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PRIVATE_PEM, PUBLIC_PEM } from "../support/bank.ts";
import { euros, newPerson } from "../support/bank-people.ts";
import { type Instance, startInstance } from "../support/medley.ts";

type Api = Readonly<Record<string, Readonly<Record<string, (...given: unknown[]) => Promise<any>>>>>;
type MakersClient = {
  readonly api: Api;
  readonly Session: Record<string, unknown>;
  readonly ApiAdapter: { readonly RequestLimitFactory: { clearLimiters(): void } };
  setKeepAlive(isKept: boolean): void;
  run(key: string, ips: string[], environment: string, encryptionKey: string): Promise<void>;
  install(): Promise<boolean>;
  registerDevice(name: string): Promise<boolean>;
  registerSession(): Promise<boolean>;
  destroyApiSession(): Promise<void>;
  getUser(kind: string, isFresh: boolean): Promise<any>;
};
// The package is older than modules, and its types are not strict.
const load = createRequire(import.meta.url);
const PACKAGE = "@bunq-community/bunq-js-client";
const { default: Client } = load(PACKAGE) as {
  default: new (store: object, log: object) => MakersClient;
};
const { URL_ENVIROMENTS } = load(`${PACKAGE}/dist/Session`);
const { publicKeyFromPem, privateKeyFromPem } = load(`${PACKAGE}/dist/Crypto/Rsa`);
const silent = Object.fromEntries(
  ["log", "debug", "info", "warn", "error", "trace"].map((name) => [name, () => {}]),
);

/** The smallest there is. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

describe("bunq-js-client", () => {
  let running: Instance | undefined;
  const instance = () => running!;
  beforeAll(async () => {
    running = await startInstance({ services: ["bank"], bankRateLimit: 0 });
    URL_ENVIROMENTS.SANDBOX = `${running.url}/bank`;
  });
  afterAll(() => running?.stop());
  const kept = new Map<string, unknown>();
  const store = {
    get: (name: string) => kept.get(name),
    set: (name: string, value: unknown) => void kept.set(name, value),
    remove: (name: string) => void kept.delete(name),
  };
  const newKey = async (kind: string): Promise<string> => {
    const path = `/bank/v1/sandbox-user-${kind}`;
    const made = await instance().apiKey("X-Bunq-Client-Authentication", "POST", path, { body: {} });
    return made.body.Response[0].ApiKey.api_key;
  };
  /** Through installation, device and session, as its readme says. */
  async function enter(kind: "Person" | "Company") {
    const client = new Client(store, silent);
    client.setKeepAlive(false);
    // It would make a pair of its own, which takes it many seconds.
    Object.assign(client.Session, {
      publicKey: await publicKeyFromPem(PUBLIC_PEM),
      privateKey: await privateKeyFromPem(PRIVATE_PEM),
      publicKeyPem: PUBLIC_PEM,
      privateKeyPem: PRIVATE_PEM,
    });
    await client.run(await newKey(kind.toLowerCase()), [], "SANDBOX", "0123456789abcdef0123456789abcdef");
    expect(await client.install()).toBe(true);
    expect(await client.registerDevice("Desk")).toBe(true);
    expect(await client.registerSession()).toBe(true);
    const user = await client.getUser(`User${kind}`, true);
    const [{ MonetaryAccountBank: ledger }] = await client.api.monetaryAccount!.list!(user.id);
    const iban = ledger.alias.find(({ type }: { type: string }) => type === "IBAN");
    const here = [user.id, ledger.id] as const;
    /** Calls one of its methods; it waits by itself for limits that it believes in, unless they are forgotten. */
    const call = (theme: string, method: string, ...given: unknown[]): Promise<any> => {
      client.ApiAdapter.RequestLimitFactory.clearLimiters();
      return client.api[theme]![method]!(...given);
    };
    return { client, user, iban, here, call };
  }

  it("enters, pays, asks for money, keeps notes and pictures", async () => {
    const payer = await enter("Person");
    const payee = await enter("Company");
    const to = { type: "IBAN", value: payee.iban.value, name: payee.iban.name };
    const [{ Id: paid }] = await payer.call("payment", "post", ...payer.here, "Lunch", euros("12.34"), to);
    const { Payment: payment } = await payer.call("payment", "get", ...payer.here, paid.id);
    expect(payment).toMatchObject({
      amount: euros("-12.34"),
      balance_after_mutation: euros("487.66"),
      description: "Lunch",
    });
    const [{ Payment: received }] = await payee.call("payment", "list", ...payee.here);
    expect(received.amount).toEqual(euros("12.34"));
    const [{ Id: batch }] = await payer.call("paymentBatch", "post", ...payer.here, "Twice", euros("1.00"), [
      to,
      to,
    ]);
    expect(await payer.call("paymentBatch", "get", ...payer.here, batch.id)).toMatchObject({
      PaymentBatch: { payments: { Payment: [{ amount: euros("-1.00") }, {}] } },
    });
    const [{ Id: note }] = await payer.call(
      "noteText",
      "post",
      "payment",
      ...payer.here,
      paid.id,
      "Très bon, 好吃",
    );
    const text = await payer.call("noteText", "get", "payment", ...payer.here, paid.id, note.id);
    expect(text.NoteText.content).toBe("Très bon, 好吃");
    expect(await payer.call("noteText", "delete", "payment", ...payer.here, paid.id, note.id)).toEqual([]);

    const from = { type: "IBAN", value: payer.iban.value, name: payer.iban.name };
    const [{ Id: asked }] = await payee.call(
      "requestInquiry",
      "post",
      ...payee.here,
      "Taxi",
      euros("7.00"),
      from,
    );
    const [{ RequestResponse: request }] = await payer.call("requestResponse", "list", ...payer.here);
    expect(request).toMatchObject({ status: "PENDING", amount_inquired: euros("7.00") });
    const answer = { amount_responded: euros("7.00") };
    await payer.call("requestResponse", "put", ...payer.here, request.id, "ACCEPTED", answer);
    expect(await payee.call("requestInquiry", "get", ...payee.here, asked.id)).toMatchObject({
      RequestInquiry: { status: "ACCEPTED", amount_responded: euros("7.00") },
    });
    const [{ Id: other }] = await payee.call(
      "requestInquiry",
      "post",
      ...payee.here,
      "Taxi",
      euros("8.00"),
      from,
    );
    await payee.call("requestInquiry", "put", ...payee.here, other.id, "REVOKED");

    const [{ Id: draft }] = await payer.call(
      "draftPayment",
      "post",
      ...payer.here,
      "Rent",
      euros("3.00"),
      to,
    );
    expect(draft.id).toBeGreaterThan(0);
    const events = await payer.call("event", "list", payer.user.id, { count: 3 });
    expect(events).toHaveLength(3);
    const uuid = await payer.call("attachmentPublic", "post", PICTURE, "image/png");
    expect(await payer.call("attachmentContent", "get", uuid)).toBe(PICTURE.toString("base64"));
    await payer.client.destroyApiSession();
  });

  it("orders cards with what only the bank can read, and passes tabs on", async () => {
    const { call, here, user, iban } = await enter("Person");
    const [{ CardUserNameArray: names }] = await call("cardName", "get", user.id);
    const [nameOnCard] = names.possible_card_name_array;
    const pins = [{ type: "PRIMARY", pin_code: "4821", monetary_account_id: here[1] }];
    const alias = { type: "IBAN", value: iban.value, name: iban.name };
    const [ordered] = await call(
      "cardDebit",
      "post",
      user.id,
      nameOnCard,
      "Travel",
      alias,
      "MASTERCARD",
      pins,
    );
    const cardId = ordered.CardDebit.id;
    await call("card", "update", user.id, cardId, null, null, null, euros("150.00"));
    const [{ Card: card }] = await call("card", "get", user.id, cardId);
    expect(card).toMatchObject({ card_limit: euros("150.00"), second_line: "Travel" });
    expect(await call("card", "list", user.id)).toHaveLength(1);
    const cvc2 = await call("cardCvc2", "post", user.id, cardId);
    expect(cvc2).toBeDefined();

    const [{ Id: tab }] = await call("bunqMeTabs", "post", ...here, "Party", euros("20.00"));
    const { BunqMeTab: open } = await call("bunqMeTabs", "get", ...here, tab.id);
    expect(open).toMatchObject({ status: "WAITING_FOR_PAYMENT", bunqme_tab_entry: { description: "Party" } });
    const page = await fetch(open.bunqme_tab_share_url);
    expect([page.status, (await page.text()).includes("Party")]).toEqual([200, true]);
    expect(await call("bunqMeTabs", "list", ...here)).toHaveLength(1);
    await call("bunqMeTabs", "put", ...here, tab.id, "CANCELLED");
    const { BunqMeTab: ended } = await call("bunqMeTabs", "get", ...here, tab.id);
    expect(ended.status).toBe("CANCELLED");
  });
});

describe("the same in neutral words", () => {
  let running: Instance | undefined;
  const instance = () => running!;
  beforeAll(async () => {
    running = await startInstance({ services: ["bank"], bankRateLimit: 0, on: "postgres" });
  });
  afterAll(() => running?.stop());

  it("enters, pays, asks for money, orders a card and passes a tab on", async () => {
    const payer = await newPerson(instance);
    const payee = await newPerson(instance, "company");
    const to = { type: "IBAN", value: payee.iban };
    const order = { amount: euros("12.34"), counterparty_alias: to, description: "Lunch" };
    const paid = await payer.made(`${payer.ledger}/payment`, order);
    expect(await payer.done("GET", `${payer.ledger}/payment/${paid}`)).toMatchObject({
      amount: euros("-12.34"),
      balance_after_mutation: euros("487.66"),
    });
    const asked = await payee.made(`${payee.ledger}/request-inquiry`, {
      amount_inquired: euros("7.00"),
      counterparty_alias: { type: "IBAN", value: payer.iban },
      description: "Taxi",
      allow_vendorme: false,
    });
    const [request] = await payer.done("GET", `${payer.ledger}/request-response`);
    const accepted = { status: "ACCEPTED", amount_responded: euros("7.00") };
    await payer.done("PUT", `${payer.ledger}/request-response/${request.id}`, accepted);
    expect((await payee.done("GET", `${payee.ledger}/request-inquiry/${asked}`)).status).toBe("ACCEPTED");
    const [{ possible_card_name_array: names }] = await payer.done("GET", `${payer.user}/card-name`);
    const card = await payer.made(`${payer.user}/card-debit`, {
      second_line: "Travel",
      name_on_card: names[0],
      type: "MASTERCARD",
      product_type: "MASTERCARD_DEBIT",
    });
    await payer.done("PUT", `${payer.user}/card/${card}`, { card_limit: euros("150.00") });
    expect((await payer.done("GET", `${payer.user}/card/${card}`)).card_limit).toEqual(euros("150.00"));
    const entry = { amount_inquired: euros("20.00"), description: "Party" };
    const tab = await payer.made(`${payer.ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
    const open = await payer.done("GET", `${payer.ledger}/vendorme-tab/${tab}`);
    expect((await fetch(open.vendorme_tab_share_url)).status).toBe(200);
    await payer.done("PUT", `${payer.ledger}/vendorme-tab/${tab}`, { status: "CANCELLED" });
    expect(await payer.balance()).toBe("480.66");
  });
});

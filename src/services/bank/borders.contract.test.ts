/** Requests that name something of another user in a path or a body: the owner succeeds, and nobody else. */
import { beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder, newPerson } from "../../../tests/support/bank-people.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

/** The smallest picture there is. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

onBothDatabases(
  "borders between users of the bank",
  (instance) => {
    let ann: BankPerson;
    let bob: BankPerson;
    beforeAll(async () => {
      [ann, bob] = await Promise.all([newHolder(instance), newHolder(instance)]);
    });
    const upload = async ({ secret }: BankPerson, path: string) => {
      const headers = { "X-Vendor-Client-Authentication": secret, "content-type": "image/png" };
      return (await instance().send("POST", `/bank/v1${path}`, { body: PICTURE, headers })).body;
    };
    const picture = async (of: BankPerson): Promise<number> =>
      (await upload(of, `${of.ledger}/attachment`)).id;
    const to = (person: BankPerson) => ({ counterparty_alias: { type: "IBAN", value: person.iban } });
    const share = async (owner: BankPerson, other: BankPerson, access_type: string): Promise<void> => {
      const id = await owner.made(`${owner.ledger}/share-invite-monetary-account-inquiry`, {
        counter_user_alias: { type: "IBAN", value: other.iban },
        access_type,
      });
      const answer = { status: "ACCEPTED" };
      await other.done("PUT", `${other.user}/share-invite-monetary-account-response/${id}`, answer);
    };

    it("keeps cards to accounts of their holder", async () => {
      const pins = (monetary_account_id: number) => ({
        pin_code_assignment: [{ type: "PRIMARY", pin_code: "4821", monetary_account_id }],
      });
      const own = ann.ledgerId;
      const others = bob.ledgerId;
      const virtual = { order_status: "VIRTUAL_DELIVERY" };
      const names = (await ann.done("GET", `${ann.user}/card-name`))[0].possible_card_name_array;
      const wished = {
        second_line: "",
        name_on_card: names[0],
        type: "MASTERCARD",
        product_type: "MASTERCARD_DEBIT",
      };
      const order = (more: object) => ({ ...wished, ...virtual, ...more });
      const cards = `${ann.user}/card-debit`;
      expect(await ann.refused("POST", cards, order(pins(others)))).toMatch("no open monetary account");
      const alias = ({ iban }: BankPerson) => ({ alias: { type: "IBAN", value: iban } });
      expect(await ann.refused("POST", cards, order(alias(bob)))).toMatch("one of your accounts");
      await ann.made(cards, order(alias(ann)));
      const card = await ann.made(cards, order(pins(own)));
      const second = { type: "SECONDARY", pin_code: "4822", monetary_account_id: others };
      const both = { pin_code_assignment: [...pins(own).pin_code_assignment, second] };
      expect(await ann.refused("POST", cards, order(both))).toMatch("no open monetary account");
      const fallback = (id: number) => ({ monetary_account_id_fallback: id });
      expect(await ann.refused("POST", cards, order(fallback(others)))).toMatch("no open monetary account");
      const path = `${ann.user}/card/${card}`;
      const [{ id }] = (await ann.done("GET", path)).primary_account_numbers;
      const number = (ledger: number) => ({
        primary_account_numbers: [{ id, monetary_account_id: ledger }],
      });
      for (const change of [pins, fallback, number]) {
        expect(await ann.refused("PUT", path, change(others))).toMatch("no open monetary account");
        await ann.done("PUT", path, change(own));
      }
    });

    it("finds an invitation only below the account that it is to", async () => {
      const { id } = await ann.openAccount("EUR");
      const invite = { counter_user_alias: { type: "IBAN", value: bob.iban }, access_type: "VIEW_BALANCE" };
      const below = (ledger: number) =>
        `${ann.user}/monetary-account/${ledger}/share-invite-monetary-account-inquiry`;
      const invitation = await ann.made(below(id), invite);
      expect((await ann.done("GET", `${below(id)}/${invitation}`)).status).toBe("PENDING");
      await ann.refused("GET", `${below(ann.ledgerId)}/${invitation}`, undefined, 404);
      const change = { access_type: "VIEW_TRANSACTION" };
      await ann.refused("PUT", `${below(ann.ledgerId)}/${invitation}`, change, 404);
    });

    it("lets debits be paid from own accounts, and requests split own events", async () => {
      const debited = await instance().bearer("POST", "/_medley/bank/direct-debits", {
        body: {
          iban: ann.iban,
          amount: euros("1.00"),
          creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
          mandateIdentifier: "M-1",
        },
      });
      const whitelist = ({ ledgerId }: BankPerson) => ({
        monetary_account_paying_id: ledgerId,
        request_id: debited.body.id,
      });
      const path = `${ann.user}/whitelist-sdd-one-off`;
      expect(await ann.refused("POST", path, whitelist(bob))).toMatch("no monetary account");
      const id = await ann.made(path, whitelist(ann));
      const pays = ({ ledgerId }: BankPerson) => ({ monetary_account_paying_id: ledgerId });
      expect(await ann.refused("PUT", `${path}/${id}`, pays(bob))).toMatch("no monetary account");
      await ann.done("PUT", `${path}/${id}`, pays(ann));
      await ann.done("GET", `${ann.ledger}/whitelist-sdd/${id}`);
      const elsewhere = await ann.openAccount("EUR");
      const besides = `${ann.user}/monetary-account/${elsewhere.id}/whitelist-sdd/${id}`;
      await ann.refused("GET", besides, undefined, 404);
      const others = `${bob.user}/whitelist-sdd-one-off`;
      const bobs = { ...whitelist(bob), request_id: debited.body.id };
      expect(await bob.refused("POST", others, bobs)).toMatch("no direct debit");
      const split = { amount_inquired: euros("1.00"), description: "Half", allow_vendorme: false };
      const [event] = await ann.done("GET", `${ann.user}/event`);
      const [foreign] = await bob.done("GET", `${bob.user}/event`);
      const asked = (event_id: number) => ({ ...split, ...to(bob), event_id });
      const inquiries = `${ann.ledger}/request-inquiry`;
      expect(await ann.refused("POST", inquiries, asked(foreign.id))).toMatch("no event");
      await ann.made(inquiries, asked(event.id));
    });

    it.each([2 ** 53, 2 ** 63, 1e21, 1e300])("has nothing with the number %d", async (number) => {
      const whitelist = { monetary_account_paying_id: number, request_id: 1 };
      await ann.refused("POST", `${ann.user}/whitelist-sdd-one-off`, whitelist);
    });

    it("shows devices to their user alone", async () => {
      const [one, other] = await Promise.all([newPerson(instance), newPerson(instance)]);
      const [device] = await one.done("GET", "/device-server");
      for (const path of ["/device", "/device-server"]) {
        expect((await one.done("GET", `${path}/${device.id}`)).id).toBe(device.id);
        await other.refused("GET", `${path}/${device.id}`, undefined, 404);
      }
    });

    it("ends a session on the clock", async () => {
      const one = await newPerson(instance);
      await one.done("PUT", `/user-person/${one.userId}`, { session_timeout: 60 });
      await one.open(one.secret);
      await one.done("GET", "/user");
      await instance().clock.advance(60_000);
      expect(await one.refused("GET", "/user", undefined, 401)).toMatch("has ended");
    });

    it("hands on pictures of the account and public ones, and no others of its owner", async () => {
      const other = await ann.openAccount("EUR");
      const elsewhere = (await upload(ann, `${ann.user}/monetary-account/${other.id}/attachment`)).id;
      const open = (await upload(ann, "/attachment-public")).Id.id;
      await share(ann, bob, "FULL_TRANSIENT");
      const shared = `${bob.user}/monetary-account/${ann.ledgerId}`;
      const payment = (id: number) => ({
        amount: euros("1.00"),
        description: "Lunch",
        attachment: [{ id }],
        ...to(bob),
      });
      expect(await bob.refused("POST", `${shared}/payment`, payment(elsewhere))).toMatch("no attachment");
      expect(await bob.refused("POST", `${shared}/payment`, payment(await picture(bob)))).toMatch(
        "no attach",
      );
      for (const id of [await picture(ann), open]) await bob.done("POST", `${shared}/payment`, payment(id));
    });

    it("takes only own pictures for notes, and only public ones for avatars", async () => {
      const payment = await ann.made(`${ann.ledger}/payment`, {
        amount: euros("1.00"),
        description: "Tea",
        ...to(bob),
      });
      const notes = `${ann.ledger}/payment/${payment}/note-attachment`;
      const own = await picture(ann);
      const others = await picture(bob);
      expect(await ann.refused("POST", notes, { attachment_id: others })).toMatch("no attachment");
      await ann.made(notes, { attachment_id: own });
      const image = (name: string) => ({ image: [{ attachment_public_uuid: name }] });
      expect(await ann.refused("POST", "/avatar", image(String(others)))).toMatch("no public attachment");
      const { Uuid } = await upload(bob, "/attachment-public");
      await ann.done("POST", "/avatar", image(Uuid.uuid));
    });

    it("tells whether there is money to those who may see the balance, and to no others", async () => {
      const [owner, viewer] = await Promise.all([newHolder(instance), newHolder(instance)]);
      const asked = { pointer_iban: { type: "IBAN", value: owner.iban }, amount: euros("500.00") };
      const path = ({ user }: BankPerson) => `${user}/confirmation-of-funds`;
      expect(await owner.done("POST", path(owner), asked)).toEqual({ has_sufficient_funds: true });
      await viewer.refused("POST", path(viewer), asked);
      await viewer.refused("POST", path(owner), asked, 404);
      await share(owner, viewer, "VIEW_BALANCE");
      expect(await viewer.done("POST", path(viewer), asked)).toEqual({ has_sufficient_funds: true });
    });

    it("asks grown-ups for what is for grown-ups", async () => {
      const request = {
        amount_inquired: euros("1.00"),
        description: "Wine",
        allow_vendorme: false,
        ...to(bob),
      };
      const path = `${ann.ledger}/request-inquiry`;
      const born = (year: number) =>
        bob.done("PUT", `/user-person/${bob.userId}`, { date_of_birth: `${year}-01-02` });
      const id = await ann.made(path, { ...request, minimum_age: 18 });
      const answer = () => ["PUT", `${bob.ledger}/request-response/${id}`, { status: "ACCEPTED" }] as const;
      const thisYear = new Date(instance().clock.nowMs()).getUTCFullYear();
      await born(thisYear - 17);
      expect(await bob.refused(...answer())).toMatch("18 years");
      await born(thisYear - 19);
      await bob.done(...answer());
    });

    it("takes only an offer that was made to the account that pays", async () => {
      const dollars = await bob.openAccount("USD");
      const cat = await newHolder(instance);
      const asked = await bob.made(`${bob.user}/monetary-account/${dollars.id}/request-inquiry`, {
        amount_inquired: { value: "5.00", currency: "USD" },
        description: "Dinner",
        allow_vendorme: false,
        ...to(ann),
      });
      const offer = (person: BankPerson) =>
        person.made(`${person.ledger}/currency-conversion-quote`, {
          amount: { value: "5.00", currency: "USD" },
          currency_source: "EUR",
          currency_target: "USD",
          order_type: "BUY",
          counterparty_alias: { type: "IBAN", value: dollars.iban },
        });
      const accept = (id: number) => ({ status: "ACCEPTED", currency_conversion_quote_id: id });
      const path = `${ann.ledger}/request-response/${asked}`;
      expect(await ann.refused("PUT", path, accept(await offer(cat)))).toMatch("no offer");
      await ann.done("PUT", path, accept(await offer(ann)));
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

/** Money that takes its time: asked about, held, waiting for strangers, paid by an offer; and the pictures that go with it. */
import { beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

onBothDatabases(
  "money that takes its time",
  (instance) => {
    let ann: BankPerson;
    let bob: BankPerson;
    const admin = (path: string, body: object, method = "POST") =>
      instance().send(method, `/_medley/bank${path}`, {
        body,
        headers: { authorization: `Bearer ${accounts.first.tokens[0]}` },
      });
    const deposit = (person: BankPerson, value: string) =>
      admin("/incoming-payments", { iban: person.iban, amount: euros(value), from: { name: "A. Friend" } });
    const payments = (person: BankPerson): Promise<any[]> => person.done("GET", `${person.ledger}/payment`);
    const pay = (person: BankPerson, more: object) =>
      person.made(`${person.ledger}/payment`, { amount: euros("5.00"), description: "A gift", ...more });
    const isSound = async (): Promise<boolean> => {
      const authorization = `Bearer ${accounts.first.tokens[0]}`;
      return (await instance().send("GET", "/_medley/bank/proof", { headers: { authorization } })).body
        .isSound;
    };
    beforeAll(async () => {
      [ann, bob] = await Promise.all([newHolder(instance), newHolder(instance)]);
    });

    it("asks the holder of a card before a payment on the web", async () => {
      const cardId = await ann.orderedCard({ second_line: "Web", order_status: "VIRTUAL_DELIVERY" });
      const ask = (more: object = {}) =>
        admin("/card-transactions", {
          cardId,
          amount: euros("20.00"),
          merchant: { name: "Web Shop", city: "Delft" },
          entry: "E_COMMERCE",
          challenge: true,
          ...more,
        });
      const before = Number(await ann.balance());
      const asked = await ask();
      expect(asked.body).toMatchObject({ status: "PENDING", decision: "CHALLENGED", paymentIds: [] });
      const path = `${ann.user}/challenge-request/${asked.body.id}`;
      expect(await ann.done("GET", path)).toMatchObject({
        status: "PENDING",
        amount: "20.00",
        card_id: cardId,
        counterparty_alias: { display_name: "Web Shop" },
      });
      expect(Number(await ann.balance())).toBe(before);
      await ann.done("PUT", path, { status: "ACCEPTED_PENDING_RESPONSE" });
      const answered = await ann.done("GET", path);
      expect(answered.status).toBe("ACCEPTED");
      expect(await ann.done("GET", `${ann.ledger}/mastercard-action/${answered.event_id}`)).toMatchObject({
        authorisation_status: "AUTHORISED",
      });
      expect(Number(await ann.balance())).toBe(before - 20);
      expect(await ann.refused("PUT", path, { status: "REJECTED_PENDING_RESPONSE" })).toMatch(/ACCEPTED/);

      const second = `${ann.user}/challenge-request/${(await ask()).body.id}`;
      await ann.done("PUT", second, { status: "REJECTED_PENDING_RESPONSE" });
      const refused = await ann.done("GET", second);
      expect(refused.status).toBe("REJECTED");
      const action = await ann.done("GET", `${ann.ledger}/mastercard-action/${refused.event_id}`);
      expect(action.decision).toBe("REFUSED_BY_HOLDER");

      const third = `${ann.user}/challenge-request/${(await ask()).body.id}`;
      await instance().clock.advance(6 * 60_000);
      await eventually(async () => (await ann.done("GET", third)).event_id !== undefined, "the end of it");
      expect((await ann.done("GET", third)).status).toBe("EXPIRED");
      expect(Number(await ann.balance())).toBe(before - 20);
      expect((await ask({ entry: "CHIP", pin: "1234" })).status).toBe(400);
      await bob.refused("GET", path, undefined, 404);
      expect((await instance().send("GET", "/bank/v1/till")).text).toContain("Card till");
    });

    it("holds much money for another bank, and notes can be put on it", async () => {
      await deposit(ann, "40000.00");
      const elsewhere = { type: "IBAN", value: "DE75512108001245126199", name: "G. Haus" };
      const id = await pay(ann, { amount: euros("15000.00"), counterparty_alias: elsewhere });
      const notes = `${ann.ledger}/payment-delayed/${id}/note-text`;
      const noteId = await ann.made(notes, { content: "for the house" });
      expect(await ann.done("GET", `${notes}/${noteId}`)).toMatchObject({ content: "for the house" });
      const paid = await ann.done("GET", `${ann.ledger}/payment/${id}`);
      expect(paid.payment_arrival_expected).toMatchObject({ status: "ON_ITS_WAY", time: expect.any(String) });
      await instance().clock.advance(30 * 60_000);
      const still = await ann.done("GET", `${ann.ledger}/payment/${id}`);
      expect(still.payment_arrival_expected.status).toBe("ON_ITS_WAY");
      await instance().clock.advance(HOUR_MS);
      await eventually(async () => {
        const { payment_arrival_expected } = await ann.done("GET", `${ann.ledger}/payment/${id}`);
        return payment_arrival_expected.status === "ARRIVED";
      }, "the clearing");
      const small = await pay(ann, { counterparty_alias: elsewhere });
      await ann.refused("GET", `${ann.ledger}/payment-delayed/${small}/note-text`, undefined, 404);
      const events = await ann.done("GET", `${ann.user}/event?count=200`);
      const told = events.filter(({ object }: any) => object.PaymentDelayed);
      expect(told.map(({ object }: any) => object.PaymentDelayed.status)).toEqual(["EXECUTED", "PENDING"]);
    });

    it("lets money wait for strangers who come under their name", async () => {
      const email = "Nobody.Yet@example.com";
      const to = { type: "EMAIL", value: email, name: "N. Yet" };
      expect(
        await ann.refused("POST", `${ann.ledger}/payment`, {
          amount: euros("5.00"),
          description: "A gift",
          counterparty_alias: to,
        }),
      ).toMatch(/Nobody/);
      const id = await pay(ann, { counterparty_alias: to, allow_vendorto: true });
      const waiting = await ann.done("GET", `${ann.ledger}/payment/${id}`);
      expect(waiting).toMatchObject({
        vendorto_status: "PENDING",
        vendorto_share_url: expect.stringContaining("/claim/"),
        counterparty_alias: { display_name: "N. Yet" },
      });
      const sandbox = (alias: object[]) =>
        instance().apiKey("X-Vendor-Client-Authentication", "POST", "/bank/v1/sandbox-user-person", {
          body: { alias },
        });
      const made = await sandbox([{ type: "EMAIL", value: email }]);
      expect(made.status).toBe(200);
      expect((await ann.done("GET", `${ann.ledger}/payment/${id}`)).vendorto_status).toBe("ACCEPTED");
      const key = made.body.api_key;
      const own = (path: string) =>
        instance().send("GET", `/bank/v1${path}`, { headers: { "X-Vendor-Client-Authentication": key } });
      const userId = (await own("/user")).body[0].id;
      const [ledger] = (await own(`/user/${userId}/monetary-account`)).body;
      expect(ledger.balance.value).toBe("505.00");
      expect((await sandbox([{ type: "EMAIL", value: email }])).status).toBe(400);
      expect((await sandbox([{ type: "PHONE_NUMBER", value: "none" }])).status).toBe(400);
      await pay(bob, { counterparty_alias: { type: "EMAIL", value: email } });
    });

    it("hands waiting money out on its page, once, and takes back what nobody claims", async () => {
      const send = async (amount: string) => {
        const to = { type: "PHONE_NUMBER", value: "+31600000001" };
        const id = await pay(bob, { amount: euros(amount), counterparty_alias: to, allow_vendorto: true });
        const { vendorto_share_url } = await bob.done("GET", `${bob.ledger}/payment/${id}`);
        return { id, path: new URL(vendorto_share_url).pathname };
      };
      const claim = (path: string, iban: string) =>
        instance().send("POST", path, {
          body: new URLSearchParams({ name: "A. Stranger", iban }).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        });
      const first = await send("7.00");
      expect((await instance().send("GET", first.path)).text).toContain("7.00 EUR");
      const wrong = await claim(first.path, "NL00NONE0000000000");
      expect([wrong.status, wrong.text.includes("is no IBAN")]).toEqual([400, true]);
      const before = Number(await ann.balance());
      expect((await claim(first.path, ann.iban)).status).toBe(303);
      expect(Number(await ann.balance())).toBe(before + 7);
      expect((await claim(first.path, ann.iban)).status).toBe(400);
      expect((await instance().send("GET", first.path)).text).toContain("was claimed");
      const abroad = await send("3.00");
      expect((await claim(abroad.path, "DE75512108001245126199")).status).toBe(303);
      expect((await bob.done("GET", `${bob.ledger}/payment/${abroad.id}`)).vendorto_status).toBe("ACCEPTED");

      const kept = Number(await bob.balance());
      const last = await send("9.00");
      expect(Number(await bob.balance())).toBe(kept - 9);
      await instance().clock.advance(5 * DAY_MS + 1000);
      await eventually(async () => Number(await bob.balance()) === kept, "the money to come back");
      expect((await bob.done("GET", `${bob.ledger}/payment/${last.id}`)).vendorto_status).toBe("EXPIRED");
      expect((await instance().send("GET", last.path)).text).toContain("went back");
      expect((await instance().send("GET", "/bank/v1/claim/none")).status).toBe(404);
      expect((await claim("/bank/v1/claim/none", ann.iban)).status).toBe(404);
    });

    it("shows pictures to both sides of a payment and of a request", async () => {
      const upload = await instance().send("POST", `/bank/v1${ann.ledger}/attachment`, {
        body: DOT,
        headers: { "content-type": "image/png", "X-Vendor-Client-Authentication": ann.secret },
      });
      const picture = upload.body.id ?? upload.body.Id.id;
      const content = (person: BankPerson, id: number) =>
        instance().send("GET", `/bank/v1${person.ledger}/attachment/${id}/content`, {
          headers: { "X-Vendor-Client-Authentication": person.secret },
        });
      const to = { type: "IBAN", value: bob.iban };
      const id = await pay(ann, { counterparty_alias: to, attachment: [{ id: picture }] });
      const paid = await ann.done("GET", `${ann.ledger}/payment/${id}`);
      expect(paid.attachment).toEqual([{ id: picture, monetary_account_id: ann.ledgerId }]);
      const [received] = await payments(bob);
      expect((await content(bob, received.attachment[0].id)).bytes).toEqual(DOT);
      expect((await content(bob, picture)).status).toBe(404);

      const asked = await ann.made(`${ann.ledger}/request-inquiry`, {
        amount_inquired: euros("1.00"),
        counterparty_alias: to,
        description: "See the bill",
        allow_vendorme: false,
        attachment: [{ id: picture }],
      });
      expect((await ann.done("GET", `${ann.ledger}/request-inquiry/${asked}`)).attachment).toEqual([
        { id: picture },
      ]);
      const response = await bob.done("GET", `${bob.ledger}/request-response/${asked}`);
      expect((await content(bob, response.attachment[0].id)).status).toBe(200);
      const refused = {
        amount: euros("1.00"),
        description: "x",
        counterparty_alias: to,
        attachment: [{ id: 1 }],
      };
      expect(await bob.refused("POST", `${bob.ledger}/payment`, refused)).toMatch(/no attachment 1/);
    });

    it("answers a request in another currency by an offer", async () => {
      const dollars = await bob.openAccount("USD");
      await admin("/rates", { rates: { USD: "1.25" } }, "PUT");
      const asked = await bob.made(`${bob.user}/monetary-account/${dollars.id}/request-inquiry`, {
        amount_inquired: { value: "25.00", currency: "USD" },
        counterparty_alias: { type: "IBAN", value: ann.iban },
        description: "Dinner",
        allow_vendorme: false,
      });
      const path = `${ann.ledger}/request-response/${asked}`;
      const offer = (value: string) =>
        ann.made(`${ann.ledger}/currency-conversion-quote`, {
          amount: { value, currency: "USD" },
          currency_source: "EUR",
          currency_target: "USD",
          order_type: "BUY",
          counterparty_alias: { type: "IBAN", value: dollars.iban },
        });
      const accept = async (quoteId: number) => ({
        status: "ACCEPTED",
        currency_conversion_quote_id: quoteId,
      });
      expect(await ann.refused("PUT", path, { status: "ACCEPTED" })).toMatch(/is in EUR/);
      expect(await ann.refused("PUT", path, await accept(await offer("24.00")))).toMatch(/not for what/);
      const before = Number(await ann.balance());
      const quoteId = await offer("25.00");
      await ann.done("PUT", path, await accept(quoteId));
      expect(Number(await ann.balance())).toBe(before - 20);
      expect(await bob.balance(dollars.id)).toBe("25.00");
      const quote = await ann.done("GET", `${ann.ledger}/currency-conversion-quote/${quoteId}`);
      expect(quote.status).toBe("ACCEPTED");
      const inquiry = await bob.done(
        "GET",
        `${bob.user}/monetary-account/${dollars.id}/request-inquiry/${asked}`,
      );
      expect(inquiry).toMatchObject({ status: "ACCEPTED", amount_responded: { value: "25.00" } });
    });

    it("pays beneficiaries abroad by an offer that still holds", async () => {
      const beneficiary = await ann.made(`${ann.user}/currency-cloud-beneficiary`, {
        name: "Acme Ltd",
        country: "GB",
        currency: "GBP",
        payment_type: "sort_code",
        legal_entity_type: "COMPANY",
        all_field: ["sortCode=231470", "accountNumber=28821822"],
      });
      await admin("/rates", { rates: { GBP: "0.80" } }, "PUT");
      const to = { type: "CURRENCY_CLOUD_BENEFICIARY", value: String(beneficiary) };
      const order = {
        amount: { value: "80.00", currency: "GBP" },
        description: "Parts",
        counterparty_alias: to,
      };
      expect(await ann.refused("POST", `${ann.ledger}/payment`, order)).toMatch(/ask for one/);
      await ann.made(`${ann.ledger}/currency-cloud-payment-quote`, { pointers: [to] });
      await admin("/rates", { rates: { GBP: "0.50" } }, "PUT");
      const before = Number(await ann.balance());
      const id = await ann.made(`${ann.ledger}/payment`, order);
      expect(Number(await ann.balance())).toBe(before - 100);
      expect(await ann.done("GET", `${ann.ledger}/payment/${id}`)).toMatchObject({
        amount: euros("-100.00"),
        counterparty_alias: { display_name: "Acme Ltd", iban: "28821822" },
        payment_arrival_expected: { status: "ON_ITS_WAY" },
      });
      expect(await ann.refused("POST", `${ann.ledger}/payment`, { ...order, amount: euros("1.00") })).toMatch(
        /paid in GBP/,
      );
      await instance().clock.advance(2 * HOUR_MS);
      expect(await ann.refused("POST", `${ann.ledger}/payment`, order)).toMatch(/ask for one/);
    });

    it("keeps entries of a draft that a change names by their numbers alone", async () => {
      const entry = (value: string) => ({
        amount: euros(value),
        counterparty_alias: { type: "IBAN", value: bob.iban },
        description: `Part ${value}`,
      });
      const id = await ann.made(`${ann.ledger}/draft-payment`, {
        entries: [entry("1.00"), entry("2.00"), entry("3.00")],
        number_of_required_accepts: 1,
      });
      const path = `${ann.ledger}/draft-payment/${id}`;
      const numbers = (await ann.done("GET", path)).entries.map((one: { id: number }) => one.id);
      await ann.done("PUT", path, { entries: [{ id: numbers[2] }, entry("4.00"), { id: numbers[0] }] });
      const { entries } = await ann.done("GET", path);
      expect(entries.map(({ amount }: any) => amount.value)).toEqual(["3.00", "4.00", "1.00"]);
      expect(await ann.refused("PUT", path, { entries: [{ id: 99 }] })).toMatch(/no entry 99/);
      expect(await ann.refused("PUT", path, { entries: [{ amount: euros("1.00") }] })).toMatch(
        /needs amount/,
      );
      await ann.done("PUT", path, { status: "ACCEPTED" });
      expect(
        (await payments(ann))
          .slice(0, 3)
          .map(({ amount }: any) => amount.value)
          .toSorted(),
      ).toEqual(["-1.00", "-3.00", "-4.00"]);
    });

    it("gives a credit card an account with a credit, which is settled every month", async () => {
      const [names] = await bob.done("GET", `${bob.user}/card-name`);
      const cardId = await bob.made(`${bob.user}/card-credit`, {
        second_line: "Credit",
        name_on_card: names.possible_card_name_array[0],
        type: "MASTERCARD",
        product_type: "MASTERCARD_TRAVEL",
        order_status: "VIRTUAL_DELIVERY",
      });
      const cards = `${bob.user}/monetary-account-card`;
      const [account] = await bob.done("GET", cards);
      expect(account).toMatchObject({ balance: euros("0.00"), overdraft_limit: euros("1000.00") });
      const spend = (value: string) =>
        admin("/card-transactions", { cardId, amount: euros(value), merchant: { name: "Hotel" } });
      const before = Number(await bob.balance());
      const { body: spent } = await spend("60.00");
      expect(spent).toMatchObject({ status: "AUTHORISED", monetaryAccountId: account.id });
      await admin("/card-transactions", { action: "settle", transactionId: spent.id });
      expect(await bob.done("GET", `${cards}/${account.id}`)).toMatchObject({ balance: euros("-60.00") });
      expect((await spend("950.00")).body.decision).toBe("REFUSED_LIMIT");
      expect(Number(await bob.balance())).toBe(before);
      await bob.done("PUT", `${cards}/${account.id}`, { description: "Travels" });
      await instance().clock.advance(31 * DAY_MS);
      await eventually(async () => (await bob.balance(account.id)) === "0.00", "the settlement");
      const [settled] = (await payments(bob)).filter(({ sub_type }: any) => sub_type === "BILLING");
      expect(settled.amount).toEqual(euros("-60.00"));
      const shown = await bob.done("GET", `${cards}/${account.id}`);
      expect(shown).toMatchObject({ description: "Travels", kind: "card" });
      await bob.refused("GET", `${bob.user}/monetary-account-bank/${account.id}`, undefined, 404);
    });

    it("lets nobody spend more than a month allows", async () => {
      const rich = await newHolder(instance);
      await deposit(rich, "1100000.00");
      await rich.done("PUT", `${rich.user}/monetary-account-bank/${rich.ledgerId}`, {
        daily_limit: euros("2000000.00"),
      });
      const to = { type: "IBAN", value: bob.iban };
      await pay(rich, { amount: euros("999990.00"), counterparty_alias: to });
      const order = { amount: euros("20.00"), description: "More", counterparty_alias: to };
      expect(await rich.refused("POST", `${rich.ledger}/payment`, order)).toMatch(/in a month/);
      const [limits] = await rich.done("GET", `${rich.user}/limit`);
      expect(limits.spent_amount_monthly).toEqual(euros("999990.00"));
      await instance().clock.advance(31 * DAY_MS);
      await rich.made(`${rich.ledger}/payment`, order);
      expect(await isSound()).toBe(true);
    });
  },
  { services: ["bank"] },
);

/** Other currencies, transfers abroad, and money that is shared out when it comes in, on both databases. */
import { beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;

onBothDatabases(
  "exchange and allocation",
  (instance) => {
    let ann: BankPerson;
    let bob: BankPerson;
    let dollars: { id: number; iban: string };
    const admin = (method: string, path: string, body: unknown) =>
      instance().send(method, `/_medley/bank${path}`, {
        body,
        headers: { authorization: `Bearer ${accounts.first.tokens[0]}` },
      });
    beforeAll(async () => {
      [ann, bob] = await Promise.all([newHolder(instance), newHolder(instance)]);
      dollars = await ann.openAccount("USD");
      expect((await admin("PUT", "/rates", { rates: { USD: "1.25", JPY: "160" } })).status).toBe(204);
    });
    const quotes = () => `${ann.ledger}/currency-conversion-quote`;
    const quote = (more: object) => ({
      amount: euros("100.00"),
      currency_source: "EUR",
      currency_target: "USD",
      order_type: "SELL",
      counterparty_alias: { type: "IBAN", value: dollars.iban },
      ...more,
    });

    it("exchanges by an offer, once", async () => {
      const id = await ann.made(quotes(), quote({}));
      expect(await ann.done("GET", `${quotes()}/${id}`)).toMatchObject({
        status: "PENDING",
        amount_source: euros("100.00"),
        amount_target: { value: "125.00", currency: "USD" },
        rate: "1.25000000",
      });
      await ann.done("PUT", `${quotes()}/${id}`, { status: "ACCEPTED" });
      expect([await ann.balance(), await ann.balance(dollars.id)]).toEqual(["400.00", "125.00"]);
      expect(await ann.refused("PUT", `${quotes()}/${id}`, { status: "ACCEPTED" })).toMatch("cannot become");
      const [sold] = await ann.done("GET", `${ann.ledger}/currency-conversion`);
      expect(sold).toMatchObject({
        type: "SELL",
        amount: euros("100.00"),
        payment: { amount: euros("-100.00") },
      });
      const path = `${ann.user}/monetary-account/${dollars.id}/currency-conversion`;
      const [bought] = await ann.done("GET", path);
      expect(await ann.done("GET", `${path}/${bought.id}`)).toMatchObject({
        type: "BUY",
        group_uuid: sold.group_uuid,
        payment: { amount: { value: "125.00", currency: "USD" } },
      });
    });

    it("buys a sum of the other currency, and lets offers end", async () => {
      const id = await ann.made(
        quotes(),
        quote({ amount: { value: "0.01", currency: "USD" }, order_type: "BUY" }),
      );
      expect((await ann.done("GET", `${quotes()}/${id}`)).amount_source).toEqual(euros("0.01"));
      await ann.done("PUT", `${quotes()}/${id}`, { status: "CANCELLED" });
      const late = await ann.made(quotes(), quote({}));
      await instance().clock.advance(61_000);
      expect((await ann.done("GET", `${quotes()}/${late}`)).status).toBe("EXPIRED");
      for (const [wrong, words] of [
        [{ order_type: "SWAP" }, "SELL or BUY"],
        [{ currency_target: "EUR" }, "are one"],
        [{ currency_target: "XAU" }, "in XAU"],
        [{ counterparty_alias: { type: "IBAN", value: bob.iban } }, "an account in USD"],
        [{ amount: { value: "1.00", currency: "USD" } }, "amount is in EUR"],
      ] as const)
        expect(await ann.refused("POST", quotes(), quote(wrong))).toMatch(words);
      expect((await admin("PUT", "/rates", { rates: { USD: "-1" } })).status).toBe(400);
    });

    const makeAbroad = async (name: string) => {
      const quoteId = await ann.made(`${ann.user}/transferwise-quote`, {
        currency_source: "EUR",
        currency_target: "GBP",
        amount_source: euros("100.00"),
      });
      const path = `${ann.user}/transferwise-quote/${quoteId}`;
      const detail = [
        { key: "sortCode", value: "231470" },
        { key: "accountNumber", value: "28821822" },
      ];
      const body = { name_account_holder: name, type: "sort_code", detail };
      return { path, body };
    };
    it("sends money abroad for a fee, by what is asked of the recipient", async () => {
      const { path, body } = await makeAbroad("Jo Bloggs");
      expect(await ann.done("GET", path)).toMatchObject({
        amount_fee: euros("1.10"),
        amount_target: { value: "87.03", currency: "GBP" },
      });
      const [local] = await ann.done("GET", `${path}/transferwise-recipient-requirement`);
      expect(local.fields.map(({ group }: { group: { key: string } }) => group.key)).toEqual([
        "sortCode",
        "accountNumber",
      ]);
      const recipients = `${path}/transferwise-recipient`;
      expect(await ann.refused("POST", recipients, { ...body, detail: [] })).toMatch("Sort code");
      await ann.made(`${path}/transferwise-recipient-requirement`, body);
      const spare = await ann.made(recipients, body);
      await ann.done("DELETE", `${recipients}/${spare}`);
      const recipient = await ann.made(recipients, body);
      expect(await ann.done("GET", `${recipients}/${recipient}`)).toMatchObject({ bank_code: "231470" });
      expect(await ann.done("GET", recipients)).toHaveLength(1);
      await ann.made(`${path}/transferwise-transfer-requirement`, { recipient_id: String(recipient) });
      const before = Number(await ann.balance());
      const order = { monetary_account_id: String(ann.ledgerId), recipient_id: String(recipient) };
      const id = await ann.made(`${path}/transferwise-transfer`, order);
      expect(Number(await ann.balance())).toBe(before - 100);
      expect(await ann.refused("POST", `${path}/transferwise-transfer`, order)).toMatch("taken already");
      await instance().clock.advance(60 * 60_000);
      expect((await ann.done("GET", `${path}/transferwise-transfer/${id}`)).status).toBe("PROCESSING");
      await instance().clock.advance(DAY_MS);
      expect(await ann.done("GET", `${path}/transferwise-transfer`)).toMatchObject([
        { id, status: "COMPLETED", status_transferwise: "outgoing_payment_sent" },
      ]);
    });

    it("gives back what nobody abroad takes, with its fee", async () => {
      const { path, body } = await makeAbroad("Bounce AC04");
      const recipient = await ann.made(`${path}/transferwise-recipient`, body);
      const before = await ann.balance();
      const order = { monetary_account_id: String(ann.ledgerId), recipient_id: String(recipient) };
      const id = await ann.made(`${path}/transferwise-transfer`, order);
      await instance().clock.advance(2 * DAY_MS);
      expect((await ann.done("GET", `${path}/transferwise-transfer/${id}`)).status).toBe("REFUNDED");
      expect(await ann.balance()).toBe(before);
    });

    it("offers without obligation, and knows currencies, users and beneficiaries", async () => {
      const temporary = `${ann.user}/transferwise-quote-temporary`;
      const both = { currency_source: "EUR", currency_target: "JPY" };
      expect(await ann.refused("POST", temporary, both)).toMatch("Either");
      const id = await ann.made(temporary, { ...both, amount_target: { value: "1600", currency: "JPY" } });
      expect((await ann.done("GET", `${temporary}/${id}`)).amount_source).toEqual(euros("10.56"));
      const currencies = await ann.done("GET", `${ann.user}/transferwise-currency`);
      expect(currencies).toContainEqual({ currency: "JPY", name: "Japanese Yen", country: "JP" });
      await ann.made(`${ann.user}/transferwise-user`, { oauth_code: "abc" });
      expect(await ann.done("GET", `${ann.user}/transferwise-user`)).toMatchObject([{ source: "LINKED" }]);
      const beneficiaries = `${ann.user}/currency-cloud-beneficiary`;
      const [, , wire] = await ann.done("GET", `${beneficiaries}-requirement?currency=USD`);
      expect(wire).toMatchObject({ payment_type: "swift_code", legal_entity_type: "INDIVIDUAL" });
      const beneficiary = {
        name: "Jo",
        country: "US",
        currency: "USD",
        payment_type: "aba",
        legal_entity_type: "INDIVIDUAL",
        all_field: ["abartn=111000025", "accountNumber=12345678"],
      };
      expect(await ann.refused("POST", beneficiaries, { ...beneficiary, all_field: [] })).toMatch("Routing");
      const made = await ann.made(beneficiaries, beneficiary);
      expect(await ann.done("GET", `${beneficiaries}/${made}`)).toMatchObject({ account_number: "12345678" });
      expect(await ann.done("GET", beneficiaries)).toHaveLength(1);
      const pointers = [{ type: "BENEFICIARY", value: String(made) }];
      await ann.made(`${ann.ledger}/currency-cloud-payment-quote`, { pointers });
    });

    it("shares out what comes in by a rule, now and each time", async () => {
      const savings = await bob.openAccount("EUR");
      const pay = (value: string) =>
        ann.done("POST", `${ann.ledger}/payment`, {
          amount: euros(value),
          counterparty_alias: { type: "IBAN", value: bob.iban },
          description: "Wages",
        });
      await pay("50.00");
      const [wages] = await bob.done("GET", `${bob.ledger}/payment?count=1`);
      const path = `${bob.ledger}/payment-auto-allocate`;
      const definition = [
        { counterparty_alias: { type: "IBAN", value: savings.iban }, description: "Save", fraction: 20 },
        {
          counterparty_alias: { type: "IBAN", value: savings.iban },
          description: "More",
          amount: euros("5.00"),
        },
      ];
      const tooMuch = [{ ...definition[1], amount: euros("50.01") }];
      const rule = { payment_id: wages.id, type: "RECURRING" };
      expect(await bob.refused("POST", path, { ...rule, definition: tooMuch })).toMatch("more than comes in");
      const id = await bob.made(path, { ...rule, definition });
      await eventually(async () => (await bob.balance(savings.id)) === "15.00");
      await pay("10.00");
      await eventually(async () => (await bob.balance(savings.id)) === "22.00");
      await bob.done("PUT", `${path}/${id}`, { definition: [definition[0]] });
      expect(await bob.done("GET", `${path}/${id}/definition`)).toMatchObject([{ fraction: 20 }]);
      const [latest, first] = await bob.done("GET", `${path}/${id}/instance`);
      expect(latest).toMatchObject({ status: "SUCCEEDED", payment_auto_allocate_id: id });
      const one = await bob.done("GET", `${path}/${id}/instance/${first.id}`);
      expect(one.payment_batch.payments.Payment).toMatchObject([
        { amount: euros("-10.00") },
        { amount: euros("-5.00") },
      ]);
      expect(await bob.done("GET", `${path}/${id}`)).toMatchObject({ trigger_amount: euros("50.00") });
      for (const list of [path, `${bob.user}/payment-auto-allocate`])
        expect(await bob.done("GET", list)).toMatchObject([{ id, status: "ACTIVE" }]);
      await bob.done("DELETE", `${path}/${id}`);
      await pay("10.00");
      expect(await bob.done("GET", path)).toEqual([]);
      expect(await bob.balance(savings.id)).toBe("22.00");
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

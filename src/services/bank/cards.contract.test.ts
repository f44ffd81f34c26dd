/** The life cycle of cards and their use by merchants, on both databases. */
import { expect, it } from "vitest";
import { BankCaller } from "../../../tests/support/bank.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "bank cards",
  (instance) => {
    const person = async () => {
      const { body } = await instance().apiKey(
        "X-Vendor-Client-Authentication",
        "POST",
        "/bank/v1/sandbox-user-person",
        { body: {} },
      );
      // The key itself: a session would end on journeys in time.
      const caller = new BankCaller(instance);
      caller.session = body.api_key;
      caller.signs = false;
      caller.userId = (await caller.send("GET", "/user")).body[0].id;
      const [ledger] = (await caller.send("GET", `/user/${caller.userId}/monetary-account`)).body;
      return { caller, ledger, home: `/user/${caller.userId}` };
    };
    type Person = Awaited<ReturnType<typeof person>>;
    const order = async ({ caller, home }: Person, kind = "debit", more: object = {}) => {
      const names = (await caller.send("GET", `${home}/card-name`)).body[0].possible_card_name_array;
      const body = {
        second_line: "Travel",
        name_on_card: names[0],
        type: "MASTERCARD",
        product_type: "MASTERCARD_DEBIT",
        pin_code_assignment: [{ type: "PRIMARY", routing_type: "MANUAL", pin_code: "4821" }],
        ...more,
      };
      return caller.send("POST", `${home}/card-${kind}`, { body });
    };
    const virtual = async (someone: Person): Promise<number> =>
      (await order(someone, "debit", { order_status: "VIRTUAL_DELIVERY" })).body.Id.id;
    const use = (body: object) =>
      instance().bearer("POST", "/_medley/bank/card-transactions", {
        body: {
          account: accounts.first.id,
          amount: { value: "20.00", currency: "EUR" },
          merchant: { name: "Corner Bakery", city: "Utrecht" },
          ...body,
        },
      });
    const balance = async ({ caller, home, ledger }: Person) =>
      (await caller.send("GET", `${home}/monetary-account/${ledger.id}`)).body.balance.value;

    it("makes, sends and activates a card on the clock", async () => {
      const someone = await person();
      const { caller, home } = someone;
      const ordered = await order(someone);
      expect(ordered.status).toBe(200);
      const path = `${home}/card/${ordered.body.Id.id}`;
      expect((await caller.send("GET", path)).body).toMatchObject({
        status: "DEACTIVATED",
        order_status: "NEW_CARD_REQUEST_RECEIVED",
        card_limit: { value: "1000.00", currency: "EUR" },
        country_permission: [{ country: "NL" }],
        pin_code_assignment: [{ type: "PRIMARY", monetary_account_id: someone.ledger.id }],
      });
      const activate = (activation_code: string) =>
        caller.send("PUT", path, { body: { status: "ACTIVE", activation_code } });
      expect((await activate("000000")).body.Error[0].error_description).toContain("NEW_CARD_REQUEST");
      await instance().clock.advance("P1D");
      expect((await caller.send("GET", path)).body.order_status).toBe("ACCEPTED_FOR_PRODUCTION");
      const letters = await instance().bearer("GET", "/_medley/outbox?limit=100");
      const letter = letters.body.messages.find(
        ({ kind, body }: any) => kind === "letter" && body.card_id === ordered.body.Id.id,
      );
      expect((await activate("000000")).status).toBe(400);
      expect((await activate(letter.body.activation_code)).status).toBe(200);
      await instance().clock.advance("P4D");
      expect((await caller.send("GET", path)).body).toMatchObject({
        status: "ACTIVE",
        order_status: "DELIVERED_TO_CUSTOMER",
      });
      expect(
        (await caller.send("PUT", path, { body: { order_status: "CARD_REQUEST_PENDING" } })).status,
      ).toBe(400);
    });

    it("keeps money for merchants until they settle, and gives it back", async () => {
      const someone = await person();
      const { caller, home, ledger } = someone;
      const cardId = await virtual(someone);
      const kept = await use({ cardId });
      expect([kept.status, kept.body]).toMatchObject([200, { status: "AUTHORISED", decision: "ALLOWED" }]);
      expect(await balance(someone)).toBe("480.00");
      const change = (action: string, more: object = {}) =>
        use({ action, transactionId: kept.body.id, amount: undefined, ...more });
      expect((await change("settle", { amount: { value: "15.00", currency: "EUR" } })).body.status).toBe(
        "SETTLED",
      );
      expect(await balance(someone)).toBe("485.00");
      expect((await change("settle")).status).toBe(400);
      expect((await change("reverse")).status).toBe(400);
      expect((await change("refund", { amount: { value: "5.00", currency: "EUR" } })).body.status).toBe(
        "SETTLED",
      );
      expect((await change("refund")).body.status).toBe("REFUNDED");
      expect((await change("refund")).status).toBe(400);
      expect(await balance(someone)).toBe("500.00");
      const actions = `${home}/monetary-account/${ledger.id}/mastercard-action`;
      const read = await caller.send("GET", `${actions}/${kept.body.id}`);
      expect(read.body).toMatchObject({
        card_id: cardId,
        decision: "ALLOWED",
        amount_billing: { value: "15.00" },
        amount_original_billing: { value: "20.00" },
        clearing_status: "FIRST_PRESENTMENT_COMPLETE",
        counterparty_alias: { display_name: "Corner Bakery" },
      });
      const payments = await caller.send("GET", `${actions}/${kept.body.id}/payment`);
      expect(payments.body.map(({ amount }: { amount: { value: string } }) => amount.value)).toEqual([
        "10.00",
        "5.00",
        "5.00",
        "-20.00",
      ]);
      const note = await caller.send("POST", `${actions}/${kept.body.id}/note-text`, {
        body: { content: "Bread" },
      });
      expect(note.status).toBe(200);
    });

    it("gives back what no merchant comes for within a week", async () => {
      const someone = await person();
      const { body } = await use({ cardId: await virtual(someone) });
      await instance().clock.advance("P8D");
      expect(await balance(someone)).toBe("500.00");
      expect((await use({ action: "settle", transactionId: body.id })).status).toBe(400);
    });

    it("refuses by status, country, limit, code, balance", async () => {
      const someone = await person();
      const { caller, home, ledger } = someone;
      const cardId = await virtual(someone);
      const path = `${home}/card/${cardId}`;
      const put = async (body: object) => (await caller.send("PUT", path, { body })).status;
      const decision = async (more: object) => (await use({ cardId, ...more })).body.decision;
      const abroad = { merchant: { name: "Konditorei", city: "Berlin", country: "DE" } };
      expect(await decision(abroad)).toBe("REFUSED_COUNTRY");
      const until = new Date(instance().clock.nowMs() + 3600_000)
        .toISOString()
        .slice(0, 19)
        .replace("T", " ");
      const country_permission = [{ country: "NL" }, { country: "DE", expiry_time: until }];
      expect(await put({ country_permission })).toBe(200);
      expect(await decision(abroad)).toBe("ALLOWED");
      await instance().clock.advance("PT2H");
      expect(await decision(abroad)).toBe("REFUSED_COUNTRY");
      expect(await put({ card_limit: { value: "50.00", currency: "EUR" } })).toBe(200);
      expect(await decision({ amount: { value: "30.01", currency: "EUR" } })).toBe("REFUSED_LIMIT");
      expect(await put({ card_limit: { value: "2000.00", currency: "EUR" } })).toBe(200);
      expect(await decision({ amount: { value: "600.00", currency: "EUR" } })).toBe("REFUSED_BALANCE");
      expect(await decision({ entry: "ATM", pin: "4821" })).toBe("ALLOWED");
      expect(await put({ status: "DEACTIVATED" })).toBe(200);
      expect(await decision({})).toBe("REFUSED_CARD_STATUS");
      expect(await put({ status: "ACTIVE" })).toBe(200);
      const status = async () => (await caller.send("GET", path)).body.status;
      for (const [pin, unlocking] of [
        ["2222", { status: "ACTIVE", pin_code: "2222" }],
        ["3333", { pin_code_assignment: [{ type: "PRIMARY", pin_code: "3333" }] }],
      ] as const) {
        for (let time = 0; time < 3; time += 1)
          expect(await decision({ entry: "CHIP", pin: "1111" })).toBe("REFUSED_PIN");
        expect(await status()).toBe("PIN_TRIES_EXCEEDED");
        expect(await put({ status: "ACTIVE" })).toBe(400);
        expect(await put(unlocking)).toBe(200);
        expect(await status()).toBe("ACTIVE");
        expect(await decision({ entry: "CHIP", pin })).toBe("ALLOWED");
      }
      const changed = await caller.send("PUT", path, {
        body: { second_line: "Travel" },
        headers: { "X-Bunq-Language": "en_US" },
      });
      expect(changed.body).toEqual({ Response: [{ Id: { id: cardId }, Card: { id: cardId } }] });
      expect(await put({ status: "LOST" })).toBe(200);
      expect(await put({ status: "ACTIVE" })).toBe(400);
      const list = await caller.send(
        "GET",
        `${home}/monetary-account/${ledger.id}/mastercard-action?count=200`,
      );
      expect(list.body.filter((one: any) => one.payment_status === "PAYMENT_FAILED")).toHaveLength(11);
    });

    it("leads numbers and codes to accounts, and falls back", async () => {
      const someone = await person();
      const { caller, home, ledger } = someone;
      const other = await caller.send("POST", `${home}/monetary-account-bank`, { body: { currency: "EUR" } });
      const otherId = other.body.Id.id;
      const cardId = await virtual(someone);
      const path = `${home}/card/${cardId}`;
      const primary_account_numbers = [{ description: "Shops", monetary_account_id: otherId }];
      const pin_code_assignment = [{ type: "SECONDARY", pin_code: "3333", monetary_account_id: otherId }];
      const put = await caller.send("PUT", path, { body: { primary_account_numbers, pin_code_assignment } });
      expect(put.status).toBe(200);
      const { body: card } = await caller.send("GET", path);
      const number = card.primary_account_numbers.find((one: any) => one.monetary_account_id === otherId);
      expect(card.pin_code_assignment).toHaveLength(2);
      const byNumber = { cardId, entry: "E_COMMERCE", primaryAccountNumberId: number.id };
      expect((await use(byNumber)).body).toMatchObject({
        decision: "REFUSED_BALANCE",
        monetaryAccountId: otherId,
      });
      const fallback = await caller.send("PUT", path, { body: { monetary_account_id_fallback: ledger.id } });
      expect(fallback.status).toBe(200);
      expect((await use(byNumber)).body).toMatchObject({ decision: "ALLOWED", monetaryAccountId: ledger.id });
      const cancelled = [{ id: number.id, status: "CANCELLED" }];
      expect((await caller.send("PUT", path, { body: { primary_account_numbers: cancelled } })).status).toBe(
        200,
      );
      expect((await use(byNumber)).body.decision).toBe("REFUSED_NUMBER");
      const renamed = { second_line: "Fun", preferred_name_on_card: "Boss" };
      expect((await caller.send("PUT", path, { body: renamed })).status).toBe(200);
      expect((await caller.send("GET", path)).body).toMatchObject({
        second_line: "Fun",
        preferred_name_on_card: "Boss",
        monetary_account_id_fallback: ledger.id,
      });
    });

    it("makes codes for the web that are used once and end", async () => {
      const someone = await person();
      const { caller, home } = someone;
      const cardId = await virtual(someone);
      const codes = `${home}/card/${cardId}/generated-cvc2`;
      const make = async (type: string) => {
        const made = await caller.send("POST", codes, { body: { type } });
        return (await caller.send("GET", `${codes}/${made.body.Id.id}`)).body;
      };
      const shop = async (cvc2: string) => (await use({ cardId, entry: "E_COMMERCE", cvc2 })).body.decision;
      const once = await make("GENERATED");
      expect(once).toMatchObject({ type: "GENERATED", status: "AVAILABLE" });
      expect(await shop(once.cvc2)).toBe("ALLOWED");
      expect((await caller.send("GET", `${codes}/${once.id}`)).body.status).toBe("USED");
      const late = await make("GENERATED");
      await instance().clock.advance("PT6M");
      expect(await shop(late.cvc2)).toBe("REFUSED_CVC2");
      expect((await caller.send("GET", `${codes}/${late.id}`)).body.status).toBe("EXPIRED");
      const lasting = await make("GENERATED");
      expect((await caller.send("PUT", `${codes}/${lasting.id}`, { body: { type: "STATIC" } })).status).toBe(
        200,
      );
      await instance().clock.advance("PT6M");
      expect(await shop(lasting.cvc2)).toBe("ALLOWED");
      expect((await caller.send("GET", codes)).body).toHaveLength(3);
      expect((await caller.send("PUT", `${codes}/${once.id}`, { body: { type: "STATIC" } })).status).toBe(
        400,
      );
    });

    it("changes and replaces several at once, all or none", async () => {
      const someone = await person();
      const { caller, home } = someone;
      const ids = [await virtual(someone), (await order(someone, "credit")).body.Id.id];
      const own = `${home}/monetary-account-card`;
      const [account] = (await caller.send("GET", own)).body;
      expect((await caller.send("GET", `${own}/${account.id}`)).body).toMatchObject({
        description: "Travel",
      });
      const renamed = { body: { description: "Credit" } };
      expect((await caller.send("PUT", `${own}/${account.id}`, renamed)).status).toBe(200);
      const card_limit = { value: "77.00", currency: "EUR" };
      const batch = (cards: object[]) => caller.send("POST", `${home}/card-batch`, { body: { cards } });
      expect(
        (
          await batch([
            { id: ids[0], card_limit },
            { id: ids[1], status: "EXPIRED" },
          ])
        ).status,
      ).toBe(400);
      expect((await caller.send("GET", `${home}/card/${ids[0]}`)).body.card_limit.value).toBe("1000.00");
      for (const id of [2 ** 53, 1e19]) expect((await batch([{ id, card_limit }])).status).toBe(400);
      const changed = await batch(ids.map((id) => ({ id, card_limit })));
      expect(changed.body.updated_card_ids).toEqual(ids.map((id) => ({ id })));
      const replaced = await caller.send("POST", `${home}/card-batch-replace`, {
        body: { cards: [{ id: ids[0], second_line: "Next" }] },
      });
      const [{ id: newId }] = replaced.body.updated_card_ids;
      expect((await caller.send("GET", `${home}/card/${ids[0]}`)).body).toMatchObject({
        status: "CANCELLED",
        sub_status: "REPLACED",
        card_replacement: { card_new_id: newId },
      });
      expect((await caller.send("GET", `${home}/card/${newId}`)).body).toMatchObject({
        second_line: "Next",
        card_limit,
        order_status: "CARD_REQUEST_PENDING",
      });
      const again = { body: {} };
      expect((await caller.send("POST", `${home}/card/${ids[0]}/replace`, again)).status).toBe(400);
      expect((await caller.send("POST", `${home}/card/${ids[1]}/replace`, again)).status).toBe(200);
      expect((await caller.send("GET", `${home}/card`)).body).toHaveLength(4);
      const stranger = await person();
      expect((await stranger.caller.send("GET", `${stranger.home}/card/${ids[0]}`)).status).toBe(404);
    });

    it("tells of money that comes from elsewhere", async () => {
      const someone = await person();
      const { caller, home, ledger } = someone;
      const iban = ledger.alias.find(({ type }: { type: string }) => type === "IBAN").value;
      const pay = (by: string) =>
        instance().bearer("POST", "/_medley/bank/incoming-payments", {
          body: {
            account: accounts.first.id,
            iban,
            amount: { value: "10.00", currency: "EUR" },
            description: "Back pay",
            from: { name: "Old Employer", iban: "DE75512108001245126199" },
            by,
          },
        });
      const switched = await pay("SWITCH_SERVICE");
      const topped = await pay("CARD");
      expect([switched.status, topped.status, (await pay("TRANSFER")).status]).toEqual([200, 200, 200]);
      const below = `${home}/monetary-account/${ledger.id}`;
      const read = await caller.send("GET", `${below}/switch-service-payment/${switched.body.id}`);
      expect(read.body).toMatchObject({
        bank_switch_service: { alias: "DE75512108001245126199" },
        payment: { amount: { value: "10.00" }, counterparty_alias: { display_name: "Old Employer" } },
      });
      const note = await caller.send("POST", `${below}/adyen-card-transaction/${topped.body.id}/note-text`, {
        body: { content: "Top up" },
      });
      expect(note.status).toBe(200);
      expect(await balance(someone)).toBe("530.00");
      expect((await use({ action: "settle" })).status).toBe(400);
      expect((await use({ cardId: 999_999 })).status).toBe(400);
      expect((await use({ account: "nobody", cardId: 1 })).status).toBe(400);
    });

    it("ends cards whose date has come", async () => {
      const someone = await person();
      const cardId = await virtual(someone);
      await instance().clock.advance("P1700D");
      const { body } = await someone.caller.send("GET", `${someone.home}/card/${cardId}`);
      expect(body.status).toBe("EXPIRED");
      expect((await use({ cardId })).body.decision).toBe("REFUSED_CARD_EXPIRED");
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

/** Tabs, fundraisers, payment pages, merchant transactions, direct debits and drafts of service providers. */
import { beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { newProvider } from "../../../tests/support/bank-provider.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const DAY_MS = 86_400_000;

onBothDatabases(
  "pages to pay on",
  (instance) => {
    let shop: BankPerson;
    let buyer: BankPerson;
    beforeAll(async () => {
      [shop, buyer] = await Promise.all([newHolder(instance, "company"), newHolder(instance)]);
    });
    const open = (url: string) => instance().send("GET", url);
    const press = (url: string, fields: Record<string, string>) =>
      instance().send("POST", url, { body: new URLSearchParams(fields) });
    const attemptIn = (page: string): string => /name="attempt" value="([^"]+)"/.exec(page)?.[1] ?? "";
    /** Submits the form of a payment page and returns the address of the redirect. */
    const pay = async (url: string, fields: Record<string, string>): Promise<string> => {
      const attempt = attemptIn((await open(url)).text);
      const answer = await press(url, { attempt, name: "Sam Payer", ...fields });
      expect([answer.status, answer.status === 303 ? "" : answer.text]).toEqual([303, ""]);
      return `${instance().url}${answer.headers.get("location")}`;
    };
    const makeTab = async (entry: object): Promise<{ id: number; url: string; path: string }> => {
      const id = await shop.made(`${shop.ledger}/vendorme-tab`, { vendorme_tab_entry: entry });
      const path = `${shop.ledger}/vendorme-tab/${id}`;
      return { id, path, url: (await shop.done("GET", path)).vendorme_tab_share_url };
    };

    it("lets strangers pay for a tab, at once and with the next clearing", async () => {
      const tab = await makeTab({
        amount_inquired: euros("9.95"),
        description: "Two <b>coffees</b>",
        redirect_url: "https://shop.example/thanks",
      });
      const before = Number(await shop.balance());
      const page = await open(tab.url);
      expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
      expect(page.text).toMatch("9.95 EUR");
      expect(page.text).toMatch("Two &lt;b&gt;coffees&lt;/b&gt;");
      const thanks = await open(await pay(tab.url, { way: "instant" }));
      expect(thanks.text).toMatch("The money has arrived.");
      expect(thanks.text).toMatch("https://shop.example/thanks");
      expect(Number(await shop.balance())).toBeCloseTo(before + 9.95);
      const coming = await open(await pay(tab.url, { way: "transfer" }));
      expect(coming.text).toMatch("on its way");
      await instance().clock.advance(15 * 60_000);
      const { result_inquiries, status } = await shop.done("GET", tab.path);
      expect([status, result_inquiries.length]).toEqual(["WAITING_FOR_PAYMENT", 2]);
      expect(result_inquiries[0]).toMatchObject({
        vendor_me_tab_id: tab.id,
        payment: { amount: euros("9.95"), counterparty_alias: { display_name: "Sam Payer" } },
      });
      expect((await shop.done("GET", `${shop.ledger}/vendorme-tab`))[0].id).toBe(tab.id);
    });

    it("asks how much where the tab does not say, and pays a form once", async () => {
      const { url, path } = await makeTab({ description: "Whatever you like" });
      const attempt = attemptIn((await open(url)).text);
      const wrong = await press(url, { attempt, name: "Sam", way: "instant", amount: "much" });
      expect([wrong.status, wrong.text]).toEqual([400, expect.stringMatching("how much")]);
      const again = attemptIn(wrong.text);
      const form = { attempt: again, name: "Sam", way: "instant", amount: "3,50" };
      expect((await press(url, form)).status).toBe(303);
      expect((await press(url, form)).text).toMatch("sent before");
      expect((await press(url, { ...form, way: "barter" })).status).toBe(400);
      expect((await shop.done("GET", path)).result_inquiries).toHaveLength(1);
      await shop.done("PUT", path, { vendorme_tab_entry: { description: "Nothing" }, status: "CANCELLED" });
      expect((await open(url)).text).toMatch("can no longer be paid");
      expect(await shop.refused("PUT", path, { vendorme_tab_entry: {}, status: "CANCELLED" })).toMatch(
        "CANCELLED",
      );
      expect((await open(`${instance().url}/bank/v1/share/nothing`)).status).toBe(404);
    });

    it("shows what a user of the bank paid on a tab to both sides", async () => {
      const { url, path } = await makeTab({ amount_inquired: euros("4.00"), description: "Cake" });
      const order = { counterparty_alias: { type: "URL", value: url }, description: "Cake" };
      const wrong = { ...order, amount: euros("3.00") };
      expect(await buyer.refused("POST", `${buyer.ledger}/payment`, wrong)).toMatch("not the amount");
      const id = await buyer.made(`${buyer.ledger}/payment`, { ...order, amount: euros("4.00") });
      const response = await buyer.done("GET", `${buyer.ledger}/vendorme-tab-result-response/${id}`);
      expect(response.payment).toMatchObject({ id, amount: euros("-4.00") });
      const { result_inquiries } = await shop.done("GET", path);
      expect(result_inquiries[0].payment.amount).toEqual(euros("4.00"));
      const none = `${buyer.ledger}/vendorme-tab-result-response/${id + 1}`;
      expect(await buyer.refused("GET", none, undefined, 404)).toMatch("No tab");
    });

    it("ends a tab by time", async () => {
      const { path } = await makeTab({ description: "Old" });
      await instance().clock.advance(30 * DAY_MS);
      expect((await shop.done("GET", path)).status).toBe("EXPIRED");
    });

    it("closes the page of a fundraiser with its account, and opens it with it", async () => {
      const giver = await newHolder(instance);
      const [{ id, pointer }] = await giver.done("GET", `${giver.user}/vendorme-fundraiser-profile`);
      const spare = await giver.openAccount("EUR");
      await giver.done("POST", `${giver.ledger}/payment`, {
        amount: euros("500.00"),
        counterparty_alias: { type: "IBAN", value: spare.iban },
        description: "All of it",
      });
      const account = `${giver.user}/monetary-account-bank/${giver.ledgerId}`;
      const statusOf = async () =>
        (await giver.done("GET", `${giver.user}/vendorme-fundraiser-profile/${id}`)).status;
      await giver.done("PUT", account, { status: "BLOCKED" });
      expect((await open(pointer.value)).text).toMatch("can no longer be paid");
      await giver.done("PUT", account, { status: "BLOCKED", sub_status: "ONLY_ACCEPTING_INCOMING" });
      expect((await open(pointer.value)).text).not.toMatch("can no longer be paid");
      await giver.done("PUT", account, { status: "ACTIVE" });
      await giver.done("PUT", account, { status: "CANCELLED", sub_status: "REDEMPTION_VOLUNTARY" });
      expect([await statusOf(), (await open(pointer.value)).text]).toEqual([
        "DEACTIVATED",
        expect.stringContaining("can no longer be paid"),
      ]);
      await giver.done("PUT", account, { status: "PENDING_REOPEN" });
      await giver.done("PUT", account, { status: "ACTIVE" });
      expect(await statusOf()).toBe("ACTIVE");
    });

    it("raises money on the page of a fundraiser", async () => {
      const [profile] = await buyer.done("GET", `${buyer.user}/vendorme-fundraiser-profile`);
      expect(profile).toMatchObject({
        status: "ACTIVE",
        monetary_account_id: buyer.ledgerId,
        currency: "EUR",
      });
      const one = await buyer.done("GET", `${buyer.user}/vendorme-fundraiser-profile/${profile.id}`);
      expect(one.pointer).toEqual(profile.pointer);
      await pay(profile.pointer.value, { way: "instant", amount: "12" });
      const result = await buyer.done("GET", `${buyer.ledger}/vendorme-fundraiser-result/${profile.id}`);
      expect(result.payments).toMatchObject([{ amount: euros("12.00") }]);
      await buyer.made(`${buyer.ledger}/vendorme-fundraiser-result/${profile.id}/note-text`, {
        content: "Kind",
      });
      expect(
        await shop.refused("GET", `${shop.user}/vendorme-fundraiser-profile/${profile.id}`, undefined, 404),
      ).toMatch("no fundraiser");
    });

    it("settles a request to a stranger on its page", async () => {
      const id = await shop.made(`${shop.ledger}/request-inquiry`, {
        amount_inquired: euros("6.00"),
        counterparty_alias: { type: "EMAIL", value: "someone@example.org" },
        description: "Invoice 7",
        allow_vendorme: true,
      });
      const path = `${shop.ledger}/request-inquiry/${id}`;
      await pay((await shop.done("GET", path)).vendorme_share_url, { way: "instant" });
      expect(await shop.done("GET", path)).toMatchObject({
        status: "ACCEPTED",
        amount_responded: euros("6.00"),
      });
    });

    it.each([
      ["SUCCESS", "SUCCESS", "You have paid."],
      ["FAILURE", "FAILURE", "was refused"],
      ["CANCELLED", "CANCELLED", "was cancelled"],
    ])("ends an iDEAL transaction on the issuer's page with %s", async (outcome, status, words) => {
      const path = `${shop.ledger}/ideal-merchant-transaction`;
      const before = Number(await shop.balance());
      const id = await shop.made(path, { amount_requested: euros("20.00"), issuer: "TESTNL2A" });
      const { issuer_authentication_url: url, ...begun } = await shop.done("GET", `${path}/${id}`);
      expect(begun).toMatchObject({ status: "OPEN", issuer_name: "Test Bank Amsterdam" });
      expect((await open(url)).text).toMatch("20.00 EUR");
      expect((await press(url, { outcome: "MAYBE" })).status).toBe(400);
      expect((await press(url, { outcome, name: "P. Ayer" })).status).toBe(303);
      await press(url, { outcome: "SUCCESS" });
      expect((await open(url)).text).toMatch(words);
      const ended = (await shop.done("GET", path))[0];
      expect(ended).toMatchObject({ id, status });
      expect(Number(await shop.balance())).toBe(before + (status === "SUCCESS" ? 20 : 0));
      if (status !== "SUCCESS") expect(ended.error_message).toHaveLength(1);
    });

    it("lets a transaction expire, and refuses banks that it does not know", async () => {
      const path = `${shop.ledger}/ideal-merchant-transaction`;
      const body = { amount_requested: euros("1.00"), issuer: "NOBANK" };
      expect(await shop.refused("POST", path, body)).toMatch("issuer must be one of");
      const id = await shop.made(path, { ...body, issuer: "TESTDEFF" });
      await instance().clock.advance(15 * 60_000);
      expect((await shop.done("GET", `${path}/${id}`)).status).toBe("EXPIRED");
    });

    it("leads from the tab to the bank of the payer and back", async () => {
      const { url, path } = await makeTab({ amount_inquired: euros("5.00"), description: "Book" });
      const issuer = await pay(url, { way: "sofort" });
      await press(issuer, { outcome: "SUCCESS", name: "Kim" });
      expect((await open(issuer)).text).toMatch("Back to the shop");
      const { result_inquiries } = await shop.done("GET", path);
      expect(result_inquiries[0].payment).toMatchObject({ type: "SOFORT", amount: euros("5.00") });
      const [transaction] = await shop.done("GET", `${shop.ledger}/sofort-merchant-transaction`);
      expect(
        await shop.done("GET", `${shop.ledger}/sofort-merchant-transaction/${transaction.id}`),
      ).toMatchObject({ status: "SUCCESS" });
    });

    it("makes a request of a code that a user reads", async () => {
      const path = `${shop.ledger}/ideal-merchant-transaction`;
      const id = await shop.made(path, { amount_requested: euros("3.00"), issuer: "TESTNL2A" });
      const { transaction_identifier: token } = await shop.done("GET", `${path}/${id}`);
      const code = `${buyer.user}/token-qr-request-ideal`;
      expect(await buyer.refused("POST", code, { token: "nothing" })).toMatch("leads to nothing");
      const response = await buyer.done("POST", code, { token });
      expect(response).toMatchObject({ status: "PENDING", amount_inquired: euros("3.00") });
      const answer = `${buyer.ledger}/request-response/${response.id}`;
      await buyer.done("PUT", answer, { status: "ACCEPTED" });
      expect((await shop.done("GET", `${path}/${id}`)).status).toBe("SUCCESS");
      const { url } = await makeTab({ amount_inquired: euros("2.00"), description: "Tea" });
      const sofort = new URL(await pay(url, { way: "sofort" })).pathname.split("/").at(-1);
      const other = await buyer.done("POST", `${buyer.user}/token-qr-request-sofort`, { token: sofort });
      expect(other.amount_inquired).toEqual(euros("2.00"));
    });

    const collect = async (body: object) => {
      const answer = await instance().send("POST", "/_medley/bank/direct-debits", {
        body: {
          iban: buyer.iban,
          amount: euros("25.00"),
          creditor: { name: "City Power", schemeIdentifier: "NL12ZZZ123456780000" },
          mandateIdentifier: "M-1",
          description: "Electricity",
          ...body,
        },
        headers: { authorization: `Bearer ${accounts.first.tokens[0]}` },
      });
      expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
      return answer.body;
    };
    it("collects direct debits after notice, and gives them back", async () => {
      const before = Number(await buyer.balance());
      const { id, status } = await collect({});
      expect(status).toBe("PENDING");
      const path = `${buyer.ledger}/request-response/${id}`;
      expect(await buyer.done("GET", path)).toMatchObject({
        type: "DIRECT_DEBIT",
        sub_type: "ONCE",
        mandate_identifier: "M-1",
      });
      await instance().clock.advance(2 * DAY_MS);
      expect((await buyer.done("GET", path)).status).toBe("ACCEPTED");
      expect(Number(await buyer.balance())).toBe(before - 25);
      await buyer.done("PUT", path, { status: "REFUND_REQUESTED" });
      await instance().clock.advance(DAY_MS);
      expect((await buyer.done("GET", path)).status).toBe("REFUNDED");
      expect(Number(await buyer.balance())).toBe(before);
      const said = await collect({});
      await buyer.done("PUT", `${buyer.ledger}/request-response/${said.id}`, { status: "ACCEPTED" });
      expect(Number(await buyer.balance())).toBe(before - 25);
      const no = await collect({});
      await buyer.done("PUT", `${buyer.ledger}/request-response/${no.id}`, { status: "REJECTED" });
    });

    it.each([
      ["whitelist-sdd-one-off", false],
      ["whitelist-sdd-recurring", true],
    ])("collects at once what a %s covers", async (kind, recurring) => {
      const first = await collect({ recurring });
      const path = `${buyer.user}/${kind}`;
      const id = await buyer.made(path, {
        monetary_account_paying_id: buyer.ledgerId,
        request_id: first.id,
        maximum_amount_per_month: euros("40.00"),
        maximum_amount_per_payment: euros("30.00"),
      });
      await buyer.done("PUT", `${buyer.ledger}/request-response/${first.id}`, { status: "REJECTED" });
      expect((await collect({ recurring, amount: euros("30.01") })).status).toBe("PENDING");
      expect((await collect({ recurring })).status).toBe("ACCEPTED");
      expect((await collect({ recurring })).status).toBe("PENDING");
      await buyer.done("PUT", `${path}/${id}`, { maximum_amount_per_month: euros("60.00") });
      expect((await collect({ recurring })).status).toBe("ACCEPTED");
      expect(await buyer.done("GET", `${path}/${id}`)).toMatchObject({
        maximum_amount_per_month: euros("60.00"),
        credit_scheme_identifier: "NL12ZZZ123456780000",
      });
      for (const list of [path, `${buyer.user}/whitelist-sdd`, `${buyer.ledger}/whitelist-sdd`])
        expect((await buyer.done("GET", list))[0].id).toBe(id);
      for (const one of [`${buyer.user}/whitelist-sdd/${id}`, `${buyer.ledger}/whitelist-sdd/${id}`])
        expect((await buyer.done("GET", one)).status).toBe("ACTIVE");
      await buyer.done("DELETE", `${path}/${id}`);
      expect((await collect({ recurring })).status).toBe("PENDING");
    });

    it("shows the owner of an account what a service provider drafts, and the provider what became of it", async () => {
      const body = {
        sender_iban: buyer.iban,
        counterparty_iban: shop.iban,
        counterparty_name: "Shop",
        description: "Order 5",
        amount: euros("8.00"),
      };
      const drafts = (user: string) => `${user}/payment-service-provider-draft-payment`;
      expect(await shop.refused("POST", drafts(shop.user), body)).toMatch("Only payment service providers");
      // The owner of an account may do this without a service provider.
      const own = await buyer.made(drafts(buyer.user), body);
      await buyer.done("PUT", `${drafts(buyer.user)}/${own}`, { status: "CANCELLED" });

      const provider = await newProvider(instance);
      const path = drafts(provider.user);
      const id = await provider.made(path, body);
      const [draft] = await buyer.done("GET", `${buyer.ledger}/draft-payment`);
      await buyer.done("PUT", `${buyer.ledger}/draft-payment/${draft.id}`, { status: "ACCEPTED" });
      expect(await provider.done("GET", `${path}/${id}`)).toMatchObject({
        status: "ACCEPTED",
        amount: euros("8.00"),
      });
      const taken = await provider.made(path, body);
      await provider.done("PUT", `${path}/${taken}`, { status: "CANCELLED" });
      expect((await buyer.done("GET", `${buyer.ledger}/draft-payment`))[0].status).toBe("CANCELLED");
      expect((await provider.done("GET", path))[0].status).toBe("CANCELLED");
    });

    it("decides nothing about a tab or a request by the address of a payer's bank", async () => {
      const requests = `${shop.ledger}/request-inquiry`;
      const id = await shop.made(requests, {
        amount_inquired: euros("4.00"),
        counterparty_alias: { type: "EMAIL", value: "nobody-here@example.org", name: "Nobody" },
        description: "Lunch",
        allow_vendorme: true,
      });
      const before = await shop.done("GET", `${requests}/${id}`);
      expect(before.status).toBe("PENDING");
      const uuid = String(before.vendorme_share_url).split("/").at(-1);
      const url = `${instance().url}/bank/v1/issuer/${uuid}`;
      expect((await open(url)).status).toBe(404);
      for (const outcome of ["SUCCESS", "FAILURE", "CANCELLED"]) await press(url, { outcome });
      expect((await shop.done("GET", `${requests}/${id}`)).status).toBe("PENDING");
    });

    it("pays what a service provider began when its payer approves", async () => {
      const path = `${shop.user}/payment-service-provider-issuer-transaction`;
      const body = {
        counterparty_alias: { type: "IBAN", value: shop.iban },
        amount: euros("11.00"),
        description: "Order 6",
        url_redirect: "https://shop.example/back",
      };
      const before = Number(await shop.balance());
      const id = await shop.made(path, body);
      const { public_uuid } = await shop.done("GET", `${path}/${id}`);
      const url = `${instance().url}/bank/v1/issuer/${public_uuid}`;
      await press(url, { outcome: "SUCCESS" });
      expect((await open(url)).text).toMatch("https://shop.example/back");
      expect(Number(await shop.balance())).toBe(before + 11);
      const cancelled = await shop.made(path, body);
      await shop.done("PUT", `${path}/${cancelled}`, { status: "CANCELLED" });
      const late = await shop.made(path, body);
      await instance().clock.advance(60 * 60_000);
      expect((await shop.done("GET", path)).map(({ id: at, status }: any) => [at, status])).toEqual([
        [late, "EXPIRED"],
        [cancelled, "CANCELLED"],
        [id, "ACCEPTED"],
      ]);
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

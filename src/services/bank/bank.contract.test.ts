/** The way in, accounts and payments, in both spellings, on both databases. */
import { expect, it } from "vitest";
import { BankCaller } from "../../../tests/support/bank.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const [KEY = ""] = accounts.first.apiKeys;

onBothDatabases(
  "bank",
  (instance) => {
    const plain = (method: string, path: string, body?: unknown) =>
      instance().apiKey("X-Vendor-Client-Authentication", method, `/bank/v1${path}`, { body });
    const sandboxKey = async (): Promise<string> =>
      (await plain("POST", "/sandbox-user-person", {})).body.api_key;

    it("lets an account's key in as its default user", async () => {
      const { status, body } = await plain("GET", "/user");
      expect([status, body.length, body[0].display_name]).toEqual([200, 1, "Robin Default"]);
      const [user] = body;
      const list = await plain("GET", `/user/${user.id}/monetary-account`);
      expect(list.body[0].balance).toEqual({ value: "500.00", currency: "EUR" });
      expect((await plain("GET", `/user/${user.id + 1}/monetary-account`)).status).toBe(404);
      expect((await instance().send("GET", "/bank/v1/user")).status).toBe(401);
    });

    it.each([false, true])("opens sessions whose answers are signed (makers: %s)", async (makers) => {
      const caller = new BankCaller(instance, { makers });
      await caller.enter(await sandboxKey());
      const answer = await caller.send("GET", `/user/${caller.userId}/monetary-account-bank`);
      expect([answer.status, caller.isSignedByBank(answer)]).toEqual([200, true]);
      const first = makers ? answer.body.Response[0].MonetaryAccountBank : answer.body[0];
      expect(first.balance.value).toBe("500.00");
      if (makers) expect(answer.body.Pagination).toMatchObject({ older_url: null, newer_url: null });
      expect((await caller.send("DELETE", "/session/0")).status).toBe(200);
      expect((await caller.send("GET", "/user")).status).toBe(401);
    });

    it("pays at once between users, and each sees its own side", async () => {
      const payer = await new BankCaller(instance).enter(await sandboxKey());
      const payee = await new BankCaller(instance, { makers: true }).enter(await sandboxKey());
      const [from] = (await payer.send("GET", `/user/${payer.userId}/monetary-account`)).body;
      const to = (await payee.send("GET", `/user/${payee.userId}/monetary-account`)).body.Response[0]
        .MonetaryAccountBank;
      const iban = to.alias.find(({ type }: { type: string }) => type === "IBAN").value;
      const path = `/user/${payer.userId}/monetary-account/${from.id}/payment`;
      const body = {
        amount: { value: "12.34", currency: "EUR" },
        counterparty_alias: { type: "IBAN", value: iban },
        description: "Lunch",
      };
      const paid = await payer.send("POST", path, { body });
      expect(paid.status).toBe(200);
      const { body: payment } = await payer.send("GET", `${path}/${paid.body.id}`);
      expect(payment).toMatchObject({
        amount: { value: "-12.34", currency: "EUR" },
        balance_after_mutation: { value: "487.66", currency: "EUR" },
        counterparty_alias: { iban },
      });
      const seen = await payee.send("GET", `/user/${payee.userId}/monetary-account/${to.id}/payment`);
      expect(seen.body.Response[0].Payment).toMatchObject({
        amount: { value: "12.34", currency: "EUR" },
        balance_after_mutation: { value: "512.34", currency: "EUR" },
        description: "Lunch",
      });
      const unsigned = await payer.send("POST", path, { body, isSigned: false });
      expect(unsigned.status).toBe(466);
      const wrong = await payer.send("POST", path, {
        body,
        headers: { "X-Vendor-Client-Signature": "AAAA" },
      });
      expect([wrong.status, wrong.body.Error[0].error_description]).toEqual([
        400,
        "The request signature is invalid.",
      ]);
      const tooMuch = await payer.send("POST", path, {
        body: { ...body, amount: { value: "5000.00", currency: "EUR" } },
      });
      expect([tooMuch.status, tooMuch.body.Error[0].error_description]).toEqual([
        400,
        "There is not enough money in the account.",
      ]);
    });

    it("keeps its balance while many pay at once", async () => {
      const callers = await Promise.all(
        Array.from({ length: 3 }, async () => new BankCaller(instance).enter(await sandboxKey())),
      );
      const ledgers = await Promise.all(
        callers.map(
          async (caller) => (await caller.send("GET", `/user/${caller.userId}/monetary-account`)).body[0],
        ),
      );
      const ibanOf = (at: number) => ledgers[at % 3].alias[0].value;
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, at) =>
          callers[at % 3]?.send(
            "POST",
            `/user/${callers[at % 3]?.userId}/monetary-account/${ledgers[at % 3].id}/payment`,
            {
              body: {
                amount: { value: "20.00", currency: "EUR" },
                counterparty_alias: { type: ledgers[(at + 1) % 3].alias[0].type, value: ibanOf(at + 1) },
                description: `${at}`,
              },
            },
          ),
        ),
      );
      expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([200]));
      const after = await Promise.all(
        callers.map(
          async (caller) =>
            (await caller.send("GET", `/user/${caller.userId}/monetary-account`)).body[0].balance.value,
        ),
      );
      expect(after).toEqual(["500.00", "500.00", "500.00"]);
      const list = await callers[0]?.send(
        "GET",
        `/user/${callers[0]?.userId}/monetary-account/${ledgers[0].id}/payment?count=200`,
      );
      let balance = 0;
      for (const { amount, balance_after_mutation } of (list?.body ?? []).toReversed()) {
        balance += Math.round(Number(amount.value) * 100);
        expect(Math.round(Number(balance_after_mutation.value) * 100)).toBe(balance);
      }
    });

    it("keeps notes on payments", async () => {
      const caller = await new BankCaller(instance).enter(await sandboxKey());
      const ledgers = `/user/${caller.userId}/monetary-account`;
      const [ledger] = (await caller.send("GET", ledgers)).body;
      const [payment] = (await caller.send("GET", `${ledgers}/${ledger.id}/payment`)).body;
      const notes = `${ledgers}/${ledger.id}/payment/${payment.id}/note-text`;
      const made = await caller.send("POST", notes, { body: { content: "At last" } });
      expect(made.status).toBe(200);
      const one = `${notes}/${made.body.Id.id}`;
      expect((await caller.send("PUT", one, { body: { content: "Thanks" } })).status).toBe(200);
      const { body } = await caller.send("GET", notes);
      expect(body).toMatchObject([{ id: made.body.Id.id, content: "Thanks" }]);
      expect((await caller.send("DELETE", one)).status).toBe(200);
      expect((await caller.send("GET", one)).status).toBe(404);
      expect((await caller.send("GET", `${ledgers}/${ledger.id}/payment/1/note-text`)).status).toBe(404);
    });

    it("knows a request id once", async () => {
      const caller = await new BankCaller(instance).enter(await sandboxKey());
      const body = { currency: "EUR", description: "Holiday" };
      const headers = { "X-Vendor-Client-Request-Id": "one" };
      const path = `/user/${caller.userId}/monetary-account-bank`;
      expect((await caller.send("POST", path, { body, headers })).status).toBe(200);
      expect((await caller.send("POST", path, { body, headers })).status).toBe(400);
      expect((await caller.send("GET", path)).body).toHaveLength(2);
      expect((await caller.send("GET", path, { token: KEY })).status).toBe(404);
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

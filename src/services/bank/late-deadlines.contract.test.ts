/** What can be answered until a time is refused from then on, even if the job that ends it has not run yet. */
import { expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import type { Instance, Service } from "../../kernel/operation/index.ts";
import { deadline } from "./book/index.ts";
import bank from "./index.ts";

let inside: Instance;
/** The service as it is; its jobs are within the test's reach. */
const reachable: Service = {
  ...bank,
  start(own) {
    inside = own;
    return bank.start?.(own);
  },
};

onBothDatabases(
  "late deadlines",
  (instance) => {
    /** Passes the end of the record without its job. */
    async function outlast(kind: string, id: number): Promise<void> {
      await inside.transactAs("bank", accounts.first.id, (own) =>
        own.cancelJob(deadline, `deadline:${kind}:${id}`),
      );
      await instance().clock.advance("6m");
    }
    const askedHolder = async (ann: BankPerson): Promise<number> => {
      const cardId = await ann.orderedCard({ second_line: "Web", order_status: "VIRTUAL_DELIVERY" });
      const { body } = await instance().bearer("POST", "/_medley/bank/card-transactions", {
        body: {
          cardId,
          amount: euros("20.00"),
          merchant: { name: "Web Shop", city: "Delft" },
          entry: "E_COMMERCE",
          challenge: true,
        },
      });
      return body.id;
    };

    it("a challenge cannot be answered after its end", async () => {
      const ann = await newHolder(instance);
      const before = await ann.balance();
      const id = await askedHolder(ann);
      await outlast("challenge-request", id);
      const path = `${ann.user}/challenge-request/${id}`;
      for (const status of ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE"])
        expect(await ann.refused("PUT", path, { status })).toMatch("has ended");
      expect(await ann.balance()).toBe(before);
    });

    it("an offer of another currency cannot be accepted after its end", async () => {
      const ann = await newHolder(instance);
      const { iban } = await ann.openAccount("USD");
      const before = await ann.balance();
      const quotes = `${ann.ledger}/currency-conversion-quote`;
      const id = await ann.made(quotes, {
        amount: euros("10.00"),
        currency_source: "EUR",
        currency_target: "USD",
        order_type: "SELL",
        counterparty_alias: { type: "IBAN", value: iban },
      });
      await outlast("currency-conversion-quote", id);
      expect(await ann.refused("PUT", `${quotes}/${id}`, { status: "ACCEPTED" })).toMatch("has expired");
      expect(await ann.balance()).toBe(before);
    });
  },
  { services: [], extraServices: [reachable] },
);

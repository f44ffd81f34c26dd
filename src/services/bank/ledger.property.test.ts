/**
 * Many users run random operations at the same time. The ledger stays balanced, no account goes below zero,
 * and no payment is made twice.
 */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

const PEOPLE = 4;
const DEEDS_MAX = 40;
const AT_ONCE = 8;

const deed = fc.record({
  kind: fc.constantFrom("pay", "pay", "batch", "ask", "draft", "abroad", "exchange", "tab"),
  by: fc.nat(PEOPLE - 1),
  to: fc.nat(PEOPLE - 1),
  minor: fc.integer({ min: 1, max: 30_000 }),
});
type Amount = { readonly value: string; readonly currency: string };
type Told = { readonly created: string; readonly amount: Amount };
type Insight = {
  readonly category: string;
  readonly amount_total: Amount;
  readonly number_of_transactions: number;
};
type Deed = { kind: string; by: number; to: number; minor: number };

onBothDatabases(
  "the ledger",
  (instance) => {
    let people: BankPerson[];
    let dollars: { id: number; iban: string }[];
    beforeAll(async () => {
      people = await Promise.all(Array.from({ length: PEOPLE }, () => newHolder(instance)));
      dollars = await Promise.all(people.map((person) => person.openAccount("USD")));
    });
    const personAt = (at: number): BankPerson => people[at] as BankPerson;
    const amountOf = (minor: number) => euros((minor / 100).toFixed(2));
    const entry = (to: BankPerson, minor: number) => ({
      amount: amountOf(minor),
      counterparty_alias: { type: "IBAN", value: to.iban },
      description: "A deed",
    });
    /** Operations without enough money or rights must fail with status 400. Any other failure is a bug. */
    const tried = async (person: BankPerson, method: string, path: string, body: unknown) => {
      const answer = await person.send(method, path, { body });
      expect([200, 400]).toContain(answer.status);
      return answer.status === 200 ? (answer.body.id ?? answer.body.Id?.id) : undefined;
    };
    const deeds: Record<string, (by: BankPerson, to: BankPerson, one: Deed) => Promise<unknown>> = {
      pay: (by, to, { minor }) => tried(by, "POST", `${by.ledger}/payment`, entry(to, minor)),
      batch: (by, to, { minor }) =>
        tried(by, "POST", `${by.ledger}/payment-batch`, {
          payments: [entry(to, minor), entry(to, 2 * minor)],
        }),
      abroad: (by, _to, { minor }) =>
        tried(by, "POST", `${by.ledger}/payment`, {
          ...entry(by, minor),
          counterparty_alias: {
            type: "IBAN",
            value: "DE89370400440532013000",
            name: minor % 2 ? "Erika" : "Bounce AC04",
          },
        }),
      async ask(by, to, { minor }) {
        const id = await tried(by, "POST", `${by.ledger}/request-inquiry`, {
          amount_inquired: amountOf(minor),
          counterparty_alias: { type: "IBAN", value: to.iban },
          description: "Please",
          allow_vendorme: false,
        });
        if (id === undefined) return;
        const answer = `${to.ledger}/request-response/${id}`;
        // Pressed twice: paid once.
        await Promise.all([1, 2].map(() => tried(to, "PUT", answer, { status: "ACCEPTED" })));
      },
      async draft(by, to, { minor }) {
        const id = await tried(by, "POST", `${by.ledger}/draft-payment`, {
          entries: [entry(to, minor)],
          number_of_required_accepts: 1,
        });
        const path = `${by.ledger}/draft-payment/${id}`;
        if (id !== undefined)
          await Promise.all([1, 2].map(() => tried(by, "PUT", path, { status: "ACCEPTED" })));
      },
      async exchange(by, _to, { minor, by: at }) {
        const path = `${by.ledger}/currency-conversion-quote`;
        const id = await tried(by, "POST", path, {
          amount: amountOf(minor),
          currency_source: "EUR",
          currency_target: "USD",
          order_type: "SELL",
          counterparty_alias: { type: "IBAN", value: dollars[at]?.iban },
        });
        if (id !== undefined) await tried(by, "PUT", `${path}/${id}`, { status: "ACCEPTED" });
      },
      tab: (by, to, { minor }) =>
        tried(by, "POST", `${by.ledger}/vendorme-tab`, {
          vendorme_tab_entry: { amount_inquired: amountOf(minor), description: to.iban },
        }),
    };
    const proof = async () =>
      (
        await instance().send("GET", "/_medley/bank/proof", {
          headers: { authorization: `Bearer ${accounts.first.tokens[0]}` },
        })
      ).body;
    const minorOf = ({ value }: { value: string }): number => Math.round(Number(value) * 100);

    /** The newest balance is the sum of everything, each step follows from the one before, and no number comes twice. */
    const checkStatement = async (person: BankPerson): Promise<Told[]> => {
      const ids = new Set<number>();
      const told: Told[] = [];
      let page = await person.done("GET", `${person.ledger}/payment?count=200`);
      let after = minorOf({ value: await person.balance() });
      expect(after).toBeGreaterThanOrEqual(0);
      while (page.length > 0) {
        for (const { id, amount, balance_after_mutation } of page) {
          expect(minorOf(balance_after_mutation)).toBe(after);
          after -= minorOf(amount);
          expect(ids.has(id)).toBe(false);
          ids.add(id);
        }
        told.push(...page);
        page = await person.done("GET", `${person.ledger}/payment?count=200&older_id=${page.at(-1).id}`);
      }
      expect(after).toBe(0);
      return told;
    };
    const insights = async (person: BankPerson, query = ""): Promise<Insight[]> =>
      (await person.done("GET", `${person.user}/insights${query}`)).filter(
        ({ amount_total }: Insight) => amount_total.currency === "EUR",
      );
    const countIn = (sums: Insight[]) => sums.reduce((sum, one) => sum + one.number_of_transactions, 0);
    const totalOf = (sums: readonly { value: string }[]) => sums.reduce((sum, one) => sum + minorOf(one), 0);
    /**
     * The sums by category equal the sums of the payments, also for a period that starts and ends between
     * payments.
     */
    const checkInsights = async (person: BankPerson, told: Told[]) => {
      const at = (part: number) => told[Math.floor((told.length - 1) * (1 - part))]?.created ?? "";
      for (const [since, until] of [
        ["2000-01-01", "2100-01-01"],
        [at(0.2), at(0.7)],
        [at(0.5), at(0.5)],
      ] as const) {
        const sums = await insights(person, `?time_start=${since}&time_end=${until}`);
        const within = told.filter(({ created }) => created >= since && created < until);
        expect(countIn(sums)).toBe(within.length);
        expect(totalOf(sums.map(({ amount_total }) => amount_total))).toBe(
          totalOf(within.map(({ amount }) => amount)),
        );
      }
    };

    it("balances whatever many do at once", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(deed, { minLength: 10, maxLength: DEEDS_MAX }), async (all) => {
          for (let at = 0; at < all.length; at += AT_ONCE)
            await Promise.all(
              all
                .slice(at, at + AT_ONCE)
                .map((one) => deeds[one.kind]?.(personAt(one.by), personAt(one.to), one)),
            );
          await instance().clock.advance(15 * 60_000);
          const { isSound, sums, wrong } = await proof();
          expect({ isSound, wrong }).toEqual({ isSound: true, wrong: [] });
          expect(sums.every(({ sum }: { sum: number }) => sum === 0)).toBe(true);
          for (const person of people) await checkInsights(person, await checkStatement(person));
        }),
        { numRuns: 3 },
      );
    });

    it("sorts payments anew after a change of rules, however many there are", async () => {
      const person = await newHolder(instance);
      const many = Array.from({ length: 60 }, () => ({ ...entry(personAt(1), 1), description: "Marbles" }));
      for (let times = 0; times < 2; times += 1)
        await person.made(`${person.ledger}/payment-batch`, { payments: many });
      const before = await insights(person);
      const own = `${person.user}/additional-transaction-information-category-user-defined`;
      const rule = { category: "TOYS", description: "marble" };
      const toys = async () =>
        (await insights(person)).find(({ category }) => category === "TOYS")?.number_of_transactions ?? 0;
      await person.made(own, { ...rule, status: "ACTIVE" });
      expect(await toys()).toBeGreaterThan(50);
      await eventually(async () => (await toys()) === 120, "older ones to be sorted");
      expect(countIn(await insights(person))).toBe(countIn(before));
      const found = await person.done("GET", `${person.user}/insights-search?category=TOYS&query=marbles`);
      expect(found[0].object.Payment.description).toBe("Marbles");
      await person.made(`${person.ledger}/payment`, { ...entry(personAt(1), 1), description: "One marble" });
      expect(await toys()).toBe(121);
      await person.made(own, { ...rule, status: "INACTIVE" });
      await eventually(async () => (await toys()) === 0, "the category to be empty");
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

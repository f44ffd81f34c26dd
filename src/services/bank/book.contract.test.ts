/** Demo data and the bank book of the console, on both databases. */
import { expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "bank book",
  (instance) => {
    it("has a year of life after seeding, once, and its books balance", async () => {
      const seed = () => instance().bearer("POST", "/_medley/seed", { body: { services: ["bank"] } });
      const first = await seed();
      expect(first.status).toBe(200);
      expect(first.body.made[0].rows).toBeGreaterThan(1000);
      expect((await seed()).body.made[0].rows).toBe(0);
      const plain = (path: string) =>
        instance().apiKey("X-Vendor-Client-Authentication", "GET", `/bank/v1${path}`);
      const [user] = (await plain("/user")).body;
      expect(user.display_name).toBe("Nora Visser");
      const ledgers = (await plain(`/user/${user.id}/monetary-account`)).body;
      expect(ledgers.map((one: any) => one.description).toSorted()).toEqual(["Everyday", "Summer"]);
      const report = { body: { message: "The list stayed empty" } };
      await instance().apiKey("X-Vendor-Client-Authentication", "POST", "/bank/v1/server-error", report);
      const views = await instance().bearer(
        "GET",
        `/_medley/views/bank?account=${accounts.first.id}&limit=500`,
      );
      const view = (title: string) => views.body.views.find((one: any) => one.title === title);
      expect(view("Accounts").rows.filter((row: any) => row[2] !== "the bank itself")).toHaveLength(5);
      expect(view("Accounts").widgets).toHaveLength(5);
      const [{ title, form, unit, points }] = view("Accounts").widgets;
      expect(title).toMatch(/^Nora Visser, Everyday \(NL\w+\): [\d,.]+ EUR$/);
      expect([form, unit, points[0].text]).toEqual(["steps", "EUR", "500.00 EUR"]);
      expect(points.length).toBeGreaterThan(100);
      expect(title).toContain(points.at(-1).text);
      expect(view("Cards").rows).toHaveLength(3);
      expect(view("Mutations").rows.length).toBeGreaterThan(200);
      expect(view("Card transactions").rows.length).toBeGreaterThan(100);
      expect(view("Requests").rows[0].slice(3, 7)).toEqual([
        "Nora Visser",
        "12.75 EUR",
        "Concert tickets",
        "PENDING",
      ]);
      const [saved] = (await plain(`/user/${user.id}/monetary-account-savings`)).body;
      expect(saved.savings_goal).toEqual({ value: "3000.00", currency: "EUR" });
      expect(view("Errors that clients reported").rows).toMatchObject([
        [expect.any(Number), expect.any(String), user.id, "The list stayed empty"],
      ]);
      expect(view("Proof of the ledger").rows.slice(0, 2)).toEqual([
        ["All books", "balance", "", "", expect.any(Number)],
        ["Sum of all entries", "EUR", "0.00 EUR", "0.00 EUR", expect.any(Number)],
      ]);
    });
  },
  { services: ["bank"], bankRateLimit: 0 },
);

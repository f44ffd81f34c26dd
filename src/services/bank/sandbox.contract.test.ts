/** How the maker's libraries begin: a user without a credential, friends who are always there, names in their spelling. */
import { describe, expect, it } from "vitest";
import { type BankPerson, euros, newHolder } from "../../../tests/support/bank-people.ts";
import { type Instance, onBothDatabases, startInstance } from "../../../tests/support/medley.ts";

const open = (instance: Instance, kind = "person", headers: Record<string, string> = {}) =>
  instance.send("POST", `/bank/v1/sandbox-user-${kind}`, { headers });
const makers = { "X-Bunq-Language": "en_US" };

onBothDatabases(
  "the bank's sandbox",
  (instance) => {
    it("makes a user of the oldest account for whoever comes without a credential", async () => {
      const made = await open(instance(), "person", {
        ...makers,
        "X-Bunq-Client-Request-Id": "uniqueness-is-required",
      });
      expect(made.body).toEqual({ Response: [{ ApiKey: { api_key: expect.any(String) } }] });
      const [{ ApiKey }] = made.body.Response;
      const key = { "X-Vendor-Client-Authentication": ApiKey.api_key };
      expect((await instance().send("GET", "/bank/v1/user", { headers: key })).status).toBe(200);
      expect((await open(instance(), "company")).body.api_key).toEqual(expect.any(String));
      const seen = await instance().bearer("GET", "/_medley/requests?account=111111111111&limit=5");
      expect(seen.body.requests.map(({ operation }: { operation: string }) => operation)).toContain(
        "bank.CreateSandboxUserCompany",
      );
    });
    it("lists accounts from the oldest on, in pages", async () => {
      const ann = await newHolder(instance);
      for (const currency of ["USD", "GBP"]) await ann.openAccount(currency);
      const list = async (query = "") => {
        const answer = await ann.send("GET", `${ann.user}/monetary-account${query}`);
        const links = answer.headers.get("link") ?? "";
        const to = (relation: string) =>
          new RegExp(`<[^>]*(\\?[^>]*)>; rel="${relation}"`).exec(links)?.[1] ?? null;
        return { names: answer.body.map(({ currency }: { currency: string }) => currency), to };
      };
      expect((await list()).names).toEqual(["EUR", "USD", "GBP"]);
      const first = await list("?count=2");
      expect([first.names, first.to("older")]).toEqual([["EUR", "USD"], null]);
      const second = await list(first.to("newer") ?? "");
      expect([second.names, second.to("newer")]).toEqual([["GBP"], null]);
      const back = await list(second.to("older")?.replace("count=2", "count=1"));
      expect([back.names, (await list(back.to("older") ?? "")).names]).toEqual([["USD"], ["EUR"]]);
    });
    it("has friends in both spellings, who are paid at once and never waited for", async () => {
      const ann = await newHolder(instance);
      const pay = (headers: Record<string, string>, value: string, more: object) =>
        ann.send("POST", `${ann.ledger}/payment`, {
          headers,
          body: {
            amount: euros("10.00"),
            counterparty_alias: { type: "EMAIL", value },
            description: "x",
            ...more,
          },
        });
      for (const [headers, value, more] of [
        [{}, "bravo@vendor.example", {}],
        [makers, "Bravo@bunq.com", { allow_bunqto: true }],
        [makers, "sugardaddy@bunq.com", {}],
      ] as const)
        expect((await pay(headers, value, more)).status).toBe(200);
      expect(await ann.balance()).toBe("470.00");
      const [latest] = await ann.done("GET", `${ann.ledger}/payment`);
      expect(latest.counterparty_alias.display_name).toBe("Sugar Daddy");
      expect((await pay({}, "brava@vendor.example", {})).status).toBe(400);
    });
    it("sends the maker's clients no members of its own", async () => {
      const ann: BankPerson = await newHolder(instance);
      const [{ MonetaryAccountBank: ledger }] = (
        await ann.send("GET", `${ann.user}/monetary-account`, { headers: makers })
      ).body.Response;
      expect(ledger).not.toHaveProperty("kind");
      expect((await ann.done("GET", `${ann.user}/monetary-account`))[0].kind).toBe("bank");
    });
    it("names headers and members as the caller spells them, and what people wrote as they wrote it", async () => {
      const ann = await newHolder(instance);
      const wrong = async (headers: Record<string, string>, token?: string, value = "nobody@example.org") => {
        const path = `${ann.ledger}/request-inquiry`;
        const body = {
          amount_inquired: euros("1.00"),
          counterparty_alias: { type: "EMAIL", value },
          description: "x",
          ...("X-Bunq-Language" in headers ? { allow_bunqme: false } : { allow_vendorme: false }),
        };
        const answer = await ann.send("POST", path, { headers, body, ...(token !== undefined && { token }) });
        return answer.body.Error[0].error_description;
      };
      expect(await wrong({}, "")).toBe("The header X-Vendor-Client-Authentication is missing.");
      expect(await wrong(makers, "")).toBe("The header X-Bunq-Client-Authentication is missing.");
      expect(await wrong({})).toContain("; allow_vendorme would give");
      expect(await wrong(makers)).toContain("; allow_bunqme would give");
      expect(await wrong(makers, undefined, "allow_vendorme@example.org")).toContain(
        "known as allow_vendorme@example.org; ",
      );
    });
  },
  { services: ["bank"] },
);

describe("a sandbox that is not on this machine alone", () => {
  const publicUrl = "https://bank.example.org";
  it("needs a credential, unless an account is named", async () => {
    for (const [options, status] of [
      [{ publicUrl }, 401],
      [{ trustedProxies: ["10.0.0.0/8"] }, 401],
      [{ publicUrl, bankOpenSandbox: "222222222222" }, 200],
      [{ publicUrl, bankOpenSandbox: "999999999999" }, 401],
    ] as const) {
      const instance = await startInstance({ services: ["bank"], ...options });
      try {
        expect([options, (await open(instance)).status]).toEqual([options, status]);
      } finally {
        await instance.stop();
      }
    }
    await expect(startInstance({ services: ["bank"], bankOpenSandbox: "mine" })).rejects.toThrow(
      "twelve digits",
    );
  });
  it("refuses other sites' names for this machine, and more than sixty users of an address in a minute", async () => {
    const instance = await startInstance({ services: ["bank"] });
    try {
      await instance.clock.freeze();
      const { port } = new URL(instance.url);
      const { request } = await import("node:http");
      for (const host of ["evil.example.org", "127.evil.example.org", "127.0.0.1.example.org"]) {
        const status = await new Promise((resolve, reject) => {
          const sent = request(
            { port, method: "POST", path: "/bank/v1/sandbox-user-person", headers: { host } },
            (answer) => resolve(answer.resume().statusCode),
          );
          sent.on("error", reject).end();
        });
        expect([host, status]).toEqual([host, 401]);
      }
      const answers = [];
      for (let count = 0; count < 61; count += 1) answers.push((await open(instance)).status);
      expect(answers.slice(0, 60).every((one) => one === 200)).toBe(true);
      expect(answers[60]).toBe(429);
      await instance.clock.advance("1m");
      expect((await open(instance)).status).toBe(200);
    } finally {
      await instance.stop();
    }
  });
});

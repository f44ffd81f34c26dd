/**
 * Nodes of the bank are killed with -9 while everybody pays: each payment is made once, and the books balance.
 * `BANK_KILLS=20 npx vitest run tests/faults/bank-kill.test.ts` kills so many times on each database.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { type BankPerson, euros, newPerson } from "../support/bank-people.ts";
import { eventually } from "../support/eventually.ts";
import { accounts, createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";

const PAYMENTS = 60;
const AT_ONCE = 6;
const KILLS = Number(process.env.BANK_KILLS ?? 1);
const credentialsFile = join(import.meta.dirname, "../support/credentials.json");

let folder: string;
let nodes: NodeProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "medley-bank-"));
  nodes = [];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  rmSync(folder, { recursive: true, force: true });
});

describe.each([
  ["sqlite", 1],
  ["postgres", 2],
] as const)("the bank on %s", (kind, count) => {
  it("pays each payment once, whenever its nodes are killed", { timeout: 240_000 }, async () => {
    const place = kind === "sqlite" ? ["--data", folder] : ["--database", await createDatabase()];
    const words = [
      "--services",
      "bank",
      "--bank-rate-limit",
      "0",
      "--log-level",
      "error",
      "--credentials",
      credentialsFile,
      ...place,
    ];
    for (let at = 0; at < count; at += 1) nodes.push(await startServe(...words));
    let turn = 0;
    const instance = (): Instance => {
      turn += 1;
      return new Instance({ url: nodes[turn % nodes.length]?.url } as Medley);
    };
    const people = [await newPerson(instance), await newPerson(instance)] as const;

    let paid = 0;
    /** Whoever hears nothing asks again under the same id, until the bank says yes or that it was done. */
    const payOnce = (at: number) =>
      eventually(async () => {
        const [from, to] = at % 2 === 0 ? people : [people[1], people[0]];
        const answer = await from
          .send("POST", `${from.ledger}/payment`, {
            body: {
              amount: euros("1.00"),
              counterparty_alias: { type: "IBAN", value: to.iban },
              description: `payment ${at}`,
            },
            headers: { "X-Vendor-Client-Request-Id": `payment-${at}` },
          })
          .catch(() => undefined);
        const isDone = answer?.status === 200 || (answer?.status === 400 && /used before/.test(answer.text));
        if (isDone) paid += 1;
        return isDone;
      }, `payment ${at}`);
    const lines = Array.from({ length: AT_ONCE }, async (_, line) => {
      for (let at = line; at < PAYMENTS; at += AT_ONCE) await payOnce(at);
    });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await eventually(() => paid >= (kill * PAYMENTS) / (KILLS + 2), "so many payments");
      await nodes[0]?.kill("SIGKILL");
      nodes[0] = await startServe(...words);
    }
    await Promise.all(lines);

    const listed = async (person: BankPerson): Promise<string[]> =>
      (await person.done("GET", `${person.ledger}/payment?count=200`)).map(
        ({ description }: { description: string }) => description,
      );
    const expected = Array.from({ length: PAYMENTS }, (_, at) => `payment ${at}`);
    for (const person of people)
      expect((await listed(person)).filter((one) => one.startsWith("payment")).sort()).toEqual(
        [...expected].sort(),
      );
    expect([await people[0].balance(), await people[1].balance()]).toEqual(["500.00", "500.00"]);
    const { body } = await instance().send("GET", "/_medley/bank/proof", {
      headers: { authorization: `Bearer ${accounts.first.tokens[0]}` },
    });
    expect(body).toMatchObject({ isSound: true, wrong: [] });
  });
});

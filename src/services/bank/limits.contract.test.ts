/** How much callers may ask, and in which language they are refused. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BankPerson, newPerson } from "../../../tests/support/bank-people.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

let running: Instance | undefined;
const instance = () => running!;
let ann: BankPerson;
let bob: BankPerson;
beforeAll(async () => {
  running = await startInstance({ services: ["bank"], bankRateLimit: 1 });
  ann = await newPerson(instance);
  bob = await newPerson(instance);
});
afterAll(() => running?.stop());
const left = ({ headers }: { headers: Headers }) => headers.get("ratelimit-remaining");

it("refuses what is too much, for a while, and whoever asked alone", async () => {
  const read = () => ann.send("GET", `/user/${ann.userId}/limit`);
  const answers = [await read(), await read(), await read(), await read()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers.map(left)).toEqual(["2", "1", "0", "0"]);
  const [, , , refused] = answers;
  expect(refused?.headers.get("retry-after")).toBe("3");
  expect(refused?.body.Error[0].error_description).toBe("Too many requests: here at most 3 in 3 seconds.");
  expect(ann.isSignedByBank(refused!)).toBe(true);
  expect((await ann.send("GET", `/user/${ann.userId}/tree-progress`)).status).toBe(200);
  expect((await bob.send("GET", `/user/${bob.userId}/limit`)).status).toBe(200);
  await instance().clock.advance(3000);
  expect((await read()).status).toBe(200);
});

it("opens a session in thirty seconds, by installation and key", async () => {
  const open = async () => (await bob.open(bob.secret)).status;
  const { session } = bob;
  await instance().clock.advance(30_000);
  expect([await open(), await open()]).toEqual([200, 429]);
  await instance().clock.advance(30_000);
  expect(await open()).toBe(200);
  expect((await bob.send("GET", "/user", { token: session })).status).toBe(401);
});

it("refuses in Dutch, and headers that make no sense", async () => {
  const none = (headers: Record<string, string>) => ann.send("GET", "/user/999999/limit", { headers });
  const dutch = await none({ "X-Vendor-Language": "nl_NL" });
  expect(dutch.body.Error).toEqual([
    { error_description: "There is no user 999999.", error_description_translated: "Dit bestaat niet." },
  ]);
  const said = { "X-Vendor-Language": "Dutch" };
  const refused = await ann.send("GET", "/user", { headers: said });
  expect([refused.status, refused.body.Error[0].error_description]).toEqual([
    400,
    expect.stringContaining("X-Vendor-Language"),
  ]);
  const somewhere = await ann.send("GET", "/user", { headers: { "X-Vendor-Geolocation": "here" } });
  expect(somewhere.status).toBe(400);
});

/** How many roles and sessions an account may have, over HTTP: the last that fits, and the first that does not. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { ROLES_MAX, SESSIONS_MAX } from "./domain/limits.ts";

const AT_ONCE = 100;
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["security-tokens"] });
  await instance.clock.freeze();
});
afterAll(() => instance.stop());

type Sent = Awaited<ReturnType<Instance["signed"]>>;
async function all(count: number, send: (at: number) => Promise<Sent>): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let start = 0; start < count; start += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - start);
    const sent = await Promise.all(Array.from({ length: size }, (_none, at) => send(start + at)));
    for (const { status } of sent) statuses.add(status);
  }
  return statuses;
}
const codeOf = ({ status, text }: Sent) => [status, /<Code>(\w+)<\/Code>/.exec(text)?.[1]];

it("an account has a thousand roles, and may change them then", async () => {
  const put = (at: number) => instance.signed("sts", "PUT", `/sts/roles/role-${at}`, { body: {} });
  expect(await all(ROLES_MAX, put)).toEqual(new Set([201]));
  expect(codeOf(await put(ROLES_MAX))).toEqual([409, "LimitExceeded"]);
  expect((await put(0)).status).toBe(200);
});

it("an account has five thousand sessions at a time, and new ones when these have ended", async () => {
  const body = "Action=GetSessionToken&Version=2011-06-15&DurationSeconds=900";
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const begin = () => instance.signed("sts", "POST", "/sts/", { body, headers });
  expect(await all(SESSIONS_MAX, begin)).toEqual(new Set([200]));
  expect(codeOf(await begin())).toEqual([429, "Throttling"]);
  await instance.clock.advance("15m");
  expect((await begin()).status).toBe(200);
});

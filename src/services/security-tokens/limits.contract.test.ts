/** How many roles and sessions an account may have, over HTTP: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

const ROLES_MAX = 1000;
const SESSIONS_MAX = 5000;
const HOUR_MS = 3_600_000;
const data = mkdtempSync(join(tmpdir(), "medley-sessions-"));
let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["security-tokens"], data });
  await instance.clock.freeze();
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

type Sent = Awaited<ReturnType<Instance["signed"]>>;
const codeOf = ({ status, text }: Sent) => [status, /<Code>(\w+)<\/Code>/.exec(text)?.[1]];

it("an account has a thousand roles, and may change them then", async () => {
  const put = (name: string) => instance.signed("sts", "PUT", `/sts/roles/${name}`, { body: {} });
  expect((await put("role")).status).toBe(201);
  copyRow(data, {
    table: "security_tokens_role",
    count: ROLES_MAX - 2,
    changed: { name: "copied.name || '-' || n" },
  });
  expect((await put("last")).status).toBe(201);
  expect(codeOf(await put("one-more"))).toEqual([409, "LimitExceeded"]);
  expect((await put("role")).status).toBe(200);
});

it("an account has five thousand sessions at a time, and new ones when these have ended", async () => {
  const body = "Action=GetSessionToken&Version=2011-06-15&DurationSeconds=900";
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const begin = () => instance.signed("sts", "POST", "/sts/", { body, headers });
  expect((await begin()).status).toBe(200);
  copyRow(data, {
    table: "security_tokens_session",
    count: SESSIONS_MAX - 2,
    changed: { id: "copied.id || '-' || n" },
  });
  expect((await begin()).status).toBe(200);
  expect(codeOf(await begin())).toEqual([429, "Throttling"]);
  await instance.clock.advance("15m");
  expect((await begin()).status).toBe(200);
  // Those that ended are kept for an hour, to say of them that they ended.
  const kept = (): unknown =>
    changeRows(data, (database) =>
      database.prepare("select count(*) as count from security_tokens_session").get(),
    );
  await instance.clock.advance(HOUR_MS - 1);
  expect([(await begin()).status, kept()]).toEqual([200, { count: SESSIONS_MAX + 2 }]);
  await instance.clock.advance(1);
  expect([(await begin()).status, kept()]).toEqual([200, { count: 3 }]);
});

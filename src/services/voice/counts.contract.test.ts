/** How many calls and subscriptions are kept: the last that fits, and the first that does not. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeRows, copyRow } from "../../../tests/support/copied-rows.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { BASE, Voice } from "../../../tests/support/voice.ts";

const CALLS_KEPT = 10_000;
const SUBSCRIPTIONS_MAX = 100;
const data = mkdtempSync(join(tmpdir(), "medley-calls-"));
let instance: Instance;
const voice = new Voice(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["voice"], data });
  await instance.clock.freeze();
});
afterAll(async () => {
  await instance.stop();
  rmSync(data, { recursive: true, force: true });
});

it("the last ten thousand calls", async () => {
  const call = async (): Promise<string> => {
    const { body } = await voice.message({});
    await instance.clock.advance("2h");
    return body.MessageId;
  };
  const calls = () =>
    changeRows(data, (database) => database.prepare("select count(*) as count from voice_call").get());
  const first = await call();
  const changed = { message_id: "copied.message_id || n", ended_at: "copied.ended_at + n" };
  copyRow(data, { table: "voice_call", count: CALLS_KEPT - 2, changed });
  await call();
  expect(calls()).toEqual({ count: CALLS_KEPT });
  const page = new URLSearchParams({ view: "Calls", row: first });
  const { body } = await instance.bearer("GET", `/_medley/views/voice/detail?${page}`);
  expect(body.value.messageId).toBe(first);
  await call();
  expect(calls()).toEqual({ count: CALLS_KEPT });
  const gone = changeRows(data, (database) =>
    database.prepare("select message_id from voice_call where message_id = ?").get(first),
  );
  expect(gone).toBeUndefined();
});

it("a hundred subscriptions of topics", async () => {
  const subscribe = async () => {
    const TopicArn = "arn:vendor:sns:us-east-1:111111111111:calls";
    const body = { TopicArn, Endpoint: "http://127.0.0.1:9/hook" };
    return (await voice.send("POST", `${BASE}/topic-subscriptions`, body)).status;
  };
  for (let made = 0; made < SUBSCRIPTIONS_MAX; made += 1) expect(await subscribe()).toBe(200);
  expect(await subscribe()).toBe(412);
});

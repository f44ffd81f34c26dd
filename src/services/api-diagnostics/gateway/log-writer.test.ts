/** Records that wait for the database: none is lost or mixed up below the limit, and the limit holds while it is slow. */
import { beforeEach, expect, it } from "vitest";
import { Clock } from "#kernel/clock";
import type { Context } from "#kernel/operation";
import { LogWriter } from "./log-writer.ts";
import type { Logger } from "./served.ts";

const logger = {
  key: "/subscriptions/s/loggers/one",
  id: "one",
  type: "applicationInsights",
  credentials: {},
  isBuffered: true,
} as unknown as Logger;
const unbuffered = { ...logger, isBuffered: false };

let sent: { account: string; subject: string; count: number }[];
let errors: number;
let release: () => void;
let slow: Promise<void>;
let writer: LogWriter;
beforeEach(() => {
  [sent, errors] = [[], 0];
  slow = new Promise((resolve) => {
    release = resolve;
  });
  writer = new LogWriter({
    log: { error: () => (errors += 1) },
    transactAs: async (_service: string, account: string, work: (context: Context) => Promise<unknown>) => {
      await slow;
      type Message = { subject: string; body: { records?: unknown[]; metrics?: { Requests: number }[] } };
      const send = async ({ subject, body: { records, metrics } }: Message) =>
        sent.push({ account, subject, count: records?.length ?? metrics?.[0]?.Requests ?? 0 });
      return work({ clock: new Clock(), outbox: { send } } as unknown as Context);
    },
  } as unknown as ConstructorParameters<typeof LogWriter>[0]);
});
const recordsOf = (account: string) =>
  sent.filter((one) => one.account === account).reduce((sum, { count }) => sum + count, 0);

it("two accounts whose loggers have the same name each get their own", async () => {
  release();
  writer.add("first", logger, { number: 1 }, undefined);
  writer.add("second", logger, { number: 2 }, undefined);
  writer.add("first", logger, { number: 3 }, undefined);
  await writer.flush();
  expect([recordsOf("first"), recordsOf("second")]).toEqual([2, 1]);
});

it.each([
  ["together", logger],
  ["each at once", unbuffered],
])("10,000 records wait for a slow database, written %s, and no more", async (_how, one) => {
  writer.add("first", one, { number: 0 }, undefined);
  void writer.flush();
  await new Promise(setImmediate);
  for (let number = 0; number < 10_000; number += 1) writer.add("first", one, { number }, undefined);
  expect(errors).toBe(0);
  writer.add("first", one, { number: 10_000 }, undefined);
  expect(errors).toBe(1);
  release();
  await writer.flush();
  expect(recordsOf("first")).toBe(10_001);
});

it("10,000 measurements wait for a slow database, and no more", async () => {
  const measured = { api: "orders", status: 200, ms: 1, backendMs: 1 };
  for (let number = 0; number <= 10_000; number += 1) writer.add("first", logger, undefined, measured);
  release();
  await writer.flush();
  expect(sent).toEqual([{ account: "first", subject: "Metrics", count: 10_000 }]);
});

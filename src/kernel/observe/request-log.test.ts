/** What the request log keeps, in records and in bytes. */
import { expect, it } from "vitest";
import { RequestLog } from "./request-log.ts";
import type { RequestRecord } from "./request-record.ts";

const record = (over: Partial<RequestRecord> = {}): RequestRecord => ({
  id: "1",
  atMs: 0,
  durationMs: 1,
  method: "GET",
  url: "/a",
  service: "sample",
  operation: undefined,
  account: undefined,
  caller: "",
  credentialKind: "none",
  isConsole: false,
  phases: undefined,
  status: 404,
  requestHeaders: { host: "x" },
  requestBody: new Uint8Array(),
  answerHeaders: {},
  answerBody: undefined,
  ...over,
});
const large = (id: string) =>
  record({
    id,
    url: `/${"u".repeat(500_000)}`,
    requestHeaders: { host: "x", "x-long": "h".repeat(1_000_000), "x-behind": "b" },
    requestBody: Buffer.alloc(500_000, "b"),
    answerHeaders: { "x-long": ["a".repeat(500_000)] },
    answerBody: "a".repeat(500_000),
  });
const idsOf = (log: RequestLog, limit = 10_000) => log.recent(limit).map(({ id }) => id);

it("keeps what was asked however often the console asks, all of it in the order it came", () => {
  const log = new RequestLog(5, 1_000_000);
  for (const id of ["1", "2", "3"]) log.add(record({ id }));
  for (let at = 0; at < 1000; at += 1) log.add(record({ id: `own-${at}`, isConsole: true }));
  log.add(record({ id: "4" }));
  expect(idsOf(log)).toEqual(["4", "own-999", "own-998", "own-997", "own-996", "own-995", "3", "2", "1"]);
  expect(log.find("1")?.id).toBe("1");
  log.clear();
  expect([idsOf(log), log.bytes]).toEqual([[], 0]);
});
it("keeps the newest, newest first", () => {
  const log = new RequestLog(3, 1_000_000);
  for (const id of ["1", "2", "3", "4", "5"]) log.add(record({ id }));
  expect(idsOf(log)).toEqual(["5", "4", "3"]);
  expect(idsOf(log, 2)).toEqual(["5", "4"]);
  log.clear();
  expect([idsOf(log), log.bytes]).toEqual([[], 0]);
  log.add(record({ id: "6" }));
  expect(idsOf(log)).toEqual(["6"]);
});

it("keeps a bounded part of each request", () => {
  const log = new RequestLog(10, 100_000_000);
  log.add(large("1"));
  expect(log.bytes).toBeLessThan(34_000);
  const [shown] = log.recent(1) as [{ request: { headers: Record<string, string> } }];
  expect(JSON.stringify(shown).length).toBeLessThan(40_000);
  expect(shown.request.headers.host).toBe("x");
});

it("keeps a bounded whole: the oldest go first", () => {
  const log = new RequestLog(1000, 100_000);
  for (let index = 0; index < 50; index += 1) log.add(large(String(index)));
  expect(log.bytes).toBeLessThanOrEqual(100_000);
  expect(idsOf(log)).toEqual(["49", "48", "47"]);
  for (let index = 50; index < 200; index += 1) log.add(record({ id: String(index) }));
  expect(log.bytes).toBeLessThanOrEqual(100_000);
  expect(idsOf(log).length).toBeGreaterThanOrEqual(150);
});

it("shows at once no more than would hold up others", () => {
  const log = new RequestLog(1000, 100_000_000);
  for (let index = 0; index < 600; index += 1) log.add(large(String(index)));
  const shown = log.recent(1000);
  expect(shown[0]?.id).toBe("599");
  expect(JSON.stringify(shown).length).toBeLessThan(2_500_000);
});

it("does not keep a large buffer for a small part of it", () => {
  const log = new RequestLog(10, 1_000_000);
  log.add(record({ requestBody: Buffer.alloc(65_536).subarray(0, 10) }));
  expect(log.bytes).toBeLessThan(1000);
});

it("keeps 8192 characters of addresses and bodies, and 100 requests of the console", () => {
  const log = new RequestLog(1000, 100_000_000);
  const bytesOf = (over: Partial<RequestRecord>) => {
    log.clear();
    log.add(record({ requestHeaders: {}, url: "", ...over }));
    return log.bytes;
  };
  const nothing = bytesOf({});
  for (const size of [8191, 8192, 8193]) {
    const kept = Math.min(size, 8192);
    const whole = [
      { url: "u".repeat(size) },
      { requestBody: Buffer.alloc(size, "b") },
      { answerBody: "a".repeat(size) },
    ];
    expect(whole.map((over) => bytesOf(over) - nothing)).toEqual([kept, kept, kept]);
  }
  for (const size of [4095, 4096, 4097]) {
    // Each header counts as 32 bytes more, and this name as one.
    const kept = Math.min(size, 4096);
    for (const side of ["requestHeaders", "answerHeaders"])
      expect(bytesOf({ [side]: { a: "h".repeat(size - 33) } }) - nothing).toBe(kept);
  }
  log.clear();
  for (let at = 0; at < 101; at += 1) log.add(record({ id: String(at), isConsole: true }));
  expect([idsOf(log).length, idsOf(log).at(-1)]).toEqual([100, "1"]);
});

it("has twenty listeners, five of an account, and a thousand requests wait for each", async () => {
  const log = new RequestLog(2000, 100_000_000);
  const open = async (listener: string) => {
    const stream = log.stream(listener);
    await stream?.next();
    return stream;
  };
  const accounts = ["a", "b", "c", "d"];
  const streams = await Promise.all(accounts.flatMap((one) => Array.from({ length: 5 }, () => open(one))));
  expect(streams.every((stream) => stream !== undefined)).toBe(true);
  expect(log.stream("e")).toBeUndefined();
  await streams.pop()?.return();
  expect([log.stream("a"), log.stream("e") !== undefined]).toEqual([undefined, true]);
  for (let at = 0; at < 1001; at += 1) log.add(record({ id: String(at) }));
  for (let at = 0; at < 1000; at += 1) expect((await streams[0]?.next())?.value?.id).toBe(String(at));
  log.add(record({ id: "later" }));
  expect((await streams[0]?.next())?.value?.id).toBe("later");
  for (const stream of streams) await stream?.return();
});

it("lets go of a reader that leaves while nothing comes, and makes room for another", async () => {
  const log = new RequestLog(10, 1_000_000);
  const nothing = { fits: () => false };
  const listen = async () => {
    const stream = log.stream("reader", nothing);
    await stream?.next();
    return stream;
  };
  const readers = await Promise.all(Array.from({ length: 5 }, listen));
  expect(log.stream("reader", nothing)).toBeUndefined();
  const waiting = readers[0]?.next();
  await readers[0]?.return();
  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(log.stream("reader", nothing)).toBeDefined();
});

/** With a picture of so many bytes as its answer. */
const pictured = (id: string, bytes: number) => {
  const answerBody = new Uint8Array(bytes);
  answerBody.set(Buffer.from("89504e470d0a1a0a", "hex"));
  return record({ id, answerHeaders: { "content-type": "image/png" }, answerBody });
};

it("keeps pictures of 128 KB whole, and the beginning of larger ones", () => {
  const log = new RequestLog(5, 1_000_000);
  const keptOf = (bytes: number) => {
    log.add(pictured(String(bytes), bytes));
    return log.find(String(bytes))?.answerBody?.length;
  };
  expect([131_072, 131_073].map(keptOf)).toEqual([131_072, 8192]);
});

it("shows 2 MB of records at a time", () => {
  const shownOf = (bytes: number) => {
    const log = new RequestLog(100, 10_000_000);
    log.add(pictured("0", 100_000));
    const besides = log.bytes - 100_000;
    for (let at = 1; at < 16; at += 1) log.add(pictured("0", 100_000));
    const rest = bytes - log.bytes;
    for (let left = rest, parts = 5; parts > 0; parts -= 1) {
      const part = Math.floor(left / parts);
      log.add(pictured("0", part - besides));
      left -= part;
    }
    expect(log.bytes).toBe(bytes);
    return log.recent(100).length;
  };
  expect([2_097_152, 2_097_153].map(shownOf)).toEqual([21, 20]);
});

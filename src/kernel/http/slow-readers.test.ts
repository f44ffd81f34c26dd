/** Who is hung up on for not reading, and who is not: real connections, a clock of the test's own. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { SlowReaders } from "./slow-readers.ts";

const MB = 1024 * 1024;
/** More than any system buffers. */
const ANSWER = Buffer.alloc(64 * MB);
const TIMEOUT_MS = 30_000;

let nowMs = 0;
const sockets: Socket[] = [];
const accepted: Socket[] = [];
const server = createServer((socket) => accepted.push(socket.on("error", () => {})));
beforeEach(async () => {
  nowMs = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  for (const socket of [...sockets.splice(0), ...accepted.splice(0)]) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});
/** Both ends of a connection, of which the caller's is not read. */
async function connection(): Promise<{ caller: Socket; ours: Socket }> {
  const count = accepted.length;
  const caller = connect((server.address() as AddressInfo).port, "127.0.0.1")
    .on("error", () => {})
    .pause();
  sockets.push(caller);
  await eventually(() => accepted.length > count, "the connection");
  return { caller, ours: accepted[count] as Socket };
}
const slowReaders = (bytesMax = 1024 * MB) =>
  new SlowReaders({ timeoutMs: TIMEOUT_MS, bytesMax }, () => nowMs);

it("hangs up on a caller who takes nothing for a while", async () => {
  const readers = slowReaders();
  const { ours } = await connection();
  ours.write(ANSWER);
  readers.watch(ours);
  // What the system buffers is taken first, however fast the machine is.
  let before = -1;
  await eventually(() => {
    readers.sweep();
    const queued = (ours as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
    const isStill = queued === before;
    before = queued;
    return isStill;
  }, "the system's buffers to be full");
  nowMs += TIMEOUT_MS;
  readers.sweep();
  expect([ours.destroyed, readers.owed]).toEqual([false, ANSWER.length]);
  nowMs += 1;
  readers.sweep();
  expect([ours.destroyed, readers.owed]).toEqual([true, 0]);
});

it("waits for a caller who reads slowly, and forgets one who has read everything", async () => {
  const readers = slowReaders();
  const { caller, ours } = await connection();
  ours.write(ANSWER);
  readers.watch(ours);
  let received = 0;
  let wanted = 0;
  caller.on("data", (chunk) => {
    received += chunk.length;
    if (received >= wanted) caller.pause();
  });
  while (received < ANSWER.length) {
    wanted = Math.min(received + 8 * MB, ANSWER.length);
    caller.resume();
    await eventually(() => received >= wanted, "more of the answer");
    readers.sweep();
    nowMs += TIMEOUT_MS - 1;
    expect(ours.destroyed).toBe(false);
  }
  await eventually(() => ours.writableLength === 0, "the end of the answer");
  readers.sweep();
  nowMs += 10 * TIMEOUT_MS;
  readers.sweep();
  expect([ours.destroyed, readers.owed]).toEqual([false, 0]);
});

it("hangs up on those who stand still longest when all together owe too much", async () => {
  const readers = slowReaders(150 * MB);
  const all: Socket[] = [];
  for (let index = 0; index < 5; index += 1) {
    const { ours } = await connection();
    all.push(ours);
    ours.write(ANSWER);
    nowMs += 1;
    readers.watch(ours);
    expect(readers.owed).toBeLessThanOrEqual(150 * MB);
  }
  expect(all.map(({ destroyed }) => destroyed)).toEqual([true, true, true, false, false]);
});

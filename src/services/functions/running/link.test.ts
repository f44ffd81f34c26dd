/** The server tolerates a function process that violates the protocol, and follows the protocol itself. */
import { connect, createServer, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { eventually } from "../../../../tests/support/eventually.ts";
import { Link } from "./link.ts";
import { creditOf, FRAME, FrameReader, frameOf, WINDOW_BYTES } from "./runner/frames.ts";

const servers: { close(): void }[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function pair() {
  const heard: { kind: number; id: number; bytes: number }[] = [];
  const told: string[] = [];
  const taken: number[] = [];
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const accepted = new Promise<Socket>((resolve) => server.once("connection", resolve));
  const own = connect((server.address() as { port: number }).port, "127.0.0.1");
  const other = await accepted;
  const reader = new FrameReader((kind, id, { length }) => heard.push({ kind, id, bytes: length }));
  other.on("data", (part) => reader.read(part)).on("error", () => {});
  const link = new Link(own, () => told.push("broken"));
  const asked = link.ask("GET\n/", true, {
    take: ({ length }) => taken.push(length),
    rest: () => {},
    end: () => told.push("end"),
    stop: () => told.push("stop"),
    mayGoOn: () => told.push("may go on"),
  });
  return { heard, told, taken, other, link, asked };
}
const isTold = (told: readonly string[], what: string) =>
  eventually(async () => told.includes(what), `being told: ${what}`);

it("ends a process that sends more than it may", async () => {
  const { told, other } = await pair();
  const part = Buffer.alloc(WINDOW_BYTES / 2);
  for (let count = 0; count < 3; count += 1) other.write(frameOf(FRAME.data, 1, part));
  await isTold(told, "broken");
  expect(told).toEqual(["broken", "stop"]);
});
it("lets it go on when what it sent was taken", async () => {
  const { told, taken, heard, other, asked } = await pair();
  const part = Buffer.alloc(WINDOW_BYTES / 2);
  for (let count = 0; count < 4; count += 1) {
    other.write(frameOf(FRAME.data, 1, part));
    await eventually(async () => taken.length > count, "another part");
    asked.taken(part.length);
  }
  other.write(frameOf(FRAME.end, 1));
  await isTold(told, "end");
  expect(told).toEqual(["end"]);
  expect(heard.filter(({ kind }) => kind === FRAME.credit)).toHaveLength(4);
});
it.each([
  ["no frame", Buffer.alloc(32, 255), "broken"],
  ["an answer to nothing", frameOf(FRAME.data, 77, "x"), undefined],
  ["a kind that there is not", frameOf(99, 1, "x"), undefined],
  ["half a credit", frameOf(FRAME.credit, 1, "x"), undefined],
])("bears %s", async (_what, bytes, outcome) => {
  const { told, other } = await pair();
  other.write(bytes);
  other.write(frameOf(FRAME.end, 1));
  await isTold(told, outcome ?? "end");
});
it("sends no more of a body than the other side has room for", async () => {
  const { told, other, asked } = await pair();
  expect(asked.send(Buffer.alloc(WINDOW_BYTES - 1))).toBe(true);
  expect(asked.send(Buffer.alloc(1))).toBe(false);
  other.write(frameOf(FRAME.credit, 1, creditOf(10)));
  await isTold(told, "may go on");
});
it("waits for a process that grants room and reads nothing", async () => {
  const { told, other, asked } = await pair();
  other.pause();
  other.write(frameOf(FRAME.credit, 1, creditOf(2 ** 32 - 1)));
  await isTold(told, "may go on");
  const most = 64 * 1024 * 1024;
  let sent = WINDOW_BYTES;
  while (sent < most && asked.send(Buffer.alloc(WINDOW_BYTES))) {
    sent += WINDOW_BYTES;
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sent).toBeLessThan(most);
  told.splice(0);
  other.resume();
  await isTold(told, "may go on");
});

/** How long the head of an answer may be, and how many interim answers may precede it. */
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOutbound, type Outbound } from "./index.ts";

let answer = "";
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () => socket.end(answer));
});
let outbound: Outbound;
let url: URL;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  outbound = createOutbound({ listensOnLoopbackOnly: true, allowedNetworks: [], userAgent: "test" });
});
afterAll(async () => {
  await outbound.close();
  server.close();
});
const INTERIM = "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n";
const answerWith = (letters: number, interim = 0): string =>
  `${INTERIM.repeat(interim)}HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ${"a".repeat(letters)}\r\n\r\n`;

/** The status, or why it failed. */
const read = (text: string) => {
  answer = text;
  return outbound.request({ method: "GET", url: url.href, timeoutMs: 60_000 }).then(
    ({ status }) => status,
    ({ reason, message }) => `${reason}: ${message}`,
  );
};
const stream = (text: string) => {
  answer = text;
  const request = { method: "GET", url, headers: ["host", url.host], body: undefined, timeoutMs: 60_000 };
  return new Promise((resolve) => {
    outbound.stream(request, {
      head: resolve,
      data: () => true,
      end: () => {},
      fail: ({ reason, message }) => resolve(`${reason}: ${message}`),
    });
  });
};

const TOO_LARGE = expect.stringMatching(/^tooLarge: /);
/** The other header counts as well. */
it("32 KiB of an answer that is read whole", async () => {
  expect([await read(answerWith(32_749)), await read(answerWith(32_750))]).toEqual([200, TOO_LARGE]);
});
it("64 KiB of an answer that is handed on", async () => {
  expect([await stream(answerWith(65_519)), await stream(answerWith(65_520))]).toEqual([200, TOO_LARGE]);
});
it("a hundred interim answers", async () => {
  const tooMany = expect.stringMatching(/^connectFailed: .*100 interim/);
  expect([await read(answerWith(1, 100)), await read(answerWith(1, 101))]).toEqual([200, tooMany]);
  expect([await stream(answerWith(1, 100)), await stream(answerWith(1, 101))]).toEqual([200, tooMany]);
});

/** How long the head of an answer may be: the last that is read, and the first that is refused. */
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOutbound, type Outbound } from "./index.ts";

let letters = 0;
const server = createServer((socket) => {
  socket.on("error", () => {});
  socket.once("data", () =>
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 0\r\nx: ${"a".repeat(letters)}\r\n\r\n`),
  );
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

/** The other header counts as well. */
it("32 KiB of an answer that is read whole", async () => {
  const read = (length: number) => {
    letters = length;
    return outbound.request({ method: "GET", url: url.href, timeoutMs: 60_000 }).then(
      ({ status }) => status,
      ({ reason }) => reason,
    );
  };
  expect([await read(32_749), await read(32_750)]).toEqual([200, "tooLarge"]);
});
it("64 KiB of an answer that is handed on", async () => {
  const read = (length: number) => {
    letters = length;
    const request = { method: "GET", url, headers: ["host", url.host], body: undefined, timeoutMs: 60_000 };
    return new Promise((resolve) => {
      outbound.stream(request, {
        head: resolve,
        data: () => true,
        end: () => {},
        fail: ({ reason }) => resolve(reason),
      });
    });
  };
  expect([await read(65_519), await read(65_520)]).toEqual([200, "tooLarge"]);
});

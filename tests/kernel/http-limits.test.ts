/** The limits of requests that no declaration names: the last that fits is taken, the first beyond it is refused. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Instance, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";
import { sendBytes } from "../support/send-bytes.ts";

const URL_BYTES_MAX = 16 * 1024;
const BRAILLE_URL_BYTES_MAX = 904_096;
const HEADER_BYTES_MAX = 64 * 1024;
const HEAD_BYTES_MAX = 1024 * 1024;
const QUERY_KEYS_MAX = 1000;
const NAME_LENGTH_MAX = 4096;
const BODY_BYTES_MAX = 1024 * 1024;
/** One request under way, and a hundred that wait. */
const PIPELINED_MAX = 101;
/** What a head contains beside its longest part. */
const OTHER_BYTES = 300;

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["braille"], extraServices: allSamples });
}, 120_000);
afterAll(() => instance?.stop());

const statusesOf = (text: string): string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status);
const asked = (url: string, header = "", value = ""): Promise<string> =>
  sendBytes(
    instance,
    `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${header === "" ? "" : `${header}: ${value}\r\n`}\r\n`,
  );
const statusOf = async (...request: Parameters<typeof asked>): Promise<string | undefined> =>
  statusesOf(await asked(...request))[0];
const padded = (url: string, length: number): string => url.padEnd(length, "x");

it("addresses, also those of an operation with its own limit", async () => {
  const open = "/sample-key/open?a=";
  expect(await statusOf(padded(open, URL_BYTES_MAX))).toBe("200");
  expect(await statusOf(padded(open, URL_BYTES_MAX + 1))).toBe("414");
  const braille = "/braille/translate/braille.json?a=";
  expect(await statusOf(padded(braille, BRAILLE_URL_BYTES_MAX))).not.toBe("414");
  expect(await statusOf(padded(braille, BRAILLE_URL_BYTES_MAX + 1))).toBe("414");
});

it("headers together", async () => {
  const others = "Host".length + "x".length + "Connection".length + "close".length + "A".length;
  const room = HEADER_BYTES_MAX - others;
  expect(await statusOf("/sample-key/open", "A", "x".repeat(room))).toBe("200");
  expect(await statusOf("/sample-key/open", "A", "x".repeat(room + 1))).toBe("431");
});

it("the whole head", async () => {
  const refusal = "The request head is too large.";
  const within = await asked("/sample-key/open", "A", "x".repeat(HEAD_BYTES_MAX - OTHER_BYTES));
  expect([statusesOf(within), within.includes(refusal)]).toEqual([["431"], false]);
  const beyond = await asked("/sample-key/open", "A", "x".repeat(HEAD_BYTES_MAX));
  expect([statusesOf(beyond), beyond.includes(refusal)]).toEqual([["431"], true]);
});

it("requests that are sent ahead", async () => {
  const key = "X-Vendor-Key: first-api-key-0001";
  const first = `GET /sample-key/slow?ms=500 HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`;
  const request = "GET /sample-key/open HTTP/1.1\r\nHost: x\r\n\r\n";
  const last = "GET /sample-key/open HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const all = await sendBytes(instance, first + request.repeat(PIPELINED_MAX - 2) + last);
  expect(statusesOf(all)).toHaveLength(PIPELINED_MAX);
  const tooMany = await sendBytes(instance, first + request.repeat(PIPELINED_MAX - 1) + last);
  expect(statusesOf(tooMany)).toEqual([]);
});

it("names in a query", async () => {
  const names = (count: number): string => Array.from({ length: count }, (_, at) => `n${at}`).join("&");
  const slow = (count: number): Promise<string | undefined> =>
    statusOf(`/sample-key/slow?${names(count)}&ms=wrong`, "X-Vendor-Key", "first-api-key-0001");
  expect(await slow(QUERY_KEYS_MAX - 1)).toBe("400");
  expect(await slow(QUERY_KEYS_MAX)).not.toBe("400");
});

it("a name in a path", async () => {
  const named = (length: number) =>
    statusOf(`/sample-key/arns/${"x".repeat(length)}/tags/`, "X-Vendor-Key", "first-api-key-0001");
  expect(await named(NAME_LENGTH_MAX)).toBe("200");
  expect(await named(NAME_LENGTH_MAX + 1)).toBe("404");
});

it("bodies of operations without a limit of their own", async () => {
  const headers = { "content-type": "application/json", "X-Vendor-Key": "first-api-key-0001" };
  const statusWith = async (bytes: number): Promise<number> =>
    (await instance.send("POST", "/sample-key/notes", { body: '{"text":"a"}'.padEnd(bytes), headers }))
      .status;
  expect(await statusWith(BODY_BYTES_MAX)).toBe(201);
  expect(await statusWith(BODY_BYTES_MAX + 1)).toBe(413);
});

it("a body that nobody wants: 64 KB are waited for, of more the connection is closed", async () => {
  const connectionAfter = async (length: number) => {
    const headers = { "content-type": "text/plain", "content-length": length };
    const asked = request(`${instance.url}/nowhere`, { method: "POST", headers });
    asked.on("error", () => {});
    asked.flushHeaders();
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    asked.destroy();
    return answer.headers.connection;
  };
  expect([await connectionAfter(65_536), await connectionAfter(65_537)]).toEqual(["keep-alive", "close"]);
});

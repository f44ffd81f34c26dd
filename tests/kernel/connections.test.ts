/** Connections of callers who do not read, who ask for much at once, and who are there when the process stops. */
import { connect, type Socket } from "node:net";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples, requestLogSize: 10 };
const headers = `Host: x\r\nX-Vendor-Key: first-api-key-0001\r\nAuthorization: Bearer ${accounts.first.tokens[0]}\r\n`;

function open(instance: Instance): { socket: Socket; text: () => string; isClosed: () => boolean } {
  let text = "";
  let isClosed = false;
  const socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
  });
  return { socket, text: () => text, isClosed: () => isClosed };
}
const get = (path: string): string => `GET ${path} HTTP/1.1\r\n${headers}\r\n`;

it("answers requests that were sent ahead in their order", async () => {
  const instance = await startInstance(options);
  const { socket, text } = open(instance);
  socket.write(Array.from({ length: 60 }, (_, index) => get(`/sample-key/nowhere-${index}`)).join(""));
  const wanted = Array.from({ length: 60 }, (_, index) => `Nothing answers at /sample-key/nowhere-${index}.`);
  await eventually(() => text().includes(wanted[59] as string), "the last answer");
  expect(text().match(/Nothing answers at [^"]*/g)).toEqual(wanted);
  socket.write(get("/sample-key/open"));
  await eventually(() => text().includes("mountUrl"), "an answer on the same connection");
  socket.destroy();
  await instance.stop();
});

it("hangs up on who sends too many ahead, and goes on with others", async () => {
  const instance = await startInstance(options);
  const { socket, isClosed } = open(instance);
  socket.write(get("/sample-key/slow?ms=1000") + get("/sample-key/open").repeat(5000));
  await eventually(isClosed, "the end of the connection");
  expect((await instance.send("GET", "/sample-key/open")).status).toBe(200);
  await instance.stop();
});

it("hangs up on who reads neither answers nor streams", async () => {
  const instance = await startInstance({ ...options, writeTimeoutSeconds: 1 });
  const text = "a".repeat(100_000);
  await instance.send("PUT", "/sample-key/notes/long", {
    headers: { "x-vendor-key": "first-api-key-0001" },
    body: { text },
  });
  const reader = open(instance);
  const stream = open(instance);
  stream.socket.write(get("/_medley/requests/stream"));
  await eventually(() => stream.text().includes(": listening"), "the stream");
  stream.socket.pause();
  reader.socket.pause();
  // Ever more, until the system takes no more of it: each is answered when the one before it was taken.
  const asking = setInterval(() => {
    if (!reader.socket.destroyed) reader.socket.write(get("/sample-key/notes/long").repeat(5));
    if (!stream.socket.destroyed)
      void instance.send("GET", "/sample-key/notes/long", {
        headers: { "x-vendor-key": "first-api-key-0001" },
      });
  }, 10);
  // A connection that the other side has given up refuses to be written to; the stream's is only read.
  await eventually(
    () => reader.isClosed() || reader.socket.destroyed || !reader.socket.writable,
    "the reader's end",
  );
  clearInterval(asking);
  reader.socket.destroy();
  stream.socket.destroy();
  expect((await instance.send("GET", "/sample-key/open")).status).toBe(200);
  await instance.stop();
});

it("ends streams and hangs up on long waits when it stops", async () => {
  const instance = await startInstance(options);
  const stream = open(instance);
  stream.socket.write(get("/_medley/requests/stream"));
  await eventually(() => stream.text().includes(": listening"), "the stream");
  const wait = open(instance);
  wait.socket.write(get("/sample-key/slow?ms=10000"));
  await eventually(
    async () => (await instance.send("GET", "/sample-key/open")).status === 200,
    "an answer meanwhile",
  );
  await instance.stop();
  await eventually(() => stream.isClosed() && wait.isClosed(), "the end of the connections");
  // A stream that is cut off has no last piece.
  expect(stream.text()).toMatch(/\r\n0\r\n\r\n$/);
  expect(wait.text()).toBe("");
});

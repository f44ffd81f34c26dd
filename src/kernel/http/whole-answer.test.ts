/** Answers that are written in one piece have the same bytes as Node's own, and the connection goes on. */
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { type Outgoing, writeNow } from "./respond.ts";
import { KEEP_ALIVE_MS, wroteWhole } from "./whole-answer.ts";

const JSON_TYPE = "application/json";
const answers: Readonly<
  Record<string, Omit<Outgoing, "headers"> & { headers?: Record<string, string | string[]> }>
> = {
  ascii: { status: 200, contentType: JSON_TYPE, body: '{"a":1}' },
  letters: { status: 201, contentType: JSON_TYPE, body: '{"a":"Žluťoučký €"}' },
  nothing: { status: 204, contentType: undefined, body: undefined },
  unchanged: { status: 304, contentType: undefined, body: undefined, headers: { etag: '"1"' } },
  empty: { status: 200, contentType: undefined, body: undefined },
  odd: { status: 299, contentType: "text/plain", body: "odd" },
  bytes: { status: 200, contentType: "text/plain", body: Buffer.from("bytes") },
  several: { status: 200, contentType: "text/plain", body: "a", headers: { "set-cookie": ["a=1", "b=2"] } },
  closing: { status: 200, contentType: "text/plain", body: "a", headers: { connection: "close" } },
};
const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  const [, how, name = ""] = (request.url ?? "").split("/");
  const outgoing = { headers: {}, ...(answers[name] as Omit<Outgoing, "headers">) };
  const headers = { "x-id": "1", ...outgoing.headers };
  // A request is complete a moment after its head.
  setImmediate(() => writeNow({ request, response, headers, outgoing }, how === "whole"));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** All requests go at once over one connection. */
async function bytesOf(requests: string, count: number): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => {
    text += chunk.toString("utf8");
  });
  socket.write(requests);
  await eventually(() => text.split("HTTP/1.1 ").length > count, "all answers");
  socket.destroy();
  return text.replaceAll(/Date: .*/g, "Date");
}
const get = (how: string, name: string, method = "GET", version = "1.1") =>
  `${method} /${how}/${name} HTTP/${version}\r\nHost: x\r\n\r\n`;

it.each(Object.keys(answers))("an answer (%s) has the same bytes as Node's own", async (name) => {
  const [own, nodes] = [await bytesOf(get("whole", name), 1), await bytesOf(get("node", name), 1)];
  expect(own).toBe(nodes);
});
it("a request with HEAD, and one of HTTP/1.0, are answered as by Node", async () => {
  for (const [method, version] of [
    ["HEAD", "1.1"],
    ["GET", "1.0"],
  ] as const)
    expect(await bytesOf(get("whole", "ascii", method, version), 1)).toBe(
      await bytesOf(get("node", "ascii", method, version), 1),
    );
});
it("requests that were sent ahead are answered in their order, however each answer is written", async () => {
  const names = ["ascii", "bytes", "letters", "several", "nothing", "odd", "ascii"];
  const own = await bytesOf(names.map((name) => get("whole", name)).join(""), names.length);
  const nodes = await bytesOf(names.map((name) => get("node", name)).join(""), names.length);
  expect(own).toBe(nodes);
});
it("ordinary answers are written in one piece, and unusual ones are left to Node", async () => {
  const written: [string, boolean][] = [];
  const direct = createServer((request, response) => {
    const name = (request.url ?? "").slice(1);
    const { status, body, headers = {} } = answers[name] as (typeof answers)[string];
    const length = { "content-length": String(Buffer.byteLength(body ?? "")) };
    setImmediate(() => {
      const isWhole = wroteWhole(request, response, status, { ...length, ...headers }, String(body ?? ""));
      written.push([name, isWhole]);
      if (!isWhole) response.end();
    });
  });
  await new Promise<void>((resolve) => direct.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(direct.address() as AddressInfo).port}`;
  for (const name of ["ascii", "letters", "several", "closing"])
    await (await fetch(`${url}/${name}`)).arrayBuffer();
  expect(written).toEqual([
    ["ascii", true],
    ["letters", true],
    ["several", false],
    ["closing", false],
  ]);
  await new Promise((resolve) => direct.close(resolve));
});

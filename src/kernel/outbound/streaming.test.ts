/** Streamed requests to real servers on loopback: how many at a time, and what becomes of those that are given up. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { createOutbound, type Outbound } from "./index.ts";

const CONNECTIONS_MAX = 256;
const ORIGINS_MAX = 256;
const paths: string[] = [];
const held: ServerResponse[] = [];
const sockets = new Set<Socket>();
const server = createServer((request, response) => {
  paths.push(request.url ?? "");
  if (request.url === "/held") held.push(response);
  else response.end("ok");
});
server.keepAliveTimeout = 300_000;
server.on("connection", (socket: Socket) => {
  sockets.add(socket);
  socket.once("close", () => sockets.delete(socket));
});
let outbound: Outbound;
const options = { listensOnLoopbackOnly: true, allowedNetworks: [], userAgent: "test" };
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  outbound = createOutbound(options);
});
afterEach(() => {
  paths.length = 0;
});
afterAll(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
});
function ask(path: string, { host = "127.0.0.1", timeoutMs = 60_000 } = {}) {
  const url = new URL(`http://${host}:${(server.address() as AddressInfo).port}${path}`);
  const heard: string[] = [];
  const exchange = outbound.stream(
    { method: "GET", url, headers: ["host", url.host], body: undefined, timeoutMs },
    {
      head: (status) => heard.push(String(status)),
      data: () => true,
      end: () => heard.push("end"),
      fail: ({ reason }) => heard.push(reason),
    },
  );
  const over = (wanted: string) => eventually(() => heard.at(-1) === wanted, wanted);
  return { exchange, heard, over };
}

it("sends no request that was given up before it had a connection", async () => {
  const first = ask("/first");
  first.exchange.abort();
  await ask("/second").over("end");
  expect(paths).toEqual(["/second"]);
  expect(first.heard).toEqual([]);
});
it("has 256 connections to one server at the most; the next waits, with patience, or is given up", async () => {
  const running = Array.from({ length: CONNECTIONS_MAX }, () => ask("/held"));
  await eventually(() => held.length === CONNECTIONS_MAX, "every connection");
  const [givenUp, waiting, hasty] = [ask("/given-up"), ask("/waiting"), ask("/hasty", { timeoutMs: 1 })];
  await hasty.over("timeout");
  givenUp.exchange.abort();
  const before = sockets.size;
  expect(before).toBe(CONNECTIONS_MAX);
  held.shift()?.end();
  await waiting.over("end");
  expect(sockets.size).toBe(before);
  for (const response of held.splice(0)) response.end();
  for (const { over } of running) await over("end");
  expect(paths.filter((path) => path !== "/held")).toEqual(["/waiting"]);
  expect([givenUp.heard, hasty.heard]).toEqual([[], ["timeout"]]);
});
it("tells nothing more to a taker that has given up, and ends the connection", async () => {
  const given = ask("/held");
  await eventually(() => held.length === 1, "the request");
  const gone = new Promise((resolve) => held[0]?.once("close", resolve));
  given.exchange.abort();
  await gone;
  expect(given.heard).toEqual([]);
  held.length = 0;
});
it("keeps connections to 256 servers, and closes those that were not used for longest", async () => {
  const hostOf = (index: number): string => `127.0.${1 + (index >> 8)}.${index & 255}`;
  const isOpen = (host: string): boolean => [...sockets].some(({ localAddress }) => localAddress === host);
  const askAll = async (...indexes: readonly number[]): Promise<void> => {
    await Promise.all(indexes.map((index) => ask("/", { host: hostOf(index) }).over("end")));
  };
  await askAll(0);
  await askAll(1);
  await askAll(...Array.from({ length: ORIGINS_MAX - 2 }, (_, index) => index + 2));
  await askAll(0);
  expect([isOpen(hostOf(0)), isOpen(hostOf(1))]).toEqual([true, true]);
  await askAll(ORIGINS_MAX);
  await eventually(() => !isOpen(hostOf(1)), "the end of the oldest");
  expect([isOpen(hostOf(0)), isOpen(hostOf(2))]).toEqual([true, true]);
});
it("fails what waits when it closes", async () => {
  const running = Array.from({ length: CONNECTIONS_MAX }, () => ask("/held"));
  await eventually(() => held.length === CONNECTIONS_MAX, "every connection");
  const waiting = ask("/waiting");
  await outbound.close();
  expect(waiting.heard).toEqual(["connectFailed"]);
  for (const { heard } of running) expect(heard).toEqual(["connectFailed"]);
  outbound = createOutbound(options);
  held.length = 0;
});

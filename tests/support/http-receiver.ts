/** A real HTTP server that notes what it receives and answers as told. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { eventually } from "./eventually.ts";
import { wholeBodyOf } from "./whole-body.ts";

export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Reply = {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Real time before the answer, unless the caller hangs up first. */
  readonly delayMs?: number;
  /** Another reason to wait with the answer. */
  readonly until?: Promise<unknown>;
};
export type HttpReceiver = {
  readonly url: string;
  readonly received: Received[];
  /** How many requests to a path waited for their answers at the same time, at most. */
  readonly mostAtOnce: ReadonlyMap<string, number>;
  /** Decides on each request; 200 by default. */
  reply: (request: Received) => Reply;
  /** Resolves with the request that makes up this number. */
  waitFor(count: number): Promise<Received>;
  stop(): Promise<void>;
};

/** Resolves early when the caller has left. */
async function delayed(response: ServerResponse, delayMs: number): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const left = once(response, "close", { signal });
  await Promise.race([left, setTimeout(delayMs, undefined, { signal })]).finally(() => controller.abort());
}

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const waiting = new Map<string, number>();
  const mostAtOnce = new Map<string, number>();
  const count = (url: string, by: 1 | -1) => {
    const now = (waiting.get(url) ?? 0) + by;
    waiting.set(url, now);
    mostAtOnce.set(url, Math.max(now, mostAtOnce.get(url) ?? 0));
  };
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const sent = await wholeBodyOf(request);
    if (!sent) return;
    const one = { method, url, headers, body: sent.toString("utf8") };
    count(url, 1);
    response.once("close", () => count(url, -1));
    receiver.received.push(one);
    const { status, body = "", headers: answerHeaders = {}, delayMs = 0, until } = receiver.reply(one);
    if (delayMs > 0) await delayed(response, delayMs);
    await until;
    response.writeHead(status, answerHeaders).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    mostAtOnce,
    reply: () => ({ status: 200, body: "fine" }),
    async waitFor(count) {
      return eventually(() => receiver.received[count - 1], `the arrival of ${count} requests`);
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

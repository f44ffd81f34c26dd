/** A real HTTP server that notes what it receives and answers as told. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

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
  /** Real time before the answer. */
  readonly delayMs?: number;
};
export type HttpReceiver = {
  readonly url: string;
  readonly received: Received[];
  /** Decides on each request; 200 by default. */
  reply: (request: Received) => Reply;
  /** Resolves with the request that makes up this number. */
  waitFor(count: number): Promise<Received>;
  stop(): Promise<void>;
};

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

export async function startHttpReceiver(): Promise<HttpReceiver> {
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, body: await readAll(request) };
    receiver.received.push(one);
    const { status, body = "", headers: answerHeaders = {}, delayMs = 0 } = receiver.reply(one);
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    response.writeHead(status, answerHeaders).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const receiver: HttpReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    reply: () => ({ status: 200, body: "fine" }),
    async waitFor(count) {
      const untilMs = Date.now() + 15_000;
      while (receiver.received.length < count) {
        if (Date.now() > untilMs)
          throw new Error(`only ${receiver.received.length} of ${count} requests arrived`);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      return receiver.received[count - 1]!;
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}

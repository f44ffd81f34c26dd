/** Listens, limits, and stops gracefully: requests under way finish, new ones are refused. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import type { Service } from "../operation/service.ts";
import { packageOnUse } from "../packages/index.ts";
import { presentCredential } from "../protocols/present.ts";
import type { CalledInside, CallInside } from "../runtime/inner-calls.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { ANSWER_TO_CONNECT, answerToBroken, refusalOf } from "./broken-request.ts";
import { Exchange } from "./exchange.ts";
import { Gateways, Passage } from "./gateways.ts";
import { sendInside } from "./inner-call.ts";
import { MountTable } from "./mounts.ts";
import { Pipelines } from "./pipelines.ts";
import { AnswerWriter } from "./respond.ts";
import { SlowReaders } from "./slow-readers.ts";
import { UnderWay } from "./under-way.ts";

/** Includes the request line: a long text in a query needs space. Each operation has its own, smaller limit. */
const HEAD_BYTES_MAX = 1024 * 1024;
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 120_000;
const KEEP_ALIVE_MS = 15_000;
/** Supervisors usually wait ten seconds before they kill a process. */
const STOP_WAIT_MS = 7000;
const SWEEP_MS = 500;

const https = packageOnUse<typeof import("node:https")>("node:https");

export type Certificates = { readonly certificatePem: string; readonly keyPem: string };

export class HttpServer {
  readonly mounts: MountTable;
  readonly #kernel: Kernel;
  readonly #servers: Server[] = [];
  readonly #gateways: Gateways;
  readonly #underWay = new UnderWay<Exchange | Passage>();
  readonly #slowReaders: SlowReaders;
  readonly #writer: AnswerWriter;
  #sweep: NodeJS.Timeout | undefined;
  #stopping = false;

  constructor(kernel: Kernel, services: readonly Service[]) {
    this.#kernel = kernel;
    this.mounts = new MountTable(services);
    this.#gateways = new Gateways(services);
    this.#slowReaders = new SlowReaders({
      timeoutMs: kernel.config.writeTimeoutSeconds * 1000,
      bytesMax: kernel.config.unreadBytesMax,
    });
    this.#writer = new AnswerWriter(this.#slowReaders, (error) =>
      kernel.log.error("an answer could not be written", { error: String(error) }),
    );
  }
  async listen(host: string, port: number, certificates?: Certificates): Promise<number> {
    const options = {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 5000,
    };
    const scheme = certificates ? "https" : "http";
    const pipelines = new Pipelines((request, response) => this.#take(request, response, scheme));
    const onRequest = (request: IncomingMessage, response: ServerResponse) =>
      pipelines.take(request, response);
    const server = certificates
      ? https().createServer(
          { ...options, cert: certificates.certificatePem, key: certificates.keyPem },
          onRequest,
        )
      : createServer(options, onRequest);
    // A caller with `Expect: 100-continue` is told to send the body only after credentials and size are checked.
    server.on("checkContinue", onRequest);
    server.on("clientError", (error: Error & { code?: string }, socket: Duplex) => {
      if (error.code === "ECONNRESET") socket.destroy();
      else pipelines.end(socket, answerToBroken(error.code));
    });
    // Without a listener, the connection would end without an answer.
    server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
      socket.on("error", () => socket.destroy());
      pipelines.end(socket, ANSWER_TO_CONNECT);
    });
    if (!certificates) this.#kernel.innerCalls.open((call) => this.#callInside(server, call));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, host, () => {
        server.off("error", reject);
        resolve();
      });
    });
    this.#servers.push(server);
    this.#sweep ??= setInterval(() => this.#sweepLate(), SWEEP_MS).unref();
    return (server.address() as AddressInfo).port;
  }
  #callInside(server: Server, call: CallInside): Promise<CalledInside> {
    const { caller, host, region, headers, body, method, path } = call;
    const [rawPath = "", rawQuery = ""] = splitOnce(path);
    const { protocol } = this.mounts.locate(host, rawPath).mount;
    const { accounts, clock } = this.#kernel;
    const send = async (own: Record<string, string>) => {
      const sent = { ...headers, host, ...own };
      return { ...(await sendInside(server, { ...call, headers: sent })), sent };
    };
    if (!caller) return send({});
    return accounts.lent.during(caller, (lend) => {
      const request = { method, rawPath, rawQuery, host, body };
      return send(presentCredential(protocol, request, { lend, region, nowMs: clock.machineNowMs() }));
    });
  }
  #take(request: IncomingMessage, response: ServerResponse, scheme: string): void {
    if (this.#stopping) response.shouldKeepAlive = false;
    const refusal = refusalOf(request);
    if (refusal) {
      this.#writer.write({ request, response, ...refusal });
      return;
    }
    const gateway = this.#gateways.find(request);
    if (gateway) {
      const passage = new Passage(this.#kernel, this.#writer, gateway, request, response, scheme);
      this.#underWay.add(passage);
      void passage.run().finally(() => this.#underWay.remove(passage));
      return;
    }
    const exchange = new Exchange(this.#kernel, this.#writer, request, response, scheme);
    this.#underWay.add(exchange);
    void exchange.run(this.mounts, this.#underWay);
  }
  #sweepLate(): void {
    const nowMs = performance.now();
    const timeoutMs = this.#kernel.config.writeTimeoutSeconds * 1000;
    for (const one of this.#underWay)
      if (one instanceof Passage) one.watch(this.#slowReaders, nowMs, timeoutMs);
      else if (one.deadlineMs < nowMs) one.timeOut();
    this.#writer.watchStreams();
    this.#slowReaders.sweep();
  }
  /** The operations of requests under way. */
  get underWay(): readonly string[] {
    return [...this.#underWay].map(({ operationId }) => operationId ?? "not yet read");
  }
  /** Resolves when all requests under way are answered, or after a timeout. Streams end at once. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#writer.endStreams();
    clearInterval(this.#sweep);
    const closed = this.#servers.map(
      (server) => new Promise<void>((resolve) => server.close(() => resolve())),
    );
    // The end of a stream is written at the end of this turn.
    await new Promise((resolve) => setImmediate(resolve));
    for (const server of this.#servers) server.closeIdleConnections();
    const deadline = performance.now() + STOP_WAIT_MS;
    while (this.#underWay.size > 0 && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 10));
    for (const server of this.#servers) server.closeIdleConnections();
    const grace = setTimeout(() => {
      for (const server of this.#servers) server.closeAllConnections();
    }, 250);
    await Promise.all(closed);
    clearTimeout(grace);
  }
}

function splitOnce(path: string): readonly [path: string, query: string] {
  const mark = path.indexOf("?");
  return mark < 0 ? [path, ""] : [path.slice(0, mark), path.slice(mark + 1)];
}

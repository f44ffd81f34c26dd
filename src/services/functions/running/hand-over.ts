/** Hands a request to a function's process and its answer back, streaming both ways. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { PassingRequest } from "#kernel/operation";
import type { Instance } from "./instance.ts";
import type { InstancePool } from "./pool.ts";

/** `failed`: the function answered by itself that it failed. */
export type Handed = "answered" | "failed" | "crashed" | "timedOut" | "malformed";

/** Between two neighbours only. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "host",
]);
/** Ours to say. */
const OUR_OWN: ReadonlySet<string> = new Set([
  "x-forwarded-for",
  "x-forwarded-proto",
  "function-execution-id",
]);
const ENDING_MS = 1000;
const FAILURE_MARK = "x-medley-function-error";

function namedByConnection({ connection }: IncomingMessage["headers"]): readonly string[] {
  return connection === undefined ? [] : connection.split(",").map((name) => name.trim().toLowerCase());
}
/** As they came, in their order, without those that end here. */
function requestHeaders({ request, remoteAddress, scheme, id }: PassingRequest): string[] {
  const { rawHeaders, headers } = request;
  const named = namedByConnection(headers);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || lower.startsWith("x-medley-") || OUR_OWN.has(lower) || named.includes(lower))
      continue;
    kept.push(name, rawHeaders[index + 1] as string);
  }
  const before = headers["x-forwarded-for"];
  kept.push("x-forwarded-for", before === undefined ? remoteAddress : `${String(before)}, ${remoteAddress}`);
  kept.push("x-forwarded-proto", scheme, "function-execution-id", id);
  if (headers.host !== undefined) kept.push("host", headers.host);
  return kept;
}
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** As the function sent them, without those that end here. */
function answerHeaders(headers: readonly Buffer[]): { written: string[]; isFailure: boolean } {
  const written: string[] = [];
  let isFailure = false;
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] as Buffer).toString("latin1");
    const lower = name.toLowerCase();
    if (lower === FAILURE_MARK) isFailure = true;
    if (!HOP_BY_HOP.has(lower) && !lower.startsWith("x-medley-"))
      written.push(name, (headers[index + 1] as Buffer).toString("latin1"));
  }
  return { written, isFailure };
}

/** The answer as it comes in, written on as fast as the caller takes it; a small one in a single piece. */
class Relay implements Dispatcher.DispatchHandlers {
  readonly #response: ServerResponse;
  readonly #ended: (handed: Handed) => void;
  #abort: ((error?: Error) => void) | undefined;
  #held: Buffer | undefined;
  #isHolding = false;
  #failed = false;
  #isOver = false;

  constructor(response: ServerResponse, ended: (handed: Handed) => void) {
    this.#response = response;
    this.#ended = ended;
  }
  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.#isOver) abort();
  }
  onHeaders(status: number, headers: Buffer[], resume: () => void): boolean {
    if (status < 200 || this.#response.headersSent || this.#response.destroyed) return true;
    const { written, isFailure } = answerHeaders(headers);
    this.#failed = isFailure;
    this.#response.writeHead(status, written as unknown as Record<string, string>);
    this.#response.on("drain", resume);
    this.#isHolding = true;
    setImmediate(() => this.#letGo());
    return true;
  }
  /** What was held back goes out: the rest takes its time. */
  #letGo(): void {
    if (!this.#isHolding || this.#isOver) return;
    this.#isHolding = false;
    if (this.#held) this.#response.write(this.#held);
    else this.#response.flushHeaders();
    this.#held = undefined;
  }
  onData(chunk: Buffer): boolean {
    if (this.#isHolding && !this.#held) {
      this.#held = chunk;
      return true;
    }
    this.#letGo();
    return this.#response.write(chunk);
  }
  onComplete(): void {
    this.#response.end(this.#isHolding ? this.#held : undefined);
    this.#end(this.#failed ? "failed" : "answered");
  }
  onError(error: Error & { code?: string }): void {
    this.#end(error.code?.startsWith("HPE_") ? "malformed" : "crashed");
  }
  /** Nobody waits for it any more. */
  giveUp(handed: Handed): void {
    if (this.#isOver) return;
    this.#letGo();
    this.#end(handed);
    this.#abort?.();
  }
  #end(handed: Handed): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended(handed);
  }
}

export async function handOver(
  passing: PassingRequest,
  pool: InstancePool,
  instance: Instance,
): Promise<Handed> {
  const { request, response, url } = passing;
  passing.askForBody();
  const startedMs = performance.now();
  const { timeoutSeconds = 60 } = pool.prepared.definition.serviceConfig;
  const handed = await new Promise<Handed>((resolve) => {
    const made = new Relay(response, resolve);
    const patience = setTimeout(() => made.giveUp("timedOut"), timeoutSeconds * 1000);
    response.once("close", () => {
      clearTimeout(patience);
      made.giveUp("answered");
    });
    instance.connections.dispatch(
      {
        path: url,
        method: (request.method ?? "GET") as Dispatcher.HttpMethod,
        headers: requestHeaders(passing),
        body: hasBody(request) ? request : null,
      },
      made,
    );
  });
  if (handed === "timedOut" && !(await instance.isResponsive()))
    pool.remove(instance, `Function execution took longer than ${timeoutSeconds} seconds; it was ended.`);
  // Its connections end a moment before it does, and why it ended is worth waiting for.
  if (handed === "crashed") await Promise.race([instance.whenEnded, sleep(ENDING_MS)]);
  pool.counts.answered += 1;
  pool.counts.answeredMs += performance.now() - startedMs;
  pool.release(instance);
  return handed;
}

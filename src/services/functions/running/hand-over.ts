/** Hands a request to a function's process and its answer back, streaming both ways. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { hasBody, type PassingRequest } from "#kernel/operation";
import type { AnswerHead } from "./answer-head.ts";
import type { Instance } from "./instance.ts";
import type { Answering, Asked } from "./link.ts";
import type { InstancePool } from "./pool.ts";

/** `failed`: the function itself answered with an error. */
export type Handed = "answered" | "failed" | "crashed" | "timedOut" | "malformed";

type HandedOn = Awaited<ReturnType<PassingRequest["handedOn"]>>;

/** Headers that only the server sets. */
const OUR_OWN: ReadonlySet<string> = new Set([
  "x-forwarded-for",
  "x-forwarded-proto",
  "function-execution-id",
]);
const ENDING_MS = 1000;
const HEAD_END = "\r\n\r\n";
/** Less than may be under way: whatever is longer shows before its sender has to wait. */
const HEAD_BYTES_MAX = 120 * 1024;
const INTERIM_ANSWERS_MAX = 100;
/** Each piece is joined with those before it. A process that writes a head at once sends it in a few. */
const HEAD_PIECES_MAX = 100;
/** A short answer is written together with its head. */
const SHORT_BYTES_MAX = 8 * 1024;
const NOTHING = Buffer.alloc(0);

/** Headers in their original order, without hop-by-hop headers. */
function headOfRequest(
  { request, remoteAddress, scheme, id }: PassingRequest,
  { headers: handed, url }: HandedOn,
): string {
  const { headers, method = "GET" } = request;
  let head = `${method}\n${url}`;
  for (let index = 0; index < handed.length; index += 2)
    if (!OUR_OWN.has((handed[index] as string).toLowerCase()))
      head += `\n${handed[index]}\n${handed[index + 1]}`;
  const before = headers["x-forwarded-for"];
  head += `\nx-forwarded-for\n${before === undefined ? remoteAddress : `${String(before)}, ${remoteAddress}`}`;
  head += `\nx-forwarded-proto\n${scheme}\nfunction-execution-id\n${id}`;
  return headers.host === undefined ? head : `${head}\nhost\n${headers.host}`;
}
/** The answer as it comes in, written on as fast as the caller takes it; a small one in a single piece. */
class Relay implements Answering {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #instance: Instance;
  readonly #ended: (handed: Handed) => void;
  #asked: Asked | undefined;
  #begun: Buffer = NOTHING;
  #head: AnswerHead | undefined;
  #headPieces = 0;
  /** Written together: a process may send very many small ones. */
  #held: Buffer[] = [];
  #interimAnswers = 0;
  #bytes = 0;
  #unread = 0;
  #isOver = false;

  constructor({ request, response }: PassingRequest, instance: Instance, ended: (handed: Handed) => void) {
    this.#request = request;
    this.#response = response;
    this.#instance = instance;
    this.#ended = ended;
  }
  ask(head: string): void {
    const withBody = hasBody(this.#request);
    this.#asked = this.#instance.link.ask(head, withBody, this);
    if (!withBody) return;
    const asked = this.#asked;
    this.#request.on("data", (part: Buffer) => {
      if (!this.#isOver && !asked.send(part)) this.#request.pause();
    });
    this.#request.on("end", () => {
      if (!this.#isOver) asked.end();
    });
  }
  mayGoOn(): void {
    this.#request.resume();
  }
  take(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#head) this.#pass(bytes);
    else this.#begin(this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]));
  }
  #begin(bytes: Buffer): void {
    let rest = bytes;
    this.#headPieces += 1;
    while (!this.#isOver && !this.#head) {
      const end = rest.indexOf(HEAD_END);
      // A long head may come in one piece.
      const length = end < 0 ? rest.length - HEAD_END.length : end;
      if (length > HEAD_BYTES_MAX || this.#headPieces > HEAD_PIECES_MAX) {
        this.giveUp("malformed");
        return;
      }
      this.#begun = end < 0 ? rest : NOTHING;
      if (end < 0) return;
      this.#takeHead(this.#instance.heads.read(rest.toString("latin1", 0, end)));
      this.#asked?.taken(end + HEAD_END.length);
      rest = rest.subarray(end + HEAD_END.length);
    }
    if (rest.length > 0) this.#pass(rest);
  }
  /** Informational answers (1xx) end here. */
  #takeHead(head: AnswerHead | undefined): void {
    const isInterim = head !== undefined && head.status < 200;
    if (isInterim) this.#interimAnswers += 1;
    if (!head || this.#interimAnswers > INTERIM_ANSWERS_MAX) this.giveUp("malformed");
    else if (!isInterim) this.#head = head;
  }
  #pass(bytes: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += bytes.length;
    // Bytes beyond the declared length would be read as the next answer on this connection.
    if (this.#bytes > (this.#head?.length ?? Number.POSITIVE_INFINITY)) this.giveUp("malformed");
    else this.#held.push(bytes);
  }
  #takeHeld(): Buffer {
    const held = this.#held.splice(0);
    return held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
  }
  #write(bytes: Buffer): void {
    this.#unread += bytes.length;
    if (this.#response.write(bytes)) this.#tellTaken();
    else if (this.#response.listenerCount("drain") === 0) this.#response.on("drain", () => this.#tellTaken());
  }
  #tellTaken(): void {
    this.#asked?.taken(this.#unread);
    this.#unread = 0;
  }
  #writeHead(): boolean {
    const { status, headers } = this.#head as AnswerHead;
    if (this.#response.headersSent || this.#response.destroyed) return false;
    this.#response.writeHead(status, headers as string[]);
    return true;
  }
  /** Sends the buffered part, because the rest may take time. */
  rest(): void {
    if (this.#isOver || !this.#head) return;
    const isFirst = this.#writeHead();
    const held = this.#takeHeld();
    if (held.length > 0) this.#write(held);
    else if (isFirst) this.#response.flushHeaders();
  }
  end(): void {
    if (this.#isOver) return;
    const { length, isFailure, status } = this.#head ?? {};
    const isBodiless = this.#request.method === "HEAD" || status === 204 || status === 304;
    if (!this.#head || (!isBodiless && length !== undefined && length !== this.#bytes)) {
      this.#end("malformed");
      return;
    }
    this.#writeHead();
    const held = this.#takeHeld();
    if (held.length > 0 && held.length <= SHORT_BYTES_MAX)
      this.#response.end(held.toString("latin1"), "latin1");
    else this.#response.end(held.length > 0 ? held : undefined);
    this.#end(isFailure ? "failed" : "answered");
  }
  stop(): void {
    this.#end("crashed");
  }
  /** The client no longer waits for the answer. */
  giveUp(handed: Handed): void {
    if (this.#isOver) return;
    if (handed !== "malformed") this.rest();
    this.#end(handed);
    this.#asked?.stop();
  }
  #end(handed: Handed): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // The rest of the body is read and dropped, so that the connection can be reused.
    if (!this.#request.complete) this.#request.resume();
    this.#ended(handed);
  }
}

export async function handOver(
  passing: PassingRequest,
  handed: HandedOn,
  pool: InstancePool,
  instance: Instance,
): Promise<Handed> {
  const { response } = passing;
  passing.askForBody();
  const startedMs = performance.now();
  const ended = (ending: Handed): Handed => {
    pool.latencies.note(performance.now() - startedMs);
    pool.release(instance);
    return ending;
  };
  const { timeoutSeconds = 60 } = pool.prepared.definition.serviceConfig;
  const how = await new Promise<Handed>((resolve) => {
    const relay = new Relay(passing, instance, resolve);
    const timer = setTimeout(() => relay.giveUp("timedOut"), timeoutSeconds * 1000);
    response.once("close", () => {
      clearTimeout(timer);
      relay.giveUp("answered");
    });
    relay.ask(headOfRequest(passing, handed));
  });
  if (how === "timedOut" && !(await instance.isResponsive())) {
    // A process with a full heap spends its time in garbage collection. That explains the timeout.
    const isFull = instance.isHeapFull();
    pool.remove(
      instance,
      isFull
        ? instance.shortOfMemory
        : `Function execution took longer than ${timeoutSeconds} seconds; it was ended.`,
    );
    if (isFull) return ended("crashed");
  }
  // Its connection ends a moment before it does, and why it ended is worth waiting for.
  if (how === "crashed") await Promise.race([instance.whenEnded, sleep(ENDING_MS)]);
  return ended(how);
}

/**
 * Servers take turns of a fraction of a second, many times over. Each turn gives requests a second and processor time of one
 * request. What else the machine does strikes neighbours alike, so ratios come from the turns of one round.
 */
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const CONNECTIONS = 64;
const TURN_MS = 200;
/** Code is compiled by how often it ran, whatever the clock says. */
const WARM_UP_REQUESTS = 10_000;
const WARM_UP_MS_MAX = 3000;
/** Compiling goes on beside the first turns, which do not count. */
const WARM_UP_ROUNDS = 15;
const SPREAD_MAX = 0.1;

/** Of all threads, in microseconds. */
function processorMicros(pid) {
  let nanos = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`))
    nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ")[0]);
  return nanos / 1000;
}

/** The bytes of one request; its length is counted here. */
export function requestBytes(url, { method = "GET", headers = {}, body = "" }) {
  const { host, pathname, search } = new URL(url);
  const head = Object.entries({
    host,
    ...headers,
    ...(body !== "" && { "content-length": Buffer.byteLength(body) }),
  });
  const lines = head.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${method} ${pathname}${search} HTTP/1.1\r\n${lines}\r\n${body}`;
}

/** Keeps connections busy for a while; they stay open from turn to turn. */
class Load {
  #url;
  #next;
  #status;
  #sockets = [];
  #untilMs = 0;
  #busy = 0;
  #answers = 0;
  #failure;
  #idle = () => {};

  /** `next` makes the text of the next request. */
  constructor({ url, next, status = 200 }) {
    this.#url = new URL(url);
    this.#next = next;
    this.#status = ` ${status} `;
  }
  #open() {
    const { port, hostname } = this.#url;
    const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding("latin1");
    let received = "";
    socket.on("data", (text) => {
      received += text;
      if (!isWhole(received)) return;
      if (received.slice(8, 13) !== this.#status) this.#failure ??= received.slice(0, 600);
      received = "";
      this.#answers += 1;
      this.#send(socket);
    });
    socket.on("error", (error) => this.#end(error.message));
    socket.on("close", () => {
      this.#sockets = this.#sockets.filter((one) => one !== socket);
    });
    return socket;
  }
  #send(socket) {
    if (performance.now() < this.#untilMs && !this.#failure) socket.write(this.#next());
    else if (--this.#busy === 0) this.#idle();
  }
  #end(reason) {
    this.#failure ??= reason;
    this.#idle();
  }
  /** One turn. */
  async during(ms) {
    while (this.#sockets.length < CONNECTIONS) this.#sockets.push(this.#open());
    this.#answers = 0;
    this.#busy = CONNECTIONS;
    const startMs = performance.now();
    this.#untilMs = startMs + ms;
    await new Promise((resolve) => {
      this.#idle = resolve;
      for (const socket of this.#sockets) this.#send(socket);
    });
    if (this.#failure) throw new Error(`${this.#url}: ${this.#failure}`);
    return { answers: this.#answers, seconds: (performance.now() - startMs) / 1000 };
  }
  close() {
    for (const socket of this.#sockets) socket.destroy();
  }
}
const LENGTH = /\r\ncontent-length: (\d+)/i;
function isWhole(text) {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = LENGTH.exec(text)?.[1];
  if (length !== undefined) return text.length >= end + 4 + Number(length);
  return text.startsWith("304", 9) || text.endsWith("0\r\n\r\n");
}

const at = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)];
/** The middle value, and how far the middle half of the values lies apart, as a share of it. */
export function summaryOf(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = at(sorted, 0.5);
  return { middle, spread: (at(sorted, 0.75) - at(sorted, 0.25)) / middle };
}

export const shown = ({ middle, spread }) => `${middle.toFixed(2)} ± ${((middle * spread) / 2).toFixed(2)}`;
export const microsOf = (turns) => summaryOf(turns.map((turn) => turn.micros)).middle;
export const perSecondOf = (turns) => summaryOf(turns.map((turn) => turn.perSecond)).middle;

/** For each name: micros (of a processor, for one request) and perSecond, turn by turn. `settle` runs after each turn. */
export async function inRounds(loads, rounds, { warmUpRequests = WARM_UP_REQUESTS } = {}) {
  const entries = Object.entries(loads).map(([name, one]) => ({
    name,
    ...one,
    load: new Load(one),
    turns: [],
  }));
  try {
    for (const { load, settle } of entries) {
      const untilMs = performance.now() + WARM_UP_MS_MAX;
      for (let sent = 0; sent < warmUpRequests && performance.now() < untilMs; )
        sent += (await load.during(TURN_MS)).answers;
      await settle?.();
    }
    for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1)
      for (const { load, pid, settle, turns } of entries) {
        const before = processorMicros(pid);
        const { answers, seconds } = await load.during(TURN_MS);
        await settle?.();
        if (round >= 0)
          turns.push({ micros: (processorMicros(pid) - before) / answers, perSecond: answers / seconds });
        await pause(5);
      }
  } finally {
    for (const { load } of entries) load.close();
  }
  return Object.fromEntries(entries.map(({ name, turns }) => [name, turns]));
}

/** How many times as much `other` costs, round by round: 0.5 if `own` costs twice as much. */
export const ratioOf = (own, other) => ({
  byProcessor: summaryOf(own.map(({ micros }, round) => other[round].micros / micros)),
  byClock: summaryOf(own.map(({ perSecond }, round) => perSecond / other[round].perSecond)),
});
/** The spread is wide and the goal lies within it, so that the rounds do not tell whether it is reached. */
export const isUndecided = (summary, goal) =>
  isUnsteady(summary) && Math.abs(summary.middle - goal) < summary.middle * summary.spread;
export const isUnsteady = ({ spread }) => spread > SPREAD_MAX;

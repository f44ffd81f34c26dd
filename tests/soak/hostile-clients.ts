/** Clients that mean harm, without a credential: whatever they send, the others are to be served. */
import { connect } from "node:net";
import { pause } from "../support/eventually.ts";
import type { Outcomes } from "./mixed-load.ts";

const PAUSE_MS = 500;
const LINGER_MS = 5000;
const UNREAD_ANSWERS = 40;
const UPLOAD_BYTES = 30_000_000;
const CHUNK = Buffer.alloc(64 * 1024, "a");

type Attack = (url: URL) => Promise<number>;

/** Asks for much and reads nothing. */
const neverRead: Attack = (url) =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.pause();
    socket.on("error", () => {});
    socket.write(`GET /_medley/openapi.json HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`.repeat(UNREAD_ANSWERS));
    setTimeout(() => {
      socket.destroy();
      resolve(0);
    }, LINGER_MS);
  });
/** What it was answered, however the connection ended. */
function talk(
  url: URL,
  write: (send: (bytes: Buffer | string) => Promise<boolean>) => Promise<void>,
): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname);
    let answer = "";
    socket.on("data", (bytes) => {
      answer = (answer + bytes.toString("latin1")).slice(0, 1000);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)));
    setTimeout(() => socket.destroy(), LINGER_MS);
    const send = async (bytes: Buffer | string) => {
      if (socket.destroyed || answer !== "") return false;
      if (!socket.write(bytes))
        await Promise.race([new Promise((go) => socket.once("drain", go)), pause(1000)]);
      return true;
    };
    void write(send);
  });
}
const hugeHeaders: Attack = (url) =>
  talk(url, async (send) => {
    await send(`GET /sample/notes HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n`);
    for (let i = 0; i < 200; i += 1) if (!(await send(`X-Huge-${i}: ${"h".repeat(8000)}\r\n`))) return;
    await send("\r\n");
  });
const anonymousUpload: Attack = (url) =>
  talk(url, async (send) => {
    const head = `PUT /_medley/state HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n`;
    await send(`${head}Content-Type: application/x-ndjson\r\nContent-Length: ${UPLOAD_BYTES}\r\n\r\n`);
    for (let sent = 0; sent < UPLOAD_BYTES; sent += CHUNK.length) if (!(await send(CHUNK))) return;
  });
const catastrophicQuery: Attack = async (url) => {
  const query = "token?".repeat(1300);
  const response = await fetch(`${url.origin}/y?${query}`);
  await response.arrayBuffer();
  return response.status;
};
const slowHeaders: Attack = (url) =>
  talk(url, async (send) => {
    await send(`GET /sample/notes HTTP/1.1\r\nHost: ${url.host}\r\n`);
    for (let i = 0; i < 20; i += 1) {
      if (!(await send(`X-Slow-${i}: s\r\n`))) return;
      await pause(LINGER_MS / 20);
    }
  });
const attacks = { neverRead, hugeHeaders, anonymousUpload, catastrophicQuery, slowHeaders };

export class HostileClients {
  readonly #urls: readonly URL[];
  readonly #outcomes: Outcomes;
  #over = false;
  #running: Promise<unknown> = Promise.resolve();
  constructor(urls: readonly string[], outcomes: Outcomes) {
    this.#urls = urls.map((url) => new URL(url));
    this.#outcomes = outcomes;
  }
  begin(): void {
    this.#running = Promise.all(Object.entries(attacks).map(([name, attack]) => this.#repeat(name, attack)));
  }
  async end(): Promise<void> {
    this.#over = true;
    await this.#running;
  }
  async #repeat(name: string, attack: Attack): Promise<void> {
    for (let n = 0; !this.#over; n += 1) {
      const status = await attack(this.#urls[n % this.#urls.length] as URL).catch(() => 0);
      this.#outcomes.note(name, status);
      await pause(PAUSE_MS);
    }
  }
}

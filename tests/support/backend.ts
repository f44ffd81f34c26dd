/** A server behind a gateway: it tells what it was asked, and answers as each path wants it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Asked = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};
type Answers = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;

export class Backend {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #answers: Answers;
  constructor(answers: Answers = {}) {
    this.#answers = answers;
    this.#server = createServer((request, response) => this.#take(request, response));
  }
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this.url;
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  get last(): Asked {
    const last = this.asked.at(-1);
    if (!last) throw new Error("the backend was asked nothing");
    return last;
  }
  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
  #take(request: IncomingMessage, response: ServerResponse): void {
    const [path = ""] = (request.url ?? "").split("?");
    const own = Object.entries(this.#answers).find(([end]) => path.endsWith(end));
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      this.asked.push({ method, url, headers, body: Buffer.concat(parts).toString() });
      if (own) own[1](request, response);
      else {
        response.setHeader("x-backend", "yes");
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ method, url }));
      }
    });
  }
}

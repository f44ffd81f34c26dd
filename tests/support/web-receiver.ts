/** A web address of one's own that notes what is posted to it. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

export class WebReceiver {
  readonly received: Received[] = [];
  /** Decides each answer; 200 unless set. */
  answer: (received: Received) => number = () => 200;
  readonly #server: Server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const received = { path: request.url ?? "/", headers: request.headers, body };
      this.received.push(received);
      response.statusCode = this.answer(received);
      response.end();
    });
  });

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

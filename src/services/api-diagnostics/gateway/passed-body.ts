/** Streams a request body to the backend with backpressure, and samples it. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/**
 * A separate stream is needed: the sender destroys its source, and destroying the request would close its
 * connection.
 */
export class PassedBody extends Readable {
  readonly #request: IncomingMessage;
  readonly #take: (part: Buffer) => void;
  constructor(request: IncomingMessage, see: (part: Buffer) => void) {
    super();
    this.#request = request;
    this.#take = (part) => {
      see(part);
      if (!this.push(part)) request.pause();
    };
    request.pause();
    request.on("data", this.#take);
    request.once("end", () => this.push(null));
    request.once("close", () => {
      if (!request.complete) this.destroy(new Error("the caller has gone"));
    });
  }
  override _read(): void {
    this.#request.resume();
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#request.off("data", this.#take);
    done(error);
  }
}

/** Limits the open streams of each address, so that one caller cannot use up the streams of all. */
import type { ServerResponse } from "node:http";

const ENDLESS_STREAMS_MAX = 500;

export class EndlessStreams {
  readonly #counts = new Map<string, number>();

  /** Returns false if the address has too many. Otherwise counts one more until the response closes. */
  add(address: string, response: ServerResponse): boolean {
    const count = this.#counts.get(address) ?? 0;
    if (count >= ENDLESS_STREAMS_MAX) return false;
    this.#counts.set(address, count + 1);
    response.once("close", () => this.#remove(address));
    return true;
  }
  #remove(address: string): void {
    const left = (this.#counts.get(address) ?? 1) - 1;
    if (left === 0) this.#counts.delete(address);
    else this.#counts.set(address, left);
  }
}

/** How many streams without an end each address holds open: whoever opens very many keeps others from theirs. */
import type { ServerResponse } from "node:http";

const ENDLESS_STREAMS_MAX = 500;

export class EndlessStreams {
  readonly #counts = new Map<string, number>();

  /** False where the address has too many already; otherwise it has one more until the response is closed. */
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

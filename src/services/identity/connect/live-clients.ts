/**
 * A token is worth nothing without its client: whoever deletes a client, or clears the state it belongs to, takes its
 * tokens away. That it is there is remembered for a second, and forgotten at once after a change of this process's own.
 */
import { findClient } from "../clients/index.ts";
import type { KeyReader } from "./keys/ring.ts";

const TRUST_MS = 1000;
const KEPT_MAX = 20_000;

export class LiveClients {
  #seenAtMs = new Map<string, number>();

  /** Called when a client was deleted, or state cleared or loaded. */
  forget(): void {
    this.#seenAtMs = new Map();
  }
  /** Answers at once where it is remembered. */
  has(context: KeyReader, clientId: string): boolean | Promise<boolean> {
    const seenAtMs = this.#seenAtMs.get(clientId);
    return seenAtMs !== undefined && performance.now() - seenAtMs < TRUST_MS
      ? true
      : this.#look(context, clientId);
  }
  async #look({ db }: KeyReader, clientId: string): Promise<boolean> {
    // What was asked before something was forgotten is noted in a map that nobody reads any more.
    const seenAtMs = this.#seenAtMs;
    const askedAtMs = performance.now();
    const isThere = (await findClient(db, clientId)) !== undefined;
    if (seenAtMs.size >= KEPT_MAX) seenAtMs.clear();
    if (isThere) seenAtMs.set(clientId, askedAtMs);
    return isThere;
  }
}

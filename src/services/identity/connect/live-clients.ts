/**
 * A token is invalid without its client, so deleting a client or clearing its state revokes its tokens.
 * The existence of a client is cached for one second. A change by this process clears the cache immediately.
 */
import { makeRoom } from "#kernel/memory";
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
  /** Returns synchronously if the client is cached. */
  has(context: KeyReader, clientId: string): boolean | Promise<boolean> {
    const seenAtMs = this.#seenAtMs.get(clientId);
    return seenAtMs !== undefined && performance.now() - seenAtMs < TRUST_MS
      ? true
      : this.#look(context, clientId);
  }
  async #look({ db }: KeyReader, clientId: string): Promise<boolean> {
    // If the cache is cleared during the query, the result goes to the old map, which is no longer read.
    const seenAtMs = this.#seenAtMs;
    const askedAtMs = performance.now();
    const isThere = (await findClient(db, clientId)) !== undefined;
    makeRoom(seenAtMs, KEPT_MAX);
    if (isThere) seenAtMs.set(clientId, askedAtMs);
    return isThere;
  }
}

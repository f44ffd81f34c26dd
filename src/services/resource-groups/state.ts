/** In-memory state of an instance: remaining room for groups since the last count. */
import { makeRoom } from "#kernel/memory";
import type { Context } from "#kernel/operation";
import type { Tables } from "./tables.ts";

const UNCOUNTED_MAX = 1000;
/** When a count is due, one of this many creations counts. */
const COUNTED_SHARE = 16;
const KEPT_MAX = 10_000;

/**
 * Enforces the group limit without a count at every creation. Far below the limit, one count is valid for a
 * thousand creations. After them, some creations still pass until one of them has counted. Near the limit
 * every creation counts, so that concurrent creations cannot exceed it. Only committed creations are
 * recorded.
 */
class GroupRooms {
  readonly #uncounted = new Map<string, number>();
  #asked = 0;

  mayCreateUncounted(place: string): boolean {
    const left = this.#uncounted.get(place);
    if (left === undefined || left <= -UNCOUNTED_MAX) return false;
    if (left > 0) return true;
    this.#asked += 1;
    return this.#asked % COUNTED_SHARE !== 0;
  }
  noteCounted(place: string, room: number): void {
    makeRoom(this.#uncounted, KEPT_MAX);
    if (room > 4 * UNCOUNTED_MAX) this.#uncounted.set(place, UNCOUNTED_MAX);
    else this.#uncounted.delete(place);
  }
  noteCreated(place: string): void {
    const left = this.#uncounted.get(place);
    if (left !== undefined) this.#uncounted.set(place, left - 1);
  }
  forget(): void {
    this.#uncounted.clear();
  }
}

export type State = { readonly rooms: GroupRooms };
export type GroupContext = Context<Tables, State>;
export const start = (): State => ({ rooms: new GroupRooms() });
export const forget = ({ rooms }: State): void => rooms.forget();

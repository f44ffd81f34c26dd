/** What an instance keeps in memory: how much room for groups was found by the last count. */
import type { Context } from "#kernel/operation";
import type { Tables } from "./tables.ts";

const UNCOUNTED_MAX = 1000;
/** Once a count is due, one in so many creations makes it. */
const COUNTED_SHARE = 16;
const KEPT_MAX = 10_000;

/**
 * The limit on groups, without counting them at every creation: where there is plenty of room, one count is good for a
 * thousand creations, and for some more until one of those under way has counted anew. Near the limit every creation
 * counts, so that those under way at the same time cannot pass it together. Told only of what has been committed.
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
    if (this.#uncounted.size >= KEPT_MAX) this.#uncounted.clear();
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

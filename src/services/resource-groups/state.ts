/** What an instance keeps in memory: how much room for groups was found by the last count. */
const UNCOUNTED_MAX = 1000;
const KEPT_MAX = 10_000;

/**
 * The limit on groups, without counting them at every creation: where there is plenty of room, one count is good for a
 * thousand creations. Near the limit every creation counts, so that those under way at the same time cannot pass it
 * together. Told only of what has been committed.
 */
class GroupRooms {
  readonly #uncounted = new Map<string, number>();

  mayCreateUncounted(place: string): boolean {
    return (this.#uncounted.get(place) ?? 0) > 0;
  }
  noteCounted(place: string, room: number): void {
    if (this.#uncounted.size >= KEPT_MAX) this.#uncounted.clear();
    this.#uncounted.set(place, room > 2 * UNCOUNTED_MAX ? UNCOUNTED_MAX : 0);
  }
  noteCreated(place: string): void {
    this.#uncounted.set(place, (this.#uncounted.get(place) ?? 0) - 1);
  }
  forget(): void {
    this.#uncounted.clear();
  }
}

export type State = { readonly rooms: GroupRooms };
export const start = (): State => ({ rooms: new GroupRooms() });
export const forget = ({ rooms }: State): void => rooms.forget();

/**
 * Requests under way, in a list whose members know their index. A Set that is filled and emptied all the time
 * builds a new table every hundred changes, and each old table references the next until a full garbage collection.
 */
export type Placed = { place: number };

export class UnderWay<Member extends Placed> implements Iterable<Member> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }
  add(member: Member): void {
    member.place = this.#members.length;
    this.#members.push(member);
  }
  /** The last member takes its place. */
  remove(member: Member): void {
    const last = this.#members.pop();
    if (last === undefined || last === member) return;
    last.place = member.place;
    this.#members[member.place] = last;
  }
  [Symbol.iterator](): Iterator<Member> {
    return this.#members.values();
  }
}

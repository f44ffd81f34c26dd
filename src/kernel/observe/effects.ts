/** The effects of requests and jobs, in memory and bounded. The request log links to them. */

export type Effect = {
  readonly kind: "job" | "message" | "resource";
  /** The id of the job or message; the ARN of a resource. */
  readonly id: string;
  readonly name: string;
  readonly change?: "made" | "changed" | "removed";
};
/** `by`: the job that did it, if it was not the request itself. */
type CausedEffect = Effect & { readonly by?: string };

const CAUSES_MAX = 5000;
const EFFECTS_MAX = 20_000;
const OF_CAUSE_MAX = 50;
const TEXT_LENGTH_MAX = 512;
const FOLLOWED_MAX = 200;

export class Effects {
  /** By the id of the request or job, the oldest first. */
  readonly #byCause = new Map<string, Effect[]>();
  #count = 0;

  /** Call it after the commit. */
  note(cause: string, effects: readonly Effect[]): void {
    const known = this.#byCause.get(cause) ?? [];
    for (const effect of effects)
      if (known.length < OF_CAUSE_MAX && effect.id.length <= TEXT_LENGTH_MAX) {
        known.push({ ...effect, name: effect.name.slice(0, TEXT_LENGTH_MAX) });
        this.#count += 1;
      }
    if (known.length > 0) this.#byCause.set(cause, known);
    for (const [oldest, dropped] of this.#byCause) {
      if (this.#byCause.size <= CAUSES_MAX && this.#count <= EFFECTS_MAX) break;
      this.#byCause.delete(oldest);
      this.#count -= dropped.length;
    }
  }
  /** The requests and jobs that changed a resource, the latest first. */
  causesOf(arn: string): { readonly cause: string; readonly change: NonNullable<Effect["change"]> }[] {
    const found = [];
    for (const [cause, effects] of this.#byCause)
      for (const { kind, id, change } of effects)
        if (kind === "resource" && id === arn && change !== undefined) found.push({ cause, change });
    return found.reverse();
  }
  /** Only its own effects. */
  ofOne(cause: string): CausedEffect[] {
    return [...(this.#byCause.get(cause) ?? [])];
  }
  /** Its own effects first, then those of the jobs that it caused, if they ran on this node. */
  of(cause: string): CausedEffect[] {
    const found = this.ofOne(cause);
    for (let index = 0; index < found.length && found.length < FOLLOWED_MAX; index += 1) {
      const { kind, id } = found[index] as CausedEffect;
      const next = kind === "job" ? (this.#byCause.get(id) ?? []) : [];
      found.push(...next.map((effect) => ({ ...effect, by: id })));
    }
    return found.slice(0, FOLLOWED_MAX);
  }
}

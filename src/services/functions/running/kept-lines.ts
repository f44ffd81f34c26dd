/** Lines of functions in the database: the oldest of a function are dropped from time to time. */
import { insertLines, type LogLine, trimLines } from "../store/index.ts";

const TRIM_EVERY = 20;

export class KeptLines {
  /** How often lines of a function were kept since its oldest were dropped. */
  readonly #saved = new Map<string, number>();

  async save(
    db: Parameters<typeof insertLines>[0],
    { account, slug }: { readonly account: string; readonly slug: string },
    lines: readonly LogLine[],
  ): Promise<void> {
    await insertLines(db, account, slug, lines);
    // Of each function by itself: otherwise one that always comes between two others would never have its turn.
    const saved = (this.#saved.get(slug) ?? 0) + 1;
    this.#saved.set(slug, saved % TRIM_EVERY);
    if (saved === TRIM_EVERY) await trimLines(db, account, slug);
  }
}

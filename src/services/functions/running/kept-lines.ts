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
    // Counted per function. With a shared counter, a function that always writes between two others would
    // never be trimmed.
    const saved = (this.#saved.get(slug) ?? 0) + 1;
    this.#saved.set(slug, saved % TRIM_EVERY);
    if (saved === TRIM_EVERY) await trimLines(db, account, slug);
  }
}

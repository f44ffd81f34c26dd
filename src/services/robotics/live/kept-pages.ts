/** Cache of rendered event pages. After a result, all viewers request the same page at once. */
import type { Page } from "#kernel/html";

const PAGES_MAX = 50;

type Kept = { readonly version: string; readonly page: Promise<Page> };

export class KeptPages {
  readonly #pages = new Map<string, Kept>();

  /**
   * Renders each version once and shares a render in progress. A failed render is retried by the next
   * request.
   */
  get(key: string, version: string, make: () => Promise<Page>): Promise<Page> {
    const kept = this.#pages.get(key);
    if (kept?.version === version) return kept.page;
    const made = { version, page: make() };
    this.#pages.delete(key);
    this.#pages.set(key, made);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
    made.page.catch(() => {
      if (this.#pages.get(key) === made) this.#pages.delete(key);
    });
    return made.page;
  }
  clear(): void {
    this.#pages.clear();
  }
}

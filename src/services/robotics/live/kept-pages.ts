/** Rendered pages of the events that are looked at: after a result, everybody in the hall asks for the same one at once. */
import type { Page } from "#kernel/html";

const PAGES_MAX = 50;

type Kept = { readonly version: string; readonly page: Promise<Page> };

export class KeptPages {
  readonly #pages = new Map<string, Kept>();

  /** Made once for each version, also while many ask for it; one that could not be made is tried again by the next. */
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

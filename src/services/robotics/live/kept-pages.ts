/** Rendered pages of the events that are looked at: after a result, everybody in the hall asks for the same one. */
import type { Page } from "#kernel/html";

const PAGES_MAX = 50;

export class KeptPages {
  readonly #pages = new Map<string, { readonly version: string; readonly page: Page }>();

  /** Undefined where there is none of that very version. */
  find(key: string, version: string): Page | undefined {
    const kept = this.#pages.get(key);
    return kept?.version === version ? kept.page : undefined;
  }
  keep(key: string, version: string, page: Page): Page {
    this.#pages.delete(key);
    this.#pages.set(key, { version, page });
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > PAGES_MAX && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
  clear(): void {
    this.#pages.clear();
  }
}

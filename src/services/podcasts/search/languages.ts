/** Short-lived cache of the languages of an account's podcasts. Every search needs them. */
import type { Context } from "#kernel/operation";
import { findLanguages } from "../store/search.ts";
import type { Tables } from "../tables.ts";

const REMEMBERED_MS = 2_000;
const LANGUAGES_MAX = 12;
/** Language of lists and demo data. */
const ALWAYS = "English";

export class KnownLanguages {
  readonly #known = new Map<string, { readonly languages: readonly string[]; readonly untilMs: number }>();

  async of(db: Context<Tables>["db"], account: string): Promise<readonly string[]> {
    const nowMs = performance.now();
    const known = this.#known.get(account);
    if (known && known.untilMs > nowMs) return known.languages;
    const found = await findLanguages(db, account, LANGUAGES_MAX);
    const languages = [...new Set([ALWAYS, ...found])];
    this.#known.set(account, { languages, untilMs: nowMs + REMEMBERED_MS });
    return languages;
  }
  forget(): void {
    this.#known.clear();
  }
}

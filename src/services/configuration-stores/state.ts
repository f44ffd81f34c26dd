/** What an instance of the stores' own interface keeps in memory. */
import type { Context } from "#kernel/operation";

const SECRETS_KEPT_MAX = 10_000;

/** Opened secrets, found by their sealed text: a regenerated key has another one, so nothing here can be stale. */
class OpenedSecrets {
  readonly #opened = new Map<string, Buffer>();
  open(sealed: string, secrets: Context["secrets"]): Buffer {
    const known = this.#opened.get(sealed);
    if (known) return known;
    const secret = Buffer.from(secrets.open(sealed), "base64");
    if (this.#opened.size >= SECRETS_KEPT_MAX) this.#opened.clear();
    this.#opened.set(sealed, secret);
    return secret;
  }
}

export type State = { readonly openedSecrets: OpenedSecrets };
export const start = (): State => ({ openedSecrets: new OpenedSecrets() });

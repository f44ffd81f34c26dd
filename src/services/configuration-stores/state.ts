/** In-memory state of the data API. */
import { makeRoom } from "#kernel/memory";
import type { Context } from "#kernel/operation";

const SECRETS_KEPT_MAX = 10_000;

/**
 * Cache of decrypted secrets, keyed by ciphertext. A regenerated key has another ciphertext, so no entry is
 * stale.
 */
class OpenedSecrets {
  readonly #opened = new Map<string, Buffer>();
  open(sealed: string, secrets: Context["secrets"]): Buffer {
    const known = this.#opened.get(sealed);
    if (known) return known;
    const secret = Buffer.from(secrets.open(sealed), "base64");
    makeRoom(this.#opened, SECRETS_KEPT_MAX);
    this.#opened.set(sealed, secret);
    return secret;
  }
}

const TEXTS_LENGTH_MAX = 16 * 1024 * 1024;

/** `text`: JSON with all members. */
export type ShownValue = {
  readonly key: string;
  readonly label: string;
  readonly etag: string;
  readonly text: string;
};

/** Cache of key-values in list form, by entity tag. Every change of a key-value gives it a new tag. */
class ShownValues {
  readonly #items = new Map<string, ShownValue>();
  #length = 0;

  find(etag: string): ShownValue | undefined {
    return this.#items.get(etag);
  }
  keep(item: ShownValue): void {
    if (this.#length + item.text.length > TEXTS_LENGTH_MAX) this.forget();
    this.#items.set(item.etag, item);
    this.#length += item.text.length;
  }
  forget(): void {
    this.#items.clear();
    this.#length = 0;
  }
}

export type State = { readonly openedSecrets: OpenedSecrets; readonly shownValues: ShownValues };
export const start = (): State => ({ openedSecrets: new OpenedSecrets(), shownValues: new ShownValues() });
export const forget = ({ shownValues }: State): void => shownValues.forget();

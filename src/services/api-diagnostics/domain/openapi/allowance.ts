/** Limits the expanded size of a document. References let a short document expand to a very large one. */
import { DocumentError } from "./document.ts";

const TEXT_LENGTH_MAX = 4 * 1024 * 1024;
/** Minimum cost of each parameter, header, response or content. */
const ITEM_LENGTH = 100;

export class Allowance {
  #left = TEXT_LENGTH_MAX;
  readonly #lengths = new WeakMap<object, number>();

  /** Charges an item with its content. Throws a DocumentError if the limit is exceeded. */
  take(held: unknown): void {
    this.#left -= ITEM_LENGTH + this.#lengthOf(held);
    if (this.#left < 0)
      throw new DocumentError(
        `With its references, the document stands for more than ${TEXT_LENGTH_MAX} characters.`,
      );
  }
  #lengthOf(held: unknown): number {
    if (typeof held !== "object" || held === null) return typeof held === "string" ? held.length : 0;
    const known = this.#lengths.get(held);
    if (known !== undefined) return known;
    const length = writtenLengthOf(held);
    this.#lengths.set(held, length);
    return length;
  }
}
function writtenLengthOf(held: object): number {
  try {
    return JSON.stringify(held).length;
  } catch {
    throw new DocumentError("The document is nested too deeply.");
  }
}

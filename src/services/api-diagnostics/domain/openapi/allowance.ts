/** How much a document may stand for: references let a short text stand for very much. */
import { DocumentError } from "./document.ts";

const TEXT_LENGTH_MAX = 4 * 1024 * 1024;
/** What each parameter, header, response or content counts at least. */
const ITEM_LENGTH = 100;

export class Allowance {
  #left = TEXT_LENGTH_MAX;
  readonly #lengths = new WeakMap<object, number>();

  /** Counts an item with what it holds. Throws a DocumentError where it is too much. */
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

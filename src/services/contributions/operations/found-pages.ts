/** A page of matches and their total: from the column cache if possible, otherwise from the database. */
import type { ContributionsContext } from "../state.ts";
import { findPlacesByColumns, type PageWanted, readColumns } from "../store/columns.ts";
import { contributionsAt, findCountUpTo, pageOfContributions, type Wanted } from "../store/search.ts";
import type { ContributionRow } from "../tables/index.ts";

/** The limit of a count in the database. */
const COUNTED_MAX = 2_000;

export class FoundPages {
  readonly #context: ContributionsContext;
  readonly #wanted: Wanted;
  #total: number | undefined;
  constructor(context: ContributionsContext, wanted: Wanted) {
    this.#context = context;
    this.#wanted = wanted;
  }
  async page(asked: PageWanted): Promise<ContributionRow[]> {
    const { db, account, state } = this.#context;
    const found = await findPlacesByColumns(db, account, state.columns, this.#wanted, asked);
    if (found) {
      const rows = await contributionsAt(db, account, this.#wanted.sight, found.places);
      this.#total = found.total;
      // A row that was just deleted would make a full page look like the last one.
      if (rows.length === found.places.length) return rows;
    }
    return pageOfContributions(db, account, this.#wanted, asked);
  }
  /**
   * Undefined if there are more than the limit, and this node has not read its columns or cannot hold them. The call
   * starts that read.
   */
  async findTotal(): Promise<number | undefined> {
    const { db, account, state, log } = this.#context;
    if (this.#total !== undefined) return this.#total;
    const total = await findCountUpTo(db, account, this.#wanted, COUNTED_MAX);
    if (total === undefined && !state.columns.isKnown(account) && !state.columns.isTooLarge(account))
      readColumns(state.workAs(account).db, account, state.columns).catch((error: Error) =>
        log.error("contributions could not be read beforehand", { error: error.message }),
      );
    return total;
  }
}

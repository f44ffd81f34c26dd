/** Pages of a list: each goes on behind the last row of the one before, so inserts elsewhere never shift a page. */
import { kernelErrors } from "../operation/errors.ts";
import type { PageKey, PageTokens, TokenEncoding } from "./page-tokens.ts";

export type Page<Row> = { readonly rows: readonly Row[]; readonly nextToken?: string };

/** What a caller asks for. */
export type PageRequest = {
  readonly size: number;
  /** As the caller sent it; without one, the list begins. */
  readonly token: string | undefined;
  /** All that decides which rows are in the list, besides account, region and operation: a token is good for this alone. */
  readonly filter: unknown;
  readonly encoding?: TokenEncoding;
  /** The service's own error for a token that is not good here. */
  readonly invalid?: (message: string) => Error;
};

/** Whose list it is. */
export type PageScope = {
  readonly account: string;
  readonly request: { readonly region: string; readonly operation: string };
};

export class Pages {
  readonly #tokens: PageTokens;
  readonly #scope: PageScope;
  constructor(tokens: PageTokens, scope: PageScope) {
    this.#tokens = tokens;
    this.#scope = scope;
  }

  /** Reads a page: `read` answers up to `limit` rows behind `after` in the order of their keys. */
  of<Row, Key extends PageKey>(
    request: PageRequest,
    keyOf: (row: Row) => Key,
    read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>,
  ): Promise<Page<Row>> {
    return this.from(request, async (after: Key | undefined) => {
      // One row more than the page holds tells that there is a next page.
      const rows = await read(after, request.size + 1);
      const last = rows[request.size - 1];
      if (rows.length <= request.size || last === undefined) return { rows };
      return { rows: rows.slice(0, request.size), next: keyOf(last) };
    });
  }

  /** For lists that say themselves where to go on: what `read` answers, a token in place of `next`. */
  async from<Key extends PageKey, Part extends { readonly next?: Key | undefined }>(
    request: Omit<PageRequest, "size">,
    read: (after: Key | undefined) => Promise<Part>,
  ): Promise<Omit<Part, "next"> & { readonly nextToken?: string }> {
    const { next, ...part } = await read(this.#open(request) as Key | undefined);
    if (next === undefined) return part;
    return { ...part, nextToken: this.#tokens.seal(this.#scopeOf(request), next, request.encoding) };
  }

  #open(request: Omit<PageRequest, "size">): PageKey | undefined {
    const { token, encoding, invalid = kernelErrors.invalidInput } = request;
    if (token === undefined || token === "") return undefined;
    const after = this.#tokens.open(this.#scopeOf(request), token, encoding);
    if (!after) throw invalid("The page token is not valid.");
    return after;
  }
  #scopeOf({ filter }: Omit<PageRequest, "size">) {
    const { account, request } = this.#scope;
    return { account, region: request.region, operation: request.operation, filter };
  }
}

/** Keyset pages: each continues after the last row of the previous one, so inserts never shift a page. */
import { kernelErrors } from "../operation/errors.ts";
import type { PageKey, PageTokens, TokenEncoding } from "./page-tokens.ts";

export type Page<Row> = { readonly rows: readonly Row[]; readonly nextToken?: string };

/** The request of a caller. */
export type PageRequest = {
  readonly size: number;
  /** As the caller sent it; without one, the list starts at the beginning. */
  readonly token: string | undefined;
  /** Everything that selects the rows besides account, region and operation. A token is valid only for this. */
  readonly filter: unknown;
  readonly encoding?: TokenEncoding;
  /** The service's own error for an invalid token. */
  readonly invalid?: (message: string) => Error;
};

/** The owner of the list. */
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

  /** Reads a page: `read` returns up to `limit` rows after `after`, in the order of their keys. */
  of<Row, Key extends PageKey>(
    request: PageRequest,
    keyOf: (row: Row) => Key,
    read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>,
  ): Promise<Page<Row>> {
    return this.from(request, async (after: Key | undefined) => {
      // One more row than the page holds shows that there is a next page.
      const rows = await read(after, request.size + 1);
      const last = rows[request.size - 1];
      if (rows.length <= request.size || last === undefined) return { rows };
      return { rows: rows.slice(0, request.size), next: keyOf(last) };
    });
  }

  /** For lists that return their own position: the result of `read`, with a token instead of `next`. */
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

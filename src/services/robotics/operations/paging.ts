/** Numbered pages with totals. */

/** Page size of the public service. */
export const PAGE_SIZE = 65;

export type NumberedPage<Row> = {
  readonly rows: readonly Row[];
  readonly total: number;
  readonly pageCurrent: number;
  readonly pageTotal: number;
};

/** A page after the last one is empty. */
export const pageOf = <Row>(all: readonly Row[], page: number): NumberedPage<Row> => ({
  rows: all.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
  total: all.length,
  pageCurrent: page,
  pageTotal: Math.max(1, Math.ceil(all.length / PAGE_SIZE)),
});

/** Numbered pages, with the total in a header. */
import { answer } from "#kernel/operation";
import { errors } from "../errors.ts";
import type { PageNumber } from "../store/paged.ts";
import { ROWS_BEFORE_PAGE_MAX } from "../wire/texts.ts";

export function checkPage({ page, pageSize }: PageNumber): PageNumber {
  if ((page - 1) * pageSize <= ROWS_BEFORE_PAGE_MAX) return { page, pageSize };
  throw errors.invalid(
    `Pages end ${ROWS_BEFORE_PAGE_MAX} rows behind the first: narrow the list by filters.`,
    {
      target: "page",
    },
  );
}
export const counted = <View>(views: View[], total: number) =>
  answer(200, views, { "x-total-count": String(total) });

/** Flags: complaints of users about a contribution, as clients see them. */
import { isoOf } from "#kernel/clock";
import type { FlagType } from "../domain/moderation.ts";
import type { FlagRow } from "../tables/index.ts";

export const flagViewOf = (row: FlagRow) => ({
  id: row.id,
  type: row.type as FlagType,
  ...(row.notes !== "" && { notes: row.notes }),
  ...(row.email !== null && { email: row.email }),
  date: isoOf(Number(row.flagged_at)),
});

/** Whether a request may be answered from a standby that is some seconds behind. */
import type { Database } from "../db/database.ts";
import type { Operation } from "../operation/operation.ts";

const MAX_STALE = /(?:^|,) *max-stale(?:=(\d{1,9}))? *(?:,|$)/i;

export function mayReadOld(
  { standby }: Pick<Database, "standby">,
  { mayBeOld }: Pick<Operation, "mayBeOld">,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): boolean {
  if (mayBeOld === undefined || standby === undefined) return false;
  const { state } = standby;
  if (!state.isUsed) return false;
  if (mayBeOld === "always") return true;
  const allowed = MAX_STALE.exec(String(headers["cache-control"] ?? ""));
  if (!allowed) return false;
  return allowed[1] === undefined || state.lagSeconds <= Number(allowed[1]);
}

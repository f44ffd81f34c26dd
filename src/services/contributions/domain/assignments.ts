/** When an assignment takes contributions, and who sees it. */

export type Times = {
  readonly startsAtMs: number | undefined;
  readonly endsAtMs: number | undefined;
  readonly embargoAtMs: number | undefined;
};
/** From its start until its end, both of which may be missing. */
export const isOpen = ({ startsAtMs, endsAtMs }: Times, nowMs: number): boolean =>
  (startsAtMs === undefined || startsAtMs <= nowMs) && (endsAtMs === undefined || nowMs < endsAtMs);
export const isUnderEmbargo = ({ embargoAtMs }: Times, nowMs: number): boolean =>
  embargoAtMs !== undefined && nowMs < embargoAtMs;

/** Of one account. */
export const ASSIGNMENTS_MAX = 10_000;

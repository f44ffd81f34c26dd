/** When an assignment accepts contributions, and who sees it. */

export type Times = {
  readonly startsAtMs: number | undefined;
  readonly endsAtMs: number | undefined;
  readonly embargoAtMs: number | undefined;
};
type Dated = {
  readonly starts_at: number | null;
  readonly ends_at: number | null;
  readonly embargo_at: number | null;
};
const optional = (value: number | null): number | undefined => (value === null ? undefined : Number(value));
/** As stored in a row. */
export const timesOf = (row: Dated): Times => ({
  startsAtMs: optional(row.starts_at),
  endsAtMs: optional(row.ends_at),
  embargoAtMs: optional(row.embargo_at),
});

/** From its start until its end. Both are optional. */
export const isOpen = ({ startsAtMs, endsAtMs }: Times, nowMs: number): boolean =>
  (startsAtMs === undefined || startsAtMs <= nowMs) && (endsAtMs === undefined || nowMs < endsAtMs);
export const isUnderEmbargo = ({ embargoAtMs }: Times, nowMs: number): boolean =>
  embargoAtMs !== undefined && nowMs < embargoAtMs;

/** Within one account. */
export const ASSIGNMENTS_MAX = 10_000;

/** Limits of the pricing tiers. */
export type Tier = {
  readonly revisionsKeptSeconds: number;
  readonly storageBytesMax: number;
  readonly snapshotStorageBytesMax: number;
  readonly snapshotRetentionSecondsDefault: number;
  readonly snapshotRetentionSecondsMax: number;
};
const DAY = 86_400;
const MEGABYTE = 1024 * 1024;

export const tiers = {
  free: {
    revisionsKeptSeconds: 7 * DAY,
    storageBytesMax: 10 * MEGABYTE,
    snapshotStorageBytesMax: 10 * MEGABYTE,
    snapshotRetentionSecondsDefault: 7 * DAY,
    snapshotRetentionSecondsMax: 7 * DAY,
  },
  standard: {
    revisionsKeptSeconds: 30 * DAY,
    storageBytesMax: 1024 * MEGABYTE,
    snapshotStorageBytesMax: 1024 * MEGABYTE,
    snapshotRetentionSecondsDefault: 30 * DAY,
    snapshotRetentionSecondsMax: 90 * DAY,
  },
} as const satisfies Record<string, Tier>;

/** Case-insensitive. Undefined for an unknown tier. */
export const findTier = (name: string): Tier | undefined =>
  name.toLowerCase() === "free" || name.toLowerCase() === "standard"
    ? tiers[name.toLowerCase() as keyof typeof tiers]
    : undefined;

/** A stored job collection, with defaults for omitted members. */
import type { CollectionState } from "./job-state.ts";
import type { CollectionPlan, CollectionQuota } from "./quota.ts";

export type CollectionDefinition = {
  readonly sku: { readonly name: CollectionPlan };
  readonly state: CollectionState;
  readonly quota?: CollectionQuota;
};

export const DEFAULT_PLAN: CollectionPlan = "Standard";

type GivenCollection = {
  readonly sku?: { readonly name?: CollectionPlan };
  readonly state?: CollectionState;
  readonly quota?: CollectionQuota;
};

/**
 * Callers can only enable and disable. Other states are set by the service, but callers can send back the
 * current state.
 */
export const mayBeAsked = (
  state: CollectionState | undefined,
  current: CollectionState | undefined,
): boolean => state === undefined || state === current || state === "Enabled" || state === "Disabled";

export const collectionOf = ({ sku, state, quota }: GivenCollection): CollectionDefinition => ({
  sku: { name: sku?.name ?? DEFAULT_PLAN },
  state: state ?? "Enabled",
  ...(quota !== undefined && Object.keys(quota).length > 0 && { quota }),
});

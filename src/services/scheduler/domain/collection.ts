/** A job collection as it is kept, and what is filled in where a request says nothing. */
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

/** Callers enable and disable; the other states are the service's to set. Sending back what was read is fine. */
export const mayBeAsked = (
  state: CollectionState | undefined,
  current: CollectionState | undefined,
): boolean => state === undefined || state === current || state === "Enabled" || state === "Disabled";

export const collectionOf = ({ sku, state, quota }: GivenCollection): CollectionDefinition => ({
  sku: { name: sku?.name ?? DEFAULT_PLAN },
  state: state ?? "Enabled",
  ...(quota !== undefined && Object.keys(quota).length > 0 && { quota }),
});

/** A job collection as it is kept, and how it is read from a request body. */
import { COLLECTION_STATES, type CollectionState } from "./job-state.ts";
import { findWord, isGiven, isObject, type Problem, type Reading } from "./problems.ts";
import {
  type CollectionPlan,
  type CollectionQuota,
  type MaxRecurrence,
  PLANS,
  validateQuota,
} from "./quota.ts";
import { FREQUENCIES } from "./recurrence.ts";

export type CollectionDefinition = {
  readonly sku: { readonly name: CollectionPlan };
  readonly state: CollectionState;
  readonly quota?: CollectionQuota;
};

export const DEFAULT_PLAN: CollectionPlan = "Standard";

function readPlan(value: unknown, problems: Problem[]): CollectionPlan {
  const name = isObject(value) ? value.name : value;
  if (!isGiven(name)) return DEFAULT_PLAN;
  const plan = findWord(PLANS, name);
  if (plan === undefined)
    problems.push({ path: "sku.name", message: `sku.name must be one of ${PLANS.join(", ")}.` });
  return plan ?? DEFAULT_PLAN;
}

function readMaxRecurrence(value: unknown, problems: Problem[]): MaxRecurrence | undefined {
  if (!isGiven(value)) return undefined;
  const path = "quota.maxRecurrence";
  if (!isObject(value)) {
    problems.push({ path, message: `${path} must be an object with frequency and interval.` });
    return undefined;
  }
  const frequency = findWord(FREQUENCIES, value.frequency);
  if (frequency === undefined) {
    const message = `${path}.frequency is required and must be one of ${FREQUENCIES.join(", ")}.`;
    problems.push({ path: `${path}.frequency`, message });
    return undefined;
  }
  return { frequency, interval: isGiven(value.interval) ? (value.interval as number) : 1 };
}

function readQuota(value: unknown, problems: Problem[]): CollectionQuota | undefined {
  if (!isGiven(value)) return undefined;
  if (!isObject(value)) {
    problems.push({ path: "quota", message: "quota must be an object." });
    return undefined;
  }
  const { maxJobCount, maxJobOccurrence } = value;
  const maxRecurrence = readMaxRecurrence(value.maxRecurrence, problems);
  const quota = {
    ...(isGiven(maxJobCount) && { maxJobCount: maxJobCount as number }),
    ...(isGiven(maxJobOccurrence) && { maxJobOccurrence: maxJobOccurrence as number }),
    ...(maxRecurrence !== undefined && { maxRecurrence }),
  };
  return Object.keys(quota).length === 0 ? undefined : quota;
}

/** Callers enable and disable; the other states are the service's to set. Sending back what was read is fine. */
function readState(
  value: unknown,
  current: CollectionState | undefined,
  problems: Problem[],
): CollectionState {
  if (!isGiven(value)) return "Enabled";
  const state = findWord(COLLECTION_STATES, value);
  if (state !== undefined && (state === current || state === "Enabled" || state === "Disabled")) return state;
  problems.push({
    path: "state",
    message: "state must be Enabled or Disabled; other states are set by the service.",
  });
  return "Enabled";
}

export function readCollection(
  properties: Readonly<Record<string, unknown>>,
  current: CollectionState | undefined,
): Reading<CollectionDefinition> {
  const problems: Problem[] = [];
  const name = readPlan(properties.sku, problems);
  const state = readState(properties.state, current, problems);
  const quota = readQuota(properties.quota, problems);
  // Numbers are checked here, whatever their type was.
  problems.push(...validateQuota(name, quota ?? {}));
  if (problems.length > 0) return { problems };
  return { problems, value: { sku: { name }, state, ...(quota !== undefined && { quota }) } };
}

/** Legal holds: their selection and their states. */
import { errors } from "../errors.ts";
import { DAY_MS } from "./lifecycle.ts";

export type HoldSelection = {
  /** Any of these; every vault when none is named. */
  readonly vaultNames: readonly string[];
  /** Any of these; every resource when none is named. */
  readonly resourceArns: readonly string[];
  /** Of their creation, both ends included. */
  readonly fromMs?: number;
  readonly toMs?: number;
};
export type HoldStatus = "CREATING" | "ACTIVE" | "CANCELING" | "CANCELED";
export type HeldPoint = {
  readonly vaultName: string;
  readonly resourceArn: string;
  readonly createdAtMs: number;
};

const NAMES_MAX = 500;
const RETAIN_DAYS_MAX = 36_500;
/** The record of a hold that was cancelled without a word on it. */
const RETAIN_DAYS = 365;

export function checkHoldSelection({ vaultNames, resourceArns, fromMs, toMs }: HoldSelection): void {
  if (vaultNames.length > NAMES_MAX || resourceArns.length > NAMES_MAX)
    throw errors.invalidParameterValue(`A legal hold can name ${NAMES_MAX} vaults and as many resources.`);
  for (const arn of resourceArns)
    if (!arn.startsWith("arn:"))
      throw errors.invalidParameterValue(`ResourceIdentifiers contains a value that is not an ARN: ${arn}.`);
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs)
    throw errors.invalidParameterValue("FromDate must not be later than ToDate.");
}

export const isHeldBy = (
  {
    vaultNames,
    resourceArns,
    fromMs = Number.NEGATIVE_INFINITY,
    toMs = Number.POSITIVE_INFINITY,
  }: HoldSelection,
  { vaultName, resourceArn, createdAtMs }: HeldPoint,
): boolean =>
  (vaultNames.length === 0 || vaultNames.includes(vaultName)) &&
  (resourceArns.length === 0 || resourceArns.includes(resourceArn)) &&
  createdAtMs >= fromMs &&
  createdAtMs <= toMs;

/** A hold that is being made holds already; one that is being cancelled still does. */
export const isHolding = (status: HoldStatus): boolean => status !== "CANCELED";

/** The time until which the record of a cancelled hold is kept. */
export function retainUntilMs(retainDays: number | undefined, nowMs: number): number {
  const days = retainDays ?? RETAIN_DAYS;
  if (days < 0 || days > RETAIN_DAYS_MAX)
    throw errors.invalidParameterValue(
      `retainRecordInDays must lie between 0 and ${RETAIN_DAYS_MAX}: ${days}.`,
    );
  return nowMs + days * DAY_MS;
}

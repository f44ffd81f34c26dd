/** Restore testing: validation of plans and selections, and the choice of the recovery point to test. */
import { parseArn } from "#kernel/arn";
import { errors } from "../errors.ts";
import { DAY_MS } from "./lifecycle.ts";
import { checkSchedule, type Schedule } from "./schedule.ts";
import { meetsConditions, type TagCondition } from "./selection.ts";
import type { Tags } from "./tags.ts";

export type Algorithm = "LATEST_WITHIN_WINDOW" | "RANDOM_WITHIN_WINDOW";
export type PointKind = "CONTINUOUS" | "SNAPSHOT";
export type PointSelection = {
  readonly algorithm: Algorithm;
  /** ARNs of vaults, or "*". */
  readonly includeVaults: readonly string[];
  readonly excludeVaults: readonly string[];
  readonly kinds: readonly PointKind[];
  readonly windowDays: number;
};
export type TestingPlan = {
  readonly name: string;
  readonly schedule: Schedule;
  readonly startWindowHours: number;
  readonly points: PointSelection;
};
export type TestingSelection = {
  readonly name: string;
  readonly roleArn: string;
  readonly resourceType: string;
  /** Names, or "*"; none where conditions choose. */
  readonly resourceArns: readonly string[];
  readonly equals: readonly TagCondition[];
  readonly notEquals: readonly TagCondition[];
  readonly overrides: Readonly<Record<string, string>>;
  readonly validationWindowHours: number;
};
export type TestablePoint = {
  readonly arn: string;
  readonly vaultArn: string;
  readonly resourceArn: string;
  readonly kind: PointKind;
  readonly createdAtMs: number;
};

const NAME = /^[a-zA-Z0-9_]{1,50}$/;
const WINDOW_DAYS_MAX = 365;
const WINDOW_HOURS_MAX = 168;
const RESOURCES_MAX = 30;
const VAULTS_MAX = 100;
const OVERRIDES_MAX = 50;
export const START_WINDOW_HOURS = 24;
export const SELECTION_WINDOW_DAYS = 30;

function checkName(member: string, name: string): void {
  if (NAME.test(name)) return;
  throw errors.invalidParameterValue(`${member} must have 1 to 50 letters, digits or underscores: ${name}.`);
}
function checkRange(member: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw errors.invalidParameterValue(`${member} must lie between ${least} and ${most}: ${value}.`);
}

export function checkTestingPlan(
  { name, schedule, startWindowHours, points }: TestingPlan,
  nowMs: number,
): void {
  checkName("RestoreTestingPlanName", name);
  checkSchedule(schedule, nowMs);
  checkRange("StartWindowHours", startWindowHours, 1, WINDOW_HOURS_MAX);
  checkRange("SelectionWindowDays", points.windowDays, 1, WINDOW_DAYS_MAX);
  if (points.includeVaults.length === 0)
    throw errors.invalidParameterValue('IncludeVaults names the vaults that points come from, or "*".');
  if (points.kinds.length === 0)
    throw errors.invalidParameterValue("RecoveryPointTypes names at least one type.");
  for (const vaults of [points.includeVaults, points.excludeVaults]) {
    if (vaults.length > VAULTS_MAX)
      throw errors.invalidParameterValue(`A restore testing plan can name ${VAULTS_MAX} vaults.`);
    for (const vault of vaults)
      if (vault !== "*" && !parseArn(vault)?.resource.startsWith("backup-vault:"))
        throw errors.invalidParameterValue(`${vault} is neither the ARN of a backup vault nor "*".`);
  }
}

export function checkTestingSelection(selection: TestingSelection): void {
  const { name, resourceArns, equals, notEquals, overrides, validationWindowHours } = selection;
  checkName("RestoreTestingSelectionName", name);
  checkRange("ValidationWindowHours", validationWindowHours, 0, WINDOW_HOURS_MAX);
  const isByCondition = equals.length + notEquals.length > 0;
  if (isByCondition === resourceArns.length > 0)
    throw errors.invalidParameterValue(
      "A restore testing selection has either ProtectedResourceArns or ProtectedResourceConditions.",
    );
  if (resourceArns.length > RESOURCES_MAX || equals.length + notEquals.length > RESOURCES_MAX)
    throw errors.invalidParameterValue(`A restore testing selection can name ${RESOURCES_MAX} resources.`);
  if (resourceArns.includes("*") && resourceArns.length > 1)
    throw errors.invalidParameterValue('ProtectedResourceArns is "*" alone or names resources.');
  for (const arn of resourceArns)
    if (arn !== "*" && !parseArn(arn))
      throw errors.invalidParameterValue(
        `ProtectedResourceArns contains a value that is not an ARN: ${arn}.`,
      );
  if (Object.keys(overrides).length > OVERRIDES_MAX)
    throw errors.invalidParameterValue(`RestoreMetadataOverrides can have ${OVERRIDES_MAX} members.`);
}

export const isTested = (
  { resourceArns, equals, notEquals }: TestingSelection,
  { arn, tags }: { readonly arn: string; readonly tags: Tags },
): boolean =>
  resourceArns.length > 0
    ? resourceArns.includes("*") || resourceArns.includes(arn)
    : meetsConditions({ equals, notEquals, like: [], notLike: [] }, tags);

const names = (vaults: readonly string[], arn: string): boolean =>
  vaults.includes("*") || vaults.includes(arn);

/** Of one resource's points, in any order. `fraction`: chance, from 0 to below 1. */
export function findTestedPoint(
  points: readonly TestablePoint[],
  { algorithm, includeVaults, excludeVaults, kinds, windowDays }: PointSelection,
  nowMs: number,
  fraction: number,
): TestablePoint | undefined {
  const within = points
    .filter(
      (point) =>
        names(includeVaults, point.vaultArn) &&
        !names(excludeVaults, point.vaultArn) &&
        kinds.includes(point.kind) &&
        point.createdAtMs <= nowMs &&
        nowMs - point.createdAtMs <= windowDays * DAY_MS,
    )
    .sort((a, b) => b.createdAtMs - a.createdAtMs);
  return within[algorithm === "LATEST_WITHIN_WINDOW" ? 0 : Math.floor(fraction * within.length)];
}

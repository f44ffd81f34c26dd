/**
 * Audit controls: what each requires of plans, vaults, recovery points and resources, and how it is
 * evaluated.
 */
import { arnOf, neutralName, parseArn } from "#kernel/arn";
import { errors } from "../errors.ts";
import { DAY_MS, type Lifecycle } from "./lifecycle.ts";
import type { Rule } from "./plan.ts";
import { decide } from "./policy.ts";
import { PUBLISHED_TYPES } from "./published-types.ts";
import { longestIntervalMs } from "./schedule.ts";
import type { Tags } from "./tags.ts";

export type ControlScope = {
  readonly resourceIds: readonly string[];
  readonly resourceTypes: readonly string[];
  readonly tags: Tags;
};
export type Control = {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly scope: ControlScope;
};

type Subject = { readonly arn: string; readonly type: string; readonly tags: Tags };
export type AuditedPlan = Subject & { readonly rules: readonly Rule[] };
export type AuditedVault = Subject & {
  readonly name: string;
  readonly isLocked: boolean;
  readonly isAirGapped: boolean;
  readonly minDays?: number | undefined;
  readonly maxDays?: number | undefined;
  readonly policy: string | null;
};
export type AuditedPoint = Subject & {
  readonly resourceArn: string;
  readonly vaultName: string;
  readonly createdAtMs: number;
  readonly lifecycle: Lifecycle;
  readonly isEncrypted: boolean;
};
export type AuditedResource = Subject & {
  /** Rules of plans that select it. */
  readonly rules: readonly Rule[];
  readonly points: readonly AuditedPoint[];
  /** Of the last restore of it that came to an end. */
  readonly restoreMinutes?: number | undefined;
};
/** The data that controls are evaluated on, at one instant. */
export type Facts = {
  readonly account: string;
  readonly region: string;
  readonly nowMs: number;
  readonly plans: readonly AuditedPlan[];
  readonly vaults: readonly AuditedVault[];
  readonly points: readonly AuditedPoint[];
  readonly resources: readonly AuditedResource[];
};
export type Finding = {
  readonly arn: string;
  readonly type: string;
  readonly isCompliant: boolean;
};

type Values = Readonly<Record<string, string>>;
type Parameter = { readonly value: string; check(value: string): boolean };
type Judge = {
  readonly parameters: Readonly<Record<string, Parameter>>;
  findings(facts: Facts, values: Values): readonly Judged[];
};

const isWhole =
  (least: number, most: number) =>
  (text: string): boolean =>
    /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most;
const isOneOf =
  (...words: readonly string[]) =>
  (text: string): boolean =>
    words.includes(text);
const isListOf =
  (pattern: RegExp, most: number) =>
  (text: string): boolean =>
    text.split(",").length <= most && text.split(",").every((part) => pattern.test(part.trim()));

const listIn = (text: string | undefined): readonly string[] =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
const HOUR_MS = 3_600_000;
const unitMs = (unit: string | undefined): number => (unit === "hours" ? HOUR_MS : DAY_MS);

const isKeptFor = ({ deleteAfterDays }: Lifecycle, days: number): boolean =>
  deleteAfterDays === undefined || deleteAfterDays >= days;
type Judged = Subject & { readonly isCompliant: boolean };
const judged = <S extends Subject>(subjects: readonly S[], isCompliant: (subject: S) => boolean): Judged[] =>
  subjects.map((subject) => ({
    arn: subject.arn,
    type: subject.type,
    tags: subject.tags,
    isCompliant: isCompliant(subject),
  }));
const copiesOf = (rules: readonly Rule[]) =>
  rules.flatMap(({ copyActions }) =>
    copyActions.map(({ destinationVaultArn }) => parseArn(destinationVaultArn)),
  );

const PRINCIPALS = /arn:[a-z-]+:iam::\d{12}:(?:role|user)\/[\w+=,.@/*-]+/g;
const ANYBODY = "user/anybody";
/**
 * Whether a vault's policy prevents everybody except the allowed principals from deleting recovery points.
 */
function isDeletionPrevented(
  policy: string | null,
  {
    account,
    arn,
    spared,
  }: { readonly account: string; readonly arn: string; readonly spared: readonly string[] },
): boolean {
  const named = (policy?.match(PRINCIPALS) ?? []).map(neutralName);
  const anybody = arnOf({ service: "iam", region: "", account, resource: ANYBODY });
  return [anybody, ...named.filter((one) => !spared.includes(one))].every(
    (visitor) => decide(policy, { account, arn: visitor }, "backup:DeleteRecoveryPoint", arn) === "denied",
  );
}

const retentionDays: Parameter = { value: "35", check: isWhole(1, 36_500) };
const ageParameters = {
  recoveryPointAgeUnit: { value: "days", check: isOneOf("hours", "days") },
  recoveryPointAgeValue: { value: "1", check: isWhole(1, 744) },
};
const hasRecentPoint = (points: readonly AuditedPoint[], values: Values, nowMs: number): boolean => {
  const ageMs = Number(values.recoveryPointAgeValue) * unitMs(values.recoveryPointAgeUnit);
  return points.some(({ createdAtMs }) => nowMs - createdAtMs <= ageMs);
};

const judges: Readonly<Record<string, Judge>> = {
  BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN: {
    parameters: {},
    findings: ({ resources }) => judged(resources, ({ rules }) => rules.length > 0),
  },
  BACKUP_PLAN_MIN_FREQUENCY_AND_MIN_RETENTION_CHECK: {
    parameters: {
      requiredFrequencyUnit: { value: "days", check: isOneOf("hours", "days") },
      requiredFrequencyValue: { value: "1", check: isWhole(1, 31) },
      requiredRetentionDays: retentionDays,
    },
    findings: ({ plans, nowMs }, values) => {
      const wantedMs = Number(values.requiredFrequencyValue) * unitMs(values.requiredFrequencyUnit);
      // A day on which the clock is put back has an hour more than others.
      const mostMs = wantedMs >= DAY_MS ? wantedMs + HOUR_MS : wantedMs;
      const days = Number(values.requiredRetentionDays);
      return judged(plans, ({ rules }) =>
        rules.some(
          ({ schedule, lifecycle }) =>
            isKeptFor(lifecycle, days) && longestIntervalMs(schedule, nowMs) <= mostMs,
        ),
      );
    },
  },
  BACKUP_RECOVERY_POINT_MANUAL_DELETION_DISABLED: {
    parameters: {
      principalArnList: { value: "", check: (text) => text === "" || isListOf(/^arn:/, 5)(text) },
    },
    findings: ({ vaults, account }, values) => {
      const spared = listIn(values.principalArnList).map(neutralName);
      return judged(vaults, ({ arn, policy }) => isDeletionPrevented(policy, { account, arn, spared }));
    },
  },
  BACKUP_RECOVERY_POINT_ENCRYPTED: {
    parameters: {},
    findings: ({ points }) => judged(points, ({ isEncrypted }) => isEncrypted),
  },
  BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK: {
    parameters: { requiredRetentionDays: retentionDays },
    findings: ({ points }, values) =>
      judged(points, ({ lifecycle }) => isKeptFor(lifecycle, Number(values.requiredRetentionDays))),
  },
  BACKUP_RESOURCES_PROTECTED_BY_CROSS_REGION: {
    parameters: {
      crossRegionList: { value: "", check: (text) => text === "" || isListOf(/^[a-z0-9-]{1,40}$/, 20)(text) },
    },
    findings: ({ resources, region }, values) => {
      const wanted = listIn(values.crossRegionList);
      return judged(resources, ({ rules }) =>
        copiesOf(rules).some(
          (copy) => copy && copy.region !== region && (wanted.length === 0 || wanted.includes(copy.region)),
        ),
      );
    },
  },
  BACKUP_RESOURCES_PROTECTED_BY_CROSS_ACCOUNT: {
    parameters: {
      crossAccountList: { value: "", check: (text) => text === "" || isListOf(/^\d{12}$/, 20)(text) },
    },
    findings: ({ resources, account }, values) => {
      const wanted = listIn(values.crossAccountList);
      return judged(resources, ({ rules }) =>
        copiesOf(rules).some(
          (copy) =>
            copy && copy.account !== account && (wanted.length === 0 || wanted.includes(copy.account)),
        ),
      );
    },
  },
  BACKUP_RESOURCES_PROTECTED_BY_BACKUP_VAULT_LOCK: {
    parameters: {
      minRetentionDays: { value: "1", check: isWhole(1, 36_500) },
      maxRetentionDays: { value: "36500", check: isWhole(1, 36_500) },
    },
    findings: ({ resources, vaults }, values) => {
      const min = Number(values.minRetentionDays);
      const max = Number(values.maxRetentionDays);
      const locked = vaults.filter(
        ({ isLocked, minDays = 0, maxDays = Number.POSITIVE_INFINITY }) =>
          isLocked && minDays >= min && (maxDays <= max || maxDays === Number.POSITIVE_INFINITY),
      );
      const names = new Set(locked.map(({ name }) => name));
      return judged(resources, ({ rules }) => rules.some(({ vaultName }) => names.has(vaultName)));
    },
  },
  BACKUP_LAST_RECOVERY_POINT_CREATED: {
    parameters: ageParameters,
    findings: ({ resources, nowMs }, values) =>
      judged(resources, ({ points }) => hasRecentPoint(points, values, nowMs)),
  },
  RESTORE_TIME_FOR_RESOURCES_MEET_TARGET: {
    parameters: { maxRestoreTime: { value: "720", check: isWhole(1, 100_000) } },
    findings: ({ resources }, values) =>
      judged(
        resources.filter(({ restoreMinutes }) => restoreMinutes !== undefined),
        ({ restoreMinutes = 0 }) => restoreMinutes <= Number(values.maxRestoreTime),
      ),
  },
  RESOURCES_IN_LOGICALLY_AIR_GAPPED_VAULT: {
    parameters: ageParameters,
    findings: ({ resources, vaults, nowMs }, values) => {
      const names = new Set(vaults.filter(({ isAirGapped }) => isAirGapped).map(({ name }) => name));
      return judged(resources, ({ points }) =>
        hasRecentPoint(
          points.filter(({ vaultName }) => names.has(vaultName)),
          values,
          nowMs,
        ),
      );
    },
  },
};

const isInScope = ({ resourceIds, resourceTypes, tags }: ControlScope, subject: Subject): boolean =>
  (resourceIds.length === 0 || resourceIds.includes(subject.arn)) &&
  (resourceTypes.length === 0 || resourceTypes.includes(subject.type)) &&
  Object.entries(tags).every(
    ([key, value]) => Object.hasOwn(subject.tags, key) && (value === "" || subject.tags[key] === value),
  );

const valuesOf = ({ parameters: known }: Judge, { parameters }: Control): Values => ({
  ...Object.fromEntries(Object.entries(known).map(([name, { value }]) => [name, value])),
  ...Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
});

export function evaluateControl(control: Control, facts: Facts): Finding[] {
  const judge = judges[control.name];
  if (!judge) return [];
  return judge
    .findings(facts, valuesOf(judge, control))
    .filter((subject) => isInScope(control.scope, subject))
    .map(({ arn, type, isCompliant }) => ({ arn, type, isCompliant }));
}

function checkParameters(control: Control, judge: Judge): void {
  const seen = new Set<string>();
  for (const { name, value } of control.parameters) {
    const parameter = Object.hasOwn(judge.parameters, name) ? judge.parameters[name] : undefined;
    if (!parameter)
      throw errors.invalidParameterValue(`The control ${control.name} has no parameter ${name}.`);
    if (seen.has(name))
      throw errors.invalidParameterValue(`The parameter ${name} of ${control.name} is given twice.`);
    seen.add(name);
    if (!parameter.check(value))
      throw errors.invalidParameterValue(`${value} is no value of the parameter ${name} of ${control.name}.`);
  }
}

const SCOPE_IDS_MAX = 100;
const SCOPE_TAGS_MAX = 1;
function checkScope(
  { scope: { resourceIds, resourceTypes, tags } }: Control,
  known: ReadonlySet<string>,
): void {
  if (resourceIds.length > SCOPE_IDS_MAX || Object.keys(tags).length > SCOPE_TAGS_MAX)
    throw errors.invalidParameterValue(
      `The scope of a control can name ${SCOPE_IDS_MAX} resources and ${SCOPE_TAGS_MAX} tag.`,
    );
  for (const type of resourceTypes)
    if (!known.has(type) && !PUBLISHED_TYPES.has(type))
      throw errors.invalidParameterValue(`Resources of type ${type} cannot be backed up.`);
}

export function checkControls(controls: readonly Control[], knownTypes: ReadonlySet<string>): void {
  if (controls.length === 0) throw errors.invalidParameterValue("A framework needs at least one control.");
  const seen = new Set<string>();
  for (const control of controls) {
    const judge = Object.hasOwn(judges, control.name) ? judges[control.name] : undefined;
    if (!judge) throw errors.invalidParameterValue(`There is no control ${control.name}.`);
    checkParameters(control, judge);
    checkScope(control, knownTypes);
    const key = JSON.stringify(control);
    if (seen.has(key)) throw errors.invalidParameterValue(`The control ${control.name} is given twice.`);
    seen.add(key);
  }
}

/** ACTIVE when everything in its scope is recorded, and less when types are opted out. */
export function frameworkStatusOf(
  controls: readonly Control[],
  isOptedIn: (type: string) => boolean,
): "ACTIVE" | "PARTIALLY_ACTIVE" | "INACTIVE" {
  const recorded = controls.filter(({ scope }) => scope.resourceTypes.every(isOptedIn)).length;
  if (recorded === controls.length) return "ACTIVE";
  return recorded > 0 ? "PARTIALLY_ACTIVE" : "INACTIVE";
}

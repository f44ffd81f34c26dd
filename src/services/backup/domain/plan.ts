/** Backup plans: the content of a version, and its validation. */
import { parseOwnArn } from "#kernel/arn";
import { errors } from "../errors.ts";
import { checkContinuous, checkLifecycle, type Lifecycle } from "./lifecycle.ts";
import { checkSchedule, DEFAULT_EXPRESSION, DEFAULT_TIMEZONE, type Schedule } from "./schedule.ts";
import { checkTags, type Tags } from "./tags.ts";

export type CopyAction = { readonly destinationVaultArn: string; readonly lifecycle: Lifecycle };
export type Rule = {
  readonly id: string;
  readonly name: string;
  readonly vaultName: string;
  readonly schedule: Schedule;
  readonly startWindowMinutes: number;
  readonly completionWindowMinutes: number;
  readonly lifecycle: Lifecycle;
  readonly recoveryPointTags: Tags;
  readonly copyActions: readonly CopyAction[];
  readonly continuous: boolean;
  /** The kinds of resources whose points are to be searched, all where the list is empty; none without it. */
  readonly indexedTypes?: readonly string[] | undefined;
};
export type AdvancedSetting = {
  readonly resourceType: string;
  readonly options: Readonly<Record<string, string>>;
};
export type PlanDocument = {
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly advancedSettings: readonly AdvancedSetting[];
};

/** As a caller gives it: without identifiers and defaults. */
export type GivenRule = Pick<Rule, "name" | "vaultName"> & {
  readonly expression?: string | undefined;
  readonly timezone?: string | undefined;
  readonly startWindowMinutes?: number | undefined;
  readonly completionWindowMinutes?: number | undefined;
  readonly lifecycle?: Lifecycle | undefined;
  readonly recoveryPointTags?: Tags | undefined;
  readonly copyActions?:
    | readonly { destinationVaultArn: string; lifecycle?: Lifecycle | undefined }[]
    | undefined;
  readonly continuous?: boolean | undefined;
  readonly indexedTypes?: readonly string[] | undefined;
};
export type GivenPlan = {
  readonly name: string;
  readonly rules: readonly GivenRule[];
  readonly advancedSettings?: readonly AdvancedSetting[] | undefined;
};

const START_WINDOW_MINUTES = 480;
const START_WINDOW_MINUTES_MIN = 60;
const COMPLETION_WINDOW_MINUTES = 10_080;
/** The completion window must be at least this much longer than the start window. */
const COMPLETION_AFTER_START_MINUTES = 60;
/** A hundred days: longer than any backup takes. */
const WINDOW_MINUTES_MAX = 144_000;
export const RULES_MAX = 10;
const COPY_ACTIONS_MAX = 10;
const OPTION_VALUES: ReadonlySet<string> = new Set(["enabled", "disabled"]);

const VAULT_ARN = /^backup-vault:[a-zA-Z0-9_-]{2,50}$/;
const PLAN_NAME = /^[a-zA-Z0-9_.-]{1,50}$/;

function checkWindows(rule: string, start: number, completion: number): void {
  if (start < START_WINDOW_MINUTES_MIN || start > WINDOW_MINUTES_MAX)
    throw errors.invalidParameterValue(
      `StartWindowMinutes of the rule ${rule} must be ${START_WINDOW_MINUTES_MIN} to ${WINDOW_MINUTES_MAX}: ${start}.`,
    );
  if (completion < start + COMPLETION_AFTER_START_MINUTES || completion > WINDOW_MINUTES_MAX)
    throw errors.invalidParameterValue(
      `CompletionWindowMinutes of the rule ${rule} must be at least ${COMPLETION_AFTER_START_MINUTES} more than its StartWindowMinutes, and ${WINDOW_MINUTES_MAX} at the most: ${completion}.`,
    );
}

function copyActionsOf(given: GivenRule): readonly CopyAction[] {
  const actions = given.copyActions ?? [];
  if (actions.length > COPY_ACTIONS_MAX)
    throw errors.invalidParameterValue(`The rule ${given.name} can have ${COPY_ACTIONS_MAX} copy actions.`);
  const destinations = new Set<string>();
  for (const { destinationVaultArn: arn } of actions) {
    const parsed = parseOwnArn(arn);
    if (parsed?.service !== "backup" || !VAULT_ARN.test(parsed.resource))
      throw errors.invalidParameterValue(`${arn} is not the ARN of a backup vault.`);
    if (destinations.has(arn))
      throw errors.invalidParameterValue(`The rule ${given.name} copies to ${arn} twice.`);
    destinations.add(arn);
  }
  return actions.map(({ destinationVaultArn, lifecycle }) => ({
    destinationVaultArn,
    lifecycle: checkLifecycle(lifecycle),
  }));
}

function ruleOf(given: GivenRule, id: string, nowMs: number): Rule {
  const startWindowMinutes = given.startWindowMinutes ?? START_WINDOW_MINUTES;
  const completionWindowMinutes =
    given.completionWindowMinutes ??
    Math.max(COMPLETION_WINDOW_MINUTES, startWindowMinutes + COMPLETION_AFTER_START_MINUTES);
  checkWindows(given.name, startWindowMinutes, completionWindowMinutes);
  const schedule = {
    expression: given.expression ?? DEFAULT_EXPRESSION,
    timezone: given.timezone ?? DEFAULT_TIMEZONE,
  };
  checkSchedule(schedule, nowMs);
  const lifecycle = checkLifecycle(given.lifecycle);
  const continuous = given.continuous ?? false;
  if (continuous) checkContinuous(lifecycle);
  const recoveryPointTags = given.recoveryPointTags ?? {};
  checkTags(recoveryPointTags);
  return {
    id,
    name: given.name,
    vaultName: given.vaultName,
    schedule,
    startWindowMinutes,
    completionWindowMinutes,
    lifecycle,
    recoveryPointTags,
    copyActions: copyActionsOf(given),
    continuous,
    ...(given.indexedTypes && { indexedTypes: given.indexedTypes }),
  };
}

const VSS = "WindowsVSS";
/** This option applies only to Windows machines, which do not exist here. */
export function refuseVss(options: Readonly<Record<string, string>> | undefined): void {
  if (options && Object.hasOwn(options, VSS) && options[VSS] !== "disabled")
    throw errors.invalidParameterValue(`The backup option ${VSS} is for EC2 instances alone.`);
}

function checkAdvancedSettings(settings: readonly AdvancedSetting[], optionsOf: KnownOptions): void {
  const seen = new Set<string>();
  for (const { resourceType, options } of settings) {
    const known = optionsOf(resourceType);
    if (!known || known.length === 0)
      throw errors.invalidParameterValue(
        `There are no backup options for resources of type ${resourceType}.`,
      );
    if (seen.has(resourceType))
      throw errors.invalidParameterValue(`There are two advanced settings for ${resourceType}.`);
    seen.add(resourceType);
    for (const [option, value] of Object.entries(options)) {
      if (!known.includes(option))
        throw errors.invalidParameterValue(
          `${option} is not a backup option of ${resourceType}: ${known.join(", ")}.`,
        );
      if (!OPTION_VALUES.has(value))
        throw errors.invalidParameterValue(
          `The option ${option} is "enabled" or "disabled", not "${value}".`,
        );
    }
  }
}

/** Options by resource type; undefined for an unknown type. */
export type KnownOptions = (resourceType: string) => readonly string[] | undefined;
export type PlanChecks = { readonly nowMs: number; readonly optionsOf: KnownOptions; newId(): string };

/** Refuses invalid plans. A rule keeps its id if the previous version has a rule of the same name. */
export function planDocumentOf(given: GivenPlan, checks: PlanChecks, before?: PlanDocument): PlanDocument {
  if (!PLAN_NAME.test(given.name))
    throw errors.invalidParameterValue(
      `BackupPlanName must have 1 to 50 letters, digits, dots, hyphens or underscores: ${given.name}.`,
    );
  if (given.rules.length === 0 || given.rules.length > RULES_MAX)
    throw errors.invalidParameterValue(
      `A backup plan has 1 to ${RULES_MAX} rules, not ${given.rules.length}.`,
    );
  const names = new Set(given.rules.map(({ name }) => name));
  if (names.size < given.rules.length)
    throw errors.invalidParameterValue("The names of a plan's rules must differ from each other.");
  const advancedSettings = given.advancedSettings ?? [];
  checkAdvancedSettings(advancedSettings, checks.optionsOf);
  const idOf = (name: string): string =>
    before?.rules.find((rule) => rule.name === name)?.id ?? checks.newId();
  return {
    name: given.name,
    rules: given.rules.map((rule) => ruleOf(rule, idOf(rule.name), checks.nowMs)),
    advancedSettings,
  };
}

/** The vault of this account and region that an ARN names. */
export function findVaultNameIn(arn: string, account: string, region: string): string | undefined {
  const parsed = parseOwnArn(arn);
  if (parsed?.service !== "backup" || parsed.account !== account || parsed.region !== region)
    return undefined;
  return VAULT_ARN.test(parsed.resource) ? parsed.resource.slice("backup-vault:".length) : undefined;
}

/** Plans at work: each occurrence of a rule asks for a backup of everything that the plan's selections mean at that instant. */
import { type Static, Type } from "@sinclair/typebox";
import { type CatalogEntry, EVERY_REGION } from "#kernel/catalog";
import { type Job, jobsFor } from "#kernel/operation";
import {
  findExactNames,
  findNextOccurrence,
  namesIn,
  type PlanDocument,
  planArnOf,
  type Rule,
  type Selection,
  selects,
} from "../domain/index.ts";
import type { BackupContext, State } from "../state.ts";
import * as store from "../store/plans.ts";
import { getRegionSettings } from "../store/settings.ts";
import type { PlanRow, Tables } from "../tables/index.ts";
import { requestBackup } from "./request-backup.ts";
import { sourcesOf } from "./sources.ts";

const Occurrence = Type.Object({
  region: Type.String(),
  planId: Type.String(),
  ruleId: Type.String(),
  dueMs: Type.Number(),
  /** Resources up to this name have been asked for. */
  after: Type.String(),
});
type Occurrence = Static<typeof Occurrence>;

const RESOURCES_AT_ONCE = 200;
const SELECTIONS_MAX = 100;
/** Occurrences that were missed while the process was down create expired jobs, for at most a week. */
const MISSED_MS_MAX = 7 * 86_400_000;

const keyOf = (region: string, planId: string, ruleId: string): string =>
  `plan:${region}:${planId}:${ruleId}`;

export async function scheduleRule(
  context: BackupContext,
  plan: Pick<PlanRow, "region" | "id">,
  rule: Rule,
  afterMs: number,
): Promise<void> {
  const dueMs = findNextOccurrence(rule.schedule, afterMs);
  if (dueMs === undefined) return;
  const payload = { region: plan.region, planId: plan.id, ruleId: rule.id, dueMs, after: "" };
  await context.enqueue(planOccurrence, payload, {
    runAtMs: dueMs,
    key: keyOf(plan.region, plan.id, rule.id),
  });
}
/** The rules of a new version replace the previous ones. */
export async function schedulePlan(
  context: BackupContext,
  plan: Pick<PlanRow, "region" | "id">,
  document: PlanDocument,
  before?: PlanDocument,
): Promise<void> {
  if (before) await unschedulePlan(context, plan, before);
  for (const rule of document.rules) await scheduleRule(context, plan, rule, context.clock.nowMs());
}
export async function unschedulePlan(
  context: BackupContext,
  plan: Pick<PlanRow, "region" | "id">,
  { rules }: PlanDocument,
): Promise<void> {
  for (const rule of rules) await context.cancelJob(planOccurrence, keyOf(plan.region, plan.id, rule.id));
}

/** A page of the catalogue in order of names. `next`: the cursor of the next page. */
async function readResources(
  context: BackupContext,
  region: string,
  selections: readonly Selection[],
  after: string,
): Promise<{ readonly entries: readonly CatalogEntry[]; readonly next: string | undefined }> {
  const { catalog } = context;
  const exact = selections.map(findExactNames);
  if (exact.every((names) => names !== undefined)) {
    const names = [...new Set(exact.flat())].filter((name) => name > after).sort((a, b) => (a < b ? -1 : 1));
    const some = names.slice(0, RESOURCES_AT_ONCE);
    return {
      entries: await catalog.findMany(some),
      next: names.length > some.length ? some.at(-1) : undefined,
    };
  }
  const sources = sourcesOf(context);
  const entries = await catalog.list({
    types: sources.all.flatMap((kind) => kind.types),
    regions: [region, EVERY_REGION],
    after,
    limit: RESOURCES_AT_ONCE,
  });
  const next = entries.length === RESOURCES_AT_ONCE ? entries.at(-1)?.arn : undefined;
  // Resources that are named explicitly may be of any type.
  const named = after === "" ? await catalog.findMany(selections.flatMap(namesIn)) : [];
  return { entries: [...named.filter(({ type }) => !sources.findByType(type)), ...entries], next };
}

async function askForBackups(
  context: BackupContext,
  plan: PlanRow,
  rule: Rule,
  document: PlanDocument,
  { dueMs, after }: Occurrence,
): Promise<string | undefined> {
  const { account, db } = context;
  const { region } = plan;
  const rows = await store.listSelections(db, account, region, plan.id, { after: "", limit: SELECTIONS_MAX });
  if (rows.length === 0) return undefined;
  const selections = rows.map(store.selectionOf);
  const { entries, next } = await readResources(context, region, selections, after);
  const { optIn } = await getRegionSettings(db, account, region);
  const sources = sourcesOf(context);
  for (const entry of entries) {
    if (entry.region !== region && entry.region !== EVERY_REGION) continue;
    const selection = selections.find((one) => selects(one, entry));
    const type = sources.findByType(entry.type)?.resourceType ?? "";
    // A named resource that cannot be backed up gets a failed job with the reason. Other resources of
    // unknown types are skipped.
    if (!selection || (type === "" && !selection.resources.includes(entry.arn))) continue;
    if ((optIn[type] ?? true) === false) continue;
    await requestBackup(context, {
      region,
      vaultName: rule.vaultName,
      resourceArn: entry.arn,
      roleArn: selection.roleArn,
      createdBy: {
        planId: plan.id,
        planArn: planArnOf(account, region, plan.id),
        planVersion: plan.version,
        ruleId: rule.id,
      },
      startWindowMinutes: rule.startWindowMinutes,
      completionWindowMinutes: rule.completionWindowMinutes,
      lifecycle: rule.lifecycle,
      recoveryPointTags: rule.recoveryPointTags,
      backupOptions: document.advancedSettings.find(({ resourceType }) => resourceType === type)?.options,
      copyActions: rule.copyActions,
      continuous: rule.continuous,
      index: rule.indexedTypes && (rule.indexedTypes.length === 0 || rule.indexedTypes.includes(type)),
      scheduledAtMs: dueMs,
    });
  }
  return next;
}

async function run(occurrence: Occurrence, context: BackupContext): Promise<void> {
  const { region, planId, ruleId, dueMs } = occurrence;
  const plan = await store.findPlanRow(context.db, context.account, region, planId);
  if (!plan || plan.deleted_at !== null) return;
  const document = store.documentOf(await store.getPlanVersion(context.db, context.account, plan));
  const rule = document.rules.find(({ id }) => id === ruleId);
  if (!rule) return;
  const nowMs = context.clock.nowMs();
  if (nowMs - dueMs > MISSED_MS_MAX) {
    await scheduleRule(context, plan, rule, nowMs - MISSED_MS_MAX);
    return;
  }
  if (occurrence.after === "")
    await store.changePlan(context.db, context.account, plan, { last_run_at: dueMs });
  const after = await askForBackups(context, plan, rule, document, occurrence);
  if (after === undefined) await scheduleRule(context, plan, rule, dueMs);
  else
    await context.enqueue(planOccurrence, { ...occurrence, after }, { key: keyOf(region, planId, ruleId) });
}

export const planOccurrence: Job<Occurrence> = jobsFor<Tables, State>()({
  name: "backup.plan-occurrence",
  payload: Occurrence,
  run,
});

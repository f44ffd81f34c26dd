/** Restore tests: each occurrence of a plan chooses recovery points and restores them under scratch names. */
import { type Static, Type } from "@sinclair/typebox";
import { type Job, jobsFor, ServiceError } from "#kernel/operation";
import {
  DAY_MS,
  findNextOccurrence,
  findTestedPoint,
  isTested,
  type PointKind,
  pointArnOf,
  type TestingPlan,
  type TestingSelection,
  testingPlanArnOf,
  vaultArnOf,
} from "../domain/index.ts";
import { errors } from "../errors.ts";
import type { BackupContext, State } from "../state.ts";
import * as store from "../store/index.ts";
import type { PointRow, ProtectedRow, Tables } from "../tables/index.ts";
import { requestRestore } from "./request-restore.ts";
import { SCRATCH_PREFIX } from "./restore-tested.ts";
import { sourcesOf } from "./sources.ts";

const NamedPlan = Type.Object({ region: Type.String(), name: Type.String(), dueMs: Type.Number() });
type NamedPlan = Static<typeof NamedPlan>;
const Test = Type.Object({
  region: Type.String(),
  plan: Type.String(),
  selection: Type.String(),
  pointId: Type.String(),
  untilMs: Type.Number(),
});
type Test = Static<typeof Test>;

const HOUR_MS = 3_600_000;
const RESOURCES_AT_ONCE = 500;
const SELECTIONS_MAX = 100;
const POINTS_AT_ONCE = 1000;
const SCRATCH_LENGTH = 10;

const keyOf = (region: string, name: string): string => `testing:${region}:${name}`;
export async function scheduleTesting(
  context: BackupContext,
  { region, document }: Pick<store.TestingPlanRecord, "region" | "document">,
  afterMs: number,
): Promise<void> {
  const dueMs = findNextOccurrence(document.schedule, afterMs);
  if (dueMs === undefined) return;
  const { name } = document;
  await context.enqueue(
    testingOccurrence,
    { region, name, dueMs },
    { key: keyOf(region, name), runAtMs: dueMs },
  );
}
export const unscheduleTesting = (
  context: BackupContext,
  { region, name }: Pick<store.TestingPlanRecord, "region" | "name">,
): Promise<boolean> => context.cancelJob(testingOccurrence, keyOf(region, name));

/** Resources of a kind that have been backed up, with their tags. */
async function* protectedOf({ db, account, catalog }: BackupContext, region: string, type: string) {
  let after: string | undefined;
  for (;;) {
    const rows: ProtectedRow[] = await store.listProtected(db, account, region, {
      after,
      limit: RESOURCES_AT_ONCE,
    });
    const ofType = rows.filter((row) => row.type === type);
    const entries = await catalog.findMany(ofType.map(({ arn }) => arn));
    const tags = new Map(entries.map((entry) => [entry.arn, entry.tags]));
    for (const { arn } of ofType) yield { arn, tags: tags.get(arn) ?? {} };
    if (rows.length < RESOURCES_AT_ONCE) return;
    after = rows.at(-1)?.arn;
  }
}
/** Points that can be restored, created since a time. */
async function wholePoints(
  { db, account }: BackupContext,
  region: string,
  resourceArn: string,
  afterMs: number,
): Promise<PointRow[]> {
  const filter = { resourceArn, created: { afterMs } };
  const whole: PointRow[] = [];
  let after: store.NewestFirstKey | undefined;
  for (;;) {
    const rows = await store.listPoints(db, account, region, filter, { after, limit: POINTS_AT_ONCE });
    for (const row of rows) if (row.status === "COMPLETED" && row.is_parent === 0) whole.push(row);
    const last = rows.at(-1);
    if (rows.length < POINTS_AT_ONCE || !last) return whole;
    after = store.newestFirstKeyOf(last);
  }
}
async function choosePoint(
  context: BackupContext,
  region: string,
  resourceArn: string,
  { points }: TestingPlan,
  dueMs: number,
): Promise<PointRow | undefined> {
  const { account, ids } = context;
  const whole = await wholePoints(context, region, resourceArn, dueMs - points.windowDays * DAY_MS);
  const chosen = findTestedPoint(
    whole.map((row) => ({
      arn: row.id,
      vaultArn: vaultArnOf(account, region, row.vault),
      resourceArn,
      kind: row.kind as PointKind,
      createdAtMs: row.created_at,
    })),
    points,
    dueMs,
    ids.fraction(),
  );
  return whole.find(({ id }) => id === chosen?.arn);
}

async function startTests(
  context: BackupContext,
  plan: store.TestingPlanRecord,
  selection: TestingSelection,
  dueMs: number,
): Promise<void> {
  const windowMs = plan.document.startWindowHours * HOUR_MS;
  for await (const resource of protectedOf(context, plan.region, selection.resourceType)) {
    if (!isTested(selection, resource)) continue;
    const point = await choosePoint(context, plan.region, resource.arn, plan.document, dueMs);
    if (!point) continue;
    const payload = {
      region: plan.region,
      plan: plan.name,
      selection: selection.name,
      pointId: point.id,
      untilMs: dueMs + windowMs,
    };
    // Tests of one occurrence begin at different times, so that they do not get into each other's way.
    await context.enqueue(startTest, payload, {
      runAtMs: Math.floor(dueMs + context.ids.fraction() * windowMs),
    });
  }
}

async function runOccurrence({ region, name, dueMs }: NamedPlan, context: BackupContext): Promise<void> {
  const { db, account, clock } = context;
  const plan = await store.findTestingPlan(db, account, region, name);
  if (!plan) return;
  const isMissed = clock.nowMs() - dueMs > plan.document.startWindowHours * HOUR_MS;
  if (!isMissed) {
    const selections = await store.listTestingSelections(db, account, region, name, {
      after: "",
      limit: SELECTIONS_MAX,
    });
    for (const { document } of selections) await startTests(context, plan, document, dueMs);
    await store.changeTestingPlan(db, account, plan, { last_run_at: dueMs });
  }
  await scheduleTesting(context, plan, isMissed ? clock.nowMs() : dueMs);
}
export const testingOccurrence: Job<NamedPlan> = jobsFor<Tables, State>()({
  name: "backup.testing-occurrence",
  payload: NamedPlan,
  run: runOccurrence,
});

/** Restore metadata with a temporary name. Overrides cannot change the name. */
export function scratchMetadata(
  context: BackupContext,
  point: PointRow,
  overrides: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const saved = JSON.parse(point.restore_metadata) as Readonly<Record<string, string>>;
  const source = sourcesOf(context).findByResourceType(point.resource_type);
  if (!source)
    throw errors.invalidParameterValue(`Nobody restores resources of type ${point.resource_type}.`);
  const random = context.ids.bytes(SCRATCH_LENGTH).toString("hex").slice(0, SCRATCH_LENGTH);
  return source.renamed({ ...saved, ...overrides }, `${SCRATCH_PREFIX}${random}`);
}

async function runTest(
  { region, plan, selection, pointId, untilMs }: Test,
  context: BackupContext,
): Promise<void> {
  const { db, account, clock, log } = context;
  const record = await store.findTestingSelection(db, account, region, plan, selection);
  const point = await store.findPoint(db, account, region, pointId);
  if (!record || !point || clock.nowMs() > untilMs) return;
  const { roleArn, overrides, validationWindowHours } = record.document;
  try {
    await requestRestore(context, {
      region,
      recoveryPointArn: pointArnOf(account, region, pointId),
      metadata: scratchMetadata(context, point, overrides),
      roleArn,
      testingPlanArn: testingPlanArnOf(account, region, plan),
      ...(validationWindowHours > 0 && { validationWindowHours }),
    });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.info("a restore test could not begin", { plan, selection, pointId, reason: error.message });
  }
}
export const startTest: Job<Test> = jobsFor<Tables, State>()({
  name: "backup.start-restore-test",
  payload: Test,
  run: runTest,
});

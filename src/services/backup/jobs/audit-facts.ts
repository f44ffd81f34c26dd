/** Collects the data for controls: plans, vaults, recovery points and resources. */
import { EVERY_REGION } from "#kernel/catalog";
import {
  type AuditedPoint,
  type AuditedResource,
  type AuditedVault,
  type Facts,
  planArnOf,
  pointArnOf,
  type Selection,
  selects,
  type Tags,
  TYPES,
  vaultArnOf,
} from "../domain/index.ts";
import type { BackupContext } from "../state.ts";
import {
  listPoints,
  listProtected,
  listVaults,
  type NewestFirstKey,
  newestFirstKeyOf,
} from "../store/index.ts";
import * as plans from "../store/plans.ts";
import type { PointRow } from "../tables/index.ts";
import { sourcesOf } from "./sources.ts";

const ROWS_AT_ONCE = 500;
/** More than this is not looked at: the newest recovery points, the first of everything else. */
const ROWS_MAX = 100_000;

/** All rows of a list that goes on behind its last one. */
async function readAll<Row, Key>(
  read: (after: Key | undefined, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): Promise<Row[]> {
  const all: Row[] = [];
  let after: Key | undefined;
  while (all.length < ROWS_MAX) {
    const rows = await read(after, ROWS_AT_ONCE);
    all.push(...rows);
    const last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE || last === undefined) break;
    after = keyOf(last);
  }
  return all;
}

async function tagsByArn({ catalog }: BackupContext, service: string): Promise<ReadonlyMap<string, Tags>> {
  const entries = await readAll(
    (after: string | undefined, limit) =>
      catalog.list({ service, limit, ...(after !== undefined && { after }) }),
    ({ arn }) => arn,
  );
  return new Map(entries.map(({ arn, tags }) => [arn, tags]));
}

type PlanFacts = Facts["plans"][number] & { readonly selections: readonly Selection[] };
async function readPlans({ db, account }: BackupContext, region: string, tags: ReadonlyMap<string, Tags>) {
  const rows = await readAll(
    (after: string | undefined, limit) =>
      plans.listPlans(db, account, region, { after: after ?? "", limit, includeDeleted: false }),
    ({ id }) => id,
  );
  const all: PlanFacts[] = [];
  for (const { id, document } of rows) {
    const arn = planArnOf(account, region, id);
    const selections = await plans.listSelections(db, account, region, id, {
      after: "",
      limit: ROWS_AT_ONCE,
    });
    all.push({
      arn,
      type: TYPES["backup-plan"],
      tags: tags.get(arn) ?? {},
      rules: document.rules,
      selections: selections.map(plans.selectionOf),
    });
  }
  return all;
}

async function readVaults({ db, account }: BackupContext, region: string, tags: ReadonlyMap<string, Tags>) {
  const rows = await readAll(
    (after: string | undefined, limit) => listVaults(db, account, region, { after, limit }),
    ({ name }) => name,
  );
  return rows.map((row): AuditedVault => {
    const arn = vaultArnOf(account, region, row.name);
    return {
      arn,
      type: TYPES["backup-vault"],
      tags: tags.get(arn) ?? {},
      name: row.name,
      isLocked: row.locked === 1,
      isAirGapped: row.type === "LOGICALLY_AIR_GAPPED_BACKUP_VAULT",
      minDays: row.min_days ?? undefined,
      maxDays: row.max_days ?? undefined,
      policy: row.policy,
    };
  });
}

async function readPoints({ db, account }: BackupContext, region: string, tags: ReadonlyMap<string, Tags>) {
  const rows = await readAll(
    (after: NewestFirstKey | undefined, limit) => listPoints(db, account, region, {}, { after, limit }),
    newestFirstKeyOf,
  );
  return rows.map(
    (row): AuditedPoint => auditedPointOf(row, tags.get(pointArnOf(account, region, row.id)) ?? {}),
  );
}
const auditedPointOf = (row: PointRow, tags: Tags): AuditedPoint => ({
  arn: pointArnOf(row.account, row.region, row.id),
  type: row.resource_type,
  tags,
  resourceArn: row.resource_arn,
  vaultName: row.vault,
  createdAtMs: row.created_at,
  lifecycle: { deleteAfterDays: row.delete_after_days ?? undefined },
  // Vault content is always encrypted with the vault's key. A parent has no content.
  isEncrypted: true,
});

async function readResources(
  context: BackupContext,
  region: string,
  planFacts: readonly PlanFacts[],
  points: readonly AuditedPoint[],
): Promise<AuditedResource[]> {
  const { catalog, db, account } = context;
  const sources = sourcesOf(context);
  const entries = await readAll(
    (after: string | undefined, limit) => catalog.list({ limit, ...(after !== undefined && { after }) }),
    ({ arn }) => arn,
  );
  const restored = await readAll(
    (after: string | undefined, limit) => listProtected(db, account, region, { after, limit }),
    ({ arn }) => arn,
  );
  const minutesOf = new Map(restored.map(({ arn, restore_minutes }) => [arn, restore_minutes ?? undefined]));
  const pointsOf = new Map<string, AuditedPoint[]>();
  for (const point of points) {
    const others = pointsOf.get(point.resourceArn);
    if (others) others.push(point);
    else pointsOf.set(point.resourceArn, [point]);
  }
  return entries.flatMap((entry): AuditedResource[] => {
    const type = sources.findByType(entry.type)?.resourceType;
    if (type === undefined || (entry.region !== region && entry.region !== EVERY_REGION)) return [];
    return [
      {
        arn: entry.arn,
        type,
        tags: entry.tags,
        rules: planFacts
          .filter(({ selections }) => selections.some((selection) => selects(selection, entry)))
          .flatMap(({ rules }) => rules),
        points: pointsOf.get(entry.arn) ?? [],
        restoreMinutes: minutesOf.get(entry.arn),
      },
    ];
  });
}

export async function readFacts(context: BackupContext, region: string): Promise<Facts> {
  const tags = await tagsByArn(context, "backup");
  const planFacts = await readPlans(context, region, tags);
  const points = await readPoints(context, region, tags);
  return {
    account: context.account,
    region,
    nowMs: context.clock.nowMs(),
    plans: planFacts,
    vaults: await readVaults(context, region, tags),
    points,
    resources: await readResources(context, region, planFacts, points),
  };
}

/** The resources of this service in the catalogue, and the backups of all other resources. */
import type { CatalogEntry } from "#kernel/catalog";
import { byTwoCalls, type Context, type Related, type ResourceKind, type TagChange } from "#kernel/operation";
import { findVaultIn, type NamedKind, pointArnOf, TYPES, vaultArnOf } from "./domain/index.ts";
import { findPointByArn, listPoints, type PointFilter } from "./store/index.ts";

const SHOWN_MAX = 100;

const tag = ({ arn: resourceArn }: CatalogEntry, change: TagChange) =>
  byTwoCalls(
    change,
    (set) => ({ operation: "backup.TagResource", params: { resourceArn }, body: { Tags: set } }),
    (keys) => ({ operation: "backup.UntagResource", params: { resourceArn }, body: { TagKeyList: keys } }),
  );
/** Deletes by name or id, which is the last part of the ARN. */
const deletedBy = (kind: NamedKind, operation: string, parameter: string, query = {}): ResourceKind => ({
  type: TYPES[kind],
  tag,
  delete: ({ arn }) => ({
    operation: `backup.${operation}`,
    params: { [parameter]: arn.slice(arn.lastIndexOf(":") + 1) },
    query,
  }),
});

export const resourceKinds: readonly ResourceKind[] = [
  deletedBy("backup-vault", "DeleteBackupVault", "backupVaultName"),
  deletedBy("backup-plan", "DeleteBackupPlan", "backupPlanId"),
  deletedBy("framework", "DeleteFramework", "frameworkName"),
  deletedBy("report-plan", "DeleteReportPlan", "reportPlanName"),
  deletedBy("restore-testing-plan", "DeleteRestoreTestingPlan", "RestoreTestingPlanName"),
  deletedBy("legal-hold", "CancelLegalHold", "legalHoldId", {
    cancelDescription: "Cancelled in the console",
  }),
  {
    type: TYPES["recovery-point"],
    tag,
    async delete({ arn }, { db, account }) {
      const point = await findPointByArn(db, account, arn);
      return {
        operation: "backup.DeleteRecoveryPoint",
        params: { backupVaultName: point?.vault ?? "", recoveryPointArn: arn },
      };
    },
  },
];

async function listPointArns({ db, account }: Context, filter: PointFilter, within?: string) {
  const points = await listPoints(db, account, within, filter, { limit: SHOWN_MAX });
  return points.map(({ region, id }) => pointArnOf(account, region, id));
}

/**
 * Related resources: the points of a vault, the resource and vault of a point, and the points of any other
 * resource.
 */
export async function findRelated(context: Context, resource: CatalogEntry): Promise<readonly Related[]> {
  const { db, account } = context;
  const { arn, type, region } = resource;
  if (type === TYPES["backup-vault"]) {
    const vault = findVaultIn(arn)?.name ?? "";
    return [{ title: "Recovery points", arns: await listPointArns(context, { vault }, region) }];
  }
  if (type === TYPES["backup-plan"]) {
    const planId = arn.slice(arn.lastIndexOf(":") + 1);
    return [{ title: "Recovery points", arns: await listPointArns(context, { planId }, region) }];
  }
  if (type !== TYPES["recovery-point"])
    return [{ title: "Recovery points", arns: await listPointArns(context, { resourceArn: arn }) }];
  const point = await findPointByArn(db, account, arn);
  if (!point) return [];
  const vaultArn = vaultArnOf(account, point.region, point.vault);
  return [
    { title: "In the vault", arns: [vaultArn] },
    { title: "Backup of", arns: [point.resource_arn] },
  ];
}

/**
 * Recovery points of folders, of a stack and of a store that is backed up all the time; jobs that are stopped; restore
 * tests. On a server of its own, whose time stands still unless it is moved.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServer } from "../account.mjs";
import { Sender } from "../sender.mjs";
import { eventually } from "./asking.mjs";

const ROOT = join(tmpdir(), "medley-documentation");
const START = "2030-01-01T00:00:00Z";
const ACCOUNT = "123456789012";
const ROLE = `arn:vendor:iam::${ACCOUNT}:role/backup`;
const STACK = `arn:vendor:cloudformation:us-east-1:${ACCOUNT}:stack/shop/1`;
const STORE = "Vendor::AppConfiguration::ConfigurationStore";
const LARGE_BYTES = 20_000_000;
const STOPS_MAX = 20;
const folderArn = (name) => `arn:vendor:files:us-east-1:${ACCOUNT}:folder/${name}`;
const vaultArn = (name) => `arn:vendor:backup:us-east-1:${ACCOUNT}:backup-vault:${name}`;
const pointPath = (arn) => `/backup-vaults/nightly/recovery-points/${encodeURIComponent(arn)}`;

class Office {
  constructor(given, medley) {
    this.medley = medley;
    this.sender = new Sender(medley);
    this.call = (name, path, body) => given.callOn(this.sender)(`backup.${name}`, `/backup${path}`, body);
  }
  async admin(method, path, body) {
    const answer = await this.sender.admin(method, `/_medley${path}`, body);
    if (answer.status >= 400) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  }
  register(name, details = {}) {
    const path = join(ROOT, name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "harbour.txt"), "Boats, and a lighthouse.\n");
    const tags = { stage: "production" };
    const type = "Vendor::Files::Folder";
    const body = {
      arn: folderArn(name),
      type,
      name,
      region: "us-east-1",
      tags,
      details: { path, ...details },
    };
    return this.admin("PUT", "/resources", body);
  }
  start(ResourceArn, more = {}) {
    const order = { BackupVaultName: "nightly", ResourceArn, IamRoleArn: ROLE, ...more };
    return this.call("StartBackupJob", "/backup-jobs", order);
  }
  /** The recovery point of a backup. */
  async backedUp(arn, more) {
    const { BackupJobId } = (await this.start(arn, more)).body;
    const find = async () => {
      const { body } = await this.call("DescribeBackupJob", `/backup-jobs/${BackupJobId}`);
      return body.State === "COMPLETED" ? body.RecoveryPointArn : undefined;
    };
    return eventually(find, `The backup of ${arn}`);
  }
}

async function indexed(office) {
  const point = await office.backedUp(folderArn("photos"), { Index: "ENABLED" });
  const path = pointPath(point);
  const isActive = async () =>
    (await office.call("GetRecoveryPointIndexDetails", `${path}/index`)).body.IndexStatus === "ACTIVE";
  await eventually(isActive, "The index");
  await office.call("SearchRecoveryPointItems", `${path}/items?pattern=*.txt`);
  await office.call("ListIndexedRecoveryPoints", "/indexes/recovery-point?indexStatus=ACTIVE");
  const asked = new URLSearchParams({ BackupVaultName: "nightly", RecoveryPointArn: point });
  await office.call("GetRestoreTestingInferredMetadata", `/restore-testing/inferred-metadata?${asked}`);
  await office.call("UpdateRecoveryPointIndexSettings", `${path}/index`, { Index: "DISABLED" });
  await office.call("DeleteRecoveryPoint", path);
}
async function tagged(office) {
  const arn = encodeURIComponent(vaultArn("nightly"));
  await office.call("TagResource", `/tags/${arn}`, { Tags: { project: "lantern" } });
  await office.call("ListTags", `/tags/${arn}/`);
  await office.call("UntagResource", `/untag/${arn}`, { TagKeyList: ["project"] });
}
async function locked(office) {
  const retention = { MinRetentionDays: 7, MaxRetentionDays: 30 };
  await office.call(
    "CreateLogicallyAirGappedBackupVault",
    "/logically-air-gapped-backup-vaults/bunker",
    retention,
  );
}
/** The recovery point of a stack has children. */
async function parted(office) {
  for (const name of ["shop", "till"]) await office.register(name, { stack: STACK });
  const parent = await office.backedUp(STACK);
  const asked = new URLSearchParams({ parentRecoveryPointArn: parent });
  const { body } = await office.call(
    "ListRecoveryPointsByBackupVault",
    `/backup-vaults/nightly/recovery-points/?${asked}`,
  );
  const path = pointPath(body.RecoveryPoints[0].RecoveryPointArn);
  await office.call("DisassociateRecoveryPointFromParent", `${path}/parentAssociation`);
}
/** A backup may end before it is stopped, so that another one has to be begun. */
async function stopped(office) {
  writeFileSync(join(ROOT, "photos", "large"), Buffer.alloc(LARGE_BYTES, "photo"));
  for (let times = 0; times < STOPS_MAX; times += 1) {
    const { body } = await office.start(folderArn("photos"));
    const isStopped = await office.call("StopBackupJob", `/backup-jobs/${body.BackupJobId}`).then(
      () => true,
      () => false,
    );
    if (isStopped) break;
  }
  rmSync(join(ROOT, "photos", "large"));
}
async function continued(office) {
  await office.admin("POST", "/seed", { services: ["configuration-stores"] });
  const { resources } = await office.admin("GET", `/resources?type=${STORE}`);
  const rule = {
    RuleName: "daily",
    TargetBackupVaultName: "nightly",
    ScheduleExpression: "cron(0 5 * * ? *)",
    Lifecycle: { DeleteAfterDays: 3 },
    EnableContinuousBackup: true,
  };
  const plan = { BackupPlan: { BackupPlanName: "always", Rules: [rule] } };
  const { BackupPlanId } = (await office.call("CreateBackupPlan", "/backup/plans/", plan)).body;
  const selection = { SelectionName: "stores", IamRoleArn: ROLE, Resources: [resources[0].arn] };
  await office.call("CreateBackupSelection", `/backup/plans/${BackupPlanId}/selections/`, {
    BackupSelection: selection,
  });
  await office.medley.clock.advance("P2D");
  const asked = new URLSearchParams({ resourceArn: resources[0].arn });
  const path = `/backup-vaults/nightly/recovery-points/?${asked}`;
  const find = async () =>
    (await office.call("ListRecoveryPointsByBackupVault", path)).body.RecoveryPoints[0];
  const { RecoveryPointArn } = await eventually(find, "The continuous recovery point");
  await office.call("DisassociateRecoveryPoint", `${pointPath(RecoveryPointArn)}/disassociate`);
}
async function restored(office) {
  await office.backedUp(folderArn("photos"));
  const plans = "/restore-testing/plans";
  const plan = {
    RestoreTestingPlanName: "weekly_check",
    ScheduleExpression: "cron(0 5 ? * * *)",
    RecoveryPointSelection: {
      Algorithm: "LATEST_WITHIN_WINDOW",
      IncludeVaults: ["*"],
      RecoveryPointTypes: ["SNAPSHOT"],
    },
  };
  await office.call("CreateRestoreTestingPlan", plans, { RestoreTestingPlan: plan });
  const { RestoreTestingPlanName: _fixed, ...change } = plan;
  await office.call("UpdateRestoreTestingPlan", `${plans}/weekly_check`, { RestoreTestingPlan: change });
  await office.call("GetRestoreTestingPlan", `${plans}/weekly_check`);
  await office.call("ListRestoreTestingPlans", plans);
  const selections = `${plans}/weekly_check/selections`;
  const chosen = { IamRoleArn: ROLE, ProtectedResourceType: "Folder", ProtectedResourceArns: ["*"] };
  await office.call("CreateRestoreTestingSelection", selections, {
    RestoreTestingSelection: { ...chosen, RestoreTestingSelectionName: "folders", ValidationWindowHours: 24 },
  });
  await office.call("UpdateRestoreTestingSelection", `${selections}/folders`, {
    RestoreTestingSelection: { IamRoleArn: ROLE, ProtectedResourceArns: ["*"], ValidationWindowHours: 48 },
  });
  await office.call("GetRestoreTestingSelection", `${selections}/folders`);
  await office.call("ListRestoreTestingSelections", selections);
  await office.medley.clock.advance("P2D");
  const find = async () =>
    (await office.call("ListRestoreJobs", "/restore-jobs/?status=COMPLETED")).body.RestoreJobs.find(
      ({ ValidationStatus }) => ValidationStatus === "VALIDATING",
    );
  const { RestoreJobId } = await eventually(find, "The restore test");
  await office.call("PutRestoreValidationResult", `/restore-jobs/${RestoreJobId}/validations`, {
    ValidationStatus: "SUCCESSFUL",
    ValidationStatusMessage: "All pictures are there.",
  });
  await office.call("DeleteRestoreTestingSelection", `${selections}/folders`);
  await office.call("DeleteRestoreTestingPlan", `${plans}/weekly_check`);
}

export async function recordBackup(given) {
  rmSync(ROOT, { recursive: true, force: true });
  const medley = await startServer({ backupRoots: [ROOT] });
  try {
    await medley.clock.freeze();
    await medley.clock.advance(Date.parse(START) - medley.clock.nowMs());
    const office = new Office(given, medley);
    await office.call("CreateBackupVault", "/backup-vaults/nightly", {});
    await office.register("photos");
    // One that fails leaves the others as they are.
    for (const make of [indexed, tagged, locked, parted, stopped, continued, restored])
      await make(office).catch(({ message }) => console.error(`backup, ${make.name}: ${message}`));
  } finally {
    await medley.stop();
    rmSync(ROOT, { recursive: true, force: true });
  }
}

/** Restore tests over HTTP, on both databases. */
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Backups, backupArn, folderArn, newRoot, role } from "../../../tests/support/backup.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const root = newRoot();
afterAll(() => rmSync(root, { recursive: true, force: true }));

onBothDatabases(
  "restore tests",
  (instance, kind) => {
    const backups = new Backups(instance);
    beforeAll(async () => {
      await backups.setUpOffice(`${root}/${kind}`);
      await backups.backedUp(folderArn("photos"), { BackupVaultName: "near" });
    });

    describe("restore tests", () => {
      const plan = {
        RestoreTestingPlanName: "weekly",
        ScheduleExpression: "cron(0 5 ? * * *)",
        RecoveryPointSelection: {
          Algorithm: "RANDOM_WITHIN_WINDOW",
          IncludeVaults: ["*"],
          RecoveryPointTypes: ["SNAPSHOT"],
        },
      };
      const chosen = {
        RestoreTestingSelectionName: "folders",
        IamRoleArn: role,
        ProtectedResourceType: "Folder",
        ProtectedResourceConditions: {
          StringEquals: [{ Key: "vendor:ResourceTag/stage", Value: "production" }],
        },
        ValidationWindowHours: 1,
      };
      it("are refused where they say too much or too little", async () => {
        const refusal = (change: object) =>
          backups.refusal("PUT", "/restore-testing/plans", { RestoreTestingPlan: { ...plan, ...change } });
        expect(await refusal({ RestoreTestingPlanName: "a b" })).toContain(
          "InvalidParameterValue: RestoreTestingPlanName",
        );
        expect(await refusal({ StartWindowHours: 169 })).toContain("InvalidParameterValue: StartWindowHours");
        expect(await refusal({ ScheduleExpression: "x" })).toContain("InvalidParameterValue: ");
        const points = (change: object) =>
          refusal({ RecoveryPointSelection: { ...plan.RecoveryPointSelection, ...change } });
        expect(await points({ SelectionWindowDays: 366 })).toContain("SelectionWindowDays");
        expect(await points({ IncludeVaults: [] })).toContain("IncludeVaults");
        expect(await points({ RecoveryPointTypes: [] })).toContain("RecoveryPointTypes");
        expect(await points({ ExcludeVaults: ["near"] })).toContain("near is neither");
        const made = await backups.send("PUT", "/restore-testing/plans", {
          RestoreTestingPlan: plan,
          CreatorRequestId: "1",
        });
        expect(made.status).toBe(200);
        await backups.well("PUT", "/restore-testing/plans", {
          RestoreTestingPlan: plan,
          CreatorRequestId: "1",
        });
        expect(await refusal({})).toContain("AlreadyExists: ");
        const at = "/restore-testing/plans/weekly/selections";
        const selected = (change: object) =>
          backups.refusal("PUT", at, { RestoreTestingSelection: { ...chosen, ...change } });
        expect(await selected({ ProtectedResourceArns: ["*"] })).toContain("either ProtectedResourceArns or");
        expect(await selected({ ProtectedResourceConditions: undefined })).toContain(
          "either ProtectedResourceArns or",
        );
        expect(await selected({ ProtectedResourceType: "Moon" })).toContain("cannot be backed up");
        expect(
          await selected({
            ProtectedResourceConditions: undefined,
            ProtectedResourceArns: Array.from({ length: 31 }, (_, at) => folderArn(`${at}`)),
          }),
        ).toContain("30 resources");
        expect(await selected({ ValidationWindowHours: 169 })).toContain("ValidationWindowHours");
        expect(
          await backups.refusal("PUT", "/restore-testing/plans/none/selections", {
            RestoreTestingSelection: chosen,
          }),
        ).toContain("ResourceNotFound: ");
        expect((await backups.send("PUT", at, { RestoreTestingSelection: chosen })).status).toBe(200);
        expect(await selected({})).toContain("AlreadyExists: ");
        for (const path of ["/restore-testing/plans/none", `${at}/none`])
          expect(await backups.refusal("GET", path)).toContain("ResourceNotFound: ");
        expect(await backups.refusal("DELETE", "/restore-testing/plans/none")).toContain("InvalidRequest: ");
        expect(await backups.refusal("DELETE", `${at}/none`)).toContain("ResourceNotFound: ");
        expect(
          await backups.refusal("PUT", "/restore-testing/plans/none", { RestoreTestingPlan: {} }),
        ).toContain("ResourceNotFound: ");
        expect(await backups.refusal("PUT", `${at}/none`, { RestoreTestingSelection: {} })).toContain(
          "ResourceNotFound: ",
        );
      });
      it("run out of time when nobody looks, and leave nothing behind", async () => {
        await instance().clock.advance("52h");
        const plans = `/restore-jobs?restoreTestingPlanArn=${encodeURIComponent(backupArn("restore-testing-plan:weekly"))}`;
        const tests = await backups.all(plans, "RestoreJobs");
        expect(tests.length).toBeGreaterThanOrEqual(1);
        const oldest = tests.at(-1);
        expect(oldest).toMatchObject({
          Status: "COMPLETED",
          ValidationStatus: "TIMED_OUT",
          DeletionStatus: "SUCCESSFUL",
        });
        expect(
          await backups.refusal("PUT", `/restore-jobs/${oldest.RestoreJobId}/validations`, {
            ValidationStatus: "SUCCESSFUL",
          }),
        ).toContain("InvalidRequest: ");
        expect(
          await backups.refusal("PUT", "/restore-jobs/none/validations", { ValidationStatus: "FAILED" }),
        ).toContain("ResourceNotFound: ");
        expect(
          await backups.refusal(
            "GET",
            `/restore-testing/inferred-metadata?BackupVaultName=near&RecoveryPointArn=${encodeURIComponent(backupArn("recovery-point:none"))}`,
          ),
        ).toContain("ResourceNotFound: ");
      });
    });
  },
  { services: ["backup"], backupRoots: root } as never,
);

/** Databases over HTTP, on both databases. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/sql-databases.ts";

onBothDatabases(
  "SQL databases",
  (instance) => {
    it("creates, reads, scales, patches, lists and deletes", async () => {
      const { at, list, idOf } = support.newPlace();
      const made = await support.put(instance(), at("Orders"), { collation: "Latin1_General_CI_AS" }, "S1");
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({
        id: idOf("Orders"),
        name: "Orders",
        type: "Vendor.Sql/servers/databases",
        kind: "v12.0,user",
        sku: { name: "Standard", tier: "Standard", capacity: 20 },
        properties: {
          status: "Online",
          collation: "Latin1_General_CI_AS",
          maxSizeBytes: 250 * support.GB,
          currentServiceObjectiveName: "S1",
          requestedServiceObjectiveName: "S1",
          zoneRedundant: false,
        },
      });
      const scaled = await support.put(instance(), at("orders"), {}, { name: "GP_Gen5", capacity: 4 });
      expect([
        scaled.status,
        scaled.body.properties.currentServiceObjectiveName,
        scaled.body.properties.databaseId,
      ]).toEqual([200, "GP_Gen5_4", made.body.properties.databaseId]);
      const patched = await instance().bearer("PATCH", at("orders"), {
        body: { tags: { team: "shop" }, properties: { maxSizeBytes: 100 * support.GB } },
      });
      expect(patched.status).toBe(200);
      expect(patched.body).toMatchObject({
        tags: { team: "shop" },
        properties: {
          maxSizeBytes: 100 * support.GB,
          currentServiceObjectiveName: "GP_Gen5_4",
          collation: "Latin1_General_CI_AS",
        },
      });
      expect((await instance().bearer("GET", at("ORDERS"))).body).toEqual(patched.body);
      expect((await instance().bearer("GET", list)).body.value).toEqual([patched.body]);
      expect((await instance().bearer("DELETE", at("orders"))).status).toBe(200);
      expect((await instance().bearer("DELETE", at("orders"))).status).toBe(204);
      expect((await instance().bearer("GET", at("orders"))).status).toBe(404);
    });
    it.each([
      ["an unknown objective", {}, "S99", "InvalidSkuName"],
      ["a capacity there is not", {}, { name: "Standard", capacity: 11 }, "MismatchedSkuNameAndCapacity"],
      ["a capacity that disagrees", {}, { name: "S1", capacity: 50 }, "MismatchedSkuNameAndCapacity"],
      ["a tier that disagrees", {}, { name: "S1", tier: "Premium" }, "MismatchedSkuNameAndTier"],
      ["a family that disagrees", {}, { name: "GP_Gen5_2", family: "Gen4" }, "MismatchedSkuNameAndFamily"],
      [
        "a size beyond its edition",
        { maxSizeBytes: 500 * support.GB },
        "S0",
        "InvalidMaxSizeTierCombination",
      ],
      ["a size between the steps", { maxSizeBytes: 17 * support.GB }, "S0", "InvalidMaxSizeTierCombination"],
      [
        "zone redundancy of a small edition",
        { zoneRedundant: true },
        "S0",
        "FeatureDisabledOnSelectedEdition",
      ],
      ["read scale of a small edition", { readScale: "Enabled" }, "S0", "InvalidReadScaleEdition"],
      ["a licence type by transaction units", { licenseType: "BasePrice" }, "P1", "InvalidLicenseType"],
      [
        "an automatic pause of a provisioned one",
        { autoPauseDelay: 60 },
        "GP_Gen5_2",
        "FeatureDisabledOnSelectedEdition",
      ],
      ["a collation that is none", { collation: "nonsense" }, "S0", "InvalidCollation"],
      ["a copy of nothing", { createMode: "Copy" }, undefined, "MissingSourceDatabaseId"],
      [
        "a copy of no database",
        { createMode: "Copy", sourceDatabaseId: "/nowhere" },
        undefined,
        "InvalidSourceDatabaseId",
      ],
      [
        "a restore without a point",
        { createMode: "Restore" },
        undefined,
        "MissingRestorableDroppedDatabaseId",
      ],
      ["a recovery of nothing", { createMode: "Recovery" }, undefined, "MissingRecoverableDatabaseId"],
      [
        "a backup there is not",
        { createMode: "RestoreLongTermRetentionBackup" },
        undefined,
        "MissingRecoveryServicesRecoveryPointId",
      ],
      [
        "an external backup",
        { createMode: "RestoreExternalBackup" },
        undefined,
        "MissingStorageContainerUri",
      ],
    ])("refuses %s", async (_what, properties, sku, code) => {
      const { at } = support.newPlace();
      expect(
        support.refusal(await support.put(instance(), at("bad"), properties as Record<string, unknown>, sku)),
      ).toEqual([400, code]);
      expect((await instance().bearer("GET", at("bad"))).status).toBe(404);
    });
    it("refuses reserved, long and ill-formed names", async () => {
      const { at } = support.newPlace();
      expect(support.refusal(await support.put(instance(), at("master")))).toEqual([
        400,
        "CannotUseReservedDatabaseName",
      ]);
      expect(support.refusal(await support.put(instance(), at("x".repeat(129))))).toEqual([
        400,
        "TokenTooLong",
      ]);
      expect(support.refusal(await support.put(instance(), at("ends ")))).toEqual([
        400,
        "CannotUseTrailingWhitespacesInDatabaseName",
      ]);
      expect((await support.put(instance(), at("a?b"))).status).toBe(400);
    });
    it("allows what an edition allows", async () => {
      const { at } = support.newPlace();
      expect(
        (await support.put(instance(), at("zones"), { zoneRedundant: true, readScale: "Enabled" }, "P2")).body
          .properties,
      ).toMatchObject({ zoneRedundant: true, readScale: "Enabled" });
      expect(
        (
          await support.put(
            instance(),
            at("serverless"),
            { autoPauseDelay: 60, minCapacity: 0.5 },
            "GP_S_Gen5_2",
          )
        ).body,
      ).toMatchObject({ kind: "v12.0,user,vcore,serverless", properties: { autoPauseDelay: 60 } });
      expect((await support.put(instance(), at("free"), {}, "Free")).status).toBe(201);
      expect(support.refusal(await support.put(instance(), at("free2"), {}, "Free"))).toEqual([
        409,
        "FreeDbAlreadyExists",
      ]);
      expect(support.refusal(await support.put(instance(), at("zones"), {}, "Free"))).toEqual([
        400,
        "CannotUpdateToFreeDatabase",
      ]);
      expect(
        support.refusal(
          await support.put(instance(), at("zones"), { collation: "Latin1_General_CS_AS" }, "P2"),
        ),
      ).toEqual([400, "ChangeUnsupportedOnEntity"]);
    });
    it("copies, follows, restores to a point in time and restores what was dropped", async () => {
      await instance().clock.freeze();
      const place = support.newPlace();
      const { at, on, idOf, dropped } = place;
      await support.put(
        instance(),
        at("orders"),
        { collation: "Latin1_General_CI_AS", maxSizeBytes: 50 * support.GB },
        "S2",
      );
      const copy = await support.put(instance(), at("copy"), {
        createMode: "Copy",
        sourceDatabaseId: idOf("orders"),
      });
      expect(copy.body.properties).toMatchObject({
        collation: "Latin1_General_CI_AS",
        maxSizeBytes: 50 * support.GB,
        currentServiceObjectiveName: "S2",
      });
      expect(
        support.refusal(
          await support.put(instance(), at("orders2"), {
            createMode: "Secondary",
            sourceDatabaseId: idOf("orders"),
          }),
        ),
      ).toEqual([400, "ReplicationSourceAndTargetMustBeInDifferentServers"]);
      expect(
        support.refusal(
          await support.put(instance(), on("other").at("wrong"), {
            createMode: "Secondary",
            sourceDatabaseId: idOf("orders"),
          }),
        ),
      ).toEqual([400, "ReplicationSourceAndTargetMustHaveSameName"]);
      expect(
        (
          await support.put(instance(), on("other").at("orders"), {
            createMode: "Secondary",
            sourceDatabaseId: idOf("orders"),
          })
        ).status,
      ).toBe(201);
      const move = await instance().bearer("POST", at("orders", "/move"), { body: { id: idOf("renamed") } });
      expect(support.refusal(move)).toEqual([409, "InvalidOperationForDatabaseInReplicationRelationship"]);
      await instance().clock.advance("3d");
      const now = instance().clock.nowMs();
      const point = (days: number) => new Date(now - days * 86_400_000).toISOString();
      expect(
        support.refusal(
          await support.put(instance(), at("past"), {
            createMode: "PointInTimeRestore",
            sourceDatabaseId: idOf("orders"),
          }),
        ),
      ).toEqual([400, "MissingRestorePointInTime"]);
      expect(
        support.refusal(
          await support.put(instance(), at("past"), {
            createMode: "PointInTimeRestore",
            sourceDatabaseId: idOf("orders"),
            restorePointInTime: point(4),
          }),
        ),
      ).toEqual([400, "InvalidLiveDatabase"]);
      expect(
        (
          await support.put(instance(), at("past"), {
            createMode: "PointInTimeRestore",
            sourceDatabaseId: idOf("orders"),
            restorePointInTime: point(1),
          })
        ).status,
      ).toBe(201);
      await instance().bearer("DELETE", at("orders"));
      const listed = await instance().bearer("GET", dropped);
      expect([listed.status, listed.text.slice(0, 300)]).toEqual([200, expect.anything()]);
      const [gone] = listed.body.value;
      expect(gone.properties).toMatchObject({
        databaseName: "orders",
        edition: "Standard",
        deletionDate: new Date(now).toISOString(),
      });
      expect(
        (
          await support.put(instance(), at("back"), {
            createMode: "Restore",
            restorableDroppedDatabaseId: gone.id,
          })
        ).body.properties.collation,
      ).toBe("Latin1_General_CI_AS");
      expect(
        (
          await support.put(instance(), at("orders"), {
            createMode: "Restore",
            sourceDatabaseId: idOf("orders"),
            sourceDatabaseDeletionDate: gone.properties.deletionDate,
          })
        ).status,
      ).toBe(201);
      await instance().clock.advance("36d");
      expect(
        support.refusal(
          await support.put(instance(), at("late"), {
            createMode: "Restore",
            restorableDroppedDatabaseId: gone.id,
          }),
        ),
      ).toEqual([400, "InvalidDroppedDatabase"]);
      expect((await instance().bearer("GET", dropped)).body.value).toEqual([]);
      await instance().clock.resume();
    });
    it("lists nothing below a server that was never made", async () => {
      const { at } = support.newPlace();
      const server = at("any").replace("/databases/any", "");
      for (const below of ["databases", "elasticPools", "restorableDroppedDatabases"]) {
        const listed = await instance().bearer("GET", server.replace("?", `/${below}?`));
        expect([below, ...support.refusal(listed)]).toEqual([
          below,
          404,
          "ServerNotInSubscriptionResourceGroup",
        ]);
      }
      expect(support.refusal(await instance().bearer("GET", at("any")))).toEqual([
        404,
        "ServerNotInSubscriptionResourceGroup",
      ]);
    });
    it("keeps databases in elastic pools, which come into being on first use", async () => {
      const { at, poolId, pool, inPool } = support.newPlace();
      expect(support.refusal(await instance().bearer("GET", inPool("tenants")))).toEqual([
        404,
        "CannotFindObject",
      ]);
      const made = await support.put(instance(), at("tenant-a"), { elasticPoolId: poolId("tenants") });
      expect(made.body).toMatchObject({
        kind: "v12.0,user,pool",
        managedBy: poolId("tenants"),
        sku: { name: "ElasticPool" },
        properties: { elasticPoolId: poolId("tenants") },
      });
      expect((await instance().bearer("GET", pool("tenants"))).body.sku).toMatchObject({
        name: "StandardPool",
        capacity: 100,
      });
      await support.put(instance(), at("tenant-b"), { elasticPoolId: poolId("tenants") });
      await support.put(instance(), at("alone"), {}, "S0");
      const inside = await instance().bearer("GET", inPool("TENANTS"));
      expect([inside.status, inside.body.value.map(({ name }: { name: string }) => name)]).toEqual([
        200,
        ["tenant-a", "tenant-b"],
      ]);
      expect(
        support.refusal(
          await support.put(instance(), at("both"), { elasticPoolId: poolId("tenants") }, "S0"),
        ),
      ).toEqual([400, "CannotSpecifyPoolOrSlo"]);
      expect(
        support.refusal(
          await support.put(instance(), at("far"), {
            elasticPoolId: poolId("tenants").replace("/main/", "/other/"),
          }),
        ),
      ).toEqual([400, "MismatchingServerNameWithUrl"]);
      const out = await support.put(instance(), at("tenant-a"), {}, "S1");
      expect([out.body.properties.elasticPoolId, out.body.sku.name]).toEqual([undefined, "Standard"]);
      expect((await instance().bearer("GET", inPool("tenants"))).body.value).toHaveLength(1);
    });
    it("pauses, resumes and upgrades data warehouses, and nothing else", async () => {
      const { at } = support.newPlace();
      await support.put(instance(), at("plain"), {}, "S0");
      for (const action of ["/pause", "/resume"])
        expect(support.refusal(await instance().bearer("POST", at("plain", action)))).toEqual([
          400,
          "FeatureDisabledOnSelectedEdition",
        ]);
      expect(support.refusal(await instance().bearer("POST", at("plain", "/upgradeDataWarehouse")))).toEqual([
        400,
        "UpgradeOnlyAllowedOnDataWarehouseInstances",
      ]);
      expect((await support.put(instance(), at("wh"), {}, "DW400")).status).toBe(201);
      const paused = await instance().bearer("POST", at("wh", "/pause"));
      expect([paused.status, paused.body.properties.status]).toEqual([200, "Paused"]);
      expect(paused.body.properties.pausedDate).toBeTypeOf("string");
      expect(
        support.refusal(await instance().bearer("PATCH", at("wh"), { body: { sku: { name: "DW500" } } })),
      ).toEqual([400, "UpdateNotAllowedOnPausedDatabase"]);
      const resumed = await instance().bearer("POST", at("wh", "/resume"));
      expect([resumed.status, resumed.body.properties.status]).toEqual([200, "Online"]);
      const upgraded = await instance().bearer("POST", at("wh", "/upgradeDataWarehouse"));
      expect([upgraded.status, upgraded.text]).toEqual([200, ""]);
      expect((await instance().bearer("GET", at("wh"))).body.properties.currentServiceObjectiveName).toBe(
        "DW400c",
      );
      expect(support.refusal(await support.put(instance(), at("wh"), {}, "S0"))).toEqual([
        400,
        "CannotChangeToOrFromDataWarehouseTier",
      ]);
    });
    it("renames by move", async () => {
      const { at, idOf } = support.newPlace();
      const made = await support.put(instance(), at("old"), {}, "S0");
      await support.put(instance(), at("taken"), {}, "S0");
      const move = (target: string) =>
        instance().bearer("POST", at("old", "/move"), { body: { id: target } });
      expect(support.refusal(await move("nonsense"))).toEqual([400, "InvalidMoveTargetResourceId"]);
      expect(support.refusal(await move(idOf("new").replace("/main/", "/other/")))).toEqual([
        400,
        "MismatchingServerNameWithUrl",
      ]);
      expect(support.refusal(await move(idOf("taken")))).toEqual([400, "DatabaseNameInUse"]);
      expect(support.refusal(await move(idOf("msdb")))).toEqual([400, "CannotUseReservedDatabaseName"]);
      expect((await move(idOf("new"))).status).toBe(200);
      expect((await instance().bearer("GET", at("old"))).status).toBe(404);
      expect((await instance().bearer("GET", at("new"))).body.properties.databaseId).toBe(
        made.body.properties.databaseId,
      );
      expect((await instance().bearer("POST", at("none", "/move"), { body: { id: idOf("x") } })).status).toBe(
        404,
      );
    });
    it("keeps accounts apart", async () => {
      const { at } = support.newPlace();
      await support.put(instance(), at("mine"), {}, "S0");
      expect((await instance().bearer("GET", at("mine"), { as: "second" })).status).not.toBe(200);
    });
  },
  { services: support.sqlDatabaseServices },
);

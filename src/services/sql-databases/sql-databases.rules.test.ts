/** Rules of databases that meet each other: scaling, pools, replication, restores, and input nobody expects. */
import { expect, it } from "vitest";
import { isoOf } from "#kernel/clock";
import { type Instance, onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/sql-databases.ts";

const patch = (instance: Instance, path: string, body: unknown) => instance.bearer("PATCH", path, { body });

onBothDatabases(
  "a database's rules",
  (instance) => {
    it("let it scale to any edition, with that edition's usual size where its own is none there", async () => {
      const { at } = support.newPlace();
      expect((await support.put(instance(), at("d"))).body.properties.maxSizeBytes).toBe(32 * support.GB);
      const small = await patch(instance(), at("d"), { sku: { name: "S1" } });
      expect([small.status, small.body.properties.maxSizeBytes]).toEqual([200, 250 * support.GB]);
      const asked = { sku: { name: "GP_Gen5_2" }, properties: { maxSizeBytes: 33 * support.GB } };
      expect((await patch(instance(), at("d"), asked)).body.properties.maxSizeBytes).toBe(33 * support.GB);
      const wrong = { sku: { name: "S1" }, properties: { maxSizeBytes: 33 * support.GB } };
      expect(support.refusal(await patch(instance(), at("d"), wrong))).toEqual([
        400,
        "InvalidMaxSizeTierCombination",
      ]);
    });
    it("drop settings that the new edition has not, unless they were asked for", async () => {
      const { at } = support.newPlace();
      await support.put(instance(), at("d"), { licenseType: "BasePrice" }, { name: "BC_Gen5_4" });
      await patch(instance(), at("d"), { properties: { readScale: "Enabled", zoneRedundant: true } });
      const scaled = await patch(instance(), at("d"), { sku: { name: "S3" } });
      expect(scaled.status).toBe(200);
      expect(scaled.body.properties).toMatchObject({ zoneRedundant: false, readScale: "Disabled" });
      expect(scaled.body.properties.licenseType).toBeUndefined();
      const asked = { properties: { licenseType: "BasePrice" } };
      expect(support.refusal(await patch(instance(), at("d"), asked))).toEqual([400, "InvalidLicenseType"]);
    });
    it("show what is usual where nothing was said", async () => {
      const { at } = support.newPlace();
      const { body } = await support.put(instance(), at("d"), {}, { name: "GP_Gen5_2" });
      expect(body.properties).toMatchObject({
        readScale: "Disabled",
        licenseType: "LicenseIncluded",
        defaultSecondaryLocation: "northeurope",
      });
    });
    it("keep what a database is born with", async () => {
      const { at, idOf } = support.newPlace();
      await support.put(instance(), at("d"), { catalogCollation: "DATABASE_DEFAULT" }, { name: "S0" });
      await support.put(instance(), at("other"), {}, { name: "S0" });
      for (const [properties, sku] of [
        [{ catalogCollation: "SQL_Latin1_General_CP1_CI_AS" }],
        [{ collation: "Latin1_General_CS_AS" }],
        [{ createMode: "Copy", sourceDatabaseId: idOf("other") }],
        [{ createMode: "Copy", sourceDatabaseId: idOf("other") }, { name: "S1" }],
      ] as const) {
        const changed = await support.put(instance(), at("d"), properties, sku);
        expect(support.refusal(changed), JSON.stringify(properties)).toEqual([
          400,
          "ChangeUnsupportedOnEntity",
        ]);
        const patched = await patch(instance(), at("d"), { properties });
        expect(support.refusal(patched)).toEqual([400, "ChangeUnsupportedOnEntity"]);
      }
      const again = { catalogCollation: "DATABASE_DEFAULT", createMode: "Default" };
      expect((await support.put(instance(), at("d"), again)).status).toBe(200);
    });
    it("ask for a SKU's name", async () => {
      const { at } = support.newPlace();
      expect(support.refusal(await support.put(instance(), at("d"), {}, { capacity: 2 }))).toEqual([
        400,
        "MissingSkuName",
      ]);
      const pooled = await support.put(instance(), at("d"), {}, { name: "ElasticPool" });
      expect(support.refusal(pooled)).toEqual([400, "ElasticPoolSkuCombinationInvalid"]);
    });
    it("put a server that comes into being where its first database is", async () => {
      const { at, url, poolId, pool } = support.newPlace();
      await support.put(instance(), at("d"), { elasticPoolId: poolId("p") });
      expect((await instance().bearer("GET", url)).body.location).toBe("westeurope");
      expect((await instance().bearer("GET", pool("p"))).body.location).toBe("westeurope");
    });
    it("name servers and databases as they may be named", async () => {
      const { on, at } = support.newPlace();
      expect(support.refusal(await support.put(instance(), on("-bad-").at("d")))).toEqual([
        400,
        "InvalidServerName",
      ]);
      expect((await instance().bearer("GET", on("-bad-").url)).status).toBe(404);
      expect((await support.put(instance(), at("dot."))).status).toBe(400);
    });

    it("leave it in its pool until it is told to leave", async () => {
      const { at, poolId, inPool } = support.newPlace();
      const elasticPoolId = poolId("shared");
      const made = await support.put(instance(), at("d"), {
        elasticPoolId,
        collation: "Latin1_General_CI_AS",
      });
      expect(made.body).toMatchObject({
        sku: { name: "ElasticPool", tier: "Standard" },
        properties: { currentSku: { name: "ElasticPool", tier: "Standard", capacity: 0 } },
      });
      const tagged = await instance().bearer("PUT", at("d"), {
        body: { location: "westeurope", tags: { a: "b" } },
      });
      expect(tagged.body.properties).toMatchObject({
        elasticPoolId,
        currentServiceObjectiveName: "ElasticPool",
      });
      expect(
        support.refusal(await support.put(instance(), at("d"), { collation: "Latin1_General_CS_AS" })),
      ).toEqual([400, "ChangeUnsupportedOnEntity"]);
      expect(support.refusal(await patch(instance(), at("d"), { sku: { name: "DW100c" } }))).toEqual([
        400,
        "CannotChangeToOrFromDataWarehouseTier",
      ]);
      const copy = { createMode: "Copy", sourceDatabaseId: made.body.id };
      expect((await support.put(instance(), at("copy"), copy)).body.properties.elasticPoolId).toBe(
        elasticPoolId,
      );
      const left = await patch(instance(), at("d"), { sku: { name: "S1" } });
      expect(left.body.properties).toMatchObject({ currentServiceObjectiveName: "S1" });
      expect(left.body.properties.elasticPoolId).toBeUndefined();
      expect(left.body.managedBy).toBeUndefined();
      const { value } = (await instance().bearer("GET", inPool("shared"))).body;
      expect(value.map(({ name }: { name: string }) => name)).toEqual(["copy"]);
    });
    it("keep a pool while databases are in it", async () => {
      const { at, poolId, pool } = support.newPlace();
      await support.put(instance(), at("d"), { elasticPoolId: poolId("shared") });
      expect(support.refusal(await instance().bearer("DELETE", pool("shared")))).toEqual([
        409,
        "ElasticPoolNotEmpty",
      ]);
      await instance().bearer("DELETE", at("d"));
      expect((await instance().bearer("DELETE", pool("shared"))).status).toBe(200);
      const mixed = { name: "StandardPool", tier: "Premium" };
      expect(support.refusal(await support.put(instance(), pool("other"), {}, mixed))).toEqual([
        400,
        "MismatchedSkuNameAndTier",
      ]);
    });
    it("know a secondary that lies in a pool", async () => {
      const { at, on, idOf } = support.newPlace();
      const away = on("away");
      await support.put(instance(), at("d"), {}, { name: "S3" });
      const secondary = { createMode: "Secondary", sourceDatabaseId: idOf("d") };
      const made = await support.put(instance(), away.at("d"), {
        ...secondary,
        elasticPoolId: away.poolId("p"),
      });
      expect(made.status).toBe(201);
      const move = { body: { id: idOf("other") } };
      expect(support.refusal(await instance().bearer("POST", at("d", "/move"), move))).toEqual([
        409,
        "InvalidOperationForDatabaseInReplicationRelationship",
      ]);
      await instance().bearer("DELETE", at("d"));
      const freed = { body: { id: away.idOf("other") } };
      expect((await instance().bearer("POST", away.at("d", "/move"), freed)).status).toBe(200);
    });

    it("neither copy data warehouses nor give them secondaries", async () => {
      const { at, on, idOf } = support.newPlace();
      await support.put(instance(), at("w"), {}, { name: "DW200c" });
      await support.put(instance(), at("d"), {}, { name: "S0" });
      const away = on("away");
      for (const createMode of ["Copy", "Secondary", "OnlineSecondary"]) {
        const cases: [path: string, source: string, sku?: unknown][] = [
          [away.at("w"), "w"],
          [away.at("w"), "w", { name: "DW300c" }],
          [away.at("w"), "w", { name: "S0" }],
          [away.at("d"), "d", { name: "DW200c" }],
        ];
        for (const [path, source, sku] of cases)
          expect([
            createMode,
            source,
            sku,
            ...support.refusal(
              await support.put(instance(), path, { createMode, sourceDatabaseId: idOf(source) }, sku),
            ),
          ]).toEqual([createMode, source, sku, 400, "FeatureDisabledOnSelectedEdition"]);
      }
      expect((await instance().bearer("GET", away.url)).status).toBe(404);
    });
    it("restore a data warehouse as one, and nothing else to one", async () => {
      const { at, idOf } = support.newPlace();
      await instance().clock.freeze();
      await support.put(instance(), at("w"), {}, { name: "DW200c" });
      await support.put(instance(), at("d"), {}, { name: "S0" });
      await instance().clock.advance("1m");
      const restorePointInTime = isoOf(instance().clock.nowMs());
      const restore = (name: string, source: string, sku?: unknown) =>
        support.put(
          instance(),
          at(name),
          { createMode: "PointInTimeRestore", sourceDatabaseId: idOf(source), restorePointInTime },
          sku,
        );
      const refused = [400, "CannotChangeToOrFromDataWarehouseTier"];
      expect(support.refusal(await restore("w2", "w", { name: "S0" }))).toEqual(refused);
      expect(support.refusal(await restore("d2", "d", { name: "DW200c" }))).toEqual(refused);
      expect((await restore("w2", "w", { name: "DW300c" })).status).toBe(201);
    });
    it.each(["Vendor", "Microsoft"])("list in pages what was dropped, as %s spells it", async (maker) => {
      const { at, dropped } = support.newPlace();
      await instance().clock.freeze();
      const names = ["alpha", "Beta", "beta", "delta", "epsilon"];
      for (const name of names) {
        await support.put(instance(), at(name), {}, { name: "S0" });
        await instance().bearer("DELETE", at(name));
        await instance().clock.advance("1m");
      }
      const seen: string[][] = [];
      let link: string | undefined = `${dropped.replace("Vendor.", `${maker}.`)}&$top=2`;
      while (link !== undefined) {
        const { status, body }: { status: number; body: any } = await instance().bearer("GET", link);
        expect([status, body.value[0].type]).toEqual([
          200,
          `${maker}.Sql/servers/restorableDroppedDatabases`,
        ]);
        seen.push(body.value.map((one: any) => one.properties.databaseName));
        link = body.nextLink;
        if (link !== undefined) expect(link).toContain(`/providers/${maker}.Sql/servers/`);
      }
      expect(seen).toEqual([["alpha", "Beta"], ["beta", "delta"], ["epsilon"]]);
      for (const wrong of ["&$top=0", "&$top=1001", "&$top=x", "&$skipToken=nonsense"])
        expect([wrong, (await instance().bearer("GET", `${dropped}${wrong}`)).status]).toEqual([wrong, 400]);
    });
    it("refuse to delete what every server has of its own", async () => {
      const { at } = support.newPlace();
      await support.put(instance(), at("d"));
      const refused = await instance().bearer("DELETE", at("master"));
      expect(support.refusal(refused)).toEqual([400, "CannotUseReservedDatabaseName"]);
      expect((await instance().bearer("DELETE", at("none"))).status).toBe(204);
    });
    it("name the database that an action does not find", async () => {
      const { at, idOf } = support.newPlace();
      await support.put(instance(), at("d"));
      for (const action of ["/pause", "/resume", "/move"]) {
        const refused = await instance().bearer("POST", at("none", action), { body: { id: idOf("other") } });
        expect([action, ...support.refusal(refused)]).toEqual([action, 404, "SourceDatabaseNotFound"]);
      }
    });
    it("upgrade every data warehouse of the first generation that is not paused", async () => {
      const { at } = support.newPlace();
      await support.put(instance(), at("w"), {}, { name: "DW600" });
      await instance().bearer("POST", at("w", "/pause"));
      expect(support.refusal(await instance().bearer("POST", at("w", "/upgradeDataWarehouse")))).toEqual([
        400,
        "UpdateNotAllowedOnPausedDatabase",
      ]);
      expect((await instance().bearer("GET", at("w"))).body.properties.status).toBe("Paused");
      await instance().bearer("POST", at("w", "/resume"));
      expect((await instance().bearer("POST", at("w", "/upgradeDataWarehouse"))).status).toBe(200);
      expect((await instance().bearer("GET", at("w"))).body.properties.currentServiceObjectiveName).toBe(
        "DW500c",
      );
    });

    it("restore no free database, and nothing to one", async () => {
      const { at, idOf } = support.newPlace();
      await support.put(instance(), at("free"), {}, { name: "Free" });
      await support.put(instance(), at("d"), {}, { name: "S0" });
      const restore = (name: string) => ({
        createMode: "PointInTimeRestore",
        sourceDatabaseId: idOf(name),
        restorePointInTime: new Date(instance().clock.nowMs()).toISOString(),
      });
      expect(support.refusal(await support.put(instance(), at("r"), restore("free")))).toEqual([
        400,
        "RestoreNotSupportedForFreeEdition",
      ]);
      expect(support.refusal(await support.put(instance(), at("r"), restore("d"), { name: "Free" }))).toEqual(
        [400, "RestoreToFreeEditionNotSupported"],
      );
    });
    it("restore the latest of two that were dropped at one instant, and none of a server that went", async () => {
      const { at, url, idOf, dropped } = support.newPlace();
      await instance().clock.freeze();
      for (const name of ["S0", "S2"]) {
        await support.put(instance(), at("d"), {}, { name });
        await instance().bearer("DELETE", at("d"));
      }
      const sourceDatabaseDeletionDate = new Date(instance().clock.nowMs()).toISOString();
      const restore = { createMode: "Restore", sourceDatabaseId: idOf("d"), sourceDatabaseDeletionDate };
      const restored = await support.put(instance(), at("r"), restore);
      expect(restored.body.properties.currentServiceObjectiveName).toBe("S2");
      expect((await instance().bearer("GET", dropped)).body.value).toHaveLength(1);
      expect((await instance().bearer("DELETE", url)).status).toBe(200);
      expect((await instance().bearer("GET", dropped)).status).toBe(404);
      await support.put(instance(), at("another"), {});
      expect((await instance().bearer("GET", dropped)).body.value).toEqual([]);
    });

    it.each([
      ["an escape that is none", { restorableDroppedDatabaseId: "%zz,131403269876900000" }],
      ["a number beyond all time", { restorableDroppedDatabaseId: `d,${"9".repeat(400)}` }],
    ])("refuse a dropped database with %s", async (_what, { restorableDroppedDatabaseId: last }) => {
      const { at, id } = support.newPlace();
      const restorableDroppedDatabaseId = `${id}/restorableDroppedDatabases/${last}`;
      const answered = await support.put(instance(), at("r"), {
        createMode: "Restore",
        restorableDroppedDatabaseId,
      });
      expect(support.refusal(answered)[0], answered.text).toBe(400);
    });
    it("refuse control characters wherever a name comes from", async () => {
      const { at, idOf, poolId } = support.newPlace();
      await support.put(instance(), at("d"), {}, { name: "S0" });
      const moved = await instance().bearer("POST", at("d", "/move"), { body: { id: idOf("a\u0001b") } });
      expect(support.refusal(moved)).toEqual([400, "InvalidIdentifier"]);
      const pooled = await support.put(instance(), at("e"), { elasticPoolId: poolId("p\u0001q") });
      expect(pooled.status, pooled.text).toBe(400);
    });
    it("answer in the maker's words when asked in them, at the root as well", async () => {
      const { at, dropped } = support.newPlace();
      const theirs = (path: string) => path.replace("/management", "").replace("Vendor.Sql", "Microsoft.Sql");
      const made = await support.put(instance(), theirs(at("d")), {}, { name: "S0" });
      expect([made.status, made.body.type]).toEqual([201, "Microsoft.Sql/servers/databases"]);
      const copy = { createMode: "Copy", sourceDatabaseId: made.body.id };
      expect((await support.put(instance(), theirs(at("copy")), copy)).body.properties.status).toBe("Online");
      await instance().bearer("DELETE", theirs(at("d")));
      const [gone] = (await instance().bearer("GET", theirs(dropped))).body.value;
      expect([gone.id, gone.type].join()).not.toContain("Vendor");
      const restore = { createMode: "Restore", restorableDroppedDatabaseId: gone.id };
      expect((await support.put(instance(), theirs(at("again")), restore)).status).toBe(201);
    });
  },
  { services: support.sqlDatabaseServices },
);

onBothDatabases(
  "databases whose servers must exist",
  (instance) => {
    it("say which server is not there", async () => {
      const { at } = support.newPlace();
      const group = at("d").replace(/\/providers.*/, `?api-version=2021-04-01`);
      await instance().bearer("PUT", group, { body: { location: "westeurope" } });
      const code = "ServerNotInSubscriptionResourceGroup";
      expect(support.refusal(await instance().bearer("GET", at("d")))).toEqual([404, code]);
      expect(support.refusal(await support.put(instance(), at("d")))).toEqual([404, code]);
    });
    it("say which elastic pool is not there", async () => {
      const { at, url, inPool, poolId } = support.newPlace();
      const group = url.replace(/\/providers.*/, `?api-version=2021-04-01`);
      await instance().bearer("PUT", group, { body: { location: "westeurope" } });
      const server = {
        location: "westeurope",
        properties: { administratorLogin: "ann", administratorLoginPassword: "Pass-word-1" },
      };
      expect((await instance().bearer("PUT", url, { body: server })).status).toBe(201);
      expect(support.refusal(await instance().bearer("GET", inPool("none")))).toEqual([
        404,
        "CannotFindObject",
      ]);
      expect(
        support.refusal(await support.put(instance(), at("d"), { elasticPoolId: poolId("none") })),
      ).toEqual([400, "TargetElasticPoolDoesNotExist"]);
    });
  },
  { services: support.sqlDatabaseServices, strictParents: true },
);

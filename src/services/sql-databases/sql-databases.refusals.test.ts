/** Refusals by name: places, pools, origins and limits that are not right, on both databases. */
import { describe, expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import {
  newPlace,
  put,
  refusal,
  sqlDatabaseServices as services,
} from "../../../tests/support/sql-databases.ts";

const POOL_DATABASES_MAX = 500;
const AT_ONCE = 20;

onBothDatabases(
  "refusals of SQL databases",
  (instance) => {
    describe("moving", () => {
      const elsewhere = (id: string, part: number, word: string) =>
        id
          .split("/")
          .map((one, index) => (index === part ? word : one))
          .join("/");
      it.each([
        ["another subscription", 2, "other", "MismatchingSubscriptionWithUrl"],
        ["another resource group", 4, "other", "MismatchingResourceGroupNameWithUrl"],
        ["its own name", 10, "here", "InvalidResourceMoveRequest"],
      ])("to %s", async (_what, part, word, code) => {
        const { at, idOf } = newPlace();
        await put(instance(), at("here"), {}, "S0");
        const body = { id: elsewhere(idOf("here"), part, word) };
        const refused = await instance().bearer("POST", at("here", "/move"), { body });
        expect(refusal(refused)).toEqual([400, code]);
      });
    });

    it("lies in no pool that is none", async () => {
      const refused = await put(instance(), newPlace().at("pooled"), { elasticPoolId: "/not/a/pool" });
      expect(refusal(refused)).toEqual([400, "InvalidResourceId"]);
    });

    it.each([
      ["read replicas of a small edition", { readReplicaCount: 1 }, "S0", "InvalidReadScaleUnits"],
      ["too many read replicas", { readReplicaCount: 5 }, "HS_Gen5_2", "InvalidReadScaleUnits"],
      ["a least capacity of a provisioned one", { minCapacity: 1 }, "GP_Gen5_2", "UnsupportedCapacity"],
      ["a least capacity beyond the capacity", { minCapacity: 3 }, "GP_S_Gen5_2", "UnsupportedCapacity"],
    ])("has no %s", async (_what, properties, sku, code) => {
      expect(refusal(await put(instance(), newPlace().at("odd"), properties, sku))).toEqual([400, code]);
    });

    it("comes from nothing that is not there", async () => {
      const { at, id, idOf } = newPlace();
      await put(instance(), at("source"), {}, "S0");
      const cases: [Record<string, unknown>, string][] = [
        [{ createMode: "Copy", sourceDatabaseId: idOf("none") }, "SourceDatabaseNotFound"],
        [{ createMode: "Restore", sourceDatabaseId: idOf("source") }, "MissingSourceDatabaseDeletionDate"],
        [
          {
            createMode: "Restore",
            sourceDatabaseId: idOf("source"),
            sourceDatabaseDeletionDate: "2020-01-01T00:00:00Z",
          },
          "InvalidRestorableDroppedDatabaseDeletionDate",
        ],
        [
          { createMode: "Recovery", recoverableDatabaseId: `${id}/recoverableDatabases/none` },
          "InvalidRecoverableDatabaseId",
        ],
        [
          { createMode: "RestoreLongTermRetentionBackup", recoveryServicesRecoveryPointId: "/vaults/none" },
          "InvalidRecoveryServicesRecoveryPointId",
        ],
      ];
      for (const [properties, code] of cases)
        expect([code, ...refusal(await put(instance(), at("made"), properties))]).toEqual([code, 400, code]);
    });

    it("has four secondaries, and no fifth", async () => {
      const place = newPlace();
      await put(instance(), place.at("shop"), {}, "S0");
      const statuses: unknown[] = [];
      for (const server of ["one", "two", "three", "four", "five"]) {
        const properties = { createMode: "Secondary", sourceDatabaseId: place.idOf("shop") };
        statuses.push(refusal(await put(instance(), place.on(server).at("shop"), properties)));
      }
      const made = [201, undefined];
      expect(statuses).toEqual([made, made, made, made, [400, "GeoReplicaLimitReached"]]);
    });

    it("fills a pool to its limit, and not beyond", async () => {
      const { at, pool, poolId } = newPlace();
      const elasticPoolId = poolId("full");
      const body = { location: "westeurope", sku: { name: "StandardPool", capacity: 3000 } };
      expect((await instance().bearer("PUT", pool("full"), { body })).status).toBe(201);
      for (let first = 0; first < POOL_DATABASES_MAX; first += AT_ONCE) {
        const names = Array.from({ length: AT_ONCE }, (_, index) => `d${first + index}`);
        const made = await Promise.all(names.map((name) => put(instance(), at(name), { elasticPoolId })));
        expect(made.map(({ status }) => status)).toEqual(names.map(() => 201));
      }
      expect(refusal(await put(instance(), at("over"), { elasticPoolId }))).toEqual([
        400,
        "ElasticPoolDatabaseCountOverLimit",
      ]);
      expect((await put(instance(), at("d0"), { elasticPoolId })).status).toBe(200);
    });
  },
  { services },
);

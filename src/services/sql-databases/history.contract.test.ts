/** Restores take a database's settings of that time; settings that cannot be had here are refused. */
import { expect, it } from "vitest";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { GB, newPlace, put, refusal, sqlDatabaseServices } from "../../../tests/support/sql-databases.ts";

onBothDatabases(
  "a database's past",
  (instance) => {
    const patch = (path: string, body: object) => instance().bearer("PATCH", path, { body });
    const settingsOf = async (path: string) => {
      const { properties } = (await instance().bearer("GET", path)).body;
      const { currentServiceObjectiveName: objective, maxSizeBytes, elasticPoolId } = properties;
      return [objective, maxSizeBytes, elasticPoolId];
    };

    it("is restored with the settings of the point in time", async () => {
      const { at, idOf, poolId, dropped } = newPlace();
      await instance().clock.freeze();
      const moment = () => new Date(instance().clock.nowMs()).toISOString();
      await put(instance(), at("orders"), { maxSizeBytes: 50 * GB }, "S1");
      await instance().clock.advance("12h");
      const small = moment();
      await instance().clock.advance("12h");
      await patch(at("orders"), { sku: { name: "S3" }, properties: { maxSizeBytes: 250 * GB } });
      await patch(at("orders"), { tags: { stage: "live" } });
      await instance().clock.advance("1d");
      await instance().bearer("POST", at("orders", "/move"), { body: { id: idOf("sales") } });
      const large = moment();
      await instance().clock.advance("1d");
      await patch(at("sales"), { properties: { elasticPoolId: poolId("shared") } });
      await instance().clock.advance("1d");
      const restore = async (name: string, restorePointInTime: string, more = {}) => {
        const source = { createMode: "PointInTimeRestore", sourceDatabaseId: idOf("sales") };
        const made = await put(instance(), at(name), { ...source, restorePointInTime, ...more });
        expect([name, made.status]).toEqual([name, 201]);
        return settingsOf(at(name));
      };
      expect(await restore("as-small", small)).toEqual(["S1", 50 * GB, undefined]);
      expect(await restore("as-large", large)).toEqual(["S3", 250 * GB, undefined]);
      expect(await restore("as-now", moment())).toEqual(["ElasticPool", 250 * GB, poolId("shared")]);
      await instance().bearer("DELETE", at("sales"));
      const [gone] = (await instance().bearer("GET", dropped)).body.value;
      const fromDropped = { createMode: "Restore", restorableDroppedDatabaseId: gone.id };
      expect(await restore("from-dropped", small, fromDropped)).toEqual(["S1", 50 * GB, undefined]);
      await instance().clock.advance("1h");
      const late = { ...fromDropped, restorePointInTime: moment() };
      expect(refusal(await put(instance(), at("too-late"), late))).toEqual([400, "InvalidLiveDatabase"]);
      const shown = await instance().bearer("GET", at("as-small"));
      expect(shown.text).not.toContain("history");
      await instance().clock.resume();
    });

    it.each([
      [{ sampleName: "AdventureWorksLT" }, "SampleNotSupported"],
      [{ failoverGroupId: "/subscriptions/s/failoverGroups/g" }, "ChangeUnsupportedOnEntity"],
      [{ maxLogSizeBytes: 1 }, "ChangeUnsupportedOnEntity"],
    ])("refuses %j", async (properties, code) => {
      const { at } = newPlace();
      expect(refusal(await put(instance(), at("made"), properties))).toEqual([400, code]);
      await put(instance(), at("made"), {});
      expect(refusal(await patch(at("made"), { properties }))).toEqual([400, code]);
    });

    it("says how large the log may become, and takes it back as it was read", async () => {
      const { at } = newPlace();
      const made = await put(instance(), at("vcore"), { maxSizeBytes: 100 * GB }, "GP_Gen5_2");
      expect(made.body.properties.maxLogSizeBytes).toBe(30 * GB);
      const again = { maxSizeBytes: 100 * GB, maxLogSizeBytes: 30 * GB };
      expect((await put(instance(), at("vcore"), again)).status).toBe(200);
      const other = await put(instance(), at("units"), {}, "S0");
      expect(other.body.properties).not.toHaveProperty("maxLogSizeBytes");
    });
  },
  { services: sqlDatabaseServices },
);

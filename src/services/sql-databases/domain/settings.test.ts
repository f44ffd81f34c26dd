/** Settings of serverless databases, and what a database was earlier. */
import { describe, expect, it } from "vitest";
import type { DatabaseProperties } from "./database.ts";
import { historyOf, propertiesAt, withHistory } from "./history.ts";
import { objectiveOf } from "./objectives.ts";
import { checkSettings } from "./settings.ts";

describe("a least capacity", () => {
  const serverless = objectiveOf({ name: "GP_S_Gen5_4" });
  it.each([0.5, 1, 4])("may be %d of 4", (minCapacity) =>
    expect(() => checkSettings(serverless, { minCapacity })).not.toThrow(),
  );
  it.each([0, 0.25, 4.5])("may not be %d of 4", (minCapacity) =>
    expect(() => checkSettings(serverless, { minCapacity })).toThrow("A least capacity"),
  );
  it("is there for serverless databases alone", () => {
    expect(() => checkSettings(objectiveOf({ name: "GP_Gen5_4" }), { minCapacity: 1 })).toThrow("serverless");
    expect(() => checkSettings(objectiveOf({ name: "GP_Gen5_4" }), {})).not.toThrow();
  });
});

describe("the history of a database", () => {
  const database: DatabaseProperties = {
    databaseId: "one",
    currentServiceObjectiveName: "S0",
    requestedServiceObjectiveName: "S0",
    maxSizeBytes: 5,
    createdAtMs: 100,
    createMode: "Default",
  };
  const begin = { sinceMs: 100, currentServiceObjectiveName: "S0", maxSizeBytes: 5 };

  it("begins with what it is", () => {
    expect(historyOf(database)).toEqual([begin]);
    expect(historyOf({ ...database, history: [] })).toEqual([]);
  });
  it("keeps a hundred changes", () => {
    const changedTimes = (count: number) => {
      let kept: DatabaseProperties = { ...database, history: [begin] };
      for (let time = 1; time < count; time += 1)
        kept = withHistory({ ...kept, currentServiceObjectiveName: `S${time}` }, 100 + time);
      return kept.history?.map(({ sinceMs }) => sinceMs);
    };
    expect([changedTimes(100)?.length, changedTimes(100)?.at(0)]).toEqual([100, 100]);
    expect([changedTimes(101)?.length, changedTimes(101)?.at(0)]).toEqual([100, 101]);
  });
  it("grows by what has changed", () => {
    const kept = { ...database, history: historyOf(database) };
    expect(withHistory(kept, 200)).toBe(kept);
    const changed = withHistory({ ...kept, currentServiceObjectiveName: "S1" }, 200);
    expect(changed.history).toEqual([begin, { ...begin, sinceMs: 200, currentServiceObjectiveName: "S1" }]);
    const objectivesAt = [50, 100, 199, 200].map(
      (atMs) => propertiesAt(changed, atMs).currentServiceObjectiveName,
    );
    expect(objectivesAt).toEqual(["S0", "S0", "S0", "S1"]);
  });
});

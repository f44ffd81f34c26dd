/** Names of databases and read replicas: the last that fits, and the first that does not. */
import { expect, it } from "vitest";
import { objectiveOf } from "./objectives.ts";
import { checkSettings, databaseNameProblem } from "./settings.ts";

it("a database's name has at most 128 characters", () => {
  expect(databaseNameProblem("d".repeat(128))).toBeUndefined();
  expect(databaseNameProblem("d".repeat(129))?.message).toContain("at most 128 characters");
});

it("a database of the tier Hyperscale has at most four read replicas", () => {
  const check = (readReplicaCount: number) => () =>
    checkSettings(objectiveOf({ name: "HS_Gen5_2" }), { readReplicaCount });
  expect(check(4)).not.toThrow();
  expect(check(5)).toThrow("Up to 4 read replicas");
});

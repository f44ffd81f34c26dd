/** Objectives: upgrades of warehouses and databases of pools. */
import { expect, it } from "vitest";
import { isMaxSize, objectiveOf, pooledObjective, upgradedWarehouse } from "./objectives.ts";

it.each([
  ["DW100", "DW100c"],
  ["DW600", "DW500c"],
  ["DW1200", "DW1000c"],
  ["DW100c", undefined],
  ["S0", undefined],
])("%s is upgraded to %s", (name, upgraded) => expect(upgradedWarehouse(name)?.name).toBe(upgraded));

it.each([
  ["Basic", "Basic", 2],
  ["Premium", "Premium", 1024],
  ["GeneralPurpose", "GeneralPurpose", 4096],
  ["Unheard", "Standard", 1024],
  [undefined, "Standard", 1024],
])("a database of a pool of the tier %s is like one of %s", (tier, like, sizeGbMax) =>
  expect(pooledObjective(tier)).toMatchObject({
    name: "ElasticPool",
    skuName: "ElasticPool",
    tier: like,
    capacity: 0,
    sizeBytesMax: sizeGbMax * 1024 ** 3,
  }),
);

it("finds an objective by its name, or by its edition and capacity", () => {
  expect(objectiveOf({ name: "s1" }).name).toBe("S1");
  expect(objectiveOf({ name: "GP_Gen5", capacity: 4 }).name).toBe("GP_Gen5_4");
  expect(objectiveOf({ name: "GP_Gen5" }).name).toBe("GP_Gen5_2");
  expect(() => objectiveOf({ name: "GP_Gen5", capacity: 5 })).toThrow("has no capacity 5");
  expect(() => objectiveOf({ name: "S1", capacity: 50 })).toThrow("has a capacity of 20, not 50");
  expect(() => objectiveOf({ name: "S1", tier: "Premium" })).toThrow("belongs to the tier Standard");
});

it.each([
  ["S0", 250, true],
  ["S0", 251, false],
  ["S0", 300, false],
  ["GP_Gen5_2", 251, true],
  ["GP_Gen5_2", 0.5, false],
  ["GP_Gen5_2", 0, false],
])("%s may have %d GB: %s", (name, sizeGb, isAllowed) =>
  expect(isMaxSize(objectiveOf({ name }), sizeGb * 1024 ** 3)).toBe(isAllowed),
);

/** Names, ports and logical units: the last that fits, and the first that does not. */
import { expect, it } from "vitest";
import { groupNameProblem } from "./groups.ts";
import { checkPort, listenerNameProblem } from "./listeners.ts";
import { checkBackup, checkPatching } from "./settings.ts";
import { checkStorage } from "./storage.ts";

it.each([
  ["group", groupNameProblem],
  ["listener", listenerNameProblem],
])("the name of a %s has at most 15 characters", (_what, problemWith) => {
  expect(problemWith("c".repeat(15))).toBeUndefined();
  expect(problemWith("c".repeat(16))?.message).toContain("at most 15 characters");
});

it("a port is a number from 1 to 65535", () => {
  for (const port of [1, 65_535]) expect(() => checkPort(port, "port")).not.toThrow();
  for (const port of [0, 65_536]) expect(() => checkPort(port, "port")).toThrow("from 1 to 65535");
});

it("a logical unit is a number from 0 to 63", () => {
  const check = (unit: number) => () =>
    checkStorage({
      diskConfigurationType: "NEW",
      sqlDataSettings: { luns: [unit], defaultFilePath: "F:\\data" },
    });
  for (const unit of [0, 63]) expect(check(unit)).not.toThrow();
  for (const unit of [-1, 64]) expect(check(unit)).toThrow("from 0 to 63");
});

it("hours from 0 to 23", () => {
  const secrets = { storageAccessKey: true, password: true };
  const taken = (hour: number) =>
    [
      () => checkPatching({ enable: false, maintenanceWindowStartingHour: hour }),
      () => checkBackup({ enable: false, fullBackupStartTime: hour }, secrets),
      () => checkBackup({ enable: false, fullBackupWindowHours: hour }, secrets),
    ].map((check) => {
      try {
        check();
        return true;
      } catch {
        return false;
      }
    });
  expect([-1, 0, 1, 23, 24].map(taken)).toEqual([
    [false, false, false],
    [true, true, false],
    [true, true, true],
    [true, true, true],
    [false, false, false],
  ]);
});

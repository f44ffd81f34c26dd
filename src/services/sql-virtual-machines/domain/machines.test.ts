/** What it takes to change a machine, to join a group, and to have backups. */
import { describe, expect, it } from "vitest";
import { checkFit, checkMachineChange } from "./machines.ts";
import { checkBackup } from "./settings.ts";

describe("a machine in a group", () => {
  const group = { name: "cluster", sqlImageOffer: "SQL2019-WS2019", sqlImageSku: "Enterprise" };
  const machine = { sqlImageOffer: "SQL2019-WS2019", sqlImageSku: "Enterprise" };
  it.each([
    ["managed fully", { ...machine, sqlManagement: "Full" }],
    ["managed as usual", machine],
  ])("may be %s", (_how, fit) => expect(() => checkFit(fit, group)).not.toThrow());
  it.each([
    ["managed lightly", { ...machine, sqlManagement: "LightWeight" }, "under full management"],
    ["of another edition", { ...machine, sqlImageSku: "Standard" }, "this one is Standard"],
    ["of an unknown image", { sqlImageSku: "Enterprise" }, "SQL Server 2019, this machine an unknown one"],
    ["of another version", { ...machine, sqlImageOffer: "SQL2017-WS2019" }, "this machine 2017"],
    ["on another system", { ...machine, sqlImageOffer: "SQL2019-WS2016" }, "this machine on WS2016"],
  ])("may not be %s", (_how, other, message) => expect(() => checkFit(other, group)).toThrow(message));
});

describe("the workload of a machine", () => {
  const storage = (storageWorkloadType?: string) => ({
    storageConfigurationSettings: storageWorkloadType === undefined ? {} : { storageWorkloadType },
  });
  it.each([
    ["OLTP", "OLTP"],
    [undefined, "OLTP"],
    ["OLTP", undefined],
  ])("may go from %s to %s", (before, wanted) =>
    expect(() => checkMachineChange(storage(before), storage(wanted))).not.toThrow(),
  );
  it("may not become another", () =>
    expect(() => checkMachineChange(storage("OLTP"), storage("DW"))).toThrow("made for the workload OLTP"));
});

describe("automatic backup", () => {
  const none = { storageAccessKey: false, password: false };
  const settings = { enable: true, storageAccountUrl: "https://a.example", retentionPeriod: 5 };
  it("takes the key that is given, or that is known", () => {
    expect(() => checkBackup({ ...settings, storageAccessKey: "key" }, none)).not.toThrow();
    expect(() => checkBackup(settings, { ...none, storageAccessKey: true })).not.toThrow();
    expect(() => checkBackup({ enable: false }, none)).not.toThrow();
  });
  it.each([
    ["a key", settings],
    ["an address", { enable: true, retentionPeriod: 5, storageAccessKey: "key" }],
    ["a key that is not empty", { ...settings, storageAccessKey: "" }],
  ])("needs %s", (_what, incomplete) =>
    expect(() => checkBackup(incomplete, none)).toThrow("needs a storage account and its access key"),
  );
});

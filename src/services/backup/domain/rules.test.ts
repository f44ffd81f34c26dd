/** Lifecycles, selections, holds, summaries, reports and the choice of a point to test, as pure rules. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isHeldBy, retainUntilMs } from "./hold.ts";
import { calculateLifecycle, checkLifecycle, DAY_MS, findRetentionProblem } from "./lifecycle.ts";
import { ReportText, reportKeyOf } from "./report.ts";
import { findTestedPoint, type TestablePoint } from "./restore-testing.ts";
import { checkSelection, findExactNames, type Selection, selects } from "./selection.ts";
import { AGGREGATE_ALL, ANY, type CountedJobs, summariesOf } from "./summary.ts";

describe("lifecycles", () => {
  it("keep what is cold for 90 days at least, and never is -1", () => {
    expect(checkLifecycle({ moveToColdStorageAfterDays: -1, deleteAfterDays: -1 })).toEqual({});
    expect(checkLifecycle({ moveToColdStorageAfterDays: 10, deleteAfterDays: 100 })).toEqual({
      moveToColdStorageAfterDays: 10,
      deleteAfterDays: 100,
    });
    for (const wrong of [
      { moveToColdStorageAfterDays: 10, deleteAfterDays: 99 },
      { deleteAfterDays: 0 },
      { deleteAfterDays: 36_501 },
      { moveToColdStorageAfterDays: -2 },
    ])
      expect(() => checkLifecycle(wrong)).toThrow();
    expect(calculateLifecycle({ moveToColdStorageAfterDays: 1, deleteAfterDays: 91 }, 5)).toEqual({
      moveToColdStorageAtMs: 5 + DAY_MS,
      deleteAtMs: 5 + 91 * DAY_MS,
    });
  });
  it("fit into what a locked vault takes, or not", () => {
    const bounds = { minDays: 7, maxDays: 30 };
    expect(findRetentionProblem({ deleteAfterDays: 7 }, bounds)).toBeUndefined();
    expect(findRetentionProblem({ deleteAfterDays: 6 }, bounds)).toContain("shorter");
    expect(findRetentionProblem({ deleteAfterDays: 31 }, bounds)).toContain("longer");
    expect(findRetentionProblem({}, bounds)).toContain("unlimited");
    expect(findRetentionProblem({}, { minDays: 7 })).toBeUndefined();
  });
});

const none = { equals: [], notEquals: [], like: [], notLike: [] };
const selection = (change: Partial<Selection>): Selection => ({
  name: "s",
  roleArn: "r",
  resources: [],
  notResources: [],
  tags: [],
  conditions: none,
  ...change,
});
describe("selections", () => {
  const photos = { arn: "arn:x:photos", tags: { stage: "production", team: "press" } };
  const stage = (value: string) => ({ key: "vendor:ResourceTag/stage", value });
  it.each<[string, Partial<Selection>, boolean]>([
    ["everything", {}, true],
    ["its name", { resources: [photos.arn] }, true],
    ["another name", { resources: ["arn:x:drafts"] }, false],
    ["a wildcard", { resources: ["arn:*:ph?tos"] }, true],
    ["an excluded name", { resources: ["*"], notResources: ["arn:x:p*"] }, false],
    [
      "one of several tags",
      {
        tags: [
          { key: "stage", value: "test" },
          { key: "team", value: "press" },
        ],
      },
      true,
    ],
    ["another name or a tag", { resources: ["arn:x:drafts"], tags: [{ key: "team", value: "press" }] }, true],
    ["equal", { conditions: { ...none, equals: [stage("production")] } }, true],
    ["equal but in capitals", { conditions: { ...none, equals: [stage("Production")] } }, false],
    ["not equal", { conditions: { ...none, notEquals: [stage("production")] } }, false],
    [
      "not equal, of a tag that is not there",
      { conditions: { ...none, notEquals: [{ key: "aws:ResourceTag/x", value: "" }] } },
      true,
    ],
    ["like", { conditions: { ...none, like: [stage("prod*")] } }, true],
    ["not like", { conditions: { ...none, notLike: [stage("prod*")] } }, false],
    [
      "its name, but not a condition",
      { resources: [photos.arn], conditions: { ...none, equals: [stage("test")] } },
      false,
    ],
    [
      "all conditions",
      { conditions: { ...none, equals: [stage("production")], notLike: [stage("x*")] } },
      true,
    ],
  ])("by %s", (_what, change, wanted) => {
    expect(selects(selection(change), photos)).toBe(wanted);
  });
  it("never select what they exclude, and no more with more conditions", () => {
    const name = fc.stringMatching(/^arn:[ab*?]{1,4}$/);
    const value = fc.constantFrom("a", "b", "*");
    fc.assert(
      fc.property(
        fc.array(name),
        fc.array(name),
        fc.stringMatching(/^arn:[ab]{1,4}$/),
        value,
        (resources, notResources, arn, stageValue) => {
          const resource = { arn, tags: { stage: "a" } };
          const wide = selection({ resources, notResources });
          const narrow = selection({
            resources,
            notResources,
            conditions: { ...none, like: [stage(stageValue)] },
          });
          if (notResources.includes(arn)) expect(selects(wide, resource)).toBe(false);
          if (selects(narrow, resource)) expect(selects(wide, resource)).toBe(true);
        },
      ),
    );
  });
  it("have 500 conditions at most, tags among them", () => {
    const many = (count: number) => Array.from({ length: count }, () => stage("x"));
    const limited = (tags: number, like: number) => () =>
      checkSelection(selection({ tags: many(tags), conditions: { ...none, like: many(like) } }));
    for (const [tags, like] of [
      [500, 0],
      [0, 500],
      [200, 300],
    ] as const)
      expect(limited(tags, like)).not.toThrow();
    for (const [tags, like] of [
      [501, 0],
      [0, 501],
      [200, 301],
    ] as const)
      expect(limited(tags, like)).toThrow("500");
  });
  it("are looked up by name where nothing else can be meant", () => {
    expect(findExactNames(selection({ resources: ["arn:x:a"] }))).toEqual(["arn:x:a"]);
    expect(findExactNames(selection({ resources: ["arn:x:*"] }))).toBeUndefined();
    expect(findExactNames(selection({}))).toBeUndefined();
    expect(() => checkSelection(selection({ conditions: { ...none, like: [stage("x")] } }))).not.toThrow();
  });
});

describe("holds", () => {
  it("select by vault, resource and day, both ends included", () => {
    const point = { vaultName: "near", resourceArn: "arn:x:a", createdAtMs: 10 };
    const all = { vaultNames: [], resourceArns: [] };
    expect(isHeldBy(all, point)).toBe(true);
    expect(isHeldBy({ ...all, fromMs: 10, toMs: 10 }, point)).toBe(true);
    expect(isHeldBy({ ...all, fromMs: 11 }, point)).toBe(false);
    expect(isHeldBy({ ...all, toMs: 9 }, point)).toBe(false);
    expect(isHeldBy({ vaultNames: ["near"], resourceArns: ["arn:x:b"] }, point)).toBe(false);
    expect(retainUntilMs(2, 5)).toBe(5 + 2 * DAY_MS);
    expect(retainUntilMs(undefined, 0)).toBe(365 * DAY_MS);
  });
});

describe("summaries", () => {
  const nowMs = Date.parse("2030-01-20T12:00:00Z");
  const today = Math.floor(nowMs / DAY_MS);
  const job = (day: number, state: string, count: number, resourceType = "Folder"): CountedJobs => ({
    day,
    state,
    resourceType,
    messageCategory: state === "FAILED" ? "AccessDenied" : "Success",
    count,
  });
  const jobs = [
    job(today, "COMPLETED", 3),
    job(today, "FAILED", 1),
    job(today - 8, "COMPLETED", 5),
    job(today - 14, "COMPLETED", 9),
  ];
  const counts = (change: object) =>
    summariesOf(
      jobs,
      {
        period: "ONE_DAY",
        state: AGGREGATE_ALL,
        resourceType: AGGREGATE_ALL,
        messageCategory: AGGREGATE_ALL,
        ...change,
      } as never,
      nowMs,
    ).map(({ state, count }) => [state, count]);
  it("tell days by themselves or together, and words by themselves or together", () => {
    expect(counts({})).toEqual([
      [AGGREGATE_ALL, 4],
      [AGGREGATE_ALL, 5],
    ]);
    expect(counts({ state: ANY })).toEqual([
      ["COMPLETED", 3],
      ["FAILED", 1],
      ["COMPLETED", 5],
    ]);
    expect(counts({ state: "FAILED" })).toEqual([["FAILED", 1]]);
    expect(counts({ period: "SEVEN_DAYS" })).toEqual([[AGGREGATE_ALL, 4]]);
    expect(counts({ period: "FOURTEEN_DAYS" })).toEqual([[AGGREGATE_ALL, 9]]);
    expect(counts({ messageCategory: "AccessDenied" })).toEqual([[AGGREGATE_ALL, 1]]);
    expect(counts({ resourceType: "Function" })).toEqual([]);
  });
});

describe("reports", () => {
  it("write rows that spreadsheets read as they are meant", () => {
    const row = { backupJobId: '=1+"1",2', jobStatus: "FAILED", backupSizeInBytes: 5 };
    const textOf = (format: "CSV" | "JSON", pieces: (typeof row)[][]): string => {
      const text = new ReportText("BACKUP_JOB_REPORT", format);
      for (const rows of pieces) text.add(rows);
      return Buffer.concat(text.end()).toString();
    };
    const [columns = "", cells = ""] = textOf("CSV", [[row]]).split("\r\n");
    expect(cells.startsWith(`,,,,"'=1+""1"",2",FAILED,`)).toBe(true);
    expect(columns.split(",").indexOf("backupJobId")).toBe(4);
    expect(textOf("CSV", [[row, row], [row]])).toBe(`${columns}\r\n${`${cells}\r\n`.repeat(3)}`);
    expect(JSON.parse(textOf("JSON", []))).toEqual({ reportItems: [] });
    expect(JSON.parse(textOf("JSON", [[row, row], [row]]))).toEqual({ reportItems: [row, row, row] });
    const place = { region: "us-east-1", name: "daily", at: "2030-01-31T05:00:00.000Z" };
    expect(reportKeyOf({ bucket: "b", prefix: "p", formats: ["CSV"] }, place, "CSV")).toBe(
      "p/Backup/us-east-1/2030/01/31/daily/daily_2030-01-31T05-00-00Z.csv",
    );
  });
});

describe("restore tests", () => {
  const nowMs = 100 * DAY_MS;
  const point = (arn: string, day: number, change: Partial<TestablePoint> = {}): TestablePoint => ({
    arn,
    vaultArn: "near",
    resourceArn: "r",
    kind: "SNAPSHOT",
    createdAtMs: day * DAY_MS,
    ...change,
  });
  const points = [
    point("old", 60),
    point("a", 90),
    point("b", 95),
    point("far", 99, { vaultArn: "far" }),
    point("c", 96, { kind: "CONTINUOUS" }),
  ];
  const choose = (change: object, fraction = 0) =>
    findTestedPoint(
      points,
      {
        algorithm: "LATEST_WITHIN_WINDOW",
        includeVaults: ["*"],
        excludeVaults: ["far"],
        kinds: ["SNAPSHOT"],
        windowDays: 30,
        ...change,
      } as never,
      nowMs,
      fraction,
    )?.arn;
  it("take the latest or any point of the window", () => {
    expect(choose({})).toBe("b");
    expect(choose({ kinds: ["SNAPSHOT", "CONTINUOUS"] })).toBe("c");
    expect(choose({ excludeVaults: [] })).toBe("far");
    expect(choose({ windowDays: 4 })).toBeUndefined();
    expect(
      [0, 0.49, 0.5, 0.99].map((fraction) => choose({ algorithm: "RANDOM_WITHIN_WINDOW" }, fraction)),
    ).toEqual(["b", "b", "a", "a"]);
  });
});

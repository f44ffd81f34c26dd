/** Filters, orders, masks, policies and patterns. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  applyMask,
  checkDefinition,
  checkPolicy,
  cpusOf,
  definitionOf,
  isFor,
  isGranted,
  matchesPath,
  memoryBytesOf,
  policyFor,
  readFilter,
  readMask,
  readOperationFilter,
  readOrder,
  stepUpgrade,
} from "./index.ts";

describe("filters", () => {
  const one = {
    name: "projects/p/functions/abc",
    state: "ACTIVE",
    labels: { team: "web", "a-b": "x", on_call: "yes" },
    size: 5,
    list: [{ k: "v1" }, { k: "v2" }],
  };
  const fields = Object.keys(one);
  it.each([
    ["state = ACTIVE", true],
    ['state="ACTIVE"', true],
    ["state != ACTIVE", false],
    ["state:act", true],
    ["state:*", true],
    ["labels:team", true],
    ["labels:none", false],
    ["labels.team=web", true],
    ["labels.on_call=yes", true],
    ["labels.none != x", true],
    ["name=*abc", true],
    ["name = projects/*", true],
    ["size > 4 AND size < 6", true],
    ["size >= 10", false],
    ["list.k = v2", true],
    ["list.k = v3", false],
    ["state=FAILED OR labels.team=web", true],
    ["state=ACTIVE labels.team=web", true],
    ["state=ACTIVE AND labels.team=api OR size=5", true],
    ["NOT state=ACTIVE", false],
    ["-state=ACTIVE", false],
    ["NOT (state=FAILED OR size=6)", true],
    ["(state=ACTIVE)", true],
    ["labels.a-b = x", true],
    ["'projects/p/functions/abc'", true],
    ["web", true],
    ["nowhere", false],
    ['state = "AC\\TIVE"', true],
  ])("%s", (text, expected) => expect(readFilter(text, fields)?.(one)).toBe(expected));
  it.each([
    "(",
    ")",
    "state =",
    "= b",
    "state = b)",
    "bogus = 1",
    '"open',
    "NOT",
    "state = b AND",
    "((((((((((((((((((((((state=b))))))))))))))))))))))",
  ])("refuses %s", (text) => {
    expect(() => readFilter(text, fields)).toThrow("cannot be read");
  });

  type Tree = { readonly text: string; readonly value: boolean };
  const leaf = (value: boolean): fc.Arbitrary<Tree> =>
    fc.constantFrom<Tree>(
      value ? { text: "state=ACTIVE", value: true } : { text: "state=FAILED", value: false },
    );
  const tree: fc.Memo<Tree> = fc.memo((depth) =>
    depth <= 1
      ? fc.boolean().chain(leaf)
      : fc.oneof(
          fc.boolean().chain(leaf),
          tree().map(({ text, value }) => ({ text: `NOT (${text})`, value: !value })),
          fc
            .tuple(tree(), tree())
            .map(([a, b]) => ({ text: `(${a.text} AND ${b.text})`, value: a.value && b.value })),
          fc
            .tuple(tree(), tree())
            .map(([a, b]) => ({ text: `(${a.text} OR ${b.text})`, value: a.value || b.value })),
          fc
            .tuple(tree(), tree())
            .map(([a, b]) => ({ text: `((${a.text}) (${b.text}))`, value: a.value && b.value })),
        ),
  );
  it("agree with plain logic", () => {
    fc.assert(
      fc.property(tree(4), ({ text, value }) => readFilter(text, fields)?.(one) === value),
      { numRuns: 300 },
    );
  });
  it("never fail otherwise", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        try {
          readFilter(text, fields)?.(one);
        } catch (error) {
          expect((error as Error).message).toContain("cannot be read");
        }
      }),
    );
  });
});

describe("orders", () => {
  it("agree with a plain sort", () => {
    const row = fc.record({
      name: fc.string({ maxLength: 3 }),
      team: fc.constantFrom("a", "b"),
      size: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const { keyOf, compare } = readOrder("team desc, size", ["team", "size"]);
        const sorted = [...rows].sort((left, right) => compare(keyOf(left), keyOf(right)));
        for (let index = 1; index < sorted.length; index += 1) {
          const [a, b] = [sorted[index - 1]!, sorted[index]!];
          const key = (one: typeof a) => `${one.team === "b" ? 0 : 1}${one.size}`;
          expect(key(a) <= key(b)).toBe(true);
        }
      }),
    );
  });
});

describe("fields to order by", () => {
  const fields = ["name", "labels", "description"];
  it.each([["labels.on_call"], ["labels.a-b desc"], ["description asc, name"]])("may be %s", (text) => {
    const { keyOf } = readOrder(text, fields);
    const [first] = keyOf({ name: "n", labels: { on_call: "1", "a-b": "1" }, description: "1".repeat(5000) });
    expect(first).toBe(text.startsWith("labels") ? "1" : "1".repeat(100));
  });
  it.each(["bogus", "nam", "name up", "constructor"])("may not be %s", (text) => {
    expect(() => readOrder(text, fields)).toThrow("orderBy");
  });
});

describe("masks", () => {
  const before = {
    description: "old",
    labels: { a: "1" },
    serviceConfig: {
      availableMemory: "1Gi",
      timeoutSeconds: 5,
      environmentVariables: { snake_case: "1", other: "2" },
    },
  };
  it("change what they name, in either spelling", () => {
    const given = {
      description: "new",
      serviceConfig: { availableMemory: "2Gi", environmentVariables: { snake_case: "3" } },
    };
    expect(applyMask(before, given, readMask("service_config.available_memory"))).toEqual({
      ...before,
      serviceConfig: { ...before.serviceConfig, availableMemory: "2Gi" },
    });
    expect(applyMask(before, given, readMask("serviceConfig.environmentVariables.snake_case"))).toMatchObject(
      { serviceConfig: { environmentVariables: { snake_case: "3", other: "2" } } },
    );
    expect(applyMask(before, given, readMask("labels,description"))).toEqual({
      description: "new",
      serviceConfig: before.serviceConfig,
    });
  });
  it("without one, everything that is given counts, and its neighbours stay", () => {
    expect(
      applyMask(before, { serviceConfig: { timeoutSeconds: 9 }, labels: { b: "2" } }, undefined),
    ).toEqual({
      ...before,
      labels: { b: "2" },
      serviceConfig: { ...before.serviceConfig, timeoutSeconds: 9 },
    });
  });
  it("name only what can be changed", () => {
    for (const mask of ["state", "name", "serviceConfig.", ".", "unknown"])
      expect(() => readMask(mask)).toThrow("cannot be changed");
  });
});

describe("policies", () => {
  const none = () => undefined;
  it.each<[string, object, string]>([
    ["an unknown role", { version: 1, bindings: [{ role: "roles/none", members: [] }] }, "not supported"],
    [
      "an unknown member",
      { version: 1, bindings: [{ role: "roles/viewer", members: ["ann"] }] },
      "no known kind",
    ],
    ["a version that is none", { version: 2, bindings: [] }, "0, 1 or 3"],
    [
      "a condition of an older version",
      { version: 1, bindings: [{ role: "roles/viewer", members: [], condition: { expression: "true" } }] },
      "version 3",
    ],
  ])("refuse %s", (_what, policy, words) => expect(() => checkPolicy(policy as never, none)).toThrow(words));
  it("grant by role, member and condition", () => {
    const policy = {
      version: 3,
      etag: "",
      bindings: [
        { role: "roles/cloudfunctions.invoker", members: ["domain:example.org"] },
        { role: "roles/cloudfunctions.viewer", members: ["user:bob"], condition: { expression: "no" } },
      ],
    };
    const ask = (permission: string, member: string) =>
      isGranted(policy, permission, { members: new Set([member]) }, () => false);
    expect(ask("cloudfunctions.functions.invoke", "user:ann@example.org")).toBe(true);
    expect(ask("cloudfunctions.functions.invoke", "user:ann@example.com")).toBe(false);
    expect(ask("cloudfunctions.functions.get", "user:bob")).toBe(false);
    expect(policyFor(policy, 1).bindings).toHaveLength(1);
    expect(policyFor(policy, 3).bindings).toHaveLength(2);
  });
});

describe("triggers", () => {
  it.each([
    ["a/b", "a/b", true],
    ["a/*", "a/b", true],
    ["a/*", "a/b/c", false],
    ["a/**", "a/b/c", true],
    ["a/**/z", "a/b/c/z", true],
    ["a/**/z", "a/b/c/y", false],
    ["a/{id}/z", "a/1/z", true],
    ["a/{rest=**}", "a/1/z", true],
    ["img-*.png", "img-1.png", true],
    ["img-*.png", "img-1.jpg", false],
    ["img-*.png", "a-img-1.png", false],
    ["ab*ba", "aba", false],
    ["ab*ba", "abba", true],
    ["*a*a*a*", "aaa", true],
    [`${"*a".repeat(30)}b`, "a".repeat(60), false],
  ])("%s and %s", (pattern, path, expected) => expect(matchesPath(pattern, path)).toBe(expected));
  it("are for events of their type, topic and attributes", () => {
    const event = {
      id: "1",
      source: "//pubsub.googleapis.com/projects/p/topics/t",
      type: "x",
      specversion: "1.0" as const,
      bucket: "b",
    };
    expect(isFor({ eventType: "x", pubsubTopic: "projects/p/topics/t" }, event)).toBe(true);
    expect(isFor({ eventType: "x", pubsubTopic: "projects/p/topics/u" }, event)).toBe(false);
    expect(isFor({ eventType: "y" }, event)).toBe(false);
    expect(isFor({ eventType: "x", eventFilters: [{ attribute: "bucket", value: "b" }] }, event)).toBe(true);
    expect(isFor({ eventType: "x", eventFilters: [{ attribute: "other", value: "b" }] }, event)).toBe(false);
    expect(isFor({ eventType: "x", channel: "c" }, event)).toBe(false);
  });
});

it("reads amounts", () => {
  expect(["256M", "1Gi", "512Mi", "67108864"].map(memoryBytesOf)).toEqual([256e6, 2 ** 30, 2 ** 29, 2 ** 26]);
  for (const text of ["", "1", "1Ti", "-1M", "33Gi", "1e9"])
    expect(() => memoryBytesOf(text)).toThrow("availableMemory");
});
it("takes amounts up to their limits, and no others", () => {
  expect(["64M", "32Gi"].map(memoryBytesOf)).toEqual([64e6, 2 ** 35]);
  for (const text of [String(64e6 - 1), String(2 ** 35 + 1)])
    expect(() => memoryBytesOf(text)).toThrow("from 64M to 32Gi");
  expect(["0.08", "8"].map(cpusOf)).toEqual([0.08, 8]);
  for (const text of ["0.0799", "8.0001"]) expect(() => cpusOf(text)).toThrow("from 0.08 to 8");
});
it("reads the two forms that operations are asked for in", () => {
  const place = { project: "p", location: "l" };
  expect(readOperationFilter("project:p,location:x,function:f", place)).toEqual({
    project: "p",
    location: "x",
    functionId: "f",
  });
  expect(readOperationFilter("project:*,latest:true", place)).toEqual({
    project: "p",
    location: undefined,
    functionId: undefined,
  });
  expect(readOperationFilter("", place)).toEqual({ project: "p", location: "l", functionId: undefined });
  for (const filter of ["x", "latest:true,function:f,project:p", "project:p", "project:p,project:p"])
    expect(() => readOperationFilter(filter, place)).toThrow("neither");
  for (const filter of ["project:*,colour:red", "project:*,location", "project", ":*,latest:true"])
    expect(() => readOperationFilter(filter, place)).toThrow("neither");
  expect(() => readOperationFilter("project:*,location:a,location:a,function:f", place)).toThrow("neither");
});
it("takes the steps of an upgrade in their order", () => {
  const [a, b, c] = ["setup", "redirect", "commit"] as const;
  const first = stepUpgrade("GEN_1", undefined, a);
  const second = stepUpgrade("GEN_1", first, b);
  expect(stepUpgrade("GEN_1", second, c)).toBeUndefined();
  expect(stepUpgrade("GEN_1", stepUpgrade("GEN_1", second, "rollback"), b)).toEqual(second);
  expect(stepUpgrade("GEN_1", stepUpgrade("GEN_1", first, "abort"), a)).toEqual(first);
  for (const step of ["redirect", "rollback", "commit", "abort"] as const)
    expect(() => stepUpgrade("GEN_1", undefined, step)).toThrow("state");
  expect(() => stepUpgrade("GEN_2", undefined, a)).toThrow("already");
});

describe("a definition", () => {
  const storageSource = { bucket: "b", object: "o" };
  const check =
    (source: object, serviceConfig: object = {}) =>
    () =>
      checkDefinition(
        definitionOf({ buildConfig: { runtime: "nodejs20", entryPoint: "main", source }, serviceConfig }),
      );
  it("names a bucket and an object", () => {
    expect(check({ storageSource })).not.toThrow();
    for (const part of [undefined, { bucket: "b" }, { object: "o" }, { bucket: "", object: "o" }])
      expect(check({ storageSource: part })).toThrow("must name a bucket and an object");
  });
  it("sets variables by value and by secret, each once", () => {
    const secret = (key: string) => ({ key, projectId: "p", secret: "s", version: "1" });
    const environmentVariables = { COLOUR: "red" };
    expect(check({ storageSource }, { environmentVariables })).not.toThrow();
    const both = { environmentVariables, secretEnvironmentVariables: [secret("KEY")] };
    expect(check({ storageSource }, both)).not.toThrow();
    const twice = { environmentVariables, secretEnvironmentVariables: [secret("COLOUR")] };
    expect(check({ storageSource }, twice)).toThrow("set twice");
    for (const name of ["1ST", "X_GOOGLE_A"])
      expect(check({ storageSource }, { environmentVariables: { [name]: "x" } })).toThrow(
        "cannot be the name",
      );
  });
});

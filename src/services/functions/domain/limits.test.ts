/** Limits that declarations do not name: the last that fits is accepted, and the first beyond it is refused. */
import { expect, it } from "vitest";
import { checkDefinition } from "./function.ts";
import { readFilter } from "./list-filter.ts";
import { checkFunctionId } from "./names.ts";
import { readOrder } from "./order.ts";
import { checkPolicy } from "./policy.ts";
import { readMask } from "./update-mask.ts";

const each = <T>(count: number, one: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => one(at));
const role = "roles/cloudfunctions.viewer";
const user = (at: number): string => `user:u${at}@example.org`;
const policy = (bindings: { role: string; members: string[]; condition?: { expression: string } }[]) =>
  checkPolicy({ version: 3, bindings }, () => undefined);

it.each<[string, number, (size: number) => unknown]>([
  ["bindings", 100, (size) => policy(each(size, (at) => ({ role, members: [user(at)] })))],
  ["members of a policy", 1500, (size) => policy([{ role, members: each(size, user) }])],
  [
    "members of all bindings",
    1500,
    (size) =>
      policy([
        { role, members: [user(0)] },
        { role, members: each(size - 1, user) },
      ]),
  ],
  [
    "letters of a condition",
    12_000,
    (size) => policy([{ role, members: [user(0)], condition: { expression: "x".repeat(size) } }]),
  ],
  ["paths of a mask", 100, (size) => readMask(each(size, (at) => `labels.l${at}`).join())],
  ["steps of an order", 10, (size) => readOrder(each(size, () => "name").join(), ["name"])],
  ["letters of a filter", 2048, (size) => readFilter('name = "a"'.padEnd(size), ["name"])],
  [
    "levels of a filter",
    20,
    (size) => readFilter(`${"(".repeat(size - 1)}name = "a"${")".repeat(size - 1)}`, ["name"]),
  ],
  [
    "bytes of variables, as JSON",
    32 * 1024,
    (size) =>
      checkDefinition({
        environment: "GEN_2",
        labels: {},
        buildConfig: {
          runtime: "nodejs20",
          entryPoint: "f",
          source: { storageSource: { bucket: "b", object: "o" } },
        },
        serviceConfig: {
          availableMemory: "256M",
          availableCpu: "1",
          environmentVariables: { A: "x".repeat(size - '{"A":""}'.length) },
        },
      }),
  ],
  ["letters of a function's id", 63, (size) => checkFunctionId("f".repeat(size))],
])("%s: %i at the most", (_what, most, check) => {
  expect(() => check(most)).not.toThrow();
  expect(() => check(most + 1)).toThrow();
});

it("a function's id has four letters at least", () => {
  expect(() => checkFunctionId("four")).not.toThrow();
  expect(() => checkFunctionId("fou")).toThrow();
});

it("texts are ordered by their first hundred characters, then by name", () => {
  const order = readOrder("description", ["description"]);
  const isBefore = (left: string, right: string) =>
    order.compare(
      order.keyOf({ name: "b", description: left }),
      order.keyOf({ name: "a", description: right }),
    ) < 0;
  const same = "x".repeat(99);
  expect([isBefore(`${same}a`, `${same}b`), isBefore(`${same}xa`, `${same}xb`)]).toEqual([true, false]);
});

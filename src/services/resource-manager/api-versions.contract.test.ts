/** The versions that public clients send unless told otherwise, in any language: each is understood by its provider. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

const statusOf = async (path: string, version: string) =>
  (await instance.bearer("GET", `/management${path}?api-version=${version}`)).status;

it.each([
  [
    "Microsoft.ApiManagement",
    "JavaScript 5 to 10",
    ["2019-01-01", "2019-12-01", "2021-08-01", "2022-08-01", "2024-05-01"],
  ],
  ["Microsoft.ApiManagement", "Python", ["2021-08-01", "2022-08-01", "2024-05-01"]],
  ["Microsoft.AppConfiguration", "JavaScript 3 and 4", ["2022-05-01", "2023-03-01"]],
  ["Microsoft.AppConfiguration", "Python", ["2022-03-01-preview", "2022-05-01", "2023-03-01", "2024-06-01"]],
  ["Microsoft.HardwareSecurityModules", "JavaScript 1", ["2021-11-30"]],
  ["Microsoft.HardwareSecurityModules", "Python", ["2021-11-30", "2025-03-31"]],
  ["Microsoft.Scheduler", "JavaScript and Python", ["2016-03-01"]],
  [
    "Microsoft.Sql",
    "JavaScript 7",
    ["2014-04-01", "2015-05-01-preview", "2017-03-01-preview", "2017-10-01-preview", "2018-06-01-preview"],
  ],
  [
    "Microsoft.Sql",
    "JavaScript 8 to 10",
    [
      "2020-11-01-preview",
      "2021-02-01-preview",
      "2021-05-01-preview",
      "2021-08-01-preview",
      "2021-11-01-preview",
      "2022-02-01-preview",
      "2022-05-01-preview",
      "2022-08-01-preview",
    ],
  ],
  ["Microsoft.Sql", "Python", ["2020-11-01-preview", "2021-11-01", "2022-05-01-preview", "2023-08-01"]],
  ["Microsoft.SqlVirtualMachine", "JavaScript 4", ["2017-03-01-preview"]],
  [
    "Microsoft.SqlVirtualMachine",
    "Python",
    ["2021-11-01-preview", "2022-02-01", "2022-07-01-preview", "2023-10-01"],
  ],
])("%s understands what %s sends", async (namespace, _client, versions) => {
  for (const version of versions)
    expect([version, await statusOf(`/providers/${namespace}/operations`, version)]).toEqual([version, 200]);
});

it.each([
  [
    "groups",
    ["2018-05-01", "2019-03-01", "2021-04-01", "2022-09-01", "2025-04-01"],
    "/subscriptions/sub-1/resourcegroups",
  ],
  ["subscriptions", ["2016-06-01", "2018-06-01", "2019-11-01", "2021-01-01", "2022-12-01"], "/subscriptions"],
])("the resource manager understands what clients send about %s", async (_what, versions, path) => {
  for (const version of versions) expect([version, await statusOf(path, version)]).toEqual([version, 200]);
});

it("a version that was never published is refused, with those that were", async () => {
  const answer = await instance.bearer(
    "GET",
    "/management/providers/Vendor.Sql/operations?api-version=2022-05-02",
  );
  expect(answer.status).toBe(400);
  expect(answer.body.error.message).toContain("'2022-05-01-preview'");
});

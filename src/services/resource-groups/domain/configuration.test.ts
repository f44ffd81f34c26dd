/** Groups that are filled by hand: their configuration, tags and members. */
import { describe, expect, it } from "vitest";
import type { CatalogEntry } from "#kernel/catalog";
import { checkConfiguration } from "./configuration.ts";
import { findRefusal } from "./members.ts";
import { selectionOf } from "./query.ts";
import { checkTags } from "./tags.ts";

const HOST = "Vendor::EC2::Host";
const generic = {
  type: "Vendor::ResourceGroups::Generic",
  parameters: [
    { name: "allowed-resource-types", values: [HOST] },
    { name: "deletion-protection", values: ["UNLESS_EMPTY"] },
  ],
};
const hosts = (...parameters: { name: string; values: string[] }[]) => [
  generic,
  { type: "Vendor::EC2::HostManagement", parameters },
];
const licenses = {
  name: "allowed-host-based-license-configurations",
  values: ["arn:vendor:license-manager:x:1:license-configuration:a"],
};
const anyLicense = { name: "any-host-based-license-configuration", values: ["true"] };

it("takes licences by name or any, not both", () => {
  for (const one of [hosts(), hosts(licenses), hosts(anyLicense)])
    expect(() => checkConfiguration(one, undefined)).not.toThrow();
  expect(() => checkConfiguration(hosts(licenses, anyLicense), undefined)).toThrow("exclude each other");
});

it("takes fifty tags", () => {
  const tags = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, "value"]));
  expect(() => checkTags(tags(50))).not.toThrow();
  expect(() => checkTags(tags(51))).toThrow("50 tags at most");
});

describe("a host", () => {
  const family = (...values: string[]) => hosts({ name: "allowed-host-families", values });
  const host = (details?: object) => ({ type: HOST, region: "here", details }) as unknown as CatalogEntry;
  it.each([
    [{ instanceFamily: "M5" }, undefined],
    [{ instanceFamily: "c5" }, "HOST_FAMILY_NOT_ALLOWED"],
    [{ instanceFamily: 5 }, undefined],
    [undefined, undefined],
  ])("with the details %j is refused in a group of m5: %s", (details, code) =>
    expect(findRefusal("arn", host(details), family("m5"), "here")?.code).toBe(code),
  );
  it("is refused where it is not", () =>
    expect(findRefusal("arn", host(), hosts(), "there")?.code).toBe("RESOURCE_NOT_FOUND"));
});

it("selects by stack only if the query has one", () => {
  const query = { kind: "STACK_1_0", types: undefined, tags: [] } as const;
  expect(selectionOf(query, "here")).toStrictEqual({ region: "here", tags: [] });
  expect(selectionOf({ ...query, stack: "s" }, "here", "me")).toStrictEqual({
    region: "here",
    tags: [],
    stack: "s",
    except: "me",
  });
});

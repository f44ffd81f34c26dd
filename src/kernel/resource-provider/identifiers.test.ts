/** Identifiers: one resource, many spellings. */
import { expect, test } from "vitest";
import { isIdOfType, keyOf, locationKeyOf, parseResourceId } from "./identifiers.ts";

const SUBNET =
  "/subscriptions/S1/resourceGroups/Net-RG/providers/Microsoft.Network/virtualNetworks/V/subnets/A";

test("all spellings have one key", () => {
  const key = "/subscriptions/s1/resourcegroups/net-rg/providers/vendor.network/virtualnetworks/v/subnets/a";
  for (const spelling of [
    SUBNET,
    SUBNET.replace("Microsoft", "Vendor"),
    SUBNET.toUpperCase(),
    `${SUBNET}/`,
    `${SUBNET}\0`,
  ])
    expect(keyOf(spelling)).toBe(key);
});

test("a name that looks like a namespace keeps its letters apart from the maker's", () => {
  expect(keyOf("/subscriptions/s/resourceGroups/my-microsoft-rg")).toBe(
    "/subscriptions/s/resourcegroups/my-microsoft-rg",
  );
});

test("identifiers are taken apart", () => {
  expect(parseResourceId(SUBNET)).toMatchObject({
    subscriptionId: "S1",
    resourceGroup: "Net-RG",
    namespace: "Vendor.Network",
    type: "virtualNetworks/subnets",
    names: ["V", "A"],
  });
  expect(isIdOfType(SUBNET, "Vendor.Network/virtualNetworks/subnets")).toBe(true);
  expect(isIdOfType(SUBNET, "Vendor.Network/virtualNetworks")).toBe(false);
});

test.each([
  "",
  "/",
  "subnets/a",
  "/subscriptions/s",
  "/subscriptions/s/resourceGroups/g",
  `${SUBNET}/extra`,
  "/subscriptions//resourceGroups/g/providers/n/t/x",
])("not the identifier of a resource: %j", (text) => expect(parseResourceId(text)).toBeUndefined());

test("locations ignore case and spaces", () => {
  expect(locationKeyOf("West US 2")).toBe("westus2");
});

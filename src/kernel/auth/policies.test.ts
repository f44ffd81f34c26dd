/** What a policy covers: wildcards, case, either spelling; deny wins. */
import { expect, it } from "vitest";
import { isAllowed, matchesAction, type Policy } from "./policies.ts";

const STORE = "/subscriptions/s/resourceGroups/rg/providers/Vendor.AppConfiguration/configurationStores/Shop";
const READ = "Vendor.AppConfiguration/configurationStores/read";
const allow = (actions: string, resources = "*"): Policy => ({
  effect: "Allow",
  actions: [actions],
  resources: [resources],
});

it.each([
  ["*", "*", true],
  ["Vendor.AppConfiguration/*", STORE, true],
  ["vendor.appconfiguration/configurationstores/READ", STORE.toUpperCase(), true],
  ["Microsoft.AppConfiguration/*", STORE.replace("Vendor.", "Microsoft."), true],
  ["microsoft.appconfiguration/*/read", "/subscriptions/*/providers/microsoft.appconfiguration/*", true],
  ["Microsoft.Sql/*", "*", false],
  ["Vendor.AppConfiguration/*/write", "*", false],
  ["*", STORE.replace("Shop", "Sho?"), true],
  ["*", STORE.replace("Shop", "Other"), false],
  ["*", "arn:aws:resource-groups:*:*:group/*", false],
])("%s on %s covers a store's read: %s", (actions, resources, isCovered) => {
  expect(isAllowed([allow(actions, resources)], READ, STORE)).toBe(isCovered);
});

it.each([
  ["arn:aws:resource-groups:*:*:group/shop", true],
  ["arn:vendor:resource-groups:*:*:group/shop", true],
  ["arn:vendor:resource-groups:*:*:group/Shop", false],
])("%s covers a group: %s", (resources, isCovered) => {
  const group = "arn:vendor:resource-groups:local:111111111111:group/shop";
  expect(isAllowed([allow("resource-groups:*", resources)], "resource-groups:GetGroup", group)).toBe(
    isCovered,
  );
});

it("covers a resource that a request names in the maker's spelling", () => {
  const deny = { ...allow("*", "arn:vendor:backup:*:*:backup-vault:own"), effect: "Deny" } as const;
  const vault = "arn:aws:backup:local:111111111111:backup-vault:own";
  expect(isAllowed([allow("*"), deny], "backup:ListTags", vault)).toBe(false);
  expect(isAllowed([allow("*"), deny], "backup:ListTags", vault.replace("own", "other"))).toBe(true);
});

it("is denied by one policy whatever others allow, in either spelling", () => {
  const deny = { ...allow("Microsoft.AppConfiguration/*/read"), effect: "Deny" } as const;
  expect(isAllowed([allow("*"), deny, allow("*")], READ, STORE)).toBe(false);
  expect(isAllowed([deny, allow("*")], READ.replace("read", "write"), STORE)).toBe(true);
});

it("knows the maker's namespace at the beginning alone", () => {
  expect(matchesAction("Microsoft.Sql/*", "Vendor.Sql/servers/read")).toBe(true);
  expect(matchesAction("voice:Microsoft.Sql", "voice:Vendor.Sql")).toBe(false);
});

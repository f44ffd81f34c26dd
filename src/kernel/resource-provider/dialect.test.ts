/** What the maker's namespaces reach, and what it leaves alone. */
import { expect, it } from "vitest";
import { managementDialect } from "./dialect.ts";

const dialect = managementDialect({
  namespaces: ["Vendor.AppConfiguration", "Vendor.Sql"],
  otherNamespaces: { "Maker.Lakes": "Vendor.Lakes" },
  idMembers: ["poolId"],
  fields: { makersUrl: "vendorUrl" },
});

const idOf = (spelling: string) =>
  `/subscriptions/s/resourceGroups/g/providers/${spelling}.ManagedIdentity/userAssignedIdentities/robot`;
const resourceOf = (spelling: string) => ({
  type: `${spelling}.AppConfiguration/configurationStores`,
  managedBy: `/subscriptions/s/resourceGroups/g/providers/${spelling}.Sql/servers/s/elasticPools/p`,
  identity: { type: "UserAssigned", userAssignedIdentities: { [idOf(spelling)]: { clientId: "c" } } },
});
const bodies = [
  ["a resource", resourceOf("Microsoft"), resourceOf("Vendor")],
  [
    "a removed identity",
    { identity: { userAssignedIdentities: { [idOf("microsoft")]: null } } },
    { identity: { userAssignedIdentities: { [idOf("Vendor")]: null } } },
  ],
] as const;

it.each(bodies)("understands %s in the maker's words", (_name, makers, neutral) => {
  expect(dialect.neutralBody("any", makers)).toEqual(neutral);
});

it("answers resources and lists of them in the maker's words", () => {
  const [makers, neutral] = [resourceOf("Microsoft"), resourceOf("Vendor")];
  expect(dialect.makersBody("any", 200, neutral)).toEqual(makers);
  expect(dialect.makersBody("any", 200, { value: [neutral], nextLink: "x" })).toEqual({
    value: [makers],
    nextLink: "x",
  });
});

it.each([undefined, null, "text", [], { identity: null }, { identity: { userAssignedIdentities: [1] } }])(
  "leaves %j as it is",
  (body) => {
    expect(dialect.neutralBody("any", body)).toEqual(body);
    expect(dialect.makersBody("any", 200, body)).toEqual(body);
  },
);

it("keeps the words of callers", () => {
  const body = { tags: { team: "Microsoft.Sql" }, description: "see Vendor.Sql" };
  expect(dialect.neutralBody("any", body)).toEqual(body);
  expect(dialect.makersBody("any", 200, body)).toEqual(body);
});

it("knows what a resource manager declares, and nothing of what others do", () => {
  const [makers, neutral] = [
    { poolId: "/providers/Microsoft.Sql/pools/p", type: "Maker.Lakes/boats", makersUrl: "u" },
    { poolId: "/providers/Vendor.Sql/pools/p", type: "Vendor.Lakes/boats", vendorUrl: "u" },
  ];
  expect(dialect.neutralBody("any", makers)).toEqual(neutral);
  expect(dialect.makersBody("any", 200, neutral)).toEqual(makers);
  expect(managementDialect().neutralBody("any", makers)).toEqual(makers);
});

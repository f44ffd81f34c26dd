/** What the table of the maker's namespaces reaches, and what it leaves alone. */
import { expect, it } from "vitest";
import { managementDialect } from "./dialect.ts";

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
  expect(managementDialect.neutralBody("any", makers)).toEqual(neutral);
});

it("answers resources and lists of them in the maker's words", () => {
  const [makers, neutral] = [resourceOf("Microsoft"), resourceOf("Vendor")];
  expect(managementDialect.makersBody("any", 200, neutral)).toEqual(makers);
  expect(managementDialect.makersBody("any", 200, { value: [neutral], nextLink: "x" })).toEqual({
    value: [makers],
    nextLink: "x",
  });
});

it.each([undefined, null, "text", [], { identity: null }, { identity: { userAssignedIdentities: [1] } }])(
  "leaves %j as it is",
  (body) => {
    expect(managementDialect.neutralBody("any", body)).toEqual(body);
    expect(managementDialect.makersBody("any", 200, body)).toEqual(body);
  },
);

it("keeps the words of callers", () => {
  const body = { tags: { team: "Microsoft.Sql" }, description: "see Vendor.Sql" };
  expect(managementDialect.neutralBody("any", body)).toEqual(body);
  expect(managementDialect.makersBody("any", 200, body)).toEqual(body);
});

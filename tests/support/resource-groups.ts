/** Resource groups in tests: queries, configurations, and a caller that signs. */
import { expect } from "vitest";
import { accounts, type Instance, type SendOptions } from "./medley.ts";
import { SignedCaller } from "./signed-caller.ts";

export const account = accounts.first.id;
export const ids = (name: string, region = "us-east-1") =>
  `arn:vendor:resource-groups:${region}:${account}:group/${name}`;
export const tagQuery = (tags: Record<string, string[]>, types = ["Vendor::AllSupported"]) => ({
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters: types,
    TagFilters: Object.entries(tags).map(([Key, Values]) => ({ Key, Values })),
  }),
});
export const stackQuery = (stack: string, types = ["Vendor::AllSupported"]) => ({
  Type: "STACK_1_0",
  Query: JSON.stringify({ ResourceTypeFilters: types, StackIdentifier: stack }),
});
export const generic = (type: string, isProtected: boolean) => ({
  Type: "Vendor::ResourceGroups::Generic",
  Parameters: [
    { Name: "allowed-resource-types", Values: [type] },
    ...(isProtected ? [{ Name: "deletion-protection", Values: ["UNLESS_EMPTY"] }] : []),
  ],
});
export const hostConfiguration = (...families: string[]) => [
  {
    Type: "Vendor::EC2::HostManagement",
    Parameters: [
      { Name: "any-host-based-license-configuration", Values: ["true"] },
      ...(families.length > 0 ? [{ Name: "allowed-host-families", Values: families }] : []),
    ],
  },
  generic("Vendor::EC2::Host", true),
];
export const poolConfiguration = [
  { Type: "Vendor::EC2::CapacityReservationPool" },
  generic("Vendor::EC2::CapacityReservation", false),
];

export class Groups extends SignedCaller {
  constructor(instance: () => Instance, region = "us-east-1", as: SendOptions["as"] = "first") {
    super("resource-groups", instance, region, as);
  }
  post(path: string, body?: unknown) {
    return this.send("POST", path, body);
  }
  async create(body: object) {
    const answer = await this.post("/groups", body);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }
  async members(body: object): Promise<string[]> {
    const found: string[] = [];
    let NextToken: string | undefined;
    do {
      const answer = await this.post("/list-group-resources", { ...body, ...(NextToken && { NextToken }) });
      expect(answer.status, answer.text).toBe(200);
      found.push(...answer.body.ResourceIdentifiers.map((one: any) => one.ResourceArn));
      NextToken = answer.body.NextToken;
    } while (NextToken);
    return found;
  }
}
export async function register(
  instance: Instance,
  resource: { arn: string; type: string; [member: string]: unknown },
) {
  const answer = await instance.bearer("PUT", "/_medley/resources", {
    body: { region: "us-east-1", ...resource },
  });
  expect(answer.status, answer.text).toBe(200);
}
export const unregister = (instance: Instance, arn: string) =>
  instance.bearer("DELETE", `/_medley/resources?arn=${encodeURIComponent(arn)}`);

/** Demo data: a small shop with a tag group, a stack group and a pool of hosts. */
import { arnOf } from "#kernel/arn";
import type { Resource } from "#kernel/catalog";
import type { Context } from "#kernel/operation";
import { createGroup, type NewGroup } from "./actions/create-group.ts";
import { GENERIC, HOST_MANAGEMENT, type WrittenQuery } from "./domain/index.ts";
import type { GroupContext } from "./state.ts";
import { findGroup, getGroup, putMember } from "./store/index.ts";

const REGION = "us-east-1";
const HOST = "Vendor::EC2::Host";

function resourcesOf(account: string): Resource[] {
  const name = (service: string, resource: string) => arnOf({ service, region: REGION, account, resource });
  const stack = name("cloudformation", "stack/shop/5d0e8f5c-0c3a-4c8e-9a51-3f1d2c7b9a10");
  const one = (arn: string, type: string, more: Partial<Resource>): Resource => ({
    arn,
    type,
    name: arn.split(/[:/]/).at(-1) ?? arn,
    region: REGION,
    tags: {},
    ...more,
  });
  return [
    one(stack, "Vendor::CloudFormation::Stack", { name: "shop", details: { status: "CREATE_COMPLETE" } }),
    one(name("ec2", "instance/i-0a1b2c3d4e5f60001"), "Vendor::EC2::Instance", {
      tags: { stage: "production", team: "shop" },
      stack,
    }),
    one(name("ec2", "instance/i-0a1b2c3d4e5f60002"), "Vendor::EC2::Instance", {
      tags: { stage: "test", team: "shop" },
    }),
    one(name("rds", "db:orders"), "Vendor::RDS::DBInstance", {
      tags: { stage: "production", team: "shop" },
      stack,
    }),
    one(name("s3", "product-pictures"), "Vendor::S3::Bucket", { tags: { stage: "production" } }),
    one(name("ec2", "dedicated-host/h-0f00000000000001"), HOST, { details: { instanceFamily: "c5" } }),
    one(name("ec2", "dedicated-host/h-0f00000000000002"), HOST, { details: { instanceFamily: "m5" } }),
  ];
}

const queryOf = (kind: WrittenQuery["kind"], members: object): WrittenQuery => ({
  kind,
  text: JSON.stringify({ ResourceTypeFilters: ["Vendor::AllSupported"], ...members }),
});
const groupsOf = (stack: string): NewGroup[] => [
  {
    name: "production",
    description: "Everything that customers see",
    query: queryOf("TAG_FILTERS_1_0", { TagFilters: [{ Key: "stage", Values: ["production"] }] }),
    tags: { team: "platform" },
  },
  {
    name: "shop",
    description: "What the shop stack made",
    query: queryOf("STACK_1_0", { StackIdentifier: stack }),
    tags: { team: "shop" },
  },
  {
    name: "build-hosts",
    description: "Dedicated hosts for builds",
    configuration: [
      {
        type: HOST_MANAGEMENT,
        parameters: [
          { name: "any-host-based-license-configuration", values: ["true"] },
          { name: "auto-allocate-host", values: ["true"] },
        ],
      },
      {
        type: GENERIC,
        parameters: [
          { name: "allowed-resource-types", values: [HOST] },
          { name: "deletion-protection", values: ["UNLESS_EMPTY"] },
        ],
      },
    ],
  },
];

async function seedGroups(context: GroupContext, resources: readonly Resource[]): Promise<void> {
  for (const wanted of groupsOf(resources[0]?.arn ?? ""))
    if (!(await findGroup(context.db, context.account, REGION, wanted.name)))
      await createGroup(context, REGION, wanted);
  const hosts = await getGroup(context.db, context.account, REGION, "build-hosts");
  for (const { arn, type } of resources.filter((resource) => resource.type === HOST))
    await putMember(
      context.db,
      context.account,
      hosts,
      { arn, type, state: "member" },
      context.clock.nowMs(),
    );
}

export async function seed(context: Context): Promise<void> {
  const resources = resourcesOf(context.account);
  for (const resource of resources) {
    const there = await context.catalog.find(resource.arn);
    if (!there) await context.catalog.put(resource, { external: true });
  }
  await seedGroups(context, resources);
}

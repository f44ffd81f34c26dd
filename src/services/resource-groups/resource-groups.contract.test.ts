/** Resource groups over HTTP, in the neutral spelling, on both databases. */
import { describe, expect, it } from "vitest";
import { accounts, type Instance, onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";

const account = accounts.first.id;
const ids = (name: string, region = "us-east-1") =>
  `arn:vendor:resource-groups:${region}:${account}:group/${name}`;
const tagQuery = (tags: Record<string, string[]>, types = ["Vendor::AllSupported"]) => ({
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters: types,
    TagFilters: Object.entries(tags).map(([Key, Values]) => ({ Key, Values })),
  }),
});
const stackQuery = (stack: string, types = ["Vendor::AllSupported"]) => ({
  Type: "STACK_1_0",
  Query: JSON.stringify({ ResourceTypeFilters: types, StackIdentifier: stack }),
});
const generic = (type: string, isProtected: boolean) => ({
  Type: "Vendor::ResourceGroups::Generic",
  Parameters: [
    { Name: "allowed-resource-types", Values: [type] },
    ...(isProtected ? [{ Name: "deletion-protection", Values: ["UNLESS_EMPTY"] }] : []),
  ],
});
const hostConfiguration = (...families: string[]) => [
  {
    Type: "Vendor::EC2::HostManagement",
    Parameters: [
      { Name: "any-host-based-license-configuration", Values: ["true"] },
      ...(families.length > 0 ? [{ Name: "allowed-host-families", Values: families }] : []),
    ],
  },
  generic("Vendor::EC2::Host", true),
];
const poolConfiguration = [
  { Type: "Vendor::EC2::CapacityReservationPool" },
  generic("Vendor::EC2::CapacityReservation", false),
];

class Groups {
  readonly instance: () => Instance;
  readonly region: string;
  readonly as: SendOptions["as"];
  constructor(instance: () => Instance, region = "us-east-1", as: SendOptions["as"] = "first") {
    this.instance = instance;
    this.region = region;
    this.as = as;
  }
  send(method: string, path: string, body?: unknown) {
    return this.instance().signed(
      "resource-groups",
      method,
      `/resource-groups${path}`,
      { body, as: this.as },
      this.region,
    );
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
async function register(
  instance: Instance,
  resource: { arn: string; type: string; [member: string]: unknown },
) {
  const answer = await instance.bearer("PUT", "/_medley/resources", {
    body: { region: "us-east-1", ...resource },
  });
  expect(answer.status, answer.text).toBe(200);
}
const unregister = (instance: Instance, arn: string) =>
  instance.bearer("DELETE", `/_medley/resources?arn=${encodeURIComponent(arn)}`);

onBothDatabases(
  "resource groups",
  (instance) => {
    const groups = new Groups(instance);
    const elsewhere = new Groups(instance, "eu-west-1");
    const others = new Groups(instance, "us-east-1", "second");
    const settle = () => instance().clock.advance("30s");

    describe("groups", () => {
      it("are made, read, changed, listed and deleted", async () => {
        const made = await groups.create({
          Name: "first.group_1",
          Description: "Made for a test",
          ResourceQuery: tagQuery({ stage: ["test"] }),
          Tags: { team: "a" },
        });
        expect(made).toEqual({
          Group: {
            GroupArn: ids("first.group_1"),
            Name: "first.group_1",
            Description: "Made for a test",
          },
          ResourceQuery: tagQuery({ stage: ["test"] }),
          Tags: { team: "a" },
        });
        for (const named of [
          { GroupName: "first.group_1" },
          { Group: "first.group_1" },
          { Group: ids("first.group_1") },
          { Group: ids("first.group_1"), GroupName: "first.group_1" },
        ])
          expect((await groups.post("/get-group", named)).body).toEqual({ Group: made.Group });
        const updated = await groups.post("/update-group/", { Group: "first.group_1", Description: "Other" });
        expect(updated.body).toEqual({ Group: { ...made.Group, Description: "Other" } });
        expect((await groups.post("/get-group-query", { GroupName: "first.group_1" })).body).toEqual({
          GroupQuery: { GroupName: "first.group_1", ResourceQuery: made.ResourceQuery },
        });
        const query = tagQuery({ stage: ["live"] }, ["Vendor::S3::Bucket"]);
        const changed = await groups.post("/update-group-query", {
          Group: "first.group_1",
          ResourceQuery: query,
        });
        expect(changed.body).toEqual({ GroupQuery: { GroupName: "first.group_1", ResourceQuery: query } });
        expect((await groups.post("/delete-group", { Group: "first.group_1" })).body.Group.Name).toBe(
          "first.group_1",
        );
        const gone = await groups.post("/get-group", { Group: "first.group_1" });
        expect(gone.status).toBe(404);
        expect(gone.headers.get("x-amzn-errortype")).toBe("NotFoundException");
        expect(gone.body.Message).toContain("first.group_1");
      });
      it("belong to an account and a region", async () => {
        await groups.create({ Name: "shared-name", Description: "ours" });
        await elsewhere.create({ Name: "shared-name", Description: "elsewhere" });
        await others.create({ Name: "shared-name", Description: "theirs" });
        const said = async (who: Groups) =>
          (await who.post("/get-group", { Group: "shared-name" })).body.Group.Description;
        expect([await said(groups), await said(elsewhere), await said(others)]).toEqual([
          "ours",
          "elsewhere",
          "theirs",
        ]);
        for (const who of [elsewhere, others])
          expect((await who.post("/get-group", { Group: ids("shared-name") })).status).toBe(404);
        for (const who of [groups, elsewhere, others])
          expect((await who.post("/delete-group", { Group: "shared-name" })).status).toBe(200);
      });
      it("are listed in pages and by types of queries and configurations", async () => {
        const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
        for (const [index, Name] of names.entries())
          await elsewhere.create({
            Name,
            ...(index < 4
              ? {
                  ResourceQuery: tagQuery({ a: [] }, [
                    index % 2 ? "Vendor::S3::Bucket" : "Vendor::EC2::Host",
                  ]),
                }
              : { Configuration: index === 4 ? hostConfiguration() : poolConfiguration }),
          });
        const list = async (query: string, body?: object) => {
          const answer = await elsewhere.post(`/groups-list${query}`, body);
          expect(answer.status, answer.text).toBe(200);
          return answer.body;
        };
        const seen: string[] = [];
        let token = "";
        do {
          const page = await list(`?maxResults=3${token && `&nextToken=${token}`}`);
          expect(page.Groups.length).toBeLessThanOrEqual(3);
          seen.push(...page.GroupIdentifiers.map((one: any) => one.GroupName));
          token = page.NextToken ?? "";
        } while (token);
        expect(seen).toEqual(names);
        const filtered = async (...filters: [string, string[]][]) =>
          (
            await list("", { Filters: filters.map(([Name, Values]) => ({ Name, Values })) })
          ).GroupIdentifiers.map((one: any) => one.GroupName);
        expect(await filtered(["resource-type", ["Vendor::S3::Bucket"]])).toEqual(["page-1", "page-3"]);
        expect(await filtered(["resource-type", ["Vendor::S3::Bucket", "Vendor::EC2::Host"]])).toEqual(
          names.slice(0, 4),
        );
        expect(await filtered(["configuration-type", ["Vendor::EC2::CapacityReservationPool"]])).toEqual([
          "page-5",
          "page-6",
        ]);
        expect(
          await filtered(
            ["configuration-type", ["Vendor::ResourceGroups::Generic"]],
            ["configuration-type", ["Vendor::EC2::HostManagement"]],
          ),
        ).toEqual(["page-4"]);
        expect(await filtered(["resource-type", ["Vendor::RDS::DBInstance"]])).toEqual([]);
        const first = await list("?maxResults=1");
        const misused = await elsewhere.post(`/groups-list?maxResults=1&nextToken=${first.NextToken}`, {
          Filters: [{ Name: "resource-type", Values: ["Vendor::S3::Bucket"] }],
        });
        expect(misused.status).toBe(400);
      });
      it.each([
        ["no name", {}],
        ["a name of other letters", { Name: "not allowed" }],
        ["a reserved name", { Name: "AWS-mine" }],
        ["a description of other letters", { Name: "x", Description: "a<b" }],
        ["a query of no kind", { Name: "x", ResourceQuery: { Type: "OTHER_1_0", Query: "{}" } }],
        ["a query that is not JSON", { Name: "x", ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: "{" } }],
        ["a query that is a list", { Name: "x", ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: "[]" } }],
        [
          "a query with an unknown member",
          { Name: "x", ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: '{"Tags":[]}' } },
        ],
        [
          "a tag filter without a key",
          {
            Name: "x",
            ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: '{"TagFilters":[{"Values":["a"]}]}' },
          },
        ],
        [
          "a query for something that is no type",
          {
            Name: "x",
            ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: '{"ResourceTypeFilters":["bucket"]}' },
          },
        ],
        ["a stack query without a stack", { Name: "x", ResourceQuery: { Type: "STACK_1_0", Query: "{}" } }],
        ["a stack that is no ARN", { Name: "x", ResourceQuery: stackQuery("web") }],
        [
          "a query that is too long",
          {
            Name: "x",
            ResourceQuery: tagQuery(
              Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`k${i}`, ["v".repeat(200)]])),
            ),
          },
        ],
        [
          "a query and a configuration",
          { Name: "x", ResourceQuery: tagQuery({}), Configuration: poolConfiguration },
        ],
        ["a reserved tag", { Name: "x", Tags: { "aws:x": "y" } }],
        ["a tag of other letters", { Name: "x", Tags: { "a<b": "y" } }],
        ["a tag that is too long", { Name: "x", Tags: { a: "y".repeat(257) } }],
        [
          "too many tags",
          { Name: "x", Tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, ""])) },
        ],
      ])("are not made with %s", async (_what, body) => {
        const answer = await groups.post("/groups", body);
        expect(answer.status, answer.text).toBe(400);
        expect(answer.headers.get("x-amzn-errortype")).toBe("BadRequestException");
        expect(answer.body.Message.length).toBeGreaterThan(10);
        expect((await groups.post("/get-group", { Group: "x" })).status).toBe(404);
      });
      it("cannot share a name", async () => {
        await groups.create({ Name: "only-once" });
        const again = await groups.post("/groups", { Name: "only-once" });
        expect([again.status, again.body.Message]).toEqual([400, expect.stringContaining("only-once")]);
      });
      it("need naming, and not by two names", async () => {
        for (const body of [{}, { Group: "a", GroupName: "b" }, { Group: "arn:vendor:s3:::x" }])
          expect((await groups.post("/get-group", body)).status).toBe(400);
      });
    });

    describe("tags", () => {
      it("are added, read and removed", async () => {
        await groups.create({ Name: "tagged", Tags: { a: "1", b: "2" } });
        const path = `/resources/${encodeURIComponent(ids("tagged"))}/tags`;
        const put = await groups.send("PUT", path, { Tags: { b: "3", größe: "" } });
        expect([put.status, put.body]).toEqual([200, { Arn: ids("tagged"), Tags: { b: "3", größe: "" } }]);
        expect((await groups.send("GET", `${path}/`)).body).toEqual({
          Arn: ids("tagged"),
          Tags: { a: "1", b: "3", größe: "" },
        });
        const patched = await groups.send("PATCH", path, { Keys: ["a", "nowhere"] });
        expect([patched.status, patched.body]).toEqual([200, { Arn: ids("tagged"), Keys: ["a", "nowhere"] }]);
        expect((await groups.send("GET", path)).body.Tags).toEqual({ b: "3", größe: "" });
        const more = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`k${index}`, ""]));
        expect((await groups.send("PUT", path, { Tags: more })).status).toBe(400);
        expect((await groups.send("GET", path)).body.Tags).toEqual({ b: "3", größe: "" });
      });
      it("belong to groups that are there", async () => {
        const path = (arn: string) => `/resources/${encodeURIComponent(arn)}/tags`;
        expect((await groups.send("GET", path(ids("nowhere")))).status).toBe(404);
        expect((await groups.send("PUT", path(ids("nowhere")), { Tags: {} })).status).toBe(404);
        expect((await groups.send("GET", path("arn:vendor:s3:::photos"))).status).toBe(400);
        expect((await groups.send("PUT", path(ids("tagged")), {})).status).toBe(400);
      });
    });

    describe("queries", () => {
      const thing = (name: string) => `arn:vendor:s3:us-east-1:${account}:${name}`;
      it("are evaluated over the resources of the moment", async () => {
        await groups.create({
          Name: "live",
          Tags: { stage: "live" },
          ResourceQuery: tagQuery({ stage: ["live", "beta"], team: [] }, [
            "Vendor::S3::Bucket",
            "Vendor::EC2::Host",
          ]),
        });
        expect(await groups.members({ Group: "live" })).toEqual([]);
        const put = (name: string, type: string, tags: object, region?: string) =>
          register(instance(), { arn: thing(name), type, tags, ...(region && { region }) });
        await put("a", "Vendor::S3::Bucket", { stage: "live", team: "x" });
        await put("b", "Vendor::EC2::Host", { stage: "beta", team: "" });
        await put("c", "Vendor::RDS::DBInstance", { stage: "live", team: "x" });
        await put("d", "Vendor::S3::Bucket", { stage: "test", team: "x" });
        await put("e", "Vendor::S3::Bucket", { stage: "live" });
        await put("f", "Vendor::S3::Bucket", { stage: "live", team: "x" }, "eu-west-1");
        await put("g", "Vendor::S3::Bucket", { stage: "live", team: "x" }, "global");
        expect(await groups.members({ Group: "live" })).toEqual([thing("a"), thing("b"), thing("g")]);
        expect(await groups.members({ Group: "live", MaxResults: 1 })).toEqual([
          thing("a"),
          thing("b"),
          thing("g"),
        ]);
        expect(
          await groups.members({
            Group: "live",
            Filters: [{ Name: "resource-type", Values: ["Vendor::S3::Bucket"] }],
          }),
        ).toEqual([thing("a"), thing("g")]);
        await put("a", "Vendor::S3::Bucket", { stage: "test", team: "x" });
        await unregister(instance(), thing("b"));
        expect(await groups.members({ Group: "live" })).toEqual([thing("g")]);
        const foreign = await groups.post("/list-group-resources", {
          Group: "live",
          Filters: [{ Name: "resource-type", Values: ["Vendor::RDS::DBInstance"] }],
        });
        expect([foreign.status, foreign.body.Message]).toEqual([
          400,
          expect.stringContaining("Vendor::RDS::DBInstance"),
        ]);
        await others.create({ Name: "live", ResourceQuery: tagQuery({ stage: ["live"] }) });
        expect(await others.members({ Group: "live" })).toEqual([]);
      });
      it("find groups too, but never the one that asks", async () => {
        await groups.create({ Name: "outer", Tags: { nest: "1" }, ResourceQuery: tagQuery({ nest: ["1"] }) });
        await groups.create({ Name: "inner", Tags: { nest: "1" } });
        expect(await groups.members({ Group: "outer" })).toEqual([ids("inner")]);
      });
      it("work without a group", async () => {
        const search = (more: object) =>
          groups.post("/resources/search", {
            ResourceQuery: tagQuery({ stage: [] }, ["Vendor::S3::Bucket"]),
            ...more,
          });
        const first = await search({ MaxResults: 2 });
        expect(first.body.ResourceIdentifiers).toEqual([
          { ResourceArn: thing("a"), ResourceType: "Vendor::S3::Bucket" },
          { ResourceArn: thing("d"), ResourceType: "Vendor::S3::Bucket" },
        ]);
        expect(first.body.QueryErrors).toEqual([]);
        expect(first.body.NextToken).toMatch(/^[a-zA-Z0-9+/]*={0,2}$/);
        const second = await search({ MaxResults: 2, NextToken: first.body.NextToken });
        expect(second.body.ResourceIdentifiers.map((one: any) => one.ResourceArn)).toEqual([
          thing("e"),
          thing("g"),
        ]);
        expect(second.body.NextToken).toBeUndefined();
        for (const NextToken of ["abc", "0123456789abcdef", `${first.body.NextToken}00`])
          expect((await search({ NextToken })).status).toBe(400);
        const other = await groups.post("/resources/search", {
          ResourceQuery: tagQuery({ stage: [] }),
          NextToken: first.body.NextToken,
        });
        expect(other.status).toBe(400);
      });
      it("say which types are not supported", async () => {
        const search = async () =>
          (
            await groups.post("/resources/search", {
              ResourceQuery: tagQuery({ odd: [] }, ["Vendor::Odd::Thing", "Vendor::S3::Bucket"]),
            })
          ).body;
        await register(instance(), { arn: thing("odd"), type: "Vendor::S3::Bucket", tags: { odd: "" } });
        expect(await search()).toEqual({
          ResourceIdentifiers: [{ ResourceArn: thing("odd"), ResourceType: "Vendor::S3::Bucket" }],
          QueryErrors: [
            {
              ErrorCode: "RESOURCE_TYPE_NOT_SUPPORTED",
              Message: expect.stringContaining("Vendor::Odd::Thing"),
            },
          ],
        });
        await register(instance(), { arn: thing("odd2"), type: "Vendor::Odd::Thing" });
        expect((await search()).QueryErrors).toEqual([]);
      });
      it("follow a stack through its life", async () => {
        const stack = `arn:vendor:cloudformation:us-east-1:${account}:stack/web/1`;
        const put = (details: object) =>
          register(instance(), { arn: stack, type: "Vendor::CloudFormation::Stack", details });
        const list = async () => {
          const { body } = await groups.post("/list-group-resources", { Group: "stacked" });
          return [
            body.ResourceIdentifiers.map((one: any) => one.ResourceArn),
            body.QueryErrors.map((one: any) => one.ErrorCode),
          ];
        };
        await groups.create({ Name: "stacked", ResourceQuery: stackQuery(stack) });
        await register(instance(), { arn: thing("s1"), type: "Vendor::S3::Bucket", details: { stack } });
        await register(instance(), {
          arn: thing("s2"),
          type: "Vendor::EC2::Host",
          tags: { "aws:cloudformation:stack-id": stack.replace("vendor", "aws") },
        });
        expect(await list()).toEqual([[], ["STACK_NOT_EXISTING"]]);
        await put({ status: "CREATE_COMPLETE" });
        expect(await list()).toEqual([[thing("s1"), thing("s2")], []]);
        expect(
          await groups.members({
            Group: "stacked",
            Filters: [{ Name: "resource-type", Values: ["Vendor::EC2::Host"] }],
          }),
        ).toEqual([thing("s2")]);
        await put({ status: "DELETE_IN_PROGRESS" });
        expect(await list()).toEqual([[], ["STACK_INACTIVE"]]);
        const roleArn = `arn:vendor:iam::${account}:role/reader`;
        await put({ roleArn });
        expect(await list()).toEqual([[], ["STACK_UNASSUMABLE_ROLE"]]);
        await register(instance(), { arn: roleArn, type: "Vendor::IAM::Role", region: "global" });
        expect(await list()).toEqual([[thing("s1"), thing("s2")], []]);
      });
      it("are not what every group is based on", async () => {
        const refused = await groups.post("/get-group-query", { Group: "only-once" });
        expect([refused.status, refused.body.Message]).toEqual([
          400,
          expect.stringContaining("not based on a query"),
        ]);
        expect(await groups.members({ Group: "only-once" })).toEqual([]);
        const given = await groups.post("/update-group-query", {
          Group: "only-once",
          ResourceQuery: tagQuery({ stage: ["test"] }),
        });
        expect(given.status).toBe(200);
        expect(await groups.members({ Group: "only-once" })).toEqual([thing("a"), thing("d")]);
      });
    });

    describe("configurations", () => {
      it.each([
        ["hosts without the rule for members", [hostConfiguration()[0]]],
        ["hosts without protection", [hostConfiguration()[0], generic("Vendor::EC2::Host", false)]],
        [
          "hosts with the rule of pools",
          [hostConfiguration()[0], generic("Vendor::EC2::CapacityReservation", true)],
        ],
        [
          "a pool with parameters",
          [
            { Type: "Vendor::EC2::CapacityReservationPool", Parameters: [{ Name: "x", Values: ["y"] }] },
            poolConfiguration[1],
          ],
        ],
        ["a pool and hosts", [hostConfiguration()[0], poolConfiguration[0]]],
        ["an unknown type", [{ Type: "Vendor::Some::Thing" }]],
        [
          "an unknown parameter",
          [{ Type: "Vendor::ResourceGroups::Generic", Parameters: [{ Name: "odd", Values: ["x"] }] }],
        ],
        [
          "an unknown value",
          [
            {
              Type: "Vendor::ResourceGroups::Generic",
              Parameters: [{ Name: "deletion-protection", Values: ["NEVER"] }],
            },
          ],
        ],
        [
          "a parameter without value",
          [{ Type: "Vendor::ResourceGroups::Generic", Parameters: [{ Name: "deletion-protection" }] }],
        ],
        ["a type twice", [poolConfiguration[1], poolConfiguration[1]]],
        ["a type of the application registry", [{ Type: "Vendor::AppRegistry::Application" }]],
        ["a rule group without a query", [{ Type: "Vendor::NetworkFirewall::RuleGroup" }]],
        ["three items", [...poolConfiguration, { Type: "Vendor::NetworkFirewall::RuleGroup" }]],
        [
          "two rules for licences",
          [
            {
              Type: "Vendor::EC2::HostManagement",
              Parameters: [
                { Name: "any-host-based-license-configuration", Values: ["true"] },
                {
                  Name: "allowed-host-based-license-configurations",
                  Values: [`arn:vendor:license-manager:us-east-1:${account}:license-configuration:lic-1`],
                },
              ],
            },
            hostConfiguration()[1],
          ],
        ],
      ])("are refused: %s", async (_what, Configuration) => {
        const answer = await groups.post("/groups", { Name: "refused", Configuration });
        expect([answer.status, answer.headers.get("x-amzn-errortype")], answer.text).toEqual([
          400,
          "BadRequestException",
        ]);
      });
      it("of rule groups stand beside a tag query", async () => {
        const made = await groups.create({
          Name: "firewall",
          ResourceQuery: tagQuery({ stage: ["live"] }),
          Configuration: [{ Type: "Vendor::NetworkFirewall::RuleGroup", Parameters: [] }],
        });
        expect(made.GroupConfiguration).toEqual({
          Configuration: [{ Type: "Vendor::NetworkFirewall::RuleGroup", Parameters: [] }],
          Status: "UPDATE_COMPLETE",
        });
        expect((await groups.members({ Group: "firewall" })).length).toBeGreaterThan(0);
      });
      it("are applied in the background", async () => {
        await instance().clock.freeze();
        await groups.create({ Name: "applied" });
        const show = async () => (await groups.post("/get-group-configuration", { Group: "applied" })).body;
        expect((await groups.post("/get-group-configuration", { Group: "applied" })).status).toBe(400);
        const put = (Configuration: unknown[]) =>
          groups.post("/put-group-configuration", { Group: "applied", Configuration });
        expect((await put(hostConfiguration())).status).toBe(202);
        expect(await show()).toEqual({
          GroupConfiguration: { ProposedConfiguration: hostConfiguration(), Status: "UPDATING" },
        });
        expect((await put(poolConfiguration)).status).toBe(400);
        await instance().clock.advance("29s");
        expect((await show()).GroupConfiguration.Status).toBe("UPDATING");
        await instance().clock.advance("1s");
        expect(await show()).toEqual({
          GroupConfiguration: { Configuration: hostConfiguration(), Status: "UPDATE_COMPLETE" },
        });
        expect((await put([...hostConfiguration()].reverse())).status).toBe(200);
        const both = await groups.post("/update-group-query", {
          Group: "applied",
          ResourceQuery: tagQuery({}),
        });
        expect(both.status).toBe(400);
      });
      it("fail, with a reason, when members do not fit", async () => {
        const host = (name: string) => `arn:vendor:ec2:us-east-1:${account}:dedicated-host/${name}`;
        const list = async () =>
          (await groups.post("/list-group-resources", { Group: "applied" })).body.Resources;
        for (const [name, instanceFamily] of [
          ["h-1", "c5"],
          ["h-2", "m5"],
          ["h-3", "c5"],
        ] as const)
          await register(instance(), {
            arn: host(name),
            type: "Vendor::EC2::Host",
            details: { instanceFamily },
          });
        const added = await groups.post("/group-resources", {
          Group: "applied",
          ResourceArns: [host("h-1"), host("h-2")],
        });
        expect(added.body).toEqual({ Succeeded: [host("h-1"), host("h-2")], Failed: [], Pending: [] });
        const put = await groups.post("/put-group-configuration", {
          Group: "applied",
          Configuration: hostConfiguration("c5"),
        });
        expect(put.status).toBe(202);
        const waiting = await groups.post("/group-resources", {
          Group: "applied",
          ResourceArns: [host("h-3")],
        });
        expect(waiting.body).toEqual({ Succeeded: [], Failed: [], Pending: [{ ResourceArn: host("h-3") }] });
        const leaving = await groups.post("/ungroup-resources", {
          Group: "applied",
          ResourceArns: [host("h-1")],
        });
        expect(leaving.body.Pending).toEqual([{ ResourceArn: host("h-1") }]);
        expect((await list()).map((one: any) => [one.Identifier.ResourceArn, one.Status?.Name])).toEqual([
          [host("h-1"), "PENDING"],
          [host("h-2"), undefined],
          [host("h-3"), "PENDING"],
        ]);
        await settle();
        const { GroupConfiguration: after } = (
          await groups.post("/get-group-configuration", { Group: "applied" })
        ).body;
        expect(after).toEqual({
          Configuration: hostConfiguration(),
          ProposedConfiguration: hostConfiguration("c5"),
          Status: "UPDATE_FAILED",
          FailureReason: expect.stringContaining(host("h-2")),
        });
        expect((await list()).map((one: any) => one.Identifier.ResourceArn)).toEqual([
          host("h-2"),
          host("h-3"),
        ]);
        await groups.post("/ungroup-resources", { Group: "applied", ResourceArns: [host("h-2")] });
        expect(
          (
            await groups.post("/put-group-configuration", {
              Group: "applied",
              Configuration: hostConfiguration("c5"),
            })
          ).status,
        ).toBe(202);
        await settle();
        const { GroupConfiguration: last } = (
          await groups.post("/get-group-configuration", { Group: "applied" })
        ).body;
        expect(last).toEqual({ Configuration: hostConfiguration("c5"), Status: "UPDATE_COMPLETE" });
        const wrong = await groups.post("/group-resources", {
          Group: "applied",
          ResourceArns: [host("h-2")],
        });
        expect(wrong.body.Failed).toEqual([
          {
            ResourceArn: host("h-2"),
            ErrorCode: "HOST_FAMILY_NOT_ALLOWED",
            ErrorMessage: expect.stringContaining("m5"),
          },
        ]);
      });
      it("protect groups that have members", async () => {
        const refused = await groups.post("/delete-group", { Group: "applied" });
        expect([refused.status, refused.body.Message]).toEqual([400, expect.stringContaining("no members")]);
        await unregister(instance(), `arn:vendor:ec2:us-east-1:${account}:dedicated-host/h-3`);
        expect(await groups.members({ Group: "applied" })).toEqual([]);
        expect((await groups.post("/delete-group", { Group: "applied" })).status).toBe(200);
      });
    });

    describe("members by hand", () => {
      const reservation = (name: string) =>
        `arn:vendor:ec2:us-east-1:${account}:capacity-reservation/${name}`;
      it("come and go, each by itself", async () => {
        await groups.create({ Name: "pool", Configuration: poolConfiguration });
        for (let index = 0; index < 9; index += 1)
          await register(instance(), {
            arn: reservation(`cr-${index}`),
            type: "Vendor::EC2::CapacityReservation",
          });
        await register(instance(), {
          arn: reservation("far"),
          type: "Vendor::EC2::CapacityReservation",
          region: "eu-west-1",
        });
        const all = Array.from({ length: 9 }, (_, index) => reservation(`cr-${index}`));
        const added = await groups.post("/group-resources", {
          Group: ids("pool"),
          ResourceArns: [
            ...all.slice(0, 5),
            reservation("nowhere"),
            reservation("far"),
            `arn:vendor:s3:us-east-1:${account}:a`,
            all[0],
          ],
        });
        expect(added.body.Succeeded).toEqual(all.slice(0, 5));
        expect(added.body.Failed.map((one: any) => [one.ResourceArn, one.ErrorCode])).toEqual([
          [reservation("nowhere"), "RESOURCE_NOT_FOUND"],
          [reservation("far"), "RESOURCE_NOT_FOUND"],
          [`arn:vendor:s3:us-east-1:${account}:a`, "RESOURCE_TYPE_NOT_ALLOWED"],
        ]);
        await groups.post("/group-resources", { Group: "pool", ResourceArns: all });
        expect(await groups.members({ Group: "pool", MaxResults: 2 })).toEqual(all);
        const removed = await groups.post("/ungroup-resources", {
          Group: "pool",
          ResourceArns: [all[0], reservation("far")],
        });
        expect(removed.body.Succeeded).toEqual([all[0]]);
        expect(removed.body.Failed).toEqual([
          {
            ResourceArn: reservation("far"),
            ErrorCode: "RESOURCE_NOT_IN_GROUP",
            ErrorMessage: expect.stringContaining("not a member"),
          },
        ]);
        await unregister(instance(), all[1]!);
        expect(await groups.members({ Group: "pool" })).toEqual(all.slice(2));
      });
      it("are only for groups of hosts and pools", async () => {
        for (const path of ["/group-resources", "/ungroup-resources"])
          for (const Group of ["live", "tagged", "firewall"]) {
            const refused = await groups.post(path, { Group, ResourceArns: [reservation("cr-3")] });
            expect([refused.status, refused.body.Message]).toEqual([
              400,
              expect.stringContaining("capacity reservation pool"),
            ]);
          }
        expect(
          (await groups.post("/group-resources", { Group: "nowhere", ResourceArns: [reservation("cr-3")] }))
            .status,
        ).toBe(404);
        for (const ResourceArns of [
          [],
          ["cr-3"],
          Array.from({ length: 11 }, (_, index) => reservation(`cr-${index}`)),
        ])
          expect((await groups.post("/group-resources", { Group: "pool", ResourceArns })).status).toBe(400);
      });
      it("keep a host in one group", async () => {
        const host = `arn:vendor:ec2:us-east-1:${account}:dedicated-host/h-1`;
        await groups.create({ Name: "hosts-a", Configuration: hostConfiguration() });
        await groups.create({ Name: "hosts-b", Configuration: hostConfiguration() });
        await groups.post("/group-resources", { Group: "hosts-a", ResourceArns: [host] });
        const second = await groups.post("/group-resources", { Group: "hosts-b", ResourceArns: [host] });
        expect(second.body.Failed).toEqual([
          {
            ResourceArn: host,
            ErrorCode: "RESOURCE_IN_ANOTHER_GROUP",
            ErrorMessage: expect.stringContaining("hosts-a"),
          },
        ]);
      });
    });

    describe("what is wrong with a request", () => {
      it("is told in this service's words", async () => {
        const told = async (answer: Promise<{ status: number; headers: Headers; body: any }>) => {
          const { status, headers, body } = await answer;
          expect(body.Message).toBeTruthy();
          return [status, headers.get("x-amzn-errortype")];
        };
        expect(await told(groups.post("/nowhere"))).toEqual([404, "NotFoundException"]);
        expect(await told(groups.send("DELETE", "/groups"))).toEqual([405, "MethodNotAllowedException"]);
        expect(await told(groups.post("/groups", "{"))).toEqual([400, "BadRequestException"]);
        expect(await told(groups.post("/groups", []))).toEqual([400, "BadRequestException"]);
        expect(await told(groups.post("/groups-list?maxResults=51"))).toEqual([400, "BadRequestException"]);
        expect(await told(instance().send("POST", "/resource-groups/get-group"))).toEqual([
          403,
          "MissingAuthenticationTokenException",
        ]);
        expect(await told(groups.post("/groups", { Name: "x", Description: "y".repeat(2_000_000) }))).toEqual(
          [400, "BadRequestException"],
        );
      });
    });

    it("answers a maker's words in the maker's words", async () => {
      const query = {
        Type: "CLOUDFORMATION_STACK_1_0",
        Query: `{ "ResourceTypeFilters": [ "AWS::AllSupported" ],\n "StackIdentifier":"arn:aws:cloudformation:us-east-1:${account}:stack/none/1"}`,
      };
      const made = await groups.create({
        Name: "in-their-words",
        ResourceQuery: query,
        Tags: { a: "AWS::x", b: "arn:aws:x" },
      });
      expect(made.Group.GroupArn).toBe(ids("in-their-words").replace("vendor", "aws"));
      expect(made.ResourceQuery).toEqual(query);
      expect(made.Tags).toEqual({ a: "AWS::x", b: "arn:aws:x" });
      const neutral = await groups.post("/get-group-query", { Group: "in-their-words" });
      expect(neutral.body.GroupQuery.ResourceQuery).toEqual({
        Type: "STACK_1_0",
        Query: query.Query.replace("AWS::", "Vendor::").replace("arn:aws", "arn:vendor"),
      });
      const theirs = await groups.post("/list-group-resources", { Group: made.Group.GroupArn });
      expect(theirs.body.QueryErrors).toEqual([
        {
          ErrorCode: "CLOUDFORMATION_STACK_NOT_EXISTING",
          Message: expect.stringContaining("arn:aws:cloudformation"),
        },
      ]);
      const path = `/resources/${encodeURIComponent(made.Group.GroupArn)}/tags`;
      expect((await groups.send("GET", path)).body).toEqual({ Arn: made.Group.GroupArn, Tags: made.Tags });
    });

    it("loads demo data, twice with the same outcome", async () => {
      for (let round = 0; round < 2; round += 1) {
        const seeded = await instance().bearer("POST", "/_medley/seed", {
          body: { services: ["resource-groups"], account: accounts.second.id },
        });
        expect(seeded.status, seeded.text).toBe(200);
        expect((await others.members({ Group: "production" })).length).toBe(3);
        expect((await others.members({ Group: "shop" })).length).toBe(2);
        expect((await others.members({ Group: "build-hosts" })).length).toBe(2);
      }
    });
  },
  { services: ["resource-groups"], provisioningSeconds: 30 },
);

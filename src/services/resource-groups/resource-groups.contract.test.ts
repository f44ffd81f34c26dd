/** Groups, their tags and their words over HTTP, on both databases. */
import { describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import {
  account,
  Groups,
  hostConfiguration,
  ids,
  poolConfiguration,
  stackQuery,
  tagQuery,
} from "../../../tests/support/resource-groups.ts";

onBothDatabases(
  "resource groups",
  (instance) => {
    const groups = new Groups(instance);
    const elsewhere = new Groups(instance, "eu-west-1");
    const others = new Groups(instance, "us-east-1", "second");

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

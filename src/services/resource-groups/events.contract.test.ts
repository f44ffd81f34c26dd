/** Lifecycle and membership events: off by default, turned on by a job, and then really published. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { accounts, type Instance, onBothDatabases, startInstance } from "../../../tests/support/medley.ts";

const account = accounts.first.id;
const stack = `arn:vendor:cloudformation:us-east-1:${account}:stack/web/1`;
const thing = (name: string) => `arn:vendor:s3:us-east-1:${account}:${name}`;
const query = (tags: Record<string, string[]>) => ({
  Type: "TAG_FILTERS_1_0",
  Query: JSON.stringify({
    ResourceTypeFilters: ["Vendor::S3::Bucket"],
    TagFilters: Object.entries(tags).map(([Key, Values]) => ({ Key, Values })),
  }),
});
const pool = [
  { Type: "Vendor::EC2::CapacityReservationPool" },
  {
    Type: "Vendor::ResourceGroups::Generic",
    Parameters: [{ Name: "allowed-resource-types", Values: ["Vendor::EC2::CapacityReservation"] }],
  },
];

onBothDatabases(
  "events of resource groups",
  (instance) => {
    const post = (path: string, body?: unknown, headers?: Record<string, string>) =>
      instance().signed("resource-groups", "POST", `/resource-groups${path}`, {
        body,
        ...(headers && { headers }),
      });
    const register = (name: string, more: object = {}) =>
      instance().bearer("PUT", "/_medley/resources", {
        body: { arn: thing(name), type: "Vendor::S3::Bucket", region: "us-east-1", ...more },
      });
    const unregister = (arn: string) =>
      instance().bearer("DELETE", `/_medley/resources?arn=${encodeURIComponent(arn)}`);
    let told = 0;
    /** What was published since last asked, oldest first. */
    async function events(): Promise<any[]> {
      await instance().clock.advance(0);
      const { body } = await instance().bearer("GET", "/_medley/outbox?service=resource-groups&limit=1000");
      const all = body.messages.reverse();
      const fresh = all.slice(told);
      told = all.length;
      for (const one of fresh) expect([one.kind, one.subject]).toEqual(["event", one.body["detail-type"]]);
      return fresh.map((one: any) => one.body);
    }
    const memberships = (list: any[]) =>
      list
        .filter((event) => event["detail-type"] === "ResourceGroups Group Membership Change")
        .map((event) => [
          event.detail.group.name,
          ...event.detail.resources.map(
            (one: any) => `${one["membership-change"]} ${one.arn.split(":").at(-1)}`,
          ),
        ]);

    it("are off until they are turned on, which takes a while", async () => {
      await instance().clock.freeze();
      await register("stood", { tags: { old: "yes" } });
      await post("/groups", { Name: "standing", ResourceQuery: query({ old: [] }) });
      const inactive = {
        GroupLifecycleEventsDesiredStatus: "INACTIVE",
        GroupLifecycleEventsStatus: "INACTIVE",
      };
      expect((await post("/get-account-settings")).body).toEqual({ AccountSettings: inactive });
      expect((await post("/update-account-settings", {})).body).toEqual({ AccountSettings: inactive });
      const wrong = await post("/update-account-settings", { GroupLifecycleEventsDesiredStatus: "ON" });
      expect(wrong.status).toBe(400);
      const progress = {
        GroupLifecycleEventsDesiredStatus: "ACTIVE",
        GroupLifecycleEventsStatus: "IN_PROGRESS",
      };
      const turned = await post("/update-account-settings", { GroupLifecycleEventsDesiredStatus: "ACTIVE" });
      expect([turned.status, turned.body]).toEqual([200, { AccountSettings: progress }]);
      await instance().clock.advance("29s");
      expect((await post("/get-account-settings")).body).toEqual({ AccountSettings: progress });
      expect(await events()).toEqual([]);
      await instance().clock.advance("1s");
      expect((await post("/get-account-settings")).body).toEqual({
        AccountSettings: { ...progress, GroupLifecycleEventsStatus: "ACTIVE" },
      });
      expect(await events()).toEqual([]);
      await unregister(thing("stood"));
      expect(memberships(await events())).toEqual([["standing", "remove stood"]]);
      const elsewhere = await instance().signed(
        "resource-groups",
        "POST",
        "/resource-groups/get-account-settings",
        {},
        "eu-west-1",
      );
      expect(elsewhere.body).toEqual({ AccountSettings: inactive });
    });
    it("tell of a group's birth with its members, its changes and its end", async () => {
      await register("early", { tags: { stage: "live" } });
      await post("/groups", {
        Name: "told",
        Description: "One",
        ResourceQuery: query({ stage: ["live"] }),
        Tags: { a: "b" },
      });
      const [born, filled, ...none] = await events();
      expect(none).toEqual([]);
      const identity = {
        arn: `arn:vendor:resource-groups:us-east-1:${account}:group/told`,
        name: "told",
        "unique-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      };
      expect(born).toEqual({
        version: "0",
        id: expect.any(String),
        "detail-type": "ResourceGroups Group State Change",
        source: "vendor.resource-groups",
        account,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        region: "us-east-1",
        resources: [identity.arn],
        detail: {
          "event-sequence": 1,
          "state-change": "create",
          group: identity,
          "new-state": {
            description: "One",
            "resource-query": { type: "TAG_FILTERS_1_0", query: query({ stage: ["live"] }).Query },
          },
        },
      });
      expect(filled).toMatchObject({
        "detail-type": "ResourceGroups Group Membership Change",
        resources: [identity.arn, thing("early")],
        detail: {
          "event-sequence": 2,
          group: identity,
          resources: [
            { "membership-change": "add", arn: thing("early"), "resource-type": "Vendor::S3::Bucket" },
          ],
        },
      });
      await post("/update-group", { Group: "told", Description: "Two" });
      await post("/update-group", { Group: "told", Description: "Two" });
      const [changed, ...others] = await events();
      expect(others).toEqual([]);
      expect(changed.detail).toMatchObject({
        "event-sequence": 3,
        "state-change": "update",
        "old-state": { description: "One" },
        "new-state": { description: "Two" },
      });
      await post("/delete-group", { Group: "told" });
      const [ended] = await events();
      expect(ended.detail).toEqual({ "event-sequence": 4, "state-change": "delete", group: identity });
    });
    it("tell who comes and goes as resources change", async () => {
      await post("/groups", { Name: "live", ResourceQuery: query({ stage: ["live"], team: [] }) });
      await post("/groups", { Name: "anything", ResourceQuery: { Type: "TAG_FILTERS_1_0", Query: "{}" } });
      await events();
      await register("new", { tags: { stage: "live", team: "x" } });
      expect(memberships(await events())).toEqual([
        ["anything", "add new"],
        ["live", "add new"],
      ]);
      await register("new", { tags: { stage: "live", team: "y" } });
      await register("new", { tags: { stage: "live", team: "y" }, details: { size: 1 } });
      expect(await events()).toEqual([]);
      await register("new", { tags: { stage: "test", team: "y" } });
      await register("other", { type: "Vendor::EC2::Instance", tags: { stage: "live", team: "y" } });
      // Two changes may be told together or one after the other.
      expect(memberships(await events()).sort()).toEqual([
        ["anything", "add other"],
        ["live", "remove new"],
      ]);
      await register("new", { tags: { stage: "live", team: "y" } });
      await unregister(thing("new"));
      const lines = memberships(await events()).flatMap(([name, ...rest]) =>
        rest.map((line) => `${name}: ${line}`),
      );
      expect(lines.filter((line) => line.startsWith("live"))).toEqual(["live: add new", "live: remove new"]);
      expect(lines.filter((line) => line.startsWith("anything"))).toEqual(["anything: remove new"]);
    });
    it("tell what another query changes", async () => {
      await post("/delete-group", { Group: "anything" });
      for (let index = 0; index < 105; index += 1)
        await register(`many-${index}`, { tags: { batch: String(index % 3) } });
      await post("/groups", { Name: "batches", ResourceQuery: query({ batch: ["0", "1"] }) });
      await events();
      await post("/update-group-query", { Group: "batches", ResourceQuery: query({ batch: ["1", "2"] }) });
      const [changed, ...moves] = await events();
      expect(changed.detail["old-state"]["resource-query"].query).toContain('"0"');
      const lines = memberships(moves).flatMap(([, ...rest]) => rest);
      expect(lines.filter((line) => line.startsWith("remove"))).toHaveLength(35);
      expect(lines.filter((line) => line.startsWith("add"))).toHaveLength(35);
      expect(moves.every((event) => event.detail.resources.length <= 100)).toBe(true);
    });
    it("tell of stacks that end and come back", async () => {
      const put = (status: string) =>
        instance().bearer("PUT", "/_medley/resources", {
          body: {
            arn: stack,
            type: "Vendor::CloudFormation::Stack",
            region: "us-east-1",
            details: { status },
          },
        });
      await put("CREATE_COMPLETE");
      await post("/groups", {
        Name: "stacked",
        ResourceQuery: { Type: "STACK_1_0", Query: JSON.stringify({ StackIdentifier: stack }) },
      });
      await events();
      await register("part", { details: { stack } });
      expect(memberships(await events())).toEqual([["stacked", "add part"]]);
      await put("DELETE_COMPLETE");
      expect(memberships(await events())).toEqual([["stacked", "remove part"]]);
      await put("CREATE_COMPLETE");
      expect(memberships(await events())).toEqual([["stacked", "add part"]]);
      await unregister(thing("part"));
      expect(memberships(await events())).toEqual([["stacked", "remove part"]]);
    });
    it("tell of members put in by hand, and of those that vanish", async () => {
      const arn = thing("cr-1");
      await register("cr-1", { type: "Vendor::EC2::CapacityReservation" });
      await post("/groups", { Name: "pool" });
      await post("/put-group-configuration", { Group: "pool", Configuration: pool });
      await instance().clock.advance("30s");
      const [, configured] = await events();
      expect(configured.detail["new-state"]["group-configuration"][0].type).toBe(
        "Vendor::EC2::CapacityReservationPool",
      );
      await post("/group-resources", { Group: "pool", ResourceArns: [arn] });
      await post("/group-resources", { Group: "pool", ResourceArns: [arn] });
      await post("/ungroup-resources", { Group: "pool", ResourceArns: [arn] });
      await post("/group-resources", { Group: "pool", ResourceArns: [arn] });
      await unregister(arn);
      expect(memberships(await events())).toEqual([
        ["pool", "add cr-1"],
        ["pool", "remove cr-1"],
        ["pool", "add cr-1"],
        ["pool", "remove cr-1"],
      ]);
    });
    it("tell everything once, whatever happens at the same time", async () => {
      const names = ["g-0", "g-1", "g-2"];
      for (const Name of names) await post("/groups", { Name, ResourceQuery: query({ mix: [] }) });
      await events();
      const values = fc.constantFrom("a", "b", "c");
      const steps = fc.oneof(
        { weight: 6, arbitrary: fc.tuple(fc.constant("put"), fc.nat(11), values) },
        { weight: 3, arbitrary: fc.tuple(fc.constant("drop"), fc.nat(11), values) },
        { weight: 2, arbitrary: fc.tuple(fc.constant("query"), fc.nat(2), values) },
      );
      const take = ([what, index, value]: [string, number, string]) => {
        if (what === "put") return register(`mix-${index}`, { tags: { mix: value } });
        if (what === "drop") return unregister(thing(`mix-${index}`));
        return post("/update-group-query", {
          Group: names[index],
          ResourceQuery: query({ mix: [value, "b"] }),
        });
      };
      const script = fc.sample(steps, { numRuns: 120, seed: 11 });
      for (let start = 0; start < script.length; start += 6)
        await Promise.all(script.slice(start, start + 6).map((step) => take(step)));
      const told = await events();
      for (const name of names) {
        const known = new Set<string>();
        let sequence = 0;
        for (const { detail } of told.filter((event) => event.detail.group.name === name)) {
          expect(detail["event-sequence"]).toBeGreaterThan(sequence);
          sequence = detail["event-sequence"];
          for (const { arn, "membership-change": change } of detail.resources ?? []) {
            expect([arn, known.has(arn)]).toEqual([arn, change === "remove"]);
            if (change === "add") known.add(arn);
            else known.delete(arn);
          }
        }
        const { body } = await post("/list-group-resources", { Group: name });
        expect([...known].sort()).toEqual(body.ResourceIdentifiers.map((one: any) => one.ResourceArn));
      }
    });
    it("stay in their account, and end when they are turned off", async () => {
      await instance().signed("resource-groups", "POST", "/resource-groups/groups", {
        body: { Name: "theirs" },
        as: "second",
      });
      expect(await events()).toEqual([]);
      const turned = await post("/update-account-settings", {
        GroupLifecycleEventsDesiredStatus: "INACTIVE",
      });
      expect(turned.body.AccountSettings.GroupLifecycleEventsStatus).toBe("IN_PROGRESS");
      await register("late", { tags: { stage: "live", team: "x" } });
      expect(memberships(await events())).toEqual([["live", "add late"]]);
      await instance().clock.advance("30s");
      expect((await post("/get-account-settings")).body.AccountSettings.GroupLifecycleEventsStatus).toBe(
        "INACTIVE",
      );
      await unregister(thing("late"));
      await post("/groups", { Name: "unheard" });
      expect(await events()).toEqual([]);
    });
    it("are told in the words in which they were asked for", async () => {
      const headers = { "amz-sdk-invocation-id": "1" };
      await post("/update-account-settings", { GroupLifecycleEventsDesiredStatus: "ACTIVE" }, headers);
      await instance().clock.advance("30s");
      await register("words", { tags: { stage: "live", team: "x" } });
      const [event] = await events();
      expect(event).toMatchObject({ source: "aws.resource-groups" });
      expect(event.resources[0]).toBe(`arn:aws:resource-groups:us-east-1:${account}:group/live`);
      expect(event.detail.resources).toEqual([
        {
          "membership-change": "add",
          arn: thing("words").replace("vendor", "aws"),
          "resource-type": "AWS::S3::Bucket",
        },
      ]);
    });
  },
  { services: ["resource-groups"], provisioningSeconds: 30 },
);

it("what was under way goes on after a restart", async () => {
  const data = mkdtempSync(join(tmpdir(), "medley-groups-"));
  const options = { data, services: ["resource-groups"], provisioningSeconds: 3600 };
  const send = (instance: Instance, path: string, body?: unknown) =>
    instance.signed("resource-groups", "POST", `/resource-groups${path}`, { body });
  try {
    const first = await startInstance(options);
    await send(first, "/groups", { Name: "pool" });
    const put = await send(first, "/put-group-configuration", { Group: "pool", Configuration: pool });
    expect(put.status).toBe(202);
    await send(first, "/update-account-settings", { GroupLifecycleEventsDesiredStatus: "ACTIVE" });
    await first.stop();
    const second = await startInstance(options);
    const show = async () => [
      (await send(second, "/get-group-configuration", { Group: "pool" })).body.GroupConfiguration.Status,
      (await send(second, "/get-account-settings")).body.AccountSettings.GroupLifecycleEventsStatus,
    ];
    expect(await show()).toEqual(["UPDATING", "IN_PROGRESS"]);
    await second.clock.advance("1h");
    expect(await show()).toEqual(["UPDATE_COMPLETE", "ACTIVE"]);
    await second.stop();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});

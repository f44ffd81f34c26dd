/** The definition side over HTTP, on both databases: alarm models, routing, analysis, logging and tags. */
import { expect, it } from "vitest";
import { account, Events, motorModel, role } from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

const modelOf = (input: string) => JSON.parse(JSON.stringify(motorModel).replaceAll("PressureInput", input));
const arn = (resource: string) => `arn:vendor:iotevents:us-east-1:${account}:${resource}`;

onBothDatabases(
  "around definitions",
  (instance) => {
    const events = new Events(instance);
    const refused = async (method: string, path: string, body?: unknown) => {
      const answer = await events.send(method, path, body);
      return [answer.status, answer.headers.get("x-amzn-errortype")];
    };

    it("makes, versions, lists and deletes alarm models", async () => {
      await events.createInput("PressureInput");
      await events.createAlarmModel("alarming", { alarmModelDescription: "watch" });
      const described = await events.well("GET", "/alarm-models/alarming?version=1");
      expect(described).toMatchObject({
        alarmModelName: "alarming",
        alarmModelArn: arn("alarmModel/alarming"),
        alarmModelVersion: "1",
        alarmModelDescription: "watch",
        severity: 3,
        key: "motorid",
        status: "ACTIVE",
      });
      const { alarmRule, roleArn } = described;
      const updated = await events.well("POST", "/alarm-models/alarming", { alarmRule, roleArn });
      expect(updated).toMatchObject({ alarmModelVersion: "2", status: "ACTIVATING" });
      await events.isActive("/alarm-models/alarming");
      const versions = await events.well("GET", "/alarm-models/alarming/versions?maxResults=1");
      expect(versions.alarmModelVersionSummaries).toMatchObject([{ alarmModelVersion: "2" }]);
      const older = `/alarm-models/alarming/versions?nextToken=${encodeURIComponent(versions.nextToken)}`;
      expect((await events.well("GET", older)).alarmModelVersionSummaries).toMatchObject([
        { alarmModelVersion: "1", status: "INACTIVE" },
      ]);
      const list = await events.well("GET", "/alarm-models");
      expect(list.alarmModelSummaries.map((one: any) => one.alarmModelName)).toEqual(["alarming"]);
      for (const [method, path] of [
        ["GET", "/alarm-models/none"],
        ["GET", "/alarm-models/none/versions"],
        ["DELETE", "/alarm-models/none"],
      ] as const)
        expect(await refused(method, path)).toEqual([404, "ResourceNotFoundException"]);
      expect(await refused("POST", "/alarm-models/none", { alarmRule, roleArn })).toEqual([
        404,
        "ResourceNotFoundException",
      ]);
      for (const path of ["/alarm-models?nextToken=x", "/alarm-models/alarming/versions?nextToken=x"])
        expect(await refused("GET", path)).toEqual([400, "InvalidRequestException"]);
      const rule = { ...alarmRule.simpleRule, inputProperty: "$input.PressureInput." };
      const bad = { alarmModelName: "bad", roleArn, alarmRule: { simpleRule: rule } };
      expect(await refused("POST", "/alarm-models", bad)).toEqual([400, "InvalidRequestException"]);
      expect(
        await refused("POST", "/alarm-models/alarming", { roleArn, alarmRule: { simpleRule: rule } }),
      ).toEqual([400, "InvalidRequestException"]);
      const same = await events.send("POST", "/alarm-models", {
        alarmModelName: "alarming",
        alarmRule,
        roleArn,
      });
      expect(same.status).toBe(409);
      expect((await events.send("DELETE", "/alarm-models/alarming")).status).toBe(204);
    });

    it("tells which models messages of an input go to", async () => {
      await events.createInput("Routed");
      await events.createModel("routed-1", modelOf("Routed"));
      await events.createModel("routed-2", modelOf("Routed"));
      const identifier = { iotEventsInputIdentifier: { inputName: "Routed" } };
      const page = await events.well("POST", "/input-routings", {
        inputIdentifier: identifier,
        maxResults: 1,
      });
      expect(page.routedResources).toEqual([{ name: "routed-1", arn: arn("detectorModel/routed-1") }]);
      const next = { inputIdentifier: identifier, nextToken: page.nextToken };
      const rest = await events.well("POST", "/input-routings", { ...next, maxResults: 1 });
      expect(rest).toEqual({ routedResources: [{ name: "routed-2", arn: arn("detectorModel/routed-2") }] });
      const property = { assetModelId: "a", propertyId: "p" };
      const ofProperty = await events.well("POST", "/input-routings", {
        inputIdentifier: {
          iotSiteWiseInputIdentifier: { iotSiteWiseAssetModelPropertyIdentifier: property },
        },
      });
      expect(ofProperty).toEqual({ routedResources: [] });
      expect(await refused("POST", "/input-routings", { inputIdentifier: {} })).toEqual([
        400,
        "InvalidRequestException",
      ]);
      expect(
        await refused("POST", "/input-routings", {
          inputIdentifier: { iotEventsInputIdentifier: { inputName: "None" } },
        }),
      ).toEqual([404, "ResourceNotFoundException"]);
      for (let i = 3; i <= 10; i += 1) await events.createModel(`routed-${i}`, modelOf("Routed"));
      expect(
        await refused("POST", "/detector-models", {
          detectorModelName: "one-too-many",
          detectorModelDefinition: modelOf("Routed"),
          roleArn: role,
        }),
      ).toEqual([410, "LimitExceededException"]);
    });

    it("analyses a definition", async () => {
      const definition = modelOf("Unknown");
      definition.states.push({ stateName: "Lonely" });
      const { analysisId } = await events.well("POST", "/analysis/detector-models", {
        detectorModelDefinition: definition,
      });
      const path = `/analysis/detector-models/${analysisId}`;
      await eventually(
        async () => (await events.send("GET", path)).body.status === "COMPLETE",
        "the analysis is complete",
      );
      const { analysisResults } = await events.well("GET", `${path}/results`);
      expect(analysisResults.length).toBeGreaterThan(1);
      expect(analysisResults[0]).toEqual({
        type: expect.any(String),
        level: expect.stringMatching(/^(INFO|WARNING|ERROR)$/),
        message: expect.any(String),
        locations: expect.any(Array),
      });
      const page = await events.well("GET", `${path}/results?maxResults=1`);
      const next = encodeURIComponent(page.nextToken);
      const second = await events.well("GET", `${path}/results?maxResults=1&nextToken=${next}`);
      expect([...page.analysisResults, ...second.analysisResults]).toEqual(analysisResults.slice(0, 2));
      expect(await refused("GET", `${path}/results?nextToken=x`)).toEqual([400, "InvalidRequestException"]);
      for (const other of ["/analysis/detector-models/none", "/analysis/detector-models/none/results"])
        expect(await refused("GET", other)).toEqual([404, "ResourceNotFoundException"]);
      expect(await refused("POST", "/analysis/detector-models", {})).toEqual([
        400,
        "InvalidRequestException",
      ]);
    });

    it("keeps logging options, and logs as they say", async () => {
      const fresh = new Events(instance, "first", "eu-central-1");
      expect((await fresh.send("GET", "/logging")).status).toBe(404);
      await fresh.createInput();
      await fresh.createModel("logged", motorModel);
      const options = {
        roleArn: role,
        level: "DEBUG",
        enabled: true,
        detectorDebugOptions: [{ detectorModelName: "logged", keyValue: "loud" }],
      };
      await fresh.well("PUT", "/logging", { loggingOptions: options });
      expect(await fresh.well("GET", "/logging")).toEqual({ loggingOptions: options });
      await fresh.pressure("loud", 80);
      await fresh.pressure("quiet", 80);
      for (const key of ["loud", "quiet"]) await fresh.isIn("logged", key, "Dangerous");
      const logs = (await fresh.outbox("log")).filter(({ target }: any) => target.includes("eu-central-1"));
      const of = (key: string) =>
        logs.filter(({ body }: any) => body.keyValue === key).map(({ body }: any) => body.type);
      expect(of("loud")).toContain("event");
      expect(of("quiet")).toContain("transition");
      expect(of("quiet")).not.toContain("event");
      await fresh.well("PUT", "/logging", { loggingOptions: { ...options, enabled: false } });
      await fresh.pressure("silent", 80);
      await fresh.isIn("logged", "silent", "Dangerous");
      const later = await fresh.outbox("log");
      expect(later.filter(({ body }: any) => body.keyValue === "silent")).toEqual([]);
      expect(await refused("PUT", "/logging", { loggingOptions: { ...options, roleArn: "nobody" } })).toEqual(
        [400, "InvalidRequestException"],
      );
    });

    it("tags inputs and models", async () => {
      await events.createInput("Tagged");
      const at = `/tags?resourceArn=${encodeURIComponent(arn("input/Tagged"))}`;
      expect(await events.well("GET", at)).toEqual({ tags: [] });
      await events.well("POST", at, {
        tags: [
          { key: "a", value: "1" },
          { key: "b", value: "2" },
        ],
      });
      await events.well("DELETE", `${at}&tagKeys=a&tagKeys=c`);
      expect(await events.well("GET", at)).toEqual({ tags: [{ key: "b", value: "2" }] });
      await events.well("DELETE", `${at}&tagKeys=b`);
      expect(await events.well("GET", at)).toEqual({ tags: [] });
      const many = Array.from({ length: 50 }, (_, i) => ({ key: `k${i}`, value: "" }));
      await events.well("POST", at, { tags: many });
      expect(await refused("POST", at, { tags: [{ key: "more", value: "" }] })).toEqual([
        410,
        "LimitExceededException",
      ]);
      expect(await refused("POST", at, { tags: [{ key: "aws:x", value: "" }] })).toEqual([
        400,
        "InvalidRequestException",
      ]);
      const elsewhere = arn("input/Tagged").replace(/^arn:\w+/, "arn:other");
      for (const other of [arn("input/None"), arn("alarmModel/None"), elsewhere, "nothing"]) {
        const there = `/tags?resourceArn=${encodeURIComponent(other)}`;
        expect(await refused("GET", there)).toEqual([404, "ResourceNotFoundException"]);
        expect(await refused("POST", there, { tags: [] })).toEqual([404, "ResourceNotFoundException"]);
        expect(await refused("DELETE", `${there}&tagKeys=a`)).toEqual([404, "ResourceNotFoundException"]);
      }
    });
  },
  { services: ["events"] },
);

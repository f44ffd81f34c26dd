/** Configuration sets and event destinations over HTTP, and who may do what. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import {
  ALL,
  BASE,
  expectError,
  LOG,
  SETS,
  STREAM,
  TOPIC,
  toTopic,
  Voice,
} from "../../../tests/support/voice.ts";

onBothDatabases(
  "voice",
  (instance) => {
    const voice = new Voice(instance);
    describe("configuration sets", () => {
      it("are created once, listed and deleted, with and without a trailing slash", async () => {
        expect(await voice.createSet("one")).toMatchObject({ status: 200, body: {} });
        expectError(await voice.createSet("one"), 409, "AlreadyExistsException", /one/);
        expect((await voice.send("POST", `${SETS}/`, { ConfigurationSetName: "two" })).status).toBe(200);
        expect((await voice.send("GET", `${SETS}/`)).body).toEqual({ ConfigurationSets: ["one", "two"] });
        expect(await voice.send("DELETE", `${SETS}/one/`)).toMatchObject({ status: 200, body: {} });
        expectError(await voice.send("DELETE", `${SETS}/one`), 404, "NotFoundException", /one/);
        expect((await voice.send("GET", SETS)).body).toEqual({ ConfigurationSets: ["two"] });
      });
      it("answer at the root of the host as well", async () => {
        const { body } = await voice.send("GET", "/v1/sms-voice/configuration-sets");
        expect(body.ConfigurationSets).toContain("two");
      });
      it.each([undefined, "", "with space", "a/b", "x".repeat(65), "ü"])(
        "refuse the name %j",
        async (name) => {
          const answer = await voice.send("POST", SETS, { ConfigurationSetName: name });
          expectError(answer, 400, "BadRequestException", /ConfigurationSetName/);
        },
      );
      it("belong to an account and a region", async () => {
        for (const [as, region] of [
          ["first", "eu-west-1"],
          ["second", "us-east-1"],
        ] as const) {
          expect((await voice.send("GET", SETS, undefined, { as, region })).body.ConfigurationSets).toEqual(
            [],
          );
          expectError(
            await voice.send("DELETE", `${SETS}/two`, undefined, { as, region }),
            404,
            "NotFoundException",
          );
          expect((await voice.createSet("two", { as, region })).status).toBe(200);
        }
      });
      it("are paged by a size that is text and a token that nobody can make up", async () => {
        const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
        for (const name of names) await voice.createSet(name, { region: "eu-north-1" });
        const seen: string[] = [];
        let token = "";
        do {
          const query = token === "" ? "?PageSize=3" : `?PageSize=3&NextToken=${encodeURIComponent(token)}`;
          const { body } = await voice.send("GET", SETS + query, undefined, { region: "eu-north-1" });
          expect(body.ConfigurationSets.length).toBeLessThanOrEqual(3);
          seen.push(...body.ConfigurationSets);
          token = body.NextToken ?? "";
          if (token !== "") {
            const elsewhere = await voice.send("GET", `${SETS}?NextToken=${token}`);
            expectError(elsewhere, 400, "BadRequestException", /token/);
          }
        } while (token !== "");
        expect(seen).toEqual(names);
        for (const query of [
          "PageSize=0",
          "PageSize=1001",
          "PageSize=three",
          "PageSize=-1",
          "NextToken=made-up",
        ])
          expectError(await voice.send("GET", `${SETS}?${query}`), 400, "BadRequestException");
      });
    });

    describe("event destinations", () => {
      beforeAll(async () => {
        await voice.createSet("events");
      });
      it("are created, listed, replaced and deleted", async () => {
        expect((await voice.createDestination("events", "topic", toTopic)).body).toEqual({});
        const log = { Enabled: true, MatchingEventTypes: ["FAILED", "FAILED"], LogsDestination: LOG };
        expect((await voice.createDestination("events", "log", log)).status).toBe(200);
        const stream = { MatchingEventTypes: ["BUSY"], StreamDestination: STREAM };
        expect((await voice.createDestination("events", "stream", stream)).status).toBe(200);
        expect(await voice.destinations("events")).toEqual([
          { Name: "log", ...log, MatchingEventTypes: ["FAILED"] },
          { Name: "stream", Enabled: false, ...stream },
          { Name: "topic", ...toTopic },
        ]);
        const path = `${SETS}/events/event-destinations/stream`;
        const changed = { Enabled: true, MatchingEventTypes: ["NO_ANSWER"], LogsDestination: LOG };
        expect(await voice.send("PUT", path, { EventDestination: changed })).toMatchObject({
          status: 200,
          body: {},
        });
        expect((await voice.destinations("events"))[1]).toEqual({ Name: "stream", ...changed });
        expect(await voice.send("DELETE", path)).toMatchObject({ status: 200, body: {} });
        expect((await voice.destinations("events")).map(({ Name }) => Name)).toEqual(["log", "topic"]);
      });
      it("are kept in the maker's words when they were made in them", async () => {
        const makers = {
          Enabled: true,
          MatchingEventTypes: ["BUSY"],
          SnsDestination: { TopicArn: "arn:aws:sns:us-east-1:123456789012:calls" },
        };
        await voice.createDestination("events", "makers", makers);
        expect((await voice.destinations("events")).find(({ Name }) => Name === "makers")).toEqual({
          Name: "makers",
          ...makers,
        });
        for (const [header, value] of [
          ["amz-sdk-invocation-id", "1"],
          ["amz-sdk-request", "attempt=1"],
          ["user-agent", "Boto3/1.35.0 md/Botocore#1.35.0"],
          ["x-amz-user-agent", "aws-sdk-js/3.600.0"],
        ] as const) {
          const headers = { [header]: value };
          const path = `${SETS}/events/event-destinations`;
          const asked = await instance().signed("sms-voice", "GET", path, { headers });
          expect(asked.body.EventDestinations.map((one: object) => Object.keys(one)[3])).toEqual([
            "CloudWatchLogsDestination",
            "SnsDestination",
            "SnsDestination",
          ]);
        }
      });
      it("are refused by the names they were sent under", async () => {
        const neutral = { MatchingEventTypes: ["BUSY"], TopicDestination: {} };
        const makers = { MatchingEventTypes: ["BUSY"], SnsDestination: {} };
        for (const [definition, name] of [
          [neutral, "TopicDestination"],
          [makers, "SnsDestination"],
        ] as const)
          expectError(
            await voice.createDestination("events", "bad", definition),
            400,
            "BadRequestException",
            new RegExp(`^EventDestination\\.${name}\\.TopicArn is missing\\.$`),
          );
      });
      it.each([
        ["nothing at all", undefined, /EventDestination is missing/],
        ["no destination", { Enabled: true, MatchingEventTypes: ALL }, /exactly one/],
        ["two destinations", { ...toTopic, LogsDestination: LOG }, /exactly one/],
        ["no event types", { ...toTopic, MatchingEventTypes: [] }, /MatchingEventTypes/],
        ["an unknown event type", { ...toTopic, MatchingEventTypes: ["SHOUTED"] }, /MatchingEventTypes/],
        ["a flag that is text", { ...toTopic, Enabled: "yes" }, /Enabled/],
        ["a topic without a name", { ...toTopic, TopicDestination: {} }, /TopicArn/],
        [
          "an address for a topic",
          { ...toTopic, TopicDestination: { TopicArn: "https://x.org" } },
          /TopicArn/,
        ],
        [
          "a log group for a topic",
          { ...toTopic, TopicDestination: { TopicArn: LOG.LogGroupArn } },
          /TopicArn/,
        ],
        [
          "a log without a role",
          { MatchingEventTypes: ALL, LogsDestination: { LogGroupArn: LOG.LogGroupArn } },
          /IamRoleArn/,
        ],
        [
          "a stream with a bad role",
          { MatchingEventTypes: ALL, StreamDestination: { ...STREAM, IamRoleArn: "me" } },
          /IamRoleArn/,
        ],
      ])("refuse %s", async (_title, definition, message) => {
        expectError(
          await voice.createDestination("events", "bad", definition),
          400,
          "BadRequestException",
          message,
        );
        const put = await voice.send("PUT", `${SETS}/events/event-destinations/topic`, {
          EventDestination: definition,
        });
        expectError(put, 400, "BadRequestException", message);
        expect((await voice.destinations("events")).find(({ Name }) => Name === "topic")).toEqual({
          Name: "topic",
          ...toTopic,
        });
      });
      it("need a set, a name of their own, and room", async () => {
        expectError(
          await voice.createDestination("nowhere", "one", toTopic),
          404,
          "NotFoundException",
          /nowhere/,
        );
        expectError(await voice.createDestination("events", "topic", toTopic), 409, "AlreadyExistsException");
        for (const name of [undefined, "a b"])
          expectError(
            await voice.createDestination("events", name as string, toTopic),
            400,
            "BadRequestException",
            /EventDestinationName/,
          );
        for (const [method, path] of [
          ["GET", "nowhere/event-destinations"],
          ["DELETE", "nowhere/event-destinations/topic"],
          ["DELETE", "events/event-destinations/nothing"],
          ["PUT", "nowhere/event-destinations/topic"],
          ["PUT", "events/event-destinations/nothing"],
        ] as const) {
          const body = method === "PUT" ? { EventDestination: toTopic } : undefined;
          expectError(await voice.send(method, `${SETS}/${path}`, body), 404, "NotFoundException");
        }
        await voice.createSet("full");
        for (let index = 0; index < 10; index += 1)
          expect((await voice.createDestination("full", `n${index}`, toTopic)).status).toBe(200);
        expectError(
          await voice.createDestination("full", "n10", toTopic),
          412,
          "LimitExceededException",
          /10/,
        );
      });
      it("go with their set", async () => {
        await voice.createSet("gone");
        await voice.createDestination("gone", "topic", toTopic);
        await voice.send("DELETE", `${SETS}/gone`);
        await voice.createSet("gone");
        expect(await voice.destinations("gone")).toEqual([]);
      });
    });

    describe("permissions", () => {
      const operations: [string, string, string, unknown?][] = [
        ["CreateConfigurationSet", "POST", SETS, { ConfigurationSetName: "allowed" }],
        ["ListConfigurationSets", "GET", SETS],
        [
          "CreateConfigurationSetEventDestination",
          "POST",
          `${SETS}/allowed/event-destinations`,
          { EventDestinationName: "one", EventDestination: toTopic },
        ],
        ["GetConfigurationSetEventDestinations", "GET", `${SETS}/allowed/event-destinations`],
        [
          "UpdateConfigurationSetEventDestination",
          "PUT",
          `${SETS}/allowed/event-destinations/one`,
          { EventDestination: toTopic },
        ],
        ["DeleteConfigurationSetEventDestination", "DELETE", `${SETS}/allowed/event-destinations/one`],
        ["DeleteConfigurationSet", "DELETE", `${SETS}/allowed`],
        [
          "SendVoiceMessage",
          "POST",
          `${BASE}/voice/message`,
          { DestinationPhoneNumber: "+12065550142", Content: { PlainTextMessage: { Text: "Hello" } } },
        ],
        [
          "CreateTopicSubscription",
          "POST",
          `${BASE}/topic-subscriptions`,
          { TopicArn: TOPIC, Endpoint: "https://example.org/" },
        ],
        ["ListTopicSubscriptions", "GET", `${BASE}/topic-subscriptions`],
        ["DeleteTopicSubscription", "DELETE", `${BASE}/topic-subscriptions/none`],
      ];
      const allow = (policies: unknown[]) =>
        instance().bearer("POST", "/_medley/credentials", {
          body: { accounts: [{ id: accounts.second.id, name: "second", policies }] },
        });
      afterAll(async () => {
        await allow(accounts.second.policies);
      });

      it.each(operations)("%s needs its own", async (action, method, path, body) => {
        const allowed = (actions: string[]) => [{ effect: "Allow", actions, resources: ["*"] }];
        const others = operations
          .map(([name]) => `sms-voice:${name}`)
          .filter((one) => one !== `sms-voice:${action}`);
        const asSecond = () => voice.send(method, path, body, { as: "second" });
        expect((await allow(allowed(others))).status).toBeLessThan(300);
        expectError(await asSecond(), 403, "AccessDeniedException", new RegExp(`sms-voice:${action}`));
        await allow(allowed([`sms-voice:${action}`]));
        const answer = await asSecond();
        if (action === "DeleteTopicSubscription") expectError(answer, 404, "NotFoundException");
        else expect(answer.status).toBe(200);
        await allow([
          ...allowed(["*"]),
          { effect: "Deny", actions: [`sms-voice:${action}`], resources: ["*"] },
        ]);
        expectError(await asSecond(), 403, "AccessDeniedException");
      });
      it.each(operations)("%s asks for a signature", async (_action, method, path, body) => {
        const answer = await voice.send(method, path, body, { as: null });
        expectError(answer, 403, "MissingAuthenticationTokenException");
      });
    });
  },
  { services: ["voice"] },
);

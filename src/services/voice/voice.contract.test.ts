/** Configuration sets and event destinations over HTTP, and who may do what. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/voice.ts";

onBothDatabases(
  "voice",
  (instance) => {
    const voice = new support.Voice(instance);
    describe("configuration sets", () => {
      it("are created once, listed and deleted, with and without a trailing slash", async () => {
        expect(await voice.createSet("one")).toMatchObject({ status: 200, body: {} });
        support.expectError(await voice.createSet("one"), 409, "AlreadyExistsException", /one/);
        expect((await voice.send("POST", `${support.SETS}/`, { ConfigurationSetName: "two" })).status).toBe(
          200,
        );
        expect((await voice.send("GET", `${support.SETS}/`)).body).toEqual({
          ConfigurationSets: ["one", "two"],
        });
        expect(await voice.send("DELETE", `${support.SETS}/one/`)).toMatchObject({ status: 200, body: {} });
        support.expectError(
          await voice.send("DELETE", `${support.SETS}/one`),
          404,
          "NotFoundException",
          /one/,
        );
        expect((await voice.send("GET", support.SETS)).body).toEqual({ ConfigurationSets: ["two"] });
      });
      it("answer at the root of the host as well", async () => {
        const { body } = await voice.send("GET", "/v1/sms-voice/configuration-sets");
        expect(body.ConfigurationSets).toContain("two");
      });
      it.each([undefined, "", "with space", "a/b", "x".repeat(65), "ü"])(
        "refuse the name %j",
        async (name) => {
          const answer = await voice.send("POST", support.SETS, { ConfigurationSetName: name });
          support.expectError(answer, 400, "BadRequestException", /ConfigurationSetName/);
        },
      );
      it("belong to an account and a region", async () => {
        for (const [as, region] of [
          ["first", "eu-west-1"],
          ["second", "us-east-1"],
        ] as const) {
          expect(
            (await voice.send("GET", support.SETS, undefined, { as, region })).body.ConfigurationSets,
          ).toEqual([]);
          support.expectError(
            await voice.send("DELETE", `${support.SETS}/two`, undefined, { as, region }),
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
          const { body } = await voice.send("GET", support.SETS + query, undefined, { region: "eu-north-1" });
          expect(body.ConfigurationSets.length).toBeLessThanOrEqual(3);
          seen.push(...body.ConfigurationSets);
          token = body.NextToken ?? "";
          if (token !== "") {
            const elsewhere = await voice.send("GET", `${support.SETS}?NextToken=${token}`);
            support.expectError(elsewhere, 400, "BadRequestException", /token/);
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
          support.expectError(
            await voice.send("GET", `${support.SETS}?${query}`),
            400,
            "BadRequestException",
          );
      });
    });

    describe("event destinations", () => {
      beforeAll(async () => {
        await voice.createSet("events");
      });
      it("are created, listed, replaced and deleted", async () => {
        expect((await voice.createDestination("events", "topic", support.toTopic)).body).toEqual({});
        const log = { Enabled: true, MatchingEventTypes: ["FAILED", "FAILED"], LogsDestination: support.LOG };
        expect((await voice.createDestination("events", "log", log)).status).toBe(200);
        const stream = { MatchingEventTypes: ["BUSY"], StreamDestination: support.STREAM };
        expect((await voice.createDestination("events", "stream", stream)).status).toBe(200);
        expect(await voice.destinations("events")).toEqual([
          { Name: "log", ...log, MatchingEventTypes: ["FAILED"] },
          { Name: "stream", Enabled: false, ...stream },
          { Name: "topic", ...support.toTopic },
        ]);
        const path = `${support.SETS}/events/event-destinations/stream`;
        const changed = { Enabled: true, MatchingEventTypes: ["NO_ANSWER"], LogsDestination: support.LOG };
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
          const path = `${support.SETS}/events/event-destinations`;
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
          support.expectError(
            await voice.createDestination("events", "bad", definition),
            400,
            "BadRequestException",
            new RegExp(`^EventDestination\\.${name}\\.TopicArn is missing\\.$`),
          );
      });
      it.each([
        ["nothing at all", undefined, /EventDestination is missing/],
        ["no destination", { Enabled: true, MatchingEventTypes: support.ALL }, /exactly one/],
        ["two destinations", { ...support.toTopic, LogsDestination: support.LOG }, /exactly one/],
        ["no event types", { ...support.toTopic, MatchingEventTypes: [] }, /MatchingEventTypes/],
        [
          "an unknown event type",
          { ...support.toTopic, MatchingEventTypes: ["SHOUTED"] },
          /MatchingEventTypes/,
        ],
        ["a flag that is text", { ...support.toTopic, Enabled: "yes" }, /Enabled/],
        ["a topic without a name", { ...support.toTopic, TopicDestination: {} }, /TopicArn/],
        [
          "an address for a topic",
          { ...support.toTopic, TopicDestination: { TopicArn: "https://x.org" } },
          /TopicArn/,
        ],
        [
          "a log group for a topic",
          { ...support.toTopic, TopicDestination: { TopicArn: support.LOG.LogGroupArn } },
          /TopicArn/,
        ],
        [
          "a log without a role",
          { MatchingEventTypes: support.ALL, LogsDestination: { LogGroupArn: support.LOG.LogGroupArn } },
          /IamRoleArn/,
        ],
        [
          "a stream with a bad role",
          { MatchingEventTypes: support.ALL, StreamDestination: { ...support.STREAM, IamRoleArn: "me" } },
          /IamRoleArn/,
        ],
      ])("refuse %s", async (_title, definition, message) => {
        support.expectError(
          await voice.createDestination("events", "bad", definition),
          400,
          "BadRequestException",
          message,
        );
        const put = await voice.send("PUT", `${support.SETS}/events/event-destinations/topic`, {
          EventDestination: definition,
        });
        support.expectError(put, 400, "BadRequestException", message);
        expect((await voice.destinations("events")).find(({ Name }) => Name === "topic")).toEqual({
          Name: "topic",
          ...support.toTopic,
        });
      });
      it("need a set, a name of their own, and room", async () => {
        support.expectError(
          await voice.createDestination("nowhere", "one", support.toTopic),
          404,
          "NotFoundException",
          /nowhere/,
        );
        support.expectError(
          await voice.createDestination("events", "topic", support.toTopic),
          409,
          "AlreadyExistsException",
        );
        for (const name of [undefined, "a b"])
          support.expectError(
            await voice.createDestination("events", name as string, support.toTopic),
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
          const body = method === "PUT" ? { EventDestination: support.toTopic } : undefined;
          support.expectError(
            await voice.send(method, `${support.SETS}/${path}`, body),
            404,
            "NotFoundException",
          );
        }
        await voice.createSet("full");
        for (let index = 0; index < 10; index += 1)
          expect((await voice.createDestination("full", `n${index}`, support.toTopic)).status).toBe(200);
        support.expectError(
          await voice.createDestination("full", "n10", support.toTopic),
          412,
          "LimitExceededException",
          /10/,
        );
      });
      it("go with their set", async () => {
        await voice.createSet("gone");
        await voice.createDestination("gone", "topic", support.toTopic);
        await voice.send("DELETE", `${support.SETS}/gone`);
        await voice.createSet("gone");
        expect(await voice.destinations("gone")).toEqual([]);
      });
    });

    describe("permissions", () => {
      const operations: [string, string, string, unknown?][] = [
        ["CreateConfigurationSet", "POST", support.SETS, { ConfigurationSetName: "allowed" }],
        ["ListConfigurationSets", "GET", support.SETS],
        [
          "CreateConfigurationSetEventDestination",
          "POST",
          `${support.SETS}/allowed/event-destinations`,
          { EventDestinationName: "one", EventDestination: support.toTopic },
        ],
        ["GetConfigurationSetEventDestinations", "GET", `${support.SETS}/allowed/event-destinations`],
        [
          "UpdateConfigurationSetEventDestination",
          "PUT",
          `${support.SETS}/allowed/event-destinations/one`,
          { EventDestination: support.toTopic },
        ],
        [
          "DeleteConfigurationSetEventDestination",
          "DELETE",
          `${support.SETS}/allowed/event-destinations/one`,
        ],
        ["DeleteConfigurationSet", "DELETE", `${support.SETS}/allowed`],
        [
          "SendVoiceMessage",
          "POST",
          `${support.BASE}/voice/message`,
          { DestinationPhoneNumber: "+12065550142", Content: { PlainTextMessage: { Text: "Hello" } } },
        ],
        [
          "CreateTopicSubscription",
          "POST",
          `${support.BASE}/topic-subscriptions`,
          { TopicArn: support.TOPIC, Endpoint: "https://example.org/" },
        ],
        ["ListTopicSubscriptions", "GET", `${support.BASE}/topic-subscriptions`],
        ["DeleteTopicSubscription", "DELETE", `${support.BASE}/topic-subscriptions/none`],
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
        support.expectError(
          await asSecond(),
          403,
          "AccessDeniedException",
          new RegExp(`sms-voice:${action}`),
        );
        await allow(allowed([`sms-voice:${action}`]));
        const answer = await asSecond();
        if (action === "DeleteTopicSubscription") support.expectError(answer, 404, "NotFoundException");
        else expect(answer.status).toBe(200);
        await allow([
          ...allowed(["*"]),
          { effect: "Deny", actions: [`sms-voice:${action}`], resources: ["*"] },
        ]);
        support.expectError(await asSecond(), 403, "AccessDeniedException");
      });
      it.each(operations)("%s asks for a signature", async (_action, method, path, body) => {
        const answer = await voice.send(method, path, body, { as: null });
        support.expectError(answer, 403, "MissingAuthenticationTokenException");
      });
    });
  },
  { services: ["voice"] },
);

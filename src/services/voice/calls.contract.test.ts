/** Messages, calls and their events over HTTP, and the limits on them. */
import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";
import * as support from "../../../tests/support/voice.ts";
import { WebReceiver } from "../../../tests/support/web-receiver.ts";
import { levelOf, readWav } from "./speech/index.ts";

onBothDatabases(
  "calls",
  (instance) => {
    const voice = new support.Voice(instance);
    describe("a message", () => {
      it.each([
        [{ DestinationPhoneNumber: undefined }, /DestinationPhoneNumber is missing/],
        [{ DestinationPhoneNumber: "nobody" }, /DestinationPhoneNumber/],
        [{ DestinationPhoneNumber: "+19005550100" }, /premium/],
        [{ OriginationPhoneNumber: "12" }, /OriginationPhoneNumber/],
        [{ OriginationPhoneNumber: "+1 206 555 0142" }, /the same/],
        [{ CallerId: "Ann" }, /CallerId/],
        [{ ConfigurationSetName: "never-made" }, /never-made/],
        [{ Content: undefined }, /exactly one/],
        [{ Content: {} }, /exactly one/],
        [
          { Content: { PlainTextMessage: { Text: "a" }, SSMLMessage: { Text: "<speak>a</speak>" } } },
          /exactly one/,
        ],
        [{ Content: { PlainTextMessage: {} } }, /Text/],
        [{ Content: { PlainTextMessage: { Text: "" } } }, /spoken/],
        [{ Content: { PlainTextMessage: { Text: "!!!" } } }, /spoken/],
        [{ Content: { PlainTextMessage: { Text: "word ".repeat(700) } } }, /3000/],
        [{ Content: { PlainTextMessage: { Text: "a", VoiceId: "Nobody" } } }, /Nobody/],
        [{ Content: { PlainTextMessage: { Text: "a", LanguageCode: "tlh" } } }, /tlh/],
        [{ Content: { SSMLMessage: { Text: "<speak>open" } } }, /line 1/],
        [{ Content: { SSMLMessage: { Text: '<speak><break time="soon"/>a</speak>' } } }, /soon/],
        [{ Content: { CallInstructionsMessage: { Text: "<speak></speak>" } } }, /spoken/],
        [{ Content: { PlainTextMessage: { Text: 5 } } }, /Text/],
      ])("%j is refused", async (changes, text) => {
        const before = (await voice.outbox("kind=call")).length;
        support.expectError(await voice.message(changes), 400, "BadRequestException", text);
        expect((await voice.outbox("kind=call")).length).toBe(before);
      });
      it("that is not JSON, or comes to a wrong address, is refused in the service's own words", async () => {
        support.expectError(
          await voice.send("POST", `${support.BASE}/voice/message`, "{"),
          400,
          "BadRequestException",
        );
        support.expectError(await voice.send("GET", `${support.BASE}/nothing`), 404, "NotFoundException");
        support.expectError(
          await voice.send("PATCH", `${support.BASE}/voice/message`),
          405,
          "MethodNotAllowedException",
        );
      });
    });

    describe("a call", () => {
      beforeAll(async () => {
        await voice.createSet("told");
        await voice.createDestination("told", "topic", support.toTopic);
        await voice.createDestination("told", "log", {
          Enabled: true,
          MatchingEventTypes: ["COMPLETED_CALL", "BUSY"],
          LogsDestination: support.LOG,
        });
        await voice.createDestination("told", "stream", {
          Enabled: false,
          MatchingEventTypes: support.ALL,
          StreamDestination: support.STREAM,
        });
        await instance().clock.freeze();
      });
      afterAll(async () => {
        await instance().clock.resume();
      });
      const place = async (changes: Record<string, unknown> = {}): Promise<string> => {
        const { status, body } = await voice.message({ ConfigurationSetName: "told", ...changes });
        expect(status).toBe(200);
        expect(body.MessageId).toMatch(/^[0-9a-f-]{36}$/);
        return body.MessageId;
      };
      const typesAfter = async (messageId: string, by: string): Promise<string[]> => {
        await instance().clock.advance(by);
        return (await voice.events("topic", messageId)).map(({ eventType }) => eventType);
      };

      it("moves on the clock, each event at its own instant", async () => {
        const startMs = instance().clock.nowMs();
        const id = await place({ CallerId: "+1 (206) 555-0177" });
        expect(await typesAfter(id, "0s")).toEqual(["INITIATED_CALL"]);
        expect(await typesAfter(id, "999ms")).toEqual(["INITIATED_CALL"]);
        expect(await typesAfter(id, "1ms")).toEqual(["INITIATED_CALL", "RINGING"]);
        expect(await typesAfter(id, "4s")).toEqual(["INITIATED_CALL", "RINGING", "ANSWERED"]);
        const [call] = (await voice.outbox("kind=call")).filter(({ body }) => body.messageId === id);
        const durationMs = call.body.durationMs;
        expect(durationMs).toBeGreaterThan(800);
        expect(await typesAfter(id, `${durationMs - 1}ms`)).toHaveLength(3);
        expect(await typesAfter(id, "1ms")).toEqual([
          "INITIATED_CALL",
          "RINGING",
          "ANSWERED",
          "COMPLETED_CALL",
        ]);
        expect(await typesAfter(id, "40d")).toHaveLength(4);
        const events = await voice.events("topic", id);
        expect(events.map(({ eventTimestamp }) => eventTimestamp - startMs)).toEqual([
          0,
          1000,
          5000,
          5000 + durationMs,
        ]);
        expect(events.at(-1)).toMatchObject({
          eventVersion: "1.0",
          isFinal: true,
          originationPhoneNumber: "+12065550199",
          callerId: "+12065550177",
          destinationPhoneNumber: "+12065550142",
          isoCountryCode: "US",
          messageRequestTimestamp: startMs,
          configurationSetName: "told",
          callDurationInSeconds: Math.ceil(durationMs / 1000),
          totalDurationInMinutes: 1,
        });
      });
      it("reaches only enabled destinations that asked for the event", async () => {
        const id = await place();
        await instance().clock.advance("1m");
        expect((await voice.events("log", id)).map(({ eventType }) => eventType)).toEqual(["COMPLETED_CALL"]);
        expect(await voice.events("stream", id)).toEqual([]);
        const [record] = (await voice.outbox("kind=log")).filter(({ body }) => body.messageId === id);
        expect(record).toMatchObject({
          target: support.LOG.LogGroupArn,
          subject: "COMPLETED_CALL",
          state: "recorded",
        });
      });
      it.each([
        ["+12065550120", ["INITIATED_CALL", "BUSY"]],
        ["+1 206 555 0121", ["INITIATED_CALL", "RINGING", "NO_ANSWER"]],
        ["12065550122", ["INITIATED_CALL", "FAILED"]],
      ])("to the test number %s goes through %j", async (number, types) => {
        const id = await place({ DestinationPhoneNumber: number });
        expect(await typesAfter(id, "31s")).toEqual(types);
        expect(await typesAfter(id, "1h")).toEqual(types);
        expect((await voice.events("topic", id)).at(-1)).toMatchObject({
          isFinal: true,
          messageStatusDescription: expect.stringMatching(/\w/),
        });
      });
      it("without a configuration set tells nobody, and is placed all the same", async () => {
        const { body } = await voice.message({ OriginationPhoneNumber: undefined });
        await instance().clock.advance("1m");
        expect(await voice.events("topic", body.MessageId)).toEqual([]);
        const [call] = (await voice.outbox("kind=call")).filter(
          (one) => one.body.messageId === body.MessageId,
        );
        expect(call).toMatchObject({ target: "+12065550142", subject: "Call from +12065550100" });
      });
      it("goes on when its configuration set is gone", async () => {
        await voice.createSet("short-lived");
        await voice.createDestination("short-lived", "topic", support.toTopic);
        const id = await place({ ConfigurationSetName: "short-lived" });
        expect(await typesAfter(id, "1s")).toEqual(["INITIATED_CALL", "RINGING"]);
        await voice.send("DELETE", `${support.SETS}/short-lived`);
        expect(await typesAfter(id, "1m")).toEqual(["INITIATED_CALL", "RINGING"]);
      });
      it.each([
        [
          "text",
          { PlainTextMessage: { Text: "One two three four five six seven eight nine ten." } },
          2000,
          6000,
        ],
        [
          "SSML",
          { SSMLMessage: { Text: '<speak>One<break time="3s"/>two</speak>', VoiceId: "Matthew" } },
          3500,
          6000,
        ],
        [
          "call instructions",
          { CallInstructionsMessage: { Text: "<speak>Press <break time='1s'/> any key.</speak>" } },
          1500,
          5000,
        ],
      ])("has audio that can be listened to: %s", async (_kind, Content, shortestMs, longestMs) => {
        const id = await place({ Content });
        await instance().clock.advance("1s");
        const [call] = (await voice.outbox("kind=call")).filter(({ body }) => body.messageId === id);
        const content = await instance().bearer("GET", call.content);
        expect(content.headers.get("content-type")).toBe("audio/wav");
        const { samples, sampleRate } = readWav(content.bytes);
        const durationMs = (samples.length * 1000) / sampleRate;
        expect(sampleRate).toBe(8000);
        expect(Math.abs(durationMs - call.body.durationMs)).toBeLessThan(1);
        expect(durationMs).toBeGreaterThan(shortestMs);
        expect(durationMs).toBeLessThan(longestMs);
        const { peak, rms } = levelOf(samples);
        expect(peak).toBeGreaterThan(0.2);
        expect(peak).toBeLessThanOrEqual(1);
        expect(rms).toBeGreaterThan(0.01);
      });
      it("is forgotten with its audio after thirty days, and its events stay", async () => {
        const id = await place();
        await instance().clock.advance("1m");
        const [call] = (await voice.outbox("kind=call")).filter(({ body }) => body.messageId === id);
        await instance().clock.advance("29d");
        expect((await instance().bearer("GET", call.content)).status).toBe(200);
        await instance().clock.advance("2d");
        expect((await instance().bearer("GET", call.content)).status).toBe(404);
        expect(await voice.events("topic", id)).toHaveLength(4);
      });
    });

    describe("topic subscriptions", () => {
      const receiver = new WebReceiver();
      beforeAll(() => receiver.open());
      afterAll(() => receiver.close());

      it("deliver events signed, and again after failures", async () => {
        const TopicArn = "arn:vendor:sns:us-east-1:111111111111:delivered";
        const path = `${support.BASE}/topic-subscriptions`;
        const Endpoint = `${receiver.url}/hook`;
        const { body } = await voice.send("POST", path, { TopicArn, Endpoint });
        expect((await voice.send("GET", path)).body.Subscriptions).toEqual([
          { SubscriptionId: body.SubscriptionId, TopicArn, Endpoint },
        ]);
        await voice.createSet("delivered");
        await voice.createDestination("delivered", "topic", {
          ...support.toTopic,
          TopicDestination: { TopicArn },
        });
        receiver.answer = () => (receiver.received.length <= 2 ? 503 : 204);
        await instance().clock.freeze();
        const sent = await voice.message({
          ConfigurationSetName: "delivered",
          DestinationPhoneNumber: "+12065550120",
        });
        await instance().clock.advance("5m");
        await instance().clock.resume();
        const told = receiver.received.map(
          ({ body: text }) => JSON.parse(JSON.parse(text).Message).eventType,
        );
        expect(told).toHaveLength(4);
        expect(new Set(told)).toEqual(new Set(["INITIATED_CALL", "BUSY"]));
        for (const { headers, body: text } of receiver.received) {
          expect(JSON.parse(text)).toMatchObject({ Type: "Notification", TopicArn });
          expect(JSON.parse(JSON.parse(text).Message)).toMatchObject({ messageId: sent.body.MessageId });
          const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
          const signature = createHmac("sha256", body.Secret).update(signed).digest("base64");
          expect(headers["webhook-signature"]).toBe(`v1,${signature}`);
        }
        const deliveries = (await voice.outbox("kind=webhook")).filter(({ target }) => target === Endpoint);
        expect(deliveries.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
        expect((await voice.send("DELETE", `${path}/${body.SubscriptionId}`)).body).toEqual({});
        support.expectError(
          await voice.send("DELETE", `${path}/${body.SubscriptionId}`),
          404,
          "NotFoundException",
        );
      });
      it("refuse what is no topic and no web address", async () => {
        const path = `${support.BASE}/topic-subscriptions`;
        for (const [TopicArn, Endpoint] of [
          ["calls", "https://example.org"],
          [support.TOPIC, "mailto:ann@example.org"],
          [support.TOPIC, "https://user:secret@example.org"],
        ])
          support.expectError(
            await voice.send("POST", path, { TopicArn, Endpoint }),
            400,
            "BadRequestException",
          );
      });
    });

    describe("limits", () => {
      const filter = { service: "voice", account: accounts.second.id };
      afterAll(async () => {
        await instance().bearer("POST", "/_medley/state/reset", { body: filter });
      });
      /** Puts rows into the second account's state by an import. */
      async function fill(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
        const path = `/_medley/state?service=${filter.service}&account=${filter.account}`;
        const { text } = await instance().bearer("GET", path);
        const [head = "", ...kept] = text.trimEnd().split("\n");
        // Its checksum would not fit what is added.
        const unchecked = JSON.stringify({ ...JSON.parse(head), check: undefined });
        const lines = rows.map((row) => JSON.stringify({ table, row: { account: filter.account, ...row } }));
        const body = Buffer.from([unchecked, ...kept, ...lines].join("\n"));
        const headers = { "content-type": "application/octet-stream" };
        expect((await instance().bearer("PUT", "/_medley/state", { body, headers })).status).toBe(200);
      }
      it("hold for calls in progress", async () => {
        const call = {
          region: "us-east-1",
          state: "RINGING",
          origination: "+12065550100",
          destination: "+12065550142",
          content: "{}",
          requested_at: 0,
        };
        expect((await voice.message({}, { as: "second" })).status).toBe(200);
        await fill(
          "voice_call",
          Array.from({ length: 1000 }, (_, index) => ({ ...call, message_id: `call-${index}` })),
        );
        support.expectError(
          await voice.message({}, { as: "second" }),
          429,
          "TooManyRequestsException",
          /1000/,
        );
        expect((await voice.message()).status).toBe(200);
      });
      it("hold for configuration sets", async () => {
        await fill(
          "voice_configuration_set",
          Array.from({ length: 9999 }, (_, index) => ({
            region: "ap-south-1",
            name: `set-${index}`,
            created_at: 0,
          })),
        );
        expect((await voice.createSet("the-last", { as: "second", region: "ap-south-1" })).status).toBe(200);
        const answer = await voice.createSet("too-many", { as: "second", region: "ap-south-1" });
        support.expectError(answer, 412, "LimitExceededException", /10000/);
        expect((await voice.createSet("too-many", { as: "second", region: "eu-west-1" })).status).toBe(200);
      });
    });

    describe("demo data", () => {
      it("can be loaded again and again, and comes alive", async () => {
        const account = accounts.second.id;
        await instance().clock.freeze();
        for (let time = 0; time < 2; time += 1) {
          const seeded = await instance().bearer("POST", "/_medley/seed", {
            body: { services: ["voice"], account },
          });
          expect(seeded.body).toMatchObject({ seeded: ["voice"], made: [{ service: "voice" }] });
          await instance().clock.advance("1m");
        }
        await instance().clock.resume();
        const set = (await voice.outbox(`account=${account}&kind=log`)).map(({ body }) => body);
        const ends = set.filter(({ isFinal }) => isFinal).map(({ eventType }) => eventType);
        expect(ends.sort()).toEqual(["BUSY", "COMPLETED_CALL", "NO_ANSWER"]);
        const calls = await voice.outbox(`account=${account}&kind=call`);
        const seededCalls = calls.filter(({ body }) => body.configurationSetName === "appointment-reminders");
        expect(seededCalls).toHaveLength(3);
        const list = await voice.send("GET", support.SETS, undefined, { as: "second" });
        expect(list.body.ConfigurationSets).toContain("appointment-reminders");
      });
    });
  },
  { services: ["voice"] },
);

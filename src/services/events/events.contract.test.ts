/** Detectors over HTTP, on both databases: definition, messages, states, timers, batches, lists. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import {
  account,
  base64,
  Events,
  heartbeatModel,
  motorModel,
  pressureAttributes,
  role,
} from "../../../tests/support/events.ts";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "detectors",
  (instance) => {
    const events = new Events(instance);
    const stranger = new Events(instance, "second");
    beforeAll(async () => {
      await events.createInput();
      await events.createModel("motors", motorModel);
    });

    it("makes a detector for each key, and moves it through its states", async () => {
      await events.pressure("a", 60, 80);
      const dangerous = await events.isIn("motors", "a", "Dangerous");
      expect(dangerous).toEqual({
        detectorModelName: "motors",
        detectorModelVersion: "1",
        keyValue: "a",
        creationTime: expect.any(Number),
        lastUpdateTime: expect.any(Number),
        state: { stateName: "Dangerous", variables: [{ name: "breaches", value: "3" }], timers: [] },
      });
      await events.pressure("a", 60, 60, 60);
      const normal = await events.isIn("motors", "a", "Normal");
      expect(normal.state.variables).toEqual([{ name: "breaches", value: "0" }]);
      await events.pressure("b", 10);
      await events.isIn("motors", "b", "Normal");
      const sent = await events.outbox("topic");
      expect(sent.map((one: { target: string }) => one.target).sort()).toEqual([
        `arn:vendor:iot:us-east-1:${account}:topic/motors/recovered`,
        `arn:vendor:sns:us-east-1:${account}:alarms`,
      ]);
      const { body: told } = sent.find((one: { target: string }) => one.target.includes(":sns:"));
      expect(told.payload.detector).toMatchObject({ detectorModelName: "motors", keyValue: "a" });
    });

    it("keeps the order of a detector's messages, whatever else comes", async () => {
      const keys = ["o1", "o2", "o3", "o4", "o5"];
      await Promise.all(
        keys.map(async (key) => {
          for (let round = 0; round < 4; round += 1)
            await events.pressure(key, 80, 60, 60, 60, 80, 60, 60, 60);
        }),
      );
      for (const key of keys) {
        const moves = await eventually(async () => {
          const { body } = await instance().bearer("GET", "/_medley/views/events?view=Log&limit=500");
          const rows = body.views[0].rows.filter(
            (row: string[]) => row[3] === key && row[4] === "transition",
          );
          return rows.length === 16 && rows.map((row: string[]) => `${row[5]}-${row[6]}`);
        }, `${key} has moved sixteen times`);
        const there = "Normal-Dangerous";
        const back = "Dangerous-Normal";
        expect(moves).toEqual(Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? back : there)));
      }
    });

    it("tells in the entry what is wrong with a message, and takes the others", async () => {
      const message = (messageId: string, payload: string, inputName = "PressureInput") => ({
        messageId,
        inputName,
        payload,
      });
      const good = { motorid: "entry", pressure: 80 };
      const { status, body } = await events.data("POST", "/inputs/messages", {
        messages: [
          message("good", base64(good)),
          message("good", base64(good)),
          message("unknown", base64(good), "Nobody"),
          message("broken", base64("{")),
          message("list", base64("[1]")),
          message("plain", "not base64!"),
          message("latin", Buffer.from([0x22, 0xff, 0x22]).toString("base64")),
          message("long", base64({ motorid: "x".repeat(20_000) })),
          message("keyless", base64({ pressure: 1 })),
          message("odd-key", base64({ motorid: "a b", pressure: 1 })),
        ],
      });
      expect(status).toBe(200);
      const codes = body.BatchPutMessageErrorEntries.map(
        ({ messageId, errorCode }: Record<string, string>) => `${messageId} ${errorCode}`,
      );
      expect(codes.sort()).toEqual([
        "broken InvalidRequestException",
        "good InvalidRequestException",
        "keyless InvalidRequestException",
        "latin InvalidRequestException",
        "list InvalidRequestException",
        "long InvalidRequestException",
        "odd-key InvalidRequestException",
        "plain InvalidRequestException",
        "unknown ResourceNotFoundException",
      ]);
      await events.isIn("motors", "entry", "Dangerous");
    });

    it.each([
      ["no messages", { messages: [] }],
      [
        "too many",
        {
          messages: Array.from({ length: 11 }, (_, i) => ({
            messageId: `m${i}`,
            inputName: "PressureInput",
            payload: "e30=",
          })),
        },
      ],
      ["no id", { messages: [{ inputName: "PressureInput", payload: "e30=" }] }],
      ["another shape", { messages: "all" }],
      ["nothing", {}],
      ["no JSON", "{"],
    ])("refuses a request that is no batch: %s", async (_what, body) => {
      const { status, headers } = await events.data("POST", "/inputs/messages", body);
      expect([status, headers.get("x-amzn-errortype")]).toEqual([400, "InvalidRequestException"]);
    });

    it("ends timers on the clock, and keeps them over a reset", async () => {
      await events.createModel("heartbeats", heartbeatModel);
      await instance().clock.freeze();
      await events.pressure("h", 1);
      const alive = await events.isIn("heartbeats", "h", "Alive");
      const dueAt = instance().clock.nowMs() / 1000 + 600;
      expect(alive.state.timers).toEqual([{ name: "silence", timestamp: dueAt }]);
      await instance().clock.advance("9m");
      await events.pressure("h", 1);
      await eventually(
        async () => (await events.detector("heartbeats", "h")).state.timers[0].timestamp > dueAt,
        "the timer was reset",
      );
      await instance().clock.advance("9m");
      expect((await events.detector("heartbeats", "h")).state.stateName).toBe("Alive");
      await instance().clock.advance("2m");
      await events.isIn("heartbeats", "h", "Silent");
      await events.pressure("h", 1);
      await events.isIn("heartbeats", "h", "Alive");
      await instance().clock.resume();
    });

    it("puts detectors into a state, and takes them away", async () => {
      await events.pressure("u", 10);
      await events.isIn("motors", "u", "Normal");
      const update = (messageId: string, more: object) => ({
        messageId,
        detectorModelName: "motors",
        keyValue: "u",
        state: { stateName: "Dangerous", variables: [{ name: "breaches", value: "7" }], timers: [] },
        ...more,
      });
      const updated = await events.data("POST", "/detectors", {
        detectors: [
          update("a", {}),
          update("a", {}),
          update("b", { keyValue: "nobody" }),
          update("c", { detectorModelName: "nothing" }),
          update("d", { state: { stateName: "Nowhere", variables: [], timers: [] } }),
        ],
      });
      expect(updated.status).toBe(200);
      expect(
        updated.body.batchUpdateDetectorErrorEntries.map(
          ({ messageId, errorCode }: Record<string, string>) => `${messageId} ${errorCode}`,
        ),
      ).toEqual([
        "a InvalidRequestException",
        "b ResourceNotFoundException",
        "c ResourceNotFoundException",
        "d InvalidRequestException",
      ]);
      const { state } = await events.detector("motors", "u");
      expect(state).toEqual({
        stateName: "Dangerous",
        variables: [{ name: "breaches", value: "7" }],
        timers: [],
      });
      const timed = await events.data("POST", "/detectors", {
        detectors: [
          update("t", {
            state: { stateName: "Normal", variables: [], timers: [{ name: "x", seconds: 90 }] },
          }),
        ],
      });
      expect(timed.body.batchUpdateDetectorErrorEntries).toEqual([]);
      const after = await events.detector("motors", "u");
      expect(after.state).toMatchObject({ stateName: "Normal", variables: [], timers: [{ name: "x" }] });
      const gone = await events.data("POST", "/detectors/delete", {
        detectors: [
          { messageId: "a", detectorModelName: "motors", keyValue: "u" },
          { messageId: "b", detectorModelName: "motors", keyValue: "u" },
          { messageId: "c", detectorModelName: "nothing" },
          { messageId: "c", detectorModelName: "nothing" },
        ],
      });
      expect(
        gone.body.batchDeleteDetectorErrorEntries.map(
          ({ messageId, errorCode }: Record<string, string>) => `${messageId} ${errorCode}`,
        ),
      ).toEqual(["b ResourceNotFoundException", "c ResourceNotFoundException", "c InvalidRequestException"]);
      expect(await events.detector("motors", "u")).toBeUndefined();
      await events.pressure("u", 10);
      await events.isIn("motors", "u", "Normal");
    });

    it("lists detectors in pages, by state", async () => {
      await events.createInput("ListInput");
      await events.createModel(
        "listed",
        JSON.parse(JSON.stringify(motorModel).replaceAll("PressureInput", "ListInput")),
      );
      const messages = Array.from({ length: 9 }, (_, i) => ({
        messageId: `m${i}`,
        inputName: "ListInput",
        payload: base64({ motorid: `k${i}`, pressure: i % 3 === 0 ? 99 : 1 }),
      }));
      await events.data("POST", "/inputs/messages", { messages });
      const page = async (query: string) => (await events.data("GET", `/detectors/listed${query}`)).body;
      await eventually(async () => (await page("")).detectorSummaries.length === 9, "nine detectors");
      const seen: string[] = [];
      let token: string | undefined;
      do {
        const more: string = token === undefined ? "" : `&nextToken=${encodeURIComponent(token)}`;
        const { detectorSummaries, nextToken } = await page(`?maxResults=4${more}`);
        seen.push(...detectorSummaries.map(({ keyValue }: { keyValue: string }) => keyValue));
        token = nextToken;
      } while (token !== undefined);
      expect(seen).toEqual(messages.map((_, i) => `k${i}`));
      const dangerous = await page("?stateName=Dangerous&maxResults=2");
      expect(dangerous.detectorSummaries).toEqual([
        expect.objectContaining({ keyValue: "k0", state: { stateName: "Dangerous" } }),
        expect.objectContaining({ keyValue: "k3" }),
      ]);
      const token2 = encodeURIComponent(dangerous.nextToken);
      expect((await page(`?stateName=Dangerous&nextToken=${token2}`)).detectorSummaries).toHaveLength(1);
      for (const query of [`?nextToken=${token2}`, "?maxResults=0", "?maxResults=251", "?nextToken=made-up"])
        expect([query, (await events.data("GET", `/detectors/listed${query}`)).status]).toEqual([query, 400]);
      expect((await events.data("GET", "/detectors/nothing")).status).toBe(404);
    });

    it("serves a model without a key with one detector", async () => {
      await events.createInput("RoomInput", { attributes: [{ jsonPath: "temperature" }] });
      const definition = {
        initialStateName: "Cold",
        states: [
          {
            stateName: "Cold",
            onInput: {
              transitionEvents: [
                { eventName: "warm", condition: "$input.RoomInput.temperature >= 20", nextState: "Warm" },
              ],
            },
          },
          { stateName: "Warm" },
        ],
      };
      await events.createModel("room", definition, { evaluationMethod: "SERIAL" });
      await events.data("POST", "/inputs/messages", {
        messages: [{ messageId: "1", inputName: "RoomInput", payload: base64({ temperature: 21 }) }],
      });
      const warm = await events.isIn("room", undefined, "Warm");
      expect(warm.keyValue).toBeUndefined();
      const { body } = await events.data("GET", "/detectors/room");
      expect(body.detectorSummaries).toHaveLength(1);
      // Without the trailing slash, as the newest clients ask.
      expect((await events.data("GET", "/detectors/room/keyValues")).status).toBe(200);
    });

    it("keeps accounts and regions apart", async () => {
      const elsewhere = new Events(instance, "first", "eu-west-1");
      for (const other of [stranger, elsewhere]) {
        expect((await other.data("GET", "/detectors/motors")).status).toBe(404);
        expect((await other.send("GET", "/inputs")).body).toEqual({ inputSummaries: [] });
        const { body } = await other.data("POST", "/inputs/messages", {
          messages: [{ messageId: "1", inputName: "PressureInput", payload: base64({ motorid: "a" }) }],
        });
        expect(body.BatchPutMessageErrorEntries[0].errorCode).toBe("ResourceNotFoundException");
      }
      const theirs = await stranger.send("POST", "/detector-models", {
        detectorModelName: "theirs",
        detectorModelDefinition: motorModel,
        roleArn: role,
      });
      expect([theirs.status, theirs.body.message]).toEqual([400, expect.stringContaining("role")]);
      expect((await instance().signed("sms-voice", "GET", "/events/inputs")).status).toBe(403);
    });

    it("replaces detectors when a new version becomes active", async () => {
      await events.createInput("VersionInput", pressureAttributes);
      const first = JSON.parse(JSON.stringify(motorModel).replaceAll("PressureInput", "VersionInput"));
      await events.createModel("versioned", first);
      const put = (pressure: number) =>
        events.data("POST", "/inputs/messages", {
          messages: [
            {
              messageId: randomUUID(),
              inputName: "VersionInput",
              payload: base64({ motorid: "v", pressure }),
            },
          ],
        });
      await put(80);
      await events.isIn("versioned", "v", "Dangerous");
      const updated = await events.well("POST", "/detector-models/versioned", {
        detectorModelDefinition: first,
        detectorModelDescription: "the second",
        roleArn: role,
        evaluationMethod: "SERIAL",
      });
      expect(updated.detectorModelConfiguration).toMatchObject({
        detectorModelVersion: "2",
        status: "ACTIVATING",
        evaluationMethod: "SERIAL",
        key: "motorid",
      });
      await events.isActive("/detector-models/versioned");
      expect(await events.detector("versioned", "v")).toBeUndefined();
      await put(10);
      expect((await events.isIn("versioned", "v", "Normal")).detectorModelVersion).toBe("2");
      await eventually(
        async () => (await events.statusOf("/detector-models/versioned?version=1")) === "DEPRECATED",
        "the first version is deprecated",
      );
      const { body } = await events.send("GET", "/detector-models/versioned/versions?maxResults=1");
      expect(body.detectorModelVersionSummaries[0].detectorModelVersion).toBe("2");
      const next = `?maxResults=1&nextToken=${encodeURIComponent(body.nextToken)}`;
      const older = await events.send("GET", `/detector-models/versioned/versions${next}`);
      expect(older.body.detectorModelVersionSummaries[0].detectorModelVersion).toBe("1");
      expect(older.body.nextToken).toBeUndefined();
    });
  },
  { services: ["events"] },
);

/** Predictions of trained and published versions, over HTTP on both databases. */
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";

const AUTHORING = "/language/luis/authoring/v3.0-preview";
const NOWHERE = "00000000-0000-4000-8000-000000000000";

const CITIES = ["Cairo", "Oslo", "Rome", "Lima", "Quito", "Paris"];
const flightTo = (city: string, before: string, after: string) => ({
  text: `${before} ${city}${after}`,
  intent: "BookFlight",
  entities: [{ entity: "City", startPos: before.length + 1, endPos: before.length + city.length }],
});
const APPLICATION = {
  luis_schema_version: "7.0.0",
  versionId: "0.1",
  name: "Desk",
  desc: "",
  culture: "en-us",
  intents: [{ name: "BookFlight" }, { name: "Greet" }, { name: "None" }, { name: "Move" }],
  entities: [{ name: "City", roles: [], children: [], features: [] }],
  closedLists: [
    {
      name: "Cabin",
      subLists: [{ canonicalForm: "first class", list: ["first", "luxury"] }],
      roles: [],
    },
  ],
  composites: [],
  hierarchicals: [],
  patternAnyEntities: [{ name: "Thing", explicitList: [], roles: [] }],
  regex_entities: [
    { name: "Ticket", regexPattern: "tk-[0-9]+", roles: [] },
    { name: "Serial", regexPattern: "sn(-[a-z0-9]{1,40}){1,8}", roles: [] },
  ],
  prebuiltEntities: [{ name: "number", roles: [] }],
  regex_features: [],
  phraselists: [],
  patterns: [{ pattern: "move {Thing} [right] now", intent: "Move" }],
  utterances: [
    ...CITIES.flatMap((city) => [
      flightTo(city, "book a flight to", ""),
      flightTo(city, "i want to fly to", " for two"),
      flightTo(city, "book a flight to", " in first class"),
    ]),
    ...["hello", "hi there", "good morning", "hello my friend", "hi", "good evening to you"].map((text) => ({
      text,
      intent: "Greet",
      entities: [],
    })),
    ...["the weather was nice", "what is love", "cats and dogs"].map((text) => ({
      text,
      intent: "None",
      entities: [],
    })),
    { text: "move everything over there", intent: "Move", entities: [] },
  ],
  settings: [],
};

onBothDatabases(
  "language predictions",
  (instance) => {
    const send = (method: string, path: string, options: SendOptions = {}) =>
      instance().apiKey("Vendor-Subscription-Key", method, path, options);
    const ok = async (method: string, path: string, body?: unknown) => {
      const sent = await send(method, path, { ...(body !== undefined && { body }) });
      expect(sent.status, `${method} ${path} ${sent.text}`).toBeLessThan(300);
      return sent.body;
    };
    const refused = async (method: string, path: string, body?: unknown) => {
      const sent = await send(method, path, { ...(body !== undefined && { body }) });
      return [sent.status, sent.body.error.code];
    };
    let id = "";
    const slot = (query = "", name = "production") =>
      `/language/luis/prediction/v3.0/apps/${id}/slots/${name}/predict${query}`;

    beforeAll(async () => {
      id = await ok("POST", `${AUTHORING}/apps/import`, APPLICATION);
      const version = `${AUTHORING}/apps/${id}/versions/0.1`;
      await ok("POST", `${version}/train`);
      await eventually(async () => {
        const models: { details: { status: string } }[] = await ok("GET", `${version}/train`);
        return models.every(({ details }) => !["Queued", "InProgress"].includes(details.status));
      }, "the end of the training");
      await ok("POST", `${AUTHORING}/apps/${id}/publish`, { versionId: "0.1", isStaging: false });
    }, 120_000);

    it("say what was meant, and where what stands", async () => {
      const text = "book a flight to Tunis in luxury for 3 with TK-77 and SN-4x-9";
      const { query, prediction } = await ok("POST", slot("?verbose=true&show-all-intents=true"), {
        query: text,
      });
      expect(query).toBe(text);
      expect(prediction.topIntent).toBe("BookFlight");
      expect(Object.keys(prediction.intents).sort()).toEqual(["BookFlight", "Greet", "Move", "None"]);
      expect(prediction.entities).toMatchObject({
        City: ["Tunis"],
        Cabin: [["first class"]],
        Ticket: ["TK-77"],
        Serial: ["SN-4x-9"],
        $instance: {
          City: [
            {
              type: "City",
              text: "Tunis",
              startIndex: 17,
              length: 5,
              modelTypeId: 1,
              modelType: "Entity Extractor",
              recognitionSources: ["model"],
            },
          ],
          Cabin: [{ modelTypeId: 5, startIndex: 26 }],
          Ticket: [{ modelTypeId: 8 }],
        },
      });
      expect(prediction.entities.number).toContain(3);
      const short = await ok("GET", slot("?query=hello%20there"));
      expect(Object.keys(short.prediction.intents)).toEqual(["Greet"]);
      expect(short.prediction.entities).toEqual({});
    });

    it("obey patterns, and take lists and entities of the caller", async () => {
      const moved = await ok("POST", slot(), { query: "move the blue sofa right now" });
      expect(moved.prediction).toMatchObject({ topIntent: "Move", entities: { Thing: ["the blue sofa"] } });
      expect(moved.prediction.intents.Move.score).toBeGreaterThan(0.9);
      const given = await ok("POST", slot("?verbose=true"), {
        query: "book a flight to Rome in comfort",
        dynamicLists: [
          { listEntityName: "Cabin", requestLists: [{ canonicalForm: "premium", synonyms: ["comfort"] }] },
        ],
        externalEntities: [
          { entityName: "City", startIndex: 17, entityLength: 4, resolution: { airport: "FCO" }, score: 0.5 },
        ],
      });
      expect(given.prediction.entities).toMatchObject({
        Cabin: [["premium"]],
        City: [{ airport: "FCO" }],
        $instance: { City: [{ score: 0.5, recognitionSources: ["externalEntities"] }] },
      });
      expect(
        await refused("POST", slot(), {
          query: "hi",
          externalEntities: [{ entityName: "City", startIndex: 1, entityLength: 4 }],
        }),
      ).toEqual([400, "BadArgument"]);
      expect(await refused("POST", slot(), { query: "hi", options: { datetimeReference: "soon" } })).toEqual([
        400,
        "BadArgument",
      ]);
    });

    it("are answered as version 2 did, too", async () => {
      const path = `/language/luis/v2.0/apps/${id}`;
      const text = "I want to fly to Oslo";
      const answer = await ok("POST", `${path}?verbose=true&timezoneOffset=60`, JSON.stringify(text));
      expect(answer).toMatchObject({
        query: text,
        topScoringIntent: { intent: "BookFlight", score: expect.any(Number) },
        entities: [{ entity: "oslo", type: "City", startIndex: 17, endIndex: 20, score: expect.any(Number) }],
      });
      expect(answer.intents).toHaveLength(4);
      const read = await ok("GET", `${path}?q=${encodeURIComponent("tickets in luxury")}&spellCheck=true`);
      expect(read.entities).toContainEqual({
        entity: "luxury",
        type: "Cabin",
        startIndex: 11,
        endIndex: 16,
        resolution: { values: ["first class"] },
      });
      expect(read).not.toHaveProperty("alteredQuery");
    });

    it("come from a version, too, and from nowhere else", async () => {
      const version = `/language/luis/prediction/v3.0/apps/${id}/versions/0.1/predict`;
      expect((await ok("POST", version, { query: "good morning" })).prediction.topIntent).toBe("Greet");
      expect((await ok("GET", `${version}?query=hi`)).prediction.topIntent).toBe("Greet");
      expect(await refused("POST", version.replace("0.1", "0.2"), { query: "hi" })).toEqual([
        404,
        "NotFound",
      ]);
      expect(await refused("POST", slot("", "staging"), { query: "hi" })).toEqual([404, "NotFound"]);
      expect(await refused("POST", slot("", "nightly"), { query: "hi" })).toEqual([400, "BadArgument"]);
      expect(await refused("POST", slot().replace(id, NOWHERE), { query: "hi" })).toEqual([404, "NotFound"]);
      expect(await refused("POST", slot(), { query: "x".repeat(501) })).toEqual([400, "BadArgument"]);
      expect(await refused("POST", slot(), { query: "" })).toEqual([400, "BadArgument"]);
    });

    it("are written down where the caller wants it", async () => {
      await ok("POST", slot("?log=true"), { query: "fly me to the moon" });
      await ok("POST", slot(), { query: "a secret" });
      const log = await eventually(async () => {
        const { text } = await send("GET", `${AUTHORING}/apps/${id}/querylogs`);
        return text.includes("fly me to the moon") ? text : undefined;
      }, "the query in the log");
      expect(log).not.toContain("a secret");
      const [head, line] = log.split("\r\n");
      expect(head).toBe('"Query","UTC DateTime","Response"');
      expect(line).toMatch(/^"fly me to the moon","\d{4}-\d\d-\d\dT[\d:.]+Z","\{.*""topIntent""/);
    });

    it("teach: what was asked is suggested for intents, and for entities of every kind", async () => {
      const version = `${AUTHORING}/apps/${id}/versions/0.1`;
      const idOf = async (path: string, name: string): Promise<string> =>
        (await ok("GET", `${version}/${path}`)).find((one: { name: string }) => one.name === name).id;
      const suggested = async (path: string): Promise<string[]> =>
        (await ok("GET", `${version}/${path}/suggest?take=50`)).map((one: { text: string }) => one.text);
      const text = "book a flight to Malta in luxury";
      await ok("POST", slot("?log=true"), { query: text });
      await ok("POST", slot("?log=true"), { query: "good morning to all of you" });
      const cabin = `entities/${await idOf("closedlists", "Cabin")}`;
      expect(await suggested(`intents/${await idOf("intents", "Greet")}`)).toContain(
        "good morning to all of you",
      );
      expect(await suggested(`entities/${await idOf("entities", "City")}`)).toContain(text);
      expect(await suggested(cabin)).toContain(text);
      await ok("DELETE", `${version}/suggest`, JSON.stringify(text));
      expect(await suggested(cabin)).not.toContain(text);
      expect(await refused("GET", `${version}/entities/${NOWHERE}/suggest`)).toEqual([400, "BadArgument"]);
    });

    it("come in packages with all that was said", async () => {
      const { bytes } = await send("GET", `${AUTHORING}/package/${id}/slot/production/gzip`);
      const { application, model } = JSON.parse(gunzipSync(bytes).toString());
      expect(application.utterances).toHaveLength(APPLICATION.utterances.length);
      expect(Buffer.from(model, "base64").length).toBeGreaterThan(1_000);
    });

    describe("tests with many utterances", () => {
      const set = {
        LabeledTestSetUtterances: [
          { text: "hello again", intent: "Greet", entities: [] },
          {
            text: "book a flight to Bern",
            intent: "BookFlight",
            entities: [{ entity: "City", startPos: 17, endPos: 20 }],
          },
          { text: "book a flight to Bonn", intent: "None", entities: [] },
        ],
      };

      it.each(["slots/production", "versions/0.1"])("measure %s", async (which) => {
        const path = `/language/luis/prediction/v3.0/apps/${id}/${which}/evaluations`;
        const begun = await ok("POST", path, set);
        expect(begun).toMatchObject({ operationId: expect.any(String), createdDateTime: expect.any(String) });
        const test = `${path}/${begun.operationId}`;
        await eventually(
          async () => (await ok("GET", `${test}/status`)).status === "succeeded",
          "the test's end",
        );
        const { intentModelsStats, entityModelsStats, utterancesStats } = await ok("GET", `${test}/result`);
        expect(intentModelsStats).toContainEqual({
          modelName: "BookFlight",
          modelType: "Intent Classifier",
          precision: 0.5,
          recall: 1,
          fScore: 2 / 3,
        });
        expect(entityModelsStats).toMatchObject([{ modelName: "City", precision: 0.5, recall: 1 }]);
        expect(utterancesStats[2]).toEqual({
          text: "book a flight to Bonn",
          predictedIntentName: "BookFlight",
          labeledIntentName: "None",
          falsePositiveEntities: [{ entityName: "City", startCharIndex: 17, endCharIndex: 20 }],
          falseNegativeEntities: [],
        });
      });

      it("are refused where they make no sense", async () => {
        const path = `/language/luis/prediction/v3.0/apps/${id}/slots/production/evaluations`;
        const beyond = {
          text: "hi",
          intent: "Greet",
          entities: [{ entity: "City", startPos: 0, endPos: 5 }],
        };
        expect(await refused("POST", path, { LabeledTestSetUtterances: [beyond] })).toEqual([
          400,
          "BadArgument",
        ]);
        expect(await refused("POST", path.replace("production", "staging"), set)).toEqual([404, "NotFound"]);
        for (const part of ["status", "result"])
          for (const which of ["slots/production", "versions/0.1"])
            expect(
              await refused("GET", `${path.replace("slots/production", which)}/${NOWHERE}/${part}`),
            ).toEqual([404, "NotFound"]);
      });
    });
  },
  { services: ["language", "language-predictions"] },
);

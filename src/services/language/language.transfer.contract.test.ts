/** Applications that go out and come in again: JSON of both schemas and `.lu` text, over HTTP on both databases. */
import { expect, it } from "vitest";
import { onBothDatabases, type SendOptions } from "../../../tests/support/medley.ts";

const BASE = "/language/luis/authoring/v3.0-preview";

const whole = {
  luis_schema_version: "7.0.0",
  name: "Whole",
  versionId: "1.0",
  desc: "Everything there is.",
  culture: "en-us",
  tokenizerVersion: "1.0.0",
  settings: [{ name: "NormalizeDiacritics", value: true }],
  intents: [
    { name: "Order", features: [{ featureName: "Foods", isRequired: false }] },
    { name: "None", features: [] },
    { name: "Two words", features: [] },
  ],
  entities: [
    {
      name: "Meal",
      roles: ["main", "side dish"],
      features: [
        { featureName: "Foods", isRequired: true },
        { modelName: "Dish", isRequired: false },
      ],
      children: [
        { name: "Count", instanceOf: "number", children: [], features: [] },
        {
          name: "What",
          children: [{ name: "Size", children: [], features: [{ featureName: "Foods", isRequired: false }] }],
          features: [],
        },
      ],
    },
    {
      name: "Weather.Location",
      roles: [],
      children: [],
      features: [],
      inherits: { domain_name: "Weather", model_name: "Weather.Location" },
    },
  ],
  hierarchicals: [{ name: "Place", children: [{ name: "From" }, { name: "To" }], roles: [], features: [] }],
  composites: [
    { name: "Trip", children: [{ name: "Place::To" }, { name: "number" }], roles: [], features: [] },
  ],
  closedLists: [
    {
      name: "Dish",
      subLists: [
        { canonicalForm: "soup", list: ["broth", "bisque du jour"] },
        { canonicalForm: "a b", list: [] },
      ],
      roles: ["hot"],
    },
  ],
  prebuiltEntities: [{ name: "number", roles: ["price"] }],
  patternAnyEntities: [{ name: "Title", explicitList: ["to be or not"], roles: [] }],
  regex_entities: [{ name: "Ticket", regexPattern: "[A-Z]{3}/[0-9]{4}", roles: [] }],
  regex_features: [{ name: "Digits", pattern: "[0-9]+", activated: true }],
  phraselists: [
    { name: "Foods", mode: true, words: "soup,bread", activated: true, enabledForAllModels: false },
    { name: "Others", mode: false, words: "x,y", activated: false, enabledForAllModels: true },
  ],
  patterns: [
    { pattern: "order [a] (big | small) {Dish:hot} called {Title}", intent: "Order" },
    { pattern: "just this", intent: "Two words" },
  ],
  utterances: [
    {
      text: "two big bowls of soup please",
      intent: "Order",
      entities: [
        {
          entity: "Meal",
          startPos: 0,
          endPos: 20,
          role: "side dish",
          children: [
            { entity: "Count", startPos: 0, endPos: 2, children: [] },
            {
              entity: "What",
              startPos: 4,
              endPos: 20,
              children: [{ entity: "Size", startPos: 4, endPos: 6, children: [] }],
            },
          ],
        },
      ],
    },
    {
      text: "go from Oslo to Faro with 3",
      intent: "None",
      entities: [
        { entity: "Place::From", startPos: 8, endPos: 11, children: [] },
        { entity: "Trip", startPos: 16, endPos: 26, children: [] },
        { entity: "Place::To", startPos: 16, endPos: 19, children: [] },
      ],
    },
    { text: "- [brackets] (a | b) {braces} back\\slash ~ # >", intent: "None", entities: [] },
    { text: "~tilde", intent: "Two words", entities: [] },
  ],
};

type Json = { [key: string]: any };
/** Removes differences without meaning: the order of lists, and empty lists. */
function meaning(app: Json): Json {
  const sorted = (values: Json[], key: string) => [...values].sort((a, b) => (a[key] < b[key] ? -1 : 1));
  return {
    ...app,
    utterances: sorted(app.utterances, "text").map((utterance) => ({
      ...utterance,
      entities: [...utterance.entities].sort(
        (a, b) => a.startPos - b.startPos || b.endPos - a.endPos || (a.entity < b.entity ? -1 : 1),
      ),
    })),
    patterns: sorted(app.patterns, "pattern"),
    settings: sorted(app.settings, "name"),
  };
}

onBothDatabases(
  "language transfer",
  (instance) => {
    const send = (method: string, path: string, options: SendOptions = {}) =>
      instance().apiKey("Vendor-Subscription-Key", method, `${BASE}${path}`, options);
    const ok = async (method: string, path: string, options: SendOptions = {}) => {
      const sent = await send(method, path, options);
      expect(sent.status, sent.text).toBeLessThan(300);
      return sent;
    };
    const text = { "content-type": "text/plain" };
    const exported = async (id: string, version: string) =>
      (await ok("GET", `/apps/${id}/versions/${version}/export`)).body;

    it("gives back what it was given, as JSON and as text, and once more", async () => {
      const { body: id } = await ok("POST", "/apps/import?appName=Round", { body: whole });
      const first = await exported(id, "1.0");
      const named = { ...whole, name: "Round", settings: first.settings };
      expect(meaning(first)).toEqual(meaning(named));
      expect(first.settings).toContainEqual({ name: "NormalizeDiacritics", value: true });
      const lu = (await ok("GET", `/apps/${id}/versions/1.0/export?format=lu`)).text;
      const { body: version } = await ok("POST", `/apps/${id}/versions/import?versionId=2.0`, {
        body: lu,
        headers: text,
      });
      expect(version).toBe("2.0");
      expect(meaning({ ...(await exported(id, "2.0")), versionId: "1.0" })).toEqual(meaning(first));
      const again = (await ok("GET", `/apps/${id}/versions/2.0/export?format=lu`)).text;
      expect(again.replace("= 2.0", "= 1.0")).toBe(lu);
      const { body: other } = await ok("POST", "/apps/import?appName=Other", {
        body: JSON.stringify(lu),
        headers: text,
      });
      expect(meaning({ ...(await exported(other, "1.0")), name: "Round" })).toEqual(meaning(first));
    });

    it("takes in an application of thousands of utterances, and lists of thousands of forms", async () => {
      const utterances = Array.from({ length: 4000 }, (_, at) => ({
        text: `order number ${at}`,
        intent: "Order",
        entities: [],
      }));
      const app = {
        luis_schema_version: "7.0.0",
        versionId: "0.1",
        culture: "en-us",
        intents: [{ name: "Order" }],
        entities: [],
        closedLists: [
          {
            name: "Part",
            subLists: Array.from({ length: 3000 }, (_, at) => ({ canonicalForm: `part ${at}`, list: [] })),
          },
        ],
        utterances,
      };
      const { body: id } = await ok("POST", "/apps/import?appName=Many", { body: app });
      const back = await exported(id, "0.1");
      expect([back.utterances.length, back.closedLists[0].subLists.length]).toEqual([4000, 3000]);
      expect(back.utterances[3999]).toEqual(utterances[3999]);
    });

    it("reads text as people write it", async () => {
      const source = `> !# @app.name = Hand written
> !# @app.culture = en-us

## Greet
- hi there
- good morning {@user:formal = Doctor Ann Lee}
* call me {nick=Bo}

# Travel
- fly to {@to=Lisbon} on {@seat={@row=4} window}
- fly [me] to {@city:to}
- one (or | two)

@ ml user hasRole formal usesFeatures titles
@ prebuilt number hasRoles a, b
@ ml seat
    - @ number row
@ list city hasRoles from, to =
    - Lisbon :
        - Lisboa
    - Porto:
@ city hasRoles via
@ regex code = /[a-z]+/
@ phraselist titles(interchangeable) =
    - doctor,professor
`;
      const { body: id } = await ok("POST", "/apps/import", { body: source, headers: text });
      const app = await exported(id, "0.1");
      expect(app.name).toBe("Hand written");
      expect(app.intents.map(({ name }: Json) => name)).toEqual(["Greet", "Travel", "None"]);
      expect(app.entities.map(({ name }: Json) => name)).toEqual(["user", "seat", "nick"]);
      expect(app.closedLists[0]).toMatchObject({
        roles: ["from", "to", "via"],
        subLists: [{ canonicalForm: "Lisbon", list: ["Lisboa"] }, { canonicalForm: "Porto" }],
      });
      expect(app.patterns).toEqual([
        { pattern: "fly [me] to {city:to}", intent: "Travel" },
        { pattern: "one (or | two)", intent: "Travel" },
      ]);
      expect(app.utterances.map(({ text: said, entities }: Json) => [said, entities])).toEqual([
        ["hi there", []],
        [
          "good morning Doctor Ann Lee",
          [{ entity: "user", startPos: 13, endPos: 26, role: "formal", children: [] }],
        ],
        ["call me Bo", [{ entity: "nick", startPos: 8, endPos: 9, children: [] }]],
        [
          "fly to Lisbon on 4 window",
          [
            { entity: "city", startPos: 7, endPos: 12, role: "to", children: [] },
            {
              entity: "seat",
              startPos: 17,
              endPos: 24,
              children: [{ entity: "row", startPos: 17, endPos: 17, children: [] }],
            },
          ],
        ],
      ]);
    });

    it("cuts the name of a version in a file to ten characters", async () => {
      const versionId = "0.6 Beta Version";
      const { body: id } = await ok("POST", "/apps/import?appName=Beta", { body: { ...whole, versionId } });
      expect((await send("GET", `/apps/${id}`)).body.activeVersion).toBe("0.6 Beta V");
      const { body } = await ok("POST", `/apps/${id}/versions/import`, {
        body: { ...whole, versionId: "1.2 - As Constraints" },
      });
      expect(body).toBe("1.2 - As C");
      const named = await send("POST", `/apps/${id}/versions/import?versionId=${"1".repeat(11)}`, {
        body: whole,
      });
      expect(named.status).toBe(400);
    });

    it("keeps prebuilt entities that it cannot find, and says so", async () => {
      const sent = await send("POST", "/apps/import?appName=Prebuilts", {
        body: "@ prebuilt personName hasRoles who\n@ prebuilt number\n# A\n- ^call {personName:who} [now]\n- call me\n",
        headers: text,
      });
      expect([sent.status, sent.headers.get("warning")]).toEqual([
        201,
        expect.stringContaining("here: personName"),
      ]);
      const version = `/apps/${sent.body}/versions/0.1`;
      const { prebuiltEntities, patterns } = (await send("GET", `${version}/export`)).body;
      expect(prebuiltEntities).toEqual([
        { name: "personName", roles: ["who"] },
        { name: "number", roles: [] },
      ]);
      expect(patterns).toEqual([{ pattern: "^call {personName:who} [now]", intent: "A" }]);
    });

    it("keeps expressions that it cannot use, and says so", async () => {
      const regex_entities = ["", "(?<!a)b", "(a)\\1", "[0-9]+"].map((regexPattern, at) => ({
        name: `E${at}`,
        regexPattern,
        roles: [],
      }));
      const intents = [{ name: "None", features: [] }];
      const utterances = [{ text: "b 12", intent: "None", entities: [] }];
      const sent = await send("POST", "/apps/import?appName=Expressions", {
        body: { intents, utterances, regex_entities },
      });
      expect([sent.status, sent.headers.get("warning")]).toEqual([
        201,
        '299 medley "Kept, but not found in texts here: E0, E1, E2"',
      ]);
      const { body } = await send("GET", `/apps/${sent.body}/versions/0.1/export`);
      expect(body.regex_entities).toEqual(regex_entities);
    });

    it("leaves references to other files out, and says so", async () => {
      const sent = await send("POST", "/apps/import?appName=References", {
        body: "[all](./all.lu)\n@ prebuilt keyPhrase\n# A\n- one\n- [more](other.lu#B)\n",
        headers: text,
      });
      expect([sent.status, sent.headers.get("warning")]).toEqual([
        201,
        '299 medley "Kept, but not found in texts here: keyPhrase", 299 medley "Left out, because they refer to other files: lines 1, 5"',
      ]);
      const { utterances } = (await send("GET", `/apps/${sent.body}/versions/0.1/export`)).body;
      expect(utterances.map(({ text: said }: { text: string }) => said)).toEqual(["one"]);
    });

    it("leaves utterances without a text out", async () => {
      const utterances = [" ", "one"].map((said) => ({ text: said, intent: "None", entities: [] }));
      const sent = await send("POST", "/apps/import?appName=Empty", {
        body: { intents: [{ name: "None" }], utterances },
      });
      const exported = await send("GET", `/apps/${sent.body}/versions/0.1/export`);
      expect(exported.body.utterances).toMatchObject([{ text: "one" }]);
    });

    it("lets an intent and an entity share a name, and trains, renames and deletes them apart", async () => {
      const sent = await send("POST", "/apps/import?appName=Shared", {
        body: "@ ml Flight\n@ ml Trip usesFeatures Flight\n# flight\n- which {Flight=morning one}\n- on {Trip=Monday}\n# B\n- other\n",
        headers: text,
      });
      expect(sent.status).toBe(201);
      const version = `/apps/${sent.body}/versions/0.1`;
      const { intents } = (await send("GET", `${version}/export`)).body;
      expect(intents.map(({ name }: { name: string }) => name)).toContain("flight");
      const [{ id }] = (await send("GET", `${version}/intents`)).body.filter(
        ({ name }: { name: string }) => name === "flight",
      );
      expect((await send("PUT", `${version}/intents/${id}`, { body: { name: "Journey" } })).status).toBe(200);
      expect((await send("GET", `${version}/export`)).body).toMatchObject({
        entities: [{ name: "Flight" }, { features: [{ modelName: "Flight" }] }],
        utterances: [
          { intent: "Journey", entities: [{ entity: "Flight" }] },
          { intent: "Journey", entities: [{ entity: "Trip" }] },
          { intent: "B" },
        ],
      });
      expect((await send("DELETE", `${version}/intents/${id}`)).status).toBe(200);
      expect((await send("GET", `${version}/export`)).body.entities).toMatchObject([
        { name: "Flight" },
        { features: [{ modelName: "Flight" }] },
      ]);
    });

    it("says what is wrong with a file, and where", async () => {
      const wrong: readonly [object | string, string][] = [
        [{ ...whole, culture: "xx" }, "xx"],
        [{ ...whole, intents: [{ name: "A" }, { name: "a" }] }, "more than once"],
        [{ ...whole, utterances: [{ text: "soup", intent: "Nothing", entities: [] }] }, "Nothing"],
        [
          {
            ...whole,
            utterances: [
              { text: "soup", intent: "None", entities: [{ entity: "Meal", startPos: 0, endPos: 9 }] },
            ],
          },
          "not within",
        ],
        [{ ...whole, patterns: [{ pattern: "a {Nothing}", intent: "None" }] }, "Nothing"],
        [{ ...whole, patterns: [{ pattern: "a [b", intent: "None" }] }, "not well formed"],
        [{ ...whole, regex_entities: [{ name: "Bad", regexPattern: "(" }] }, "not supported"],
        [{ ...whole, prebuiltEntities: [{ name: "number" }, { name: "soul" }] }, "soul"],
        [{ ...whole, tokenizerVersion: "7" }, "tokenizer"],
        ["# A\n- {@B=}", "Line 2"],
        ["# A\n- {@B} and {@C=x}", "Line 2"],
        ["- alone", "Line 1"],
        ["@ thing Name", "Line 1"],
        ["@ list L =\n    none", "Line 2"],
      ];
      for (const [body, why] of wrong) {
        const sent = await send("POST", "/apps/import?appName=Wrong", {
          body,
          ...(typeof body === "string" && { headers: text }),
        });
        expect([why, sent.status, sent.body.error?.message]).toEqual([
          why,
          400,
          expect.stringContaining(why),
        ]);
      }
      for (const body of [{ intents: 5 }, { utterances: [{ entities: "x" }] }, { entities: [null] }, [], "5"])
        expect(
          (
            await send("POST", "/apps/import?appName=Wrong", {
              body: JSON.stringify(body),
              headers: { "content-type": "application/json" },
            })
          ).status,
        ).toBe(400);
      expect((await send("POST", "/apps/import", { body: { ...whole, name: "" } })).status).toBe(400);
    });
  },
  { services: ["language"] },
);

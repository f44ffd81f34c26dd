/** Language-understanding authoring over HTTP, on both databases: applications, versions, utterances. */
import { expect, it } from "vitest";
import { authoring, DONE, NOWHERE } from "../../../tests/support/language.ts";
import { accounts, onBothDatabases } from "../../../tests/support/medley.ts";

onBothDatabases(
  "language",
  (instance) => {
    const { send, ok, refused, newApp, label } = authoring(instance);

    it("creates, renames, lists and deletes applications", async () => {
      const { app } = await newApp({
        name: "Desk",
        description: "Books.",
        domain: "travel",
        usageScenario: "Bot",
      });
      const read = await ok("GET", app);
      expect(read).toMatchObject({
        name: "Desk",
        culture: "en-us",
        domain: "Travel",
        usageScenario: "Bot",
        versionsCount: 1,
        activeVersion: "0.1",
        endpoints: {},
        endpointHitsCount: 0,
      });
      expect(await refused("POST", "/apps/", { name: "DESK", culture: "en-us" })).toContain("already");
      expect(await refused("POST", "/apps/", { name: "x", culture: "xx-yy" })).toContain("en-us");
      const kept = { domain: "Nowhere", usageScenario: "IoT" };
      const other = await ok("POST", "/apps/", { name: "x".repeat(100), culture: "en-us", ...kept });
      expect(await ok("GET", `/apps/${other}`)).toMatchObject(kept);
      await ok("DELETE", `/apps/${other}`);
      const query = `?subscription-key=${accounts.first.apiKeys[0]}`;
      expect((await send("GET", `${app}${query}`, { as: null })).status).toBe(200);
      expect((await send("GET", `${app}?subscription-key=wrong`, { as: null })).status).toBe(401);
      await refused("POST", "/apps/", { name: " ", culture: "en-us" });
      await refused("POST", "/apps/", { name: "x".repeat(101), culture: "en-us" });
      await refused("POST", "/apps/", { name: "x", culture: "en-us", initialVersionId: "a/b" });
      await refused("POST", "/apps/", { name: "x", culture: "en-us", tokenizerVersion: "9.9.9" });
      await refused("POST", "/apps/", { culture: "en-us" });
      expect(await ok("PUT", app, { name: "Front desk", description: "Talks." })).toEqual(DONE);
      expect(await ok("GET", app)).toMatchObject({ name: "Front desk", description: "Talks." });
      expect((await ok("GET", "/apps/?take=500")).map((one: { name: string }) => one.name)).toContain(
        "Front desk",
      );
      expect(await ok("GET", "/apps/?skip=400&take=1")).toEqual([]);
      await refused("GET", "/apps/?take=501");
      expect((await send("GET", app, { as: "second" })).status).toBe(400);
      expect((await send("GET", app, { as: null })).status).toBe(401);
      expect(await ok("PUT", `${app}/settings`, { public: true })).toEqual(DONE);
      expect(await ok("GET", `${app}/settings`)).toEqual({ id: read.id, public: true });
      await ok("PUT", `${app}/publishsettings`, { spellChecker: true });
      expect(await ok("GET", `${app}/publishsettings`)).toEqual({
        id: read.id,
        sentimentAnalysis: false,
        speech: false,
        spellChecker: true,
      });
      expect(await ok("DELETE", app)).toEqual(DONE);
      expect(await refused("GET", app)).toBe(`Cannot find an application with the ID ${read.id}.`);
    });

    it("lists cultures, domains, scenarios and accounts", async () => {
      expect((await ok("GET", "/apps/cultures")).map(({ code }: { code: string }) => code)).toContain(
        "ja-jp",
      );
      expect(await ok("GET", "/apps/domains")).toContain("Travel");
      expect(await ok("GET", "/apps/usagescenarios")).toContain("Bot");
      expect(await ok("GET", "/apps/assistants")).toEqual({ endpointKeys: [], endpointUrls: {} });
      const { app } = await newApp();
      const account = { azureSubscriptionId: "s1", resourceGroup: "g", accountName: "a" };
      expect((await send("POST", `${app}/azureaccounts`, { body: account })).status).toBe(201);
      expect(await ok("GET", `${app}/azureaccounts`)).toEqual([account]);
      expect(await ok("GET", "/azureaccounts")).toContainEqual(account);
      expect(await ok("DELETE", `${app}/azureaccounts`, account)).toEqual(DONE);
      await refused("DELETE", `${app}/azureaccounts`, account);
      await refused("POST", `${app}/azureaccounts`);
      expect(Object.keys(await ok("GET", `${app}/endpoints`))).toEqual(["local"]);
    });

    it("renames, clones and deletes versions", async () => {
      const { app, v } = await newApp();
      await ok("POST", `${v}/intents`, { name: "Book" });
      expect(await ok("POST", `${v}/clone`, { version: "0.2" })).toBe("0.2");
      expect((await ok("GET", app)).activeVersion).toBe("0.2");
      const [, copied] = await ok("GET", `${app}/versions`);
      expect(copied).toMatchObject({
        version: "0.2",
        intentsCount: 2,
        entitiesCount: 0,
        trainingStatus: "NeedsTraining",
      });
      const [before, after] = await Promise.all([
        ok("GET", `${v}/intents`),
        ok("GET", `${app}/versions/0.2/intents`),
      ]);
      expect(after.map((one: { name: string }) => one.name)).toEqual(
        before.map((one: { name: string }) => one.name),
      );
      expect(after[0].id).not.toBe(before[0].id);
      await refused("POST", `${v}/clone`, { version: "0.2" });
      await refused("POST", `${v}/clone`, { version: "01234567890" });
      await refused("POST", `${v}/clone`, {});
      expect(await ok("PUT", `${v}/`, { version: "1.0" })).toEqual(DONE);
      expect((await ok("GET", app)).activeVersion).toBe("0.2");
      expect((await ok("GET", `${app}/versions/1.0/`)).version).toBe("1.0");
      await refused("GET", `${v}/`);
      await refused("PUT", `${app}/versions/1.0/`, { version: "0.2" });
      expect(await ok("DELETE", `${app}/versions/1.0/`)).toEqual(DONE);
      expect((await ok("GET", app)).activeVersion).toBe("0.2");
      expect(await refused("DELETE", `${app}/versions/0.2/`)).toContain("only version");
      expect(
        await ok("PUT", `${app}/versions/0.2/settings`, [{ name: "normalizeDiacritics", value: "TRUE" }]),
      ).toEqual(DONE);
      expect(await ok("GET", `${app}/versions/0.2/settings`)).toContainEqual({
        name: "NormalizeDiacritics",
        value: "true",
      });
      await refused("PUT", `${app}/versions/0.2/settings`, [{ name: "Nothing", value: "true" }]);
      await refused("PUT", `${app}/versions/0.2/settings`, [{ name: "NormalizeWordForm", value: "yes" }]);
      const telugu = await newApp({ culture: "te-in" });
      expect(
        await refused("PUT", `${telugu.v}/settings`, [{ name: "NormalizeWordForm", value: "true" }]),
      ).toContain("not known in te-in");
    });

    it("keeps utterances with their intents", async () => {
      const { v } = await newApp();
      const id = await ok("POST", `${v}/intents`, { name: "Book" });
      expect(await refused("POST", `${v}/intents`, { name: "book" })).toBe(
        "The models: { book } already exist in the specified application version.",
      );
      for (const name of ["", "a:b", "x".repeat(101), null]) await refused("POST", `${v}/intents`, { name });
      // An intent and an entity may share a name; two entities may not.
      await ok("POST", `${v}/entities`, { name: "Book" });
      await refused("POST", `${v}/closedlists`, { name: "book", subLists: [] });
      await label(v, "book a room", "book");
      await ok("PUT", `${v}/intents/${id}`, { name: "Reserve" });
      expect(await ok("GET", `${v}/intents/${id}`)).toEqual({
        id,
        name: "Reserve",
        typeId: 0,
        readableType: "Intent Classifier",
      });
      expect(await ok("GET", `${v}/models/${id}/examples`)).toEqual([
        { id: expect.any(Number), text: "book a room" },
      ]);
      await ok("DELETE", `${v}/intents/${id}`);
      const [example] = await ok("GET", `${v}/examples`);
      expect(example.intentLabel).toBe("None");
      const other = await ok("POST", `${v}/intents`, { name: "Other" });
      await label(v, "another", "Other");
      await ok("DELETE", `${v}/intents/${other}?deleteUtterances=true`);
      expect((await ok("GET", `${v}/examples`)).length).toBe(1);
      const [none] = await ok("GET", `${v}/intents`);
      await refused("DELETE", `${v}/intents/${none.id}`);
      await refused("PUT", `${v}/intents/${none.id}`, { name: "Nothing" });
      await refused("GET", `${v}/intents/${NOWHERE}`);
      await refused("GET", `${v}/intents/not-a-guid`);
      await refused("GET", `${v}/models/${NOWHERE}/examples`);
    });

    it("lists the utterances of an entity or a child, not those of names that are like it", async () => {
      const { v } = await newApp();
      const create = async (name: string, children: readonly { name: string }[] = []) =>
        ok("GET", `${v}/entities/${await ok("POST", `${v}/entities`, { name, children })}`);
      const order = await create("Order", [{ name: "Size" }]);
      const room = await create("Room", [{ name: "Size" }]);
      const size = await create("Size");
      const sizes = await create("Sizes");
      const whole = (entityName: string, child?: string) => [
        {
          entityName,
          startCharIndex: 0,
          endCharIndex: 4,
          children: child === undefined ? [] : [{ entityName: child, startCharIndex: 0, endCharIndex: 4 }],
        },
      ];
      await label(v, "large one", "None", whole("Order", "Size"));
      await label(v, "large two", "None", whole("Room", "Size"));
      await label(v, "large three", "None", whole("Sizes"));
      await label(v, "large four", "None", whole("Size"));
      await label(v, "large five", "None", whole("Order"));
      const texts = async (id: string, page = "") =>
        (await ok("GET", `${v}/models/${id}/examples${page}`)).map(({ text }: { text: string }) => text);
      expect(await texts(order.id)).toEqual(["large one", "large five"]);
      expect(await texts(order.children[0].id)).toEqual(["large one"]);
      expect(await texts(room.children[0].id)).toEqual(["large two"]);
      expect(await texts(size.id)).toEqual(["large four"]);
      expect(await texts(sizes.id)).toEqual(["large three"]);
      expect(await texts(order.id, "?skip=1&take=1")).toEqual(["large five"]);
    });

    it("nests machine-learned entities, renames them under their labels, and lets them go", async () => {
      const { v } = await newApp();
      await ok("POST", `${v}/prebuilts`, ["number"]);
      const id = await ok("POST", `${v}/entities`, {
        name: "Order",
        children: [{ name: "Size" }, { name: "Count", instanceOf: "NUMBER" }],
      });
      const read = await ok("GET", `${v}/entities/${id}`);
      expect(read).toMatchObject({
        name: "Order",
        typeId: 1,
        readableType: "Entity Extractor",
        roles: [],
        children: [
          { name: "Size", readableType: "Child Entity Extractor" },
          { name: "Count", instanceOf: "number" },
        ],
      });
      const size = read.children[0].id;
      const deep = await ok("POST", `${v}/entities/${size}/children`, { name: "Unit" });
      await ok("POST", `${v}/entities/${id}/children`, { name: "Sauce" });
      let parent = deep;
      for (const name of ["L4", "L5"]) {
        const sent = await send("POST", `${v}/entities/${parent}/children`, { body: { name } });
        expect(sent.status).toBe(name === "L4" ? 201 : sent.status);
        if (sent.status === 201) parent = sent.body;
      }
      expect(await refused("POST", `${v}/entities/${parent}/children`, { name: "TooDeep" })).toContain(
        "5 levels",
      );
      await refused("POST", `${v}/entities/${id}/children`, { name: "size" });
      await refused("POST", `${v}/entities/${id}/children`, { name: "Else", instanceOf: "Nothing" });
      const text = "two large pizzas please";
      const labels = [
        {
          entityName: "Order",
          startCharIndex: 0,
          endCharIndex: 15,
          children: [
            { entityName: "Count", startCharIndex: 0, endCharIndex: 2 },
            { entityName: "Size", startCharIndex: 4, endCharIndex: 8 },
          ],
        },
      ];
      await label(v, text, "None", labels);
      await ok("PATCH", `${v}/entities/${id}`, { name: "Meal" });
      await ok("PATCH", `${v}/entities/${size}`, { name: "Extent" });
      const [nested] = await ok("GET", `${v}/examples?enableNestedChildren=true`);
      expect(nested.entityLabels).toEqual([
        {
          entityName: "Meal",
          startTokenIndex: 0,
          endTokenIndex: 2,
          children: [
            { entityName: "Count", startTokenIndex: 0, endTokenIndex: 0 },
            { entityName: "Extent", startTokenIndex: 1, endTokenIndex: 1 },
          ],
        },
      ]);
      const [flat] = await ok("GET", `${v}/examples`);
      expect(flat.entityLabels.map(({ entityName }: { entityName: string }) => entityName)).toEqual([
        "Meal",
        "Meal::Count",
        "Meal::Extent",
      ]);
      expect(flat.tokenizedText).toEqual(["two", "large", "pizzas", "please"]);
      expect(await ok("GET", `${v}/models/${id}/examples`)).toHaveLength(1);
      await ok("DELETE", `${v}/entities/${size}`);
      expect(
        (await ok("GET", `${v}/examples?enableNestedChildren=true`))[0].entityLabels[0].children,
      ).toHaveLength(1);
      await ok("DELETE", `${v}/entities/${id}`);
      expect((await ok("GET", `${v}/examples`))[0].entityLabels).toEqual([]);
      await refused("GET", `${v}/entities/${id}`);
    });

    it("holds labels to the tokens, and says why it refuses", async () => {
      const { v } = await newApp();
      await ok("POST", `${v}/entities`, { name: "City" });
      const role = await ok("POST", `${v}/entities/${(await ok("GET", `${v}/entities`))[0].id}/roles`, {
        name: "to",
      });
      await ok("POST", `${v}/entities`, { name: "Time" });
      await ok("POST", `${v}/patternanyentities`, { name: "Any" });
      const text = "fly to Lisbon tomorrow";
      const one = (entityName: string, startCharIndex: number, endCharIndex: number, more = {}) => ({
        entityName,
        startCharIndex,
        endCharIndex,
        ...more,
      });
      const wrong: readonly [object[], string][] = [
        [[one("City", 7, 11)], "start and end of a token"],
        [[one("City", 8, 12)], "start and end of a token"],
        [[one("City", 7, 40)], "not within"],
        [[one("City", -1, 12)], "not within"],
        [[one("City", 12, 7)], "not within"],
        [[one("City", 7, 12), one("City", 7, 21)], "overlap"],
        [[one("Town", 7, 12)], "does not exist"],
        [[one("Any", 7, 12)], "patterns alone"],
        [[one("City", 7, 12, { role: "from" })], "no role"],
        [[one("City", 7, 12, { children: [one("Part", 7, 12)] })], "no child"],
      ];
      for (const [entityLabels, why] of wrong)
        expect(await refused("POST", `${v}/example`, { text, intentName: "None", entityLabels })).toContain(
          why,
        );
      const crossing = [one("City", 4, 12), one("Time", 7, 22)];
      await ok("POST", `${v}/example`, { text, intentName: "None", entityLabels: crossing });
      expect(await refused("POST", `${v}/example`, { text, intentName: "Fly" })).toContain("Fly");
      await refused("POST", `${v}/example`, { text: " ", intentName: "None" });
      await refused("POST", `${v}/example`, { text: "x".repeat(501), intentName: "None" });
      const added = await ok("POST", `${v}/example`, {
        text,
        intentName: "None",
        entityLabels: [one("city", 7, 12, { role: "TO" }), one("Time", 14, 21)],
      });
      expect(added).toEqual({ UtteranceText: text, ExampleId: expect.any(Number) });
      const again = await ok("POST", `${v}/example`, { text: " FLY to lisbon tomorrow", intentName: "None" });
      expect(again.ExampleId).toBe(added.ExampleId);
      await ok("POST", `${v}/example`, {
        text,
        intentName: "None",
        entityLabels: [one("City", 7, 12, { role: "to" })],
      });
      const [review] = await ok("GET", `${v}/examples`);
      expect(review.entityLabels).toEqual([
        { entityName: "City", startTokenIndex: 2, endTokenIndex: 2, role: "to", roleId: role },
      ]);
      const batch = await send("POST", `${v}/examples`, {
        body: [
          { text: "good", intentName: "None" },
          { text: "bad", intentName: "Nothing" },
        ],
      });
      expect(batch.status).toBe(207);
      expect(batch.body).toEqual([
        { value: { UtteranceText: "good", ExampleId: expect.any(Number) }, hasError: false },
        { hasError: true, error: { code: "FAILED", message: expect.stringContaining("Nothing") } },
      ]);
      expect(
        (await send("POST", `${v}/examples`, { body: [{ text: "fine", intentName: "None" }] })).status,
      ).toBe(201);
      await refused(
        "POST",
        `${v}/examples`,
        Array.from({ length: 101 }, (_, at) => ({ text: `t${at}`, intentName: "None" })),
      );
      await ok("DELETE", `${v}/examples/${added.ExampleId}`);
      await refused("DELETE", `${v}/examples/${added.ExampleId}`);
    });
  },
  { services: ["language"] },
);

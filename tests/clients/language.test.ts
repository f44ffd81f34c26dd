/** Language-understanding authoring with its public client, as its users run it, in both spellings and at both addresses. */
import { LUISAuthoringClient, type LUISAuthoringModels } from "@azure/cognitiveservices-luis-authoring";
import { ApiKeyCredentials } from "@azure/ms-rest-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pause } from "../support/eventually.ts";
import { accounts, type Instance, startInstance } from "../support/medley.ts";

const OPERATIONS = 173;
const GROUPS = [
  "apps",
  "azureAccounts",
  "examples",
  "features",
  "model",
  "pattern",
  "settings",
  "train",
  "versions",
] as const;
const V = "0.1";
const KEY = accounts.first.apiKeys[0] ?? "";

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ services: ["language", "language-predictions"] });
}, 120_000);
afterAll(() => instance.stop());

/** Which of its operations were called: of the unmodified client, told by name. */
function watched(client: LUISAuthoringClient, called: Set<string>): LUISAuthoringClient {
  for (const group of GROUPS) {
    const methods = client[group] as unknown as Record<string, unknown>;
    const watching = new Proxy(methods, {
      get(target, name) {
        const method = target[String(name)];
        if (typeof method !== "function") return method;
        return (...given: unknown[]) => {
          called.add(`${group}.${String(name)}`);
          return method.apply(target, given);
        };
      },
    });
    Object.assign(client, { [group]: watching });
  }
  return client;
}

const older: LUISAuthoringModels.LuisAppV2 = {
  luisSchemaVersion: "3.2.0",
  name: "older",
  versionId: V,
  desc: "",
  culture: "en-us",
  intents: [{ name: "Fly" }, { name: "None" }],
  entities: [{ name: "Place", children: ["From", "To"] }, { name: "Meal" }],
  composites: [{ name: "Trip", children: ["Meal"] }],
  closedLists: [],
  patternAnyEntities: [],
  regexEntities: [],
  prebuiltEntities: [],
  regexFeatures: [{ name: "Digits", pattern: "[0-9]+", activated: true }],
  modelFeatures: [{ name: "Foods", words: "soup,bread", mode: true, activated: true }],
  patterns: [],
  utterances: [
    { text: "fly to Oslo", intent: "Fly", entities: [{ entity: "Place::To", startPos: 7, endPos: 10 }] },
    {
      text: "soup please",
      intent: "None",
      entities: [
        { entity: "Meal", startPos: 0, endPos: 3 },
        { entity: "Trip", startPos: 0, endPos: 10 },
      ],
    },
  ],
} as LUISAuthoringModels.LuisAppV2;

describe.each([
  ["Ocp-Apim-Subscription-Key", ""],
  ["Vendor-Subscription-Key", "/language"],
])("the client with %s at '%s'", (header, mount) => {
  const called = new Set<string>();
  let client: LUISAuthoringClient;
  beforeAll(() => {
    const credentials = new ApiKeyCredentials({ inHeader: { [header]: KEY } });
    client = new LUISAuthoringClient(credentials, instance.url);
    // A path in the endpoint would swallow the interface's own.
    Object.assign(client, { baseUri: `${instance.url}${mount}/luis/authoring/v3.0-preview` });
    watched(client, called);
  });
  const newApp = async (name: string): Promise<string> =>
    (await client.apps.add({ name: `${name} ${header}`, culture: "en-us", initialVersionId: V })).body;

  it("makes applications, tells of them, and takes them away", async () => {
    const { apps, azureAccounts } = client;
    const id = await newApp("first");
    expect((await apps.list({ take: 500 })).some((app) => app.id === id)).toBe(true);
    expect(await apps.get(id)).toMatchObject({ culture: "en-us", activeVersion: V, versionsCount: 1 });
    expect(await apps.update(id, { name: `renamed ${header}`, description: "" })).toMatchObject({
      code: "Success",
    });
    await apps.updateSettings(id, { isPublic: true });
    expect(await apps.getSettings(id)).toMatchObject({ id, isPublic: true });
    await apps.updatePublishSettings(id, { sentimentAnalysis: false, speech: true, spellChecker: false });
    expect(await apps.getPublishSettings(id)).toMatchObject({ isSpeechEnabled: true });
    expect(await apps.listEndpoints(id)).toMatchObject({
      local: expect.stringContaining(`/luis/v2.0/apps/${id}`),
    });
    expect((await apps.listSupportedCultures()).length).toBeGreaterThan(12);
    expect((await apps.listDomains()).length).toBeGreaterThan(5);
    expect((await apps.listUsageScenarios()).length).toBeGreaterThan(2);
    expect((await apps.listCortanaEndpoints()).endpointKeys).toEqual([]);
    const account = { azureSubscriptionId: "s", resourceGroup: "g", accountName: header };
    await azureAccounts.assignToApp(id, { azureAccountInfoObject: account });
    expect(await azureAccounts.getAssigned(id)).toMatchObject([account]);
    expect((await azureAccounts.listUserLUISAccounts()).length).toBeGreaterThan(0);
    await azureAccounts.removeFromApp(id, { azureAccountInfoObject: account });
    expect((await apps.listAvailableCustomPrebuiltDomains()).length).toBe(3);
    expect((await apps.listAvailableCustomPrebuiltDomainsForCulture("en-us")).length).toBe(3);
    const weather = await apps.addCustomPrebuiltDomain({ domainName: "Weather", culture: "en-us" });
    await apps.deleteMethod(weather.body);
    await apps.deleteMethod(id, { force: true });
    await expect(apps.get(id)).rejects.toMatchObject({ statusCode: 400, body: { errorType: "BadArgument" } });
  });

  it("writes models of every kind", async () => {
    const { model, features } = client;
    const id = await newApp("models");
    const { body: intent } = await model.addIntent(id, V, { name: "Fly" });
    await model.updateIntent(id, V, intent, { name: "Travel" });
    expect(await model.getIntent(id, V, intent)).toMatchObject({
      name: "Travel",
      readableType: "Intent Classifier",
    });
    expect((await model.listIntents(id, V)).map(({ name }) => name)).toEqual(["None", "Travel"]);
    const [number] = await model.addPrebuilt(id, V, ["number"]);
    const { body: entity } = await model.addEntity(id, V, {
      name: "Order",
      children: [{ name: "Count", instanceOf: "number" }],
    });
    const { body: child } = await model.addEntityChild(id, V, entity, { name: "Size" });
    await model.updateEntityChild(id, V, child, { name: "Extent" });
    const read = await model.getEntity(id, V, entity);
    expect(read.children?.map(({ name, instanceOf }) => [name, instanceOf])).toEqual([
      ["Count", "number"],
      ["Extent", undefined],
    ]);
    expect(await model.listEntities(id, V)).toHaveLength(1);
    const { body: list } = await model.addClosedList(id, V, {
      name: "City",
      subLists: [{ canonicalForm: "Lisbon", list: ["Lisboa"] }],
    });
    const { body: sub } = await model.addSubList(id, V, list, { canonicalForm: "Porto", list: [] });
    await model.updateSubList(id, V, list, sub, { canonicalForm: "Porto", list: ["Oporto"] });
    await model.patchClosedList(id, V, list, { subLists: [{ canonicalForm: "Faro", list: [] }] });
    await model.deleteSubList(id, V, list, sub);
    expect((await model.getClosedList(id, V, list)).subLists).toHaveLength(2);
    await model.updateClosedList(id, V, list, { name: "Town", subLists: [] });
    expect(await model.listClosedLists(id, V)).toMatchObject([{ name: "Town" }]);
    const { body: regex } = await model.createRegexEntityModel(id, V, {
      name: "Code",
      regexPattern: "[0-9]+",
    });
    await model
      .updateRegexEntityModel(id, V, regex, { name: "Number", regexPattern: "[0-9]{2}" })
      .catch(({ statusCode }) => expect(statusCode).toBe(400));
    await model.updateRegexEntityModel(id, V, regex, { name: "Figures", regexPattern: "[0-9]{2}" });
    expect(await model.getRegexEntityEntityInfo(id, V, regex)).toMatchObject({ regexPattern: "[0-9]{2}" });
    expect(await model.listRegexEntityInfos(id, V)).toHaveLength(1);
    const { body: any } = await model.createPatternAnyEntityModel(id, V, {
      name: "Title",
      explicitList: ["a b"],
    });
    const { body: item } = await model.addExplicitListItem(id, V, any, { explicitListItem: "c d" });
    await model.updateExplicitListItem(id, V, any, item, { explicitListItem: "e f" });
    expect(await model.getExplicitListItem(id, V, any, item)).toMatchObject({ explicitListItem: "e f" });
    await model.deleteExplicitListItem(id, V, any, item);
    expect(await model.getExplicitList(id, V, any)).toHaveLength(1);
    await model.updatePatternAnyEntityModel(id, V, any, { name: "Name", explicitList: [] });
    expect(await model.getPatternAnyEntityInfo(id, V, any)).toMatchObject({ name: "Name" });
    expect(await model.listPatternAnyEntityInfos(id, V)).toHaveLength(1);
    expect((await model.listPrebuiltEntities(id, V)).length).toBeGreaterThan(5);
    expect(await model.listPrebuilts(id, V)).toHaveLength(1);
    expect(await model.getPrebuilt(id, V, number?.id ?? "")).toMatchObject({ name: "number" });
    expect(await model.listModels(id, V)).toHaveLength(7);
    await roles(id, [
      [entity, "EntityRole", "EntityRoles"],
      [list, "ClosedListEntityRole", "ClosedListEntityRoles"],
      [regex, "RegexEntityRole", "RegexEntityRoles"],
      [any, "PatternAnyEntityRole", "PatternAnyEntityRoles"],
      [number?.id ?? "", "PrebuiltEntityRole", "PrebuiltEntityRoles"],
    ]);
    const { body: phrases } = await features.addPhraseList(id, V, { name: "Foods", phrases: "soup,bread" });
    await features.addIntentFeature(id, V, intent, { featureName: "Foods" });
    await features.addEntityFeature(id, V, entity, { featureName: "Foods" });
    expect(await model.getIntentFeatures(id, V, intent)).toMatchObject([{ featureName: "Foods" }]);
    expect(await model.getEntityFeatures(id, V, entity)).toHaveLength(1);
    await model.replaceIntentFeatures(id, V, intent, [{ modelName: "Order" }]);
    await model.replaceEntityFeatures(id, V, entity, [{ modelName: "Town" }]);
    await model.deleteIntentFeature(id, V, intent, { modelName: "Order" });
    await model.deleteEntityFeature(id, V, entity, { modelName: "Town" });
    await features.updatePhraseList(id, V, phrases, { phraselistUpdateObject: { isActive: false } });
    expect(await features.getPhraseList(id, V, phrases)).toMatchObject({
      isActive: false,
      phrases: "soup,bread",
    });
    expect(await features.listPhraseLists(id, V)).toHaveLength(1);
    expect((await features.list(id, V)).phraselistFeatures).toHaveLength(1);
    await features.deletePhraseList(id, V, phrases);
    await patterns(id, intent);
    await model.deletePatternAnyEntityModel(id, V, any);
    await model.deleteRegexEntityModel(id, V, regex);
    await model.deleteClosedList(id, V, list);
    await model.deleteEntity(id, V, entity);
    await model.deletePrebuilt(id, V, number?.id ?? "");
    await model.deleteIntent(id, V, intent, { deleteUtterances: true });
    expect(await model.listModels(id, V)).toHaveLength(1);
  });

  /** The same five of each kind, whose names tell the kind. */
  async function roles(id: string, kinds: readonly (readonly [string, string, string])[]): Promise<void> {
    const model = client.model as unknown as Record<string, (...given: unknown[]) => Promise<any>>;
    const call = (name: string, ...given: unknown[]) =>
      (model[name] as (...all: unknown[]) => Promise<any>)(id, V, ...given);
    for (const [entity, one, many] of kinds) {
      const { body: role } = await call(`create${one}`, entity, { name: "from" });
      const own = one === "CustomPrebuiltEntityRole" ? "CustomEntityRole" : one;
      await call(`update${one}`, entity, role, { name: "to" });
      expect(await call(`get${own}`, entity, role)).toMatchObject({ id: role, name: "to" });
      expect(await call(`list${many}`, entity)).toHaveLength(1);
      await call(`delete${own}`, entity, role);
    }
  }

  async function patterns(id: string, intent: string): Promise<void> {
    const { pattern } = client;
    const one = await pattern.addPattern(id, V, { pattern: "go to {Town}", intent: "Travel" });
    const [two, three] = await pattern.batchAddPatterns(id, V, [
      { pattern: "off [we go] to {Town}", intent: "Travel" },
      { pattern: "(fly | sail) to {Town}", intent: "Travel" },
    ]);
    await pattern.updatePattern(id, V, one.id ?? "", {
      id: one.id,
      pattern: "let us go to {Town}",
      intent: "Travel",
    });
    await pattern.updatePatterns(id, V, [{ id: two?.id, pattern: "off to {Town}", intent: "Travel" }]);
    expect(await pattern.listPatterns(id, V)).toHaveLength(3);
    expect(await pattern.listIntentPatterns(id, V, intent)).toHaveLength(3);
    await pattern.deletePattern(id, V, one.id ?? "");
    await pattern.deletePatterns(id, V, [two?.id ?? "", three?.id ?? ""]);
  }

  it("takes in older applications, with hierarchical and composite entities", async () => {
    const { apps, model, features, versions } = client;
    const { body: id } = await apps.importV2App(older, { appName: `older ${header}` });
    const [hierarchical] = await model.listHierarchicalEntities(id, V);
    const h = hierarchical?.id ?? "";
    const to = hierarchical?.children?.[1]?.id ?? "";
    await model.updateHierarchicalEntity(id, V, h, { name: "Spot" });
    await model.updateHierarchicalEntityChild(id, V, h, to, { name: "Towards" });
    expect(await model.getHierarchicalEntityChild(id, V, h, to)).toMatchObject({ name: "Towards" });
    expect((await client.examples.list(id, V))[0]?.entityLabels).toMatchObject([
      { entityName: "Spot::Towards" },
    ]);
    expect(await model.getHierarchicalEntity(id, V, h)).toMatchObject({ name: "Spot" });
    const [composite] = await model.listCompositeEntities(id, V);
    const c = composite?.id ?? "";
    const { body: part } = await model.addCompositeEntityChild(id, V, c, { name: "Spot::From" });
    await model.deleteCompositeEntityChild(id, V, c, part);
    await model.updateCompositeEntity(id, V, c, { name: "Journey", children: ["Meal", "Spot::From"] });
    expect((await model.getCompositeEntity(id, V, c)).children).toHaveLength(2);
    await roles(id, [
      [h, "HierarchicalEntityRole", "HierarchicalEntityRoles"],
      [c, "CompositeEntityRole", "CompositeEntityRoles"],
    ]);
    expect((await features.list(id, V)).patternFeatures).toMatchObject([
      { name: "Digits", pattern: "[0-9]+" },
    ]);
    const exported = await versions.exportMethod(id, V);
    expect(exported.hierarchicals).toMatchObject([{ name: "Spot" }]);
    await versions.importMethod(id, exported, { versionId: "0.2" });
    await versions.importV2App(id, older, { versionId: "0.3" });
    const { readableStreamBody, blobBody: _, ...lu } = await versions.exportLuFormat(id, V);
    let text = String((lu as { body?: string }).body ?? "");
    for await (const part of readableStreamBody ?? []) text += part;
    expect(text).toContain("# Fly");
    await versions.importLuFormat(id, text, { versionId: "0.4" });
    expect((await versions.exportMethod(id, "0.4")).utterances).toEqual(exported.utterances);
    const again = await apps.importMethod(exported, { appName: `again ${header}` });
    const third = await apps.importLuFormat(text, { appName: `third ${header}` });
    for (const app of [again.body, third.body]) await apps.deleteMethod(app);
    await model.deleteHierarchicalEntityChild(id, V, h, to);
    await model.deleteHierarchicalEntity(id, V, h);
    await model.deleteCompositeEntity(id, V, c);
    await apps.deleteMethod(id);
  });

  it("labels, trains, publishes, is asked, and learns from what it was asked", async () => {
    const { apps, examples, model, train, versions, settings } = client;
    const id = await newApp("story");
    await model.addCustomPrebuiltDomain(id, V, { domainName: "Weather" });
    await model.deleteCustomPrebuiltDomain(id, V, "Weather");
    const { body: place } = await model.addCustomPrebuiltEntity(id, V, {
      domainName: "Weather",
      modelName: "Weather.Location",
    });
    const { body: ask } = await model.addCustomPrebuiltIntent(id, V, {
      domainName: "Weather",
      modelName: "Weather.QueryWeather",
    });
    await model.addCustomPrebuiltIntent(id, V, { domainName: "Weather", modelName: "Weather.ChangeUnit" });
    expect(await model.listCustomPrebuiltIntents(id, V)).toHaveLength(2);
    expect(await model.listCustomPrebuiltEntities(id, V)).toHaveLength(1);
    expect(await model.listCustomPrebuiltModels(id, V)).toHaveLength(3);
    await roles(id, [[place, "CustomPrebuiltEntityRole", "CustomPrebuiltEntityRoles"]]);
    const added = await examples.add(id, V, { text: "tell me a joke", intentName: "None" });
    const batch = await examples.batch(id, V, [
      { text: "good night", intentName: "None" },
      { text: "who knows", intentName: "Nothing" },
    ]);
    expect(batch.map(({ hasError }) => hasError)).toEqual([false, true]);
    await examples.deleteMethod(id, V, added.exampleId ?? 0);
    expect((await model.examplesMethod(id, V, ask)).length).toBe(8);
    await settings.update(id, V, [{ name: "NormalizePunctuation", value: "true" }]);
    expect(await settings.list(id, V)).toContainEqual({ name: "NormalizePunctuation", value: "true" });
    expect(await train.trainVersion(id, V)).toMatchObject({ statusId: 9, status: "Queued" });
    for (;;) {
      const models = await train.getStatus(id, V);
      if (models.every(({ details }) => details?.status === "Success")) break;
      await pause(50);
    }
    expect(await apps.publish(id, { versionId: V, isStaging: false })).toMatchObject({
      versionId: V,
      isStaging: false,
    });
    const question = "is it foggy in Hamburg";
    const predicted = await fetch(
      `${instance.url}${mount}/luis/prediction/v3.0/apps/${id}/slots/production/predict?log=true&query=${encodeURIComponent(question)}`,
      { headers: { [header]: KEY } },
    );
    expect(((await predicted.json()) as any).prediction.topIntent).toBe("Weather.QueryWeather");
    const [suggestion] = await model.listIntentSuggestions(id, V, ask);
    expect(suggestion).toMatchObject({ text: question, intentPredictions: expect.any(Array) });
    expect(await model.listEntitySuggestions(id, V, place)).toEqual(expect.any(Array));
    await versions.deleteUnlabelledUtterance(id, V, question);
    expect(await model.listIntentSuggestions(id, V, ask)).toEqual([]);
    expect(
      (await examples.list(id, V, { enableNestedChildren: true }))[0]?.intentPredictions?.length,
    ).toBeGreaterThan(2);
    for (const file of [
      await apps.downloadQueryLogs(id),
      await apps.packageTrainedApplicationAsGzip(id, V),
      await apps.packagePublishedApplicationAsGzip(id, "production"),
    ]) {
      let size = 0;
      for await (const part of file.readableStreamBody ?? []) size += part.length;
      expect(size).toBeGreaterThan(50);
    }
    await versions.clone(id, V, { version: "0.2" });
    await versions.update(id, "0.2", { version: "0.3" });
    expect(await versions.get(id, V)).toMatchObject({ trainingStatus: "Trained", endpointHitsCount: 1 });
    expect(await versions.list(id)).toHaveLength(2);
    await versions.deleteMethod(id, "0.3");
    expect(await apps.get(id)).toMatchObject({ endpointHitsCount: 1 });
  }, 120_000);

  it("has called every operation of the client", () => {
    expect(called.size).toBe(OPERATIONS);
  });
});

/** Models that only an import of an older application brings, and what belongs to parts of a model. */
import { askerOf, eventually } from "./asking.mjs";

const MOUNT = "/language/luis/authoring/v3.0-preview";
const POLLS_MAX = 600;
const OLDER = {
  luis_schema_version: "7.0.0",
  versionId: "0.1",
  name: "Older desk",
  desc: "",
  culture: "en-us",
  intents: [{ name: "None" }, { name: "Order" }],
  entities: [{ name: "Dish" }],
  hierarchicals: [{ name: "Place", children: [{ name: "From" }, { name: "To" }] }],
  composites: [{ name: "Trip", children: [{ name: "Place::To" }, { name: "number" }] }],
  closedLists: [],
  prebuiltEntities: [{ name: "number" }],
  patternAnyEntities: [{ name: "Title", explicitList: ["to be or not"] }],
  regex_entities: [],
  regex_features: [],
  phraselists: [{ name: "Foods", mode: true, words: "soup,bread", activated: true }],
  patterns: [{ pattern: "order [a] {Dish}", intent: "Order" }],
  utterances: [],
};

async function useEntities(shown, at) {
  const [[place], [trip]] = [
    (await shown("GET", `${at}/hierarchicalentities`)) ?? [],
    (await shown("GET", `${at}/compositeentities`)) ?? [],
  ];
  const placeAt = `${at}/hierarchicalentities/${place.id}`;
  await shown("GET", placeAt);
  await shown("PATCH", placeAt, { name: "Where" });
  const child = `${placeAt}/children/${place.children[0].id}`;
  await shown("GET", child);
  await shown("PATCH", child, { name: "Origin" });
  const tripAt = `${at}/compositeentities/${trip.id}`;
  await shown("GET", tripAt);
  const added = await shown("POST", `${tripAt}/children`, { name: "Dish" });
  await shown("DELETE", `${tripAt}/children/${added}`);
  await shown("PUT", tripAt, { name: "Journey", children: ["number"] });
  const domain = { domainName: "Weather", modelName: "Weather.Location" };
  const custom = `${at}/customprebuiltentities/${await shown("POST", `${at}/customprebuiltentities`, domain)}`;
  for (const entity of [placeAt, tripAt, custom]) {
    const role = await shown("POST", `${entity}/roles`, { name: entity === custom ? "here" : "there" });
    await shown("GET", `${entity}/roles`);
    await shown("GET", `${entity}/roles/${role}`);
    await shown("PUT", `${entity}/roles/${role}`, { name: "nowhere" });
    await shown("DELETE", `${entity}/roles/${role}`);
  }
  await shown("DELETE", child);
  await shown("DELETE", tripAt);
  await shown("DELETE", placeAt);
}
async function useParts(shown, at) {
  const [title] = await shown("GET", `${at}/patternanyentities`);
  const items = `${at}/patternanyentities/${title.id}/explicitlist`;
  const item = `${items}/${await shown("POST", items, { explicitListItem: "Under Milk Wood" })}`;
  await shown("GET", item);
  await shown("PUT", item, { explicitListItem: "Far from the Madding Crowd" });
  await shown("DELETE", item);
  const intents = await shown("GET", `${at}/intents`);
  const [dish] = await shown("GET", `${at}/entities`);
  const feature = { featureName: "Foods", isRequired: false };
  for (const owner of [
    `${at}/intents/${intents.find(({ name }) => name === "Order").id}`,
    `${at}/entities/${dish.id}`,
  ]) {
    await shown("PUT", `${owner}/features`, [feature]);
    await shown("DELETE", `${owner}/features`, feature);
  }
  const [pattern] = await shown("GET", `${at}/patternrules`);
  await shown("DELETE", `${at}/patternrules`, [pattern.id]);
}

/** What was asked with `log=true` is suggested for labelling, until it is taken out. */
async function teach(shown, ask) {
  const apps = await shown("GET", "/apps/");
  const { id } = apps.find(({ name }) => name === "Travel desk");
  const training = `/apps/${id}/versions/0.1/train`;
  await shown("POST", training);
  const isTrained = async () =>
    (await shown("GET", training)).every(({ details }) => /Success|UpToDate/.test(details.status));
  await eventually(isTrained, "The end of the training", POLLS_MAX);
  await shown("POST", `/apps/${id}/publish`, { versionId: "0.1", isStaging: false });
  const query = "take me to Malta tomorrow";
  await ask("POST", `/language/luis/prediction/v3.0/apps/${id}/slots/production/predict?log=true`, { query });
  const at = `/apps/${id}/versions/0.1`;
  const intents = await shown("GET", `${at}/intents`);
  const entities = await shown("GET", `${at}/entities`);
  await shown("GET", `${at}/intents/${intents.find(({ name }) => name === "BookFlight").id}/suggest`);
  await shown("GET", `${at}/entities/${entities[0].id}/suggest`);
  await shown("DELETE", `${at}/suggest`, query);
}

export async function recordLanguage({ url, account, record }) {
  const ask = askerOf(url, { "ocp-apim-subscription-key": account.apiKeys[0] });
  const shown = async (method, path, body) => {
    const answer = await ask(method, MOUNT + path, body);
    const type = answer.headers.get("content-type") ?? "";
    record({ method, path: MOUNT + path, ...(body && { body }) }, { ...answer, type });
    return answer.body;
  };
  const app = await shown("POST", "/apps/import?appName=Older%20desk", OLDER);
  const at = `/apps/${app}/versions/0.1`;
  await useParts(shown, at);
  await useEntities(shown, at);
  await teach(shown, ask);
}

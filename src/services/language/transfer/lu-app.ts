/** An application during parsing of `.lu` text: every list exists, even if it is empty. */
import type { AppJson } from "./app-json.ts";

export type App = { [Key in keyof AppJson]-?: NonNullable<AppJson[Key]> };
export const emptyApp = (): App => ({
  luis_schema_version: "7.0.0",
  name: "",
  versionId: "",
  desc: "",
  culture: "",
  tokenizerVersion: "",
  settings: [],
  intents: [],
  entities: [],
  hierarchicals: [],
  composites: [],
  closedLists: [],
  prebuiltEntities: [],
  patternAnyEntities: [],
  regex_entities: [],
  regex_features: [],
  phraselists: [],
  model_features: [],
  patterns: [],
  utterances: [],
});

export const keyOf = (name: string | null | undefined): string => (name ?? "").toLowerCase();
export const same = (a: string | null | undefined, b: string): boolean => keyOf(a) === keyOf(b);
export const entitiesOf = (app: App): { name?: string | null; roles?: string[] | null }[] => [
  ...app.entities,
  ...app.hierarchicals,
  ...app.composites,
  ...app.closedLists,
  ...app.prebuiltEntities,
  ...app.regex_entities,
  ...app.patternAnyEntities,
];

export type Named = { name?: string | null };
/** The items of each list by their keys: a file may have very many. */
const found = new WeakMap<object, Map<string, object>>();
const itemsByKey = <Item extends object>(items: readonly Item[]): Map<string, Item> => {
  const byKey = found.get(items) ?? new Map<string, object>();
  found.set(items, byKey);
  return byKey as Map<string, Item>;
};
/** The first item that was added with that key. */
export const findKeyed = <Item extends object>(items: readonly Item[], key: string): Item | undefined =>
  itemsByKey(items).get(key);
export function addKeyed<Item extends object>(items: Item[], key: string, item: Item): Item {
  items.push(item);
  const byKey = itemsByKey(items);
  if (!byKey.has(key)) byKey.set(key, item);
  return item;
}
export const findNamed = <Model extends Named>(models: readonly Model[], name: string): Model | undefined =>
  findKeyed(models, keyOf(name));
/** The item with that name; created if it does not exist. */
export const named = <Model extends Named>(models: Model[], name: string, make: () => Model): Model =>
  findNamed(models, name) ?? addKeyed(models, keyOf(name), make());

/** The list with more items at its end. It is not copied, because it may be long. */
export function withMore<Item>(list: Item[] | null | undefined, more: Iterable<Item>): Item[] {
  const whole = list ?? [];
  for (const item of more) whole.push(item);
  return whole;
}

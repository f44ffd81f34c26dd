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

/** What comments of `.lu` files say about the application: its name and settings, and where models come from. */
import { errors } from "../errors.ts";
import type { JsonModel } from "./app-json.ts";
import { type App, named } from "./lu-app.ts";

/** `> !# @app.name = Travel desk`. */
export function readSaid(app: App, text: string): void {
  const said = text.slice(1).trim();
  const equals = said.indexOf("=");
  if (!said.startsWith("!#") || equals < 0) return;
  const path = said.slice(2, equals).trim();
  const dot = path.indexOf(".");
  if (!path.startsWith("@") || dot < 0) return;
  const group = path.slice(1, dot);
  const key = path.slice(dot + 1);
  const value = said.slice(equals + 1).trim();
  if (group === "app" && key.startsWith("settings."))
    app.settings.push({ name: key.slice(9), value: value.trim() });
  else if (group === "app" && key === "regex_features") app.regex_features.push(featureIn(value));
  else if (group === "app" && isWord(key)) app[key] = value.trim();
  else if (key === "inherits" && (group === "intent" || group === "entity")) readInherits(app, group, value);
}
const WORDS = ["name", "versionId", "desc", "culture", "tokenizerVersion", "luis_schema_version"] as const;
const isWord = (key: string): key is (typeof WORDS)[number] => (WORDS as readonly string[]).includes(key);
function featureIn(value: string): App["regex_features"][number] {
  try {
    const { name, pattern, activated } = JSON.parse(value);
    return { name: String(name), pattern: String(pattern), activated: activated !== false };
  } catch {
    throw errors.badArgument(`'${value}' is no regular-expression feature.`);
  }
}
function readInherits(app: App, group: "intent" | "entity", value: string): void {
  const parts = new Map(
    value.split(";").map((part) => {
      const colon = part.indexOf(":");
      return [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
    }),
  );
  const [name, domain, model] = ["name", "domain_name", "model_name"].map((part) => parts.get(part) ?? "");
  if (!name || !domain || !model) return;
  const models = group === "intent" ? app.intents : app.entities;
  named<JsonModel>(models, name, () => ({ name, roles: [], children: [], features: [] })).inherits = {
    domain_name: domain,
    model_name: model,
  };
}

/** Writes an application as `.lu` text. Its metadata is in comments, as is usual for these files. */
import type { AppJson, JsonChild, JsonFeature, JsonLabel } from "./app-json.ts";
import { lineOf } from "./lu-inline.ts";

/** Names with characters other than letters, digits, `_`, `.` and `-` are quoted. */
const quoted = (name: string | null | undefined): string =>
  /^[\p{L}\p{N}_.-]+$/u.test(name ?? "") ? (name ?? "") : `"${(name ?? "").replaceAll('"', '\\"')}"`;

const rolesOf = (roles: readonly string[] | null | undefined): string =>
  roles?.length ? ` hasRoles ${roles.map(quoted).join(", ")}` : "";
const featuresOf = (features: readonly JsonFeature[] | null | undefined): string =>
  features?.length
    ? ` usesFeatures ${features.map(({ featureName, modelName, isRequired }) => `${quoted(featureName ?? modelName)}${isRequired ? "*" : ""}`).join(", ")}`
    : "";

function* childLines(children: JsonChild["children"], indent: string): Generator<string> {
  for (const child of children ?? []) {
    if (typeof child === "string") continue;
    yield `${indent}- @ ${child.instanceOf ? quoted(child.instanceOf) : "ml"} ${quoted(child.name)}${featuresOf(child.features)}`;
    yield* childLines(child.children, `${indent}    `);
  }
}

function* headLines(app: AppJson): Generator<string> {
  const said: readonly (readonly [string, string | null | undefined])[] = [
    ["name", app.name],
    ["desc", app.desc],
    ["versionId", app.versionId],
    ["culture", app.culture],
    ["luis_schema_version", app.luis_schema_version],
    ["tokenizerVersion", app.tokenizerVersion],
  ];
  yield "> What this application says of itself.";
  for (const [key, value] of said) if (value) yield `> !# @app.${key} = ${value.replaceAll(/[\r\n]+/g, " ")}`;
  for (const { name, value } of app.settings ?? []) yield `> !# @app.settings.${name} = ${value}`;
  for (const { name, inherits } of app.intents ?? [])
    if (inherits)
      yield `> !# @intent.inherits = name : ${name}; domain_name : ${inherits.domain_name}; model_name : ${inherits.model_name}`;
  for (const { name, inherits } of app.entities ?? [])
    if (inherits)
      yield `> !# @entity.inherits = name : ${name}; domain_name : ${inherits.domain_name}; model_name : ${inherits.model_name}`;
  for (const feature of app.regex_features ?? [])
    yield `> !# @app.regex_features = ${JSON.stringify({ name: feature.name, pattern: feature.pattern, activated: feature.activated })}`;
}

/** Inline labels cannot cross. Labels of composites, which contain others, follow in a comment. */
function utteranceLine(text: string, labels: readonly JsonLabel[], composites: ReadonlySet<string>): string {
  const outer = labels.filter(({ entity }) => composites.has(entity));
  const inner = labels.filter(({ entity }) => !composites.has(entity));
  const held = outer.map((label) => ({
    ...label,
    children: inner.filter((one) => one.startPos >= label.startPos && one.endPos <= label.endPos),
  }));
  const free = inner.filter((one) => !held.some(({ children }) => children.includes(one)));
  return lineOf(text, [...held, ...free]);
}

function* intentLines(app: AppJson): Generator<string> {
  const composites = new Set((app.composites ?? []).map(({ name }) => name ?? ""));
  yield* ["", "> # Intents"];
  for (const { name, features } of app.intents ?? []) {
    yield* ["", `# ${name}`];
    const isOfIt = ({ intent }: { intent?: string | null }) => intent === name;
    for (const { text, entities } of (app.utterances ?? []).filter(isOfIt))
      yield `- ${utteranceLine(text ?? "", entities ?? [], composites)}`;
    for (const { pattern } of (app.patterns ?? []).filter(isOfIt)) yield `- ~${withSigns(pattern ?? "")}`;
    if (features?.length) yield* ["", `@ intent ${quoted(name)}${featuresOf(features)}`];
  }
}
/** Entities in patterns have a sign before their names in these files. */
const withSigns = (pattern: string): string =>
  pattern.replaceAll(/\{([^{}]*)\}/g, (_, inside: string) => `{@${inside.trim()}}`);

function* learnedLines(app: AppJson): Generator<string> {
  for (const { name, roles, features, children } of app.entities ?? []) {
    yield "";
    yield `@ ml ${quoted(name)}${rolesOf(roles)}${featuresOf(features)}${children?.length ? " =" : ""}`;
    yield* childLines(children, "    ");
  }
  for (const kind of ["hierarchical", "composite"] as const)
    for (const { name, roles, children } of app[`${kind}s`] ?? []) {
      const parts = (children ?? []).map((child) => quoted(typeof child === "string" ? child : child.name));
      yield* ["", `@ ${kind} ${quoted(name)}${rolesOf(roles)} = [${parts.join(", ")}]`];
    }
}

function* listLines(app: AppJson): Generator<string> {
  for (const { name, roles, subLists } of app.closedLists ?? []) {
    yield* ["", `@ list ${quoted(name)}${rolesOf(roles)} =`];
    for (const { canonicalForm, list } of subLists ?? []) {
      yield `    - ${canonicalForm} :`;
      yield* (list ?? []).map((word) => `        - ${word}`);
    }
  }
}

function* writtenLines(app: AppJson): Generator<string> {
  for (const { name, roles } of app.prebuiltEntities ?? [])
    yield* ["", `@ prebuilt ${quoted(name)}${rolesOf(roles)}`];
  yield* listLines(app);
  for (const { name, roles, regexPattern } of app.regex_entities ?? [])
    yield* ["", `@ regex ${quoted(name)}${rolesOf(roles)} = /${regexPattern}/`];
  for (const { name, roles, explicitList } of app.patternAnyEntities ?? []) {
    yield* ["", `@ patternany ${quoted(name)}${rolesOf(roles)}${explicitList?.length ? " =" : ""}`];
    yield* (explicitList ?? []).map((item) => `    - ${item}`);
  }
}

function* phraseListLines(app: AppJson): Generator<string> {
  yield "";
  yield "> # Phrase lists";
  for (const { name, mode, words, activated, enabledForAllModels } of app.phraselists ?? []) {
    yield "";
    const kind = mode === false ? "" : "(interchangeable)";
    const state = `${activated === false ? " disabled" : ""}${enabledForAllModels === false ? " disabledForAllModels" : ""}`;
    yield `@ phraselist ${quoted(name)}${kind}${state} =`;
    yield `    - ${words}`;
  }
}

export const luOf = (app: AppJson): string =>
  `${[...headLines(app), ...intentLines(app), "", "> # Entities", ...learnedLines(app), ...writtenLines(app), ...phraseListLines(app)].join("\n")}\n`;

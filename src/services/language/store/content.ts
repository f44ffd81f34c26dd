/** All that a version says, as one. */
import type { Kysely } from "kysely";
import type { Application, Version } from "../domain/application.ts";
import type { Entity, Intent, VersionContent } from "../domain/content.ts";
import type { Model } from "../domain/models.ts";
import type { Tables } from "../tables.ts";
import { insertExamples, listExamples } from "./examples.ts";
import { insertFeatures, listFeatures } from "./features.ts";
import { insertModels, listModels } from "./models.ts";
import { insertPatterns, listPatterns } from "./patterns.ts";

type Db = Kysely<Tables>;
const PAGE = 2_000;

const isIntent = (model: Model): model is Intent & { readonly kind: "intent" } => model.kind === "intent";
const isEntity = (model: Model): model is Entity => model.kind !== "intent";

export async function readContent(
  db: Db,
  account: string,
  { culture, tokenizerVersion }: Pick<Application, "culture" | "tokenizerVersion">,
  { uid, settings }: Pick<Version, "uid" | "settings">,
): Promise<VersionContent> {
  const models = (await listModels(db, account, uid)).map(({ model }) => model);
  const features = await listFeatures(db, account, uid);
  const utterances = [];
  for (let skip = 0; ; skip += PAGE) {
    const page = await listExamples(db, account, uid, { skip, take: PAGE });
    utterances.push(...page);
    if (page.length < PAGE) break;
  }
  return {
    culture,
    tokenizerVersion,
    settings,
    intents: models.filter(isIntent).map(({ kind: _, ...intent }) => intent),
    entities: models.filter(isEntity),
    phraseLists: features.flatMap(({ kind, ...feature }) =>
      kind === "phrases" ? [feature] : [],
    ) as VersionContent["phraseLists"],
    regexFeatures: features.flatMap(({ kind, ...feature }) =>
      kind === "regex" ? [feature] : [],
    ) as VersionContent["regexFeatures"],
    patterns: (await listPatterns(db, account, uid)).map(({ position: _, ...pattern }) => pattern),
    utterances,
  };
}

/** Of a version that says nothing yet. Ids of utterances, features, sub-lists are given out before; answers nothing. */
export async function writeContent(
  db: Db,
  account: string,
  { uid, revision }: Pick<Version, "uid" | "revision">,
  content: VersionContent,
): Promise<void> {
  const models: Model[] = [
    ...content.intents.map((intent) => ({ ...intent, kind: "intent" as const })),
    ...content.entities,
  ];
  await insertModels(
    db,
    account,
    uid,
    models.map((model, position) => ({
      model,
      position,
      changedRevision: revision,
      trainedRevision: undefined,
      trainedAtMs: undefined,
      trainedExamples: undefined,
    })),
  );
  await insertFeatures(db, account, uid, [
    ...content.phraseLists.map((list) => ({ ...list, kind: "phrases" as const })),
    ...content.regexFeatures.map((feature) => ({ ...feature, kind: "regex" as const })),
  ]);
  await insertPatterns(
    db,
    account,
    uid,
    content.patterns.map((pattern, position) => ({ ...pattern, position })),
  );
  await insertExamples(db, account, uid, content.utterances);
}

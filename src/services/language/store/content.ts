/** The complete content of a version. */
import type { Kysely } from "kysely";
import type { Application, Version } from "../domain/application.ts";
import type { Entity, Intent, VersionContent } from "../domain/content.ts";
import type { Model } from "../domain/models.ts";
import type { Tables } from "../tables.ts";
import { insertExamples, listExamples } from "./examples.ts";
import { insertFeatures, listFeatures } from "./features.ts";
import { insertModels, listModels } from "./models.ts";
import { insertPatterns, listPatterns } from "./patterns.ts";
import { VERSION_PARTS } from "./version-part.ts";

type Db = Kysely<Tables>;
const PAGE = 1_000;

const isIntent = (model: Model): model is Intent & { readonly kind: "intent" } => model.kind === "intent";
const isEntity = (model: Model): model is Entity => model.kind !== "intent";

export async function readContent(
  db: Db,
  account: string,
  { culture, tokenizerVersion }: Pick<Application, "culture" | "tokenizerVersion">,
  { uid, settings }: Pick<Version, "uid" | "settings">,
  betweenPages: () => Promise<void> = async () => {},
): Promise<VersionContent> {
  const models = await listModels(db, account, uid);
  const features = await listFeatures(db, account, uid);
  const utterances = [];
  for (let skip = 0; ; skip += PAGE) {
    const page = await listExamples(db, account, uid, { skip, take: PAGE });
    utterances.push(...page);
    if (page.length < PAGE) break;
    await betweenPages();
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

type Step = (db: Db) => Promise<void>;
/** Few enough for one turn. */
const ROWS_AT_ONCE = 250;
const stepsOf = <T>(all: readonly T[], insert: (db: Db, some: readonly T[]) => Promise<void>): Step[] =>
  Array.from(
    { length: Math.ceil(all.length / ROWS_AT_ONCE) },
    (_, step) => (db) => insert(db, all.slice(step * ROWS_AT_ONCE, (step + 1) * ROWS_AT_ONCE)),
  );
/** Writes the content in steps for a version without content. Ids and numbers are allocated before. */
export function contentSteps(
  account: string,
  { uid, revision }: Pick<Version, "uid" | "revision">,
  content: VersionContent,
): Step[] {
  const models: readonly Model[] = [
    ...content.intents.map((intent) => ({ ...intent, kind: "intent" as const })),
    ...content.entities,
  ];
  const stored = models.map((model, position) => ({
    model,
    position,
    changedRevision: revision,
    trainedRevision: undefined,
    trainedAtMs: undefined,
    trainedExamples: undefined,
  }));
  const features = [
    ...content.phraseLists.map((list) => ({ ...list, kind: "phrases" as const })),
    ...content.regexFeatures.map((feature) => ({ ...feature, kind: "regex" as const })),
  ];
  const patterns = content.patterns.map((pattern, position) => ({ ...pattern, position }));
  return [
    ...stepsOf(stored, (db, some) => insertModels(db, account, uid, some)),
    ...stepsOf(features, (db, some) => insertFeatures(db, account, uid, some)),
    ...stepsOf(patterns, (db, some) => insertPatterns(db, account, uid, some)),
    ...stepsOf(content.utterances, (db, some) => insertExamples(db, account, uid, some)),
  ];
}

/** Deletes some rows of a version's content. Returns whether there were any. */
export async function deleteSomeContent(db: Db, account: string, version: string): Promise<boolean> {
  for (const table of VERSION_PARTS) {
    const some = db
      .selectFrom(table)
      .select("id")
      .where("account", "=", account)
      .where("version", "=", version)
      .limit(ROWS_AT_ONCE);
    const { numDeletedRows } = await db
      .deleteFrom(table)
      .where("account", "=", account)
      .where("version", "=", version)
      .where("id", "in", some as never)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) return true;
  }
  return false;
}

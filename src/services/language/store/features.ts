/** Phrase lists, and the regular-expression features of older applications. */
import type { Kysely } from "kysely";
import { compiledInsertAll, compiledUpdate } from "#kernel/db";
import type { PhraseList, RegexFeature } from "../domain/content.ts";
import { keyOf } from "../domain/limits.ts";
import type { FeatureRow, Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

type Db = Kysely<Tables>;
export type Feature =
  | (PhraseList & { readonly kind: "phrases" })
  | (RegexFeature & { readonly kind: "regex" });

const featureOf = (row: FeatureRow): Feature =>
  ({ ...JSON.parse(row.body), kind: row.kind, id: Number(row.id), name: row.name }) as Feature;
const rowOf = (account: string, version: string, feature: Feature): FeatureRow => {
  const { kind, id, name, ...body } = feature;
  return { account, version, id, kind, name, name_key: keyOf(name), body: JSON.stringify(body) };
};

const insertRows = inChunks(
  compiledInsertAll<FeatureRow>("language_feature", [
    "account",
    "version",
    "id",
    "kind",
    "name",
    "name_key",
    "body",
  ]),
);
export async function insertFeatures(
  db: Db,
  account: string,
  version: string,
  features: readonly Feature[],
): Promise<void> {
  await insertRows(
    db,
    features.map((feature) => rowOf(account, version, feature)),
  );
}
const updateRow = compiledUpdate<FeatureRow, "account" | "version" | "id">(
  "language_feature",
  ["account", "version", "id"],
  ["name", "name_key", "body"],
);
export async function updateFeature(
  db: Db,
  account: string,
  version: string,
  feature: Feature,
): Promise<void> {
  await updateRow(db, rowOf(account, version, feature));
}
export async function deleteFeature(db: Db, account: string, version: string, id: number): Promise<void> {
  await db
    .deleteFrom("language_feature")
    .where("account", "=", account)
    .where("version", "=", version)
    .where("id", "=", id)
    .execute();
}
export async function listFeatures(
  db: Db,
  account: string,
  version: string,
  page?: { readonly skip: number; readonly take: number },
): Promise<Feature[]> {
  const rows = await db
    .selectFrom("language_feature")
    .selectAll()
    .where("account", "=", account)
    .where("version", "=", version)
    .orderBy("kind")
    .orderBy("id")
    .$if(page !== undefined, (query) => query.limit(page?.take ?? 0).offset(page?.skip ?? 0))
    .execute();
  return rows.map(featureOf);
}

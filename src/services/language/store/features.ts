/** Phrase lists, and the regular-expression features of older applications. */
import type { Kysely } from "kysely";
import type { PhraseList, RegexFeature } from "../domain/content.ts";
import { keyOf } from "../domain/limits.ts";
import type { FeatureRow, Tables } from "../tables.ts";
import { type Page, versionPart } from "./version-part.ts";

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

const part = versionPart<FeatureRow>(
  "language_feature",
  ["account", "version", "id", "kind", "name", "name_key", "body"],
  ["kind", "id"],
);
export const insertFeatures = (
  db: Db,
  account: string,
  version: string,
  features: readonly Feature[],
): Promise<void> =>
  part.insert(
    db,
    features.map((feature) => rowOf(account, version, feature)),
  );
const updateRow = part.update(["name", "name_key", "body"]);
export const updateFeature = (db: Db, account: string, version: string, feature: Feature): Promise<boolean> =>
  updateRow(db, rowOf(account, version, feature));
export const deleteFeature = (db: Db, account: string, version: string, id: number): Promise<number> =>
  part.remove(db, account, version, { id });
export async function listFeatures(
  db: Db,
  account: string,
  version: string,
  page?: Page,
): Promise<Feature[]> {
  return (await part.list(db, account, version, {}, page)).map(featureOf);
}

/** Labelled utterances of a version. */
import { type Kysely, sql } from "kysely";
import type { Label, Utterance } from "../domain/content.ts";
import { textKeyOf } from "../domain/limits.ts";
import type { ExampleRow, Tables } from "../tables.ts";
import { moveIntentBy, type Page, versionPart } from "./version-part.ts";

type Db = Kysely<Tables>;

const utteranceOf = (row: ExampleRow): Utterance => ({
  id: Number(row.id),
  text: row.text,
  intent: row.intent,
  labels: JSON.parse(row.labels) as Label[],
});
const rowOf = (account: string, version: string, { id, text, intent, labels }: Utterance): ExampleRow => ({
  account,
  version,
  id,
  text,
  text_key: textKeyOf(text),
  intent,
  labels: JSON.stringify(labels),
});

const part = versionPart<ExampleRow>(
  "language_example",
  ["account", "version", "id", "text", "text_key", "intent", "labels"],
  ["id"],
);
export const insertExamples = (
  db: Db,
  account: string,
  version: string,
  utterances: readonly Utterance[],
): Promise<void> =>
  part.insert(
    db,
    utterances.map((utterance) => rowOf(account, version, utterance)),
  );
const updateRow = part.update(["text", "intent", "labels"]);
export const updateExample = (
  db: Db,
  account: string,
  version: string,
  utterance: Utterance,
): Promise<boolean> => updateRow(db, rowOf(account, version, utterance));

export async function findExampleByText(
  db: Db,
  account: string,
  version: string,
  text: string,
): Promise<Utterance | undefined> {
  const row = await part.find(db, account, version, { text_key: textKeyOf(text) });
  return row && utteranceOf(row);
}
export async function findExample(
  db: Db,
  account: string,
  version: string,
  id: number,
): Promise<Utterance | undefined> {
  const row = await part.find(db, account, version, { id });
  return row && utteranceOf(row);
}

export const deleteExamples = (
  db: Db,
  account: string,
  version: string,
  which: Pick<ExampleRow, "id"> | Pick<ExampleRow, "intent">,
): Promise<number> => part.remove(db, account, version, which);
export const moveIntentOfExamples = moveIntentBy(part.change);
export async function listExamples(
  db: Db,
  account: string,
  version: string,
  page: Page,
): Promise<Utterance[]> {
  return (await part.list(db, account, version, {}, page)).map(utteranceOf);
}

/** The form of an entity's name in the JSON of labels. */
const mentionOf = (entity: string): string =>
  `%"entity":${JSON.stringify(entity)
    .replaceAll(/[\\%_]/g, "\\$&")
    .slice(0, -1)}%`;

/** Examples whose labels may name the entity. Names that only start with it match too. */
export async function listMentioning(
  db: Db,
  account: string,
  version: string,
  entity: string,
): Promise<Utterance[]> {
  const rows = await db
    .selectFrom("language_example")
    .selectAll()
    .where("account", "=", account)
    .where("version", "=", version)
    .where(sql<boolean>`labels like ${mentionOf(entity)} escape '\\'`)
    .orderBy("id")
    .execute();
  return rows.map(utteranceOf);
}
export async function listExamplesOf(
  db: Db,
  account: string,
  version: string,
  intent: string,
  page?: Page,
): Promise<Utterance[]> {
  return (await part.list(db, account, version, { intent }, page)).map(utteranceOf);
}

export const countExamples = part.count;

/** Which of these texts are labelled already. */
export async function findLabelled(
  db: Db,
  account: string,
  version: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await part.list(db, account, version, { text_key: keys });
  return new Set(rows.map(({ text_key }) => text_key));
}

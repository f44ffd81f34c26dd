/** Labelled utterances of a version. */
import { type Kysely, sql } from "kysely";
import { compiledInsertAll, compiledQuery, compiledUpdate } from "#kernel/db";
import type { Label, Utterance } from "../domain/content.ts";
import { textKeyOf } from "../domain/limits.ts";
import type { ExampleRow, Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

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

const COLUMNS = ["account", "version", "id", "text", "text_key", "intent", "labels"] as const;
const insertRows = inChunks(compiledInsertAll<ExampleRow>("language_example", COLUMNS));
export async function insertExamples(
  db: Db,
  account: string,
  version: string,
  utterances: readonly Utterance[],
): Promise<void> {
  await insertRows(
    db,
    utterances.map((utterance) => rowOf(account, version, utterance)),
  );
}
const updateRow = compiledUpdate<ExampleRow, "account" | "version" | "id">(
  "language_example",
  ["account", "version", "id"],
  ["text", "intent", "labels"],
);
export async function updateExample(
  db: Db,
  account: string,
  version: string,
  utterance: Utterance,
): Promise<void> {
  await updateRow(db, rowOf(account, version, utterance));
}

const selectByText = compiledQuery<ExampleRow, [string, string, string]>(
  ["", "", ""],
  (db, account, version, key) =>
    db
      .selectFrom("language_example")
      .selectAll()
      .where("account", "=", account)
      .where("version", "=", version)
      .where("text_key", "=", key),
);
export async function findExampleByText(
  db: Db,
  account: string,
  version: string,
  text: string,
): Promise<Utterance | undefined> {
  const [row] = await selectByText(db, account, version, textKeyOf(text));
  return row && utteranceOf(row);
}

const selectById = compiledQuery<ExampleRow, [string, string, number]>(
  ["", "", 0],
  (db, account, version, id) =>
    db
      .selectFrom("language_example")
      .selectAll()
      .where("account", "=", account)
      .where("version", "=", version)
      .where("id", "=", id),
);
export async function findExample(
  db: Db,
  account: string,
  version: string,
  id: number,
): Promise<Utterance | undefined> {
  const [row] = await selectById(db, account, version, id);
  return row && utteranceOf(row);
}

export async function deleteExamples(
  db: Db,
  account: string,
  version: string,
  which: { readonly id: number } | { readonly intent: string },
): Promise<void> {
  const query = db
    .deleteFrom("language_example")
    .where("account", "=", account)
    .where("version", "=", version);
  await ("id" in which
    ? query.where("id", "=", which.id)
    : query.where("intent", "=", which.intent)
  ).execute();
}
export async function moveIntentOfExamples(
  db: Db,
  account: string,
  version: string,
  from: string,
  to: string,
): Promise<void> {
  await db
    .updateTable("language_example")
    .set({ intent: to })
    .where("account", "=", account)
    .where("version", "=", version)
    .where("intent", "=", from)
    .execute();
}

const selectPage = compiledQuery<ExampleRow, [string, string, number, number]>(
  ["", "", 0, 0],
  (db, account, version, skip, take) =>
    db
      .selectFrom("language_example")
      .selectAll()
      .where("account", "=", account)
      .where("version", "=", version)
      .orderBy("id")
      .limit(take)
      .offset(skip),
);
export async function listExamples(
  db: Db,
  account: string,
  version: string,
  { skip, take }: { readonly skip: number; readonly take: number },
): Promise<Utterance[]> {
  return (await selectPage(db, account, version, skip, take)).map(utteranceOf);
}

/** As it stands in the JSON of labels. */
const mentionOf = (entity: string): string =>
  `%"entity":${JSON.stringify(entity)
    .replaceAll(/[\\%_]/g, "\\$&")
    .slice(0, -1)}%`;

type Mentioned = { readonly intent: string } | { readonly entity: string };
function mentioning(db: Db, account: string, version: string, which: Mentioned) {
  const query = db
    .selectFrom("language_example")
    .where("account", "=", account)
    .where("version", "=", version);
  return "intent" in which
    ? query.where("intent", "=", which.intent)
    : query.where(sql<boolean>`labels like ${mentionOf(which.entity)} escape '\\'`);
}
/** Those of an intent, or those whose labels may be of an entity: what begins with its name is among them. */
export async function listExamplesOf(
  db: Db,
  account: string,
  version: string,
  which: Mentioned,
  page?: { readonly skip: number; readonly take: number },
): Promise<Utterance[]> {
  const rows = await mentioning(db, account, version, which)
    .selectAll()
    .orderBy("id")
    .$if(page !== undefined, (query) => query.limit(page?.take ?? 0).offset(page?.skip ?? 0))
    .execute();
  return rows.map(utteranceOf);
}

export async function countExamples(db: Db, account: string, version: string): Promise<number> {
  const row = await db
    .selectFrom("language_example")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("version", "=", version)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Which of these texts are labelled already. */
export async function findLabelled(
  db: Db,
  account: string,
  version: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .selectFrom("language_example")
    .select("text_key")
    .where("account", "=", account)
    .where("version", "=", version)
    .where("text_key", "in", keys)
    .execute();
  return new Set(rows.map(({ text_key }) => text_key));
}

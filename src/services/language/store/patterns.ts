/** Patterns of a version. */
import type { Kysely } from "kysely";
import { compiledInsertAll } from "#kernel/db";
import type { Pattern } from "../domain/content.ts";
import type { PatternRow, Tables } from "../tables.ts";
import { inChunks } from "./in-chunks.ts";

type Db = Kysely<Tables>;
export type StoredPattern = Pattern & { readonly position: number };

const insertRows = inChunks(
  compiledInsertAll<PatternRow>("language_pattern", [
    "account",
    "version",
    "id",
    "intent",
    "text",
    "position",
  ]),
);
export async function insertPatterns(
  db: Db,
  account: string,
  version: string,
  patterns: readonly StoredPattern[],
): Promise<void> {
  await insertRows(
    db,
    patterns.map(({ id, intent, text, position }) => ({ account, version, id, intent, text, position })),
  );
}
export async function updatePattern(
  db: Db,
  account: string,
  version: string,
  pattern: Pattern,
): Promise<void> {
  await db
    .updateTable("language_pattern")
    .set({ intent: pattern.intent, text: pattern.text })
    .where("account", "=", account)
    .where("version", "=", version)
    .where("id", "=", pattern.id)
    .execute();
}
/** Answers how many there were. */
export async function deletePatterns(
  db: Db,
  account: string,
  version: string,
  which: { readonly ids: readonly string[] } | { readonly intent: string },
): Promise<number> {
  const query = db
    .deleteFrom("language_pattern")
    .where("account", "=", account)
    .where("version", "=", version);
  const result = await ("ids" in which
    ? query.where("id", "in", which.ids)
    : query.where("intent", "=", which.intent)
  ).executeTakeFirst();
  return Number(result.numDeletedRows);
}
export async function moveIntentOfPatterns(
  db: Db,
  account: string,
  version: string,
  from: string,
  to: string,
): Promise<void> {
  await db
    .updateTable("language_pattern")
    .set({ intent: to })
    .where("account", "=", account)
    .where("version", "=", version)
    .where("intent", "=", from)
    .execute();
}

export type PatternPage = {
  readonly intent?: string | undefined;
  readonly ids?: readonly string[];
  readonly skip?: number;
  readonly take?: number;
};
export async function listPatterns(
  db: Db,
  account: string,
  version: string,
  { intent, ids, skip, take }: PatternPage = {},
): Promise<StoredPattern[]> {
  const rows = await db
    .selectFrom("language_pattern")
    .selectAll()
    .where("account", "=", account)
    .where("version", "=", version)
    .$if(intent !== undefined, (query) => query.where("intent", "=", intent ?? ""))
    .$if(ids !== undefined, (query) => query.where("id", "in", ids ?? []))
    .orderBy("position")
    .orderBy("id")
    .$if(take !== undefined, (query) => query.limit(take ?? 0).offset(skip ?? 0))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    intent: row.intent,
    text: row.text,
    position: Number(row.position),
  }));
}
export async function countPatterns(db: Db, account: string, version: string): Promise<number> {
  const row = await db
    .selectFrom("language_pattern")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("version", "=", version)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

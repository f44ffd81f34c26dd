/** Log lines of functions. */
import type { Kysely } from "kysely";
import type { LogRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;
export type LogLine = {
  readonly id: string;
  readonly atMs: number;
  readonly severity: string;
  readonly text: string;
  readonly revision: string;
  readonly instance: string;
};
/** Of one function. */
export const LINES_MAX = 5000;

const lineOf = (row: LogRow): LogLine => ({
  id: row.id,
  atMs: Number(row.at),
  severity: row.severity,
  text: row.text,
  revision: row.revision,
  instance: row.instance,
});

export async function insertLines(
  db: Db,
  account: string,
  slug: string,
  lines: readonly LogLine[],
): Promise<void> {
  await db
    .insertInto("functions_log")
    .values(lines.map(({ atMs: at, ...line }) => ({ account, slug, at, ...line })))
    .execute();
}
/** The newest lines before an id, or the lines after an id. Both in the order of writing. */
export async function listLines(
  db: Db,
  account: string,
  slug: string,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<LogLine[]> {
  const rows = await db
    .selectFrom("functions_log")
    .selectAll()
    .where("account", "=", account)
    .where("slug", "=", slug)
    .$if(after !== undefined, (query) => query.where("id", ">", after ?? ""))
    .orderBy("id", after === undefined ? "desc" : "asc")
    .limit(limit)
    .execute();
  const lines = rows.map(lineOf);
  return after === undefined ? lines.reverse() : lines;
}
/** Of all functions of an account, the newest first. */
export async function listLatestLines(
  db: Db,
  account: string,
  limit: number,
): Promise<(LogLine & { readonly slug: string })[]> {
  const rows = await db
    .selectFrom("functions_log")
    .selectAll()
    .where("account", "=", account)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...lineOf(row), slug: row.slug }));
}
/** Deletes the oldest lines of a function beyond the maximum. */
export async function trimLines(db: Db, account: string, slug: string): Promise<void> {
  const oldestKept = await db
    .selectFrom("functions_log")
    .select("id")
    .where("account", "=", account)
    .where("slug", "=", slug)
    .orderBy("id", "desc")
    .offset(LINES_MAX - 1)
    .limit(1)
    .executeTakeFirst();
  if (!oldestKept) return;
  await db
    .deleteFrom("functions_log")
    .where("account", "=", account)
    .where("slug", "=", slug)
    .where("id", "<", oldestKept.id)
    .execute();
}

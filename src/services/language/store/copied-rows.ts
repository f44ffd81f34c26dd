/** Unchanged rows of an application, for complete copies. */
import type { AnyDb } from "#kernel/db";
import { inChunks } from "./in-chunks.ts";
import type { VersionPart } from "./version-part.ts";

/** Tables that refer to the application. The others refer to a version's uid. */
export const APPLICATION_PARTS = [
  "language_version",
  "language_slot",
  "language_assigned",
  "language_test_set",
] as const;
export type CopiedPart = (typeof APPLICATION_PARTS)[number] | VersionPart;
export type CopiedRow = Readonly<Record<string, string | number | null>>;

/** In the order of their keys, so that the same content is the same bytes. */
const ORDER: Readonly<Record<CopiedPart, readonly string[]>> = {
  language_version: ["name"],
  language_slot: ["slot"],
  language_assigned: ["subscription", "resource_group", "name"],
  language_test_set: ["application"],
  language_model: ["id"],
  language_feature: ["id"],
  language_pattern: ["id"],
  language_example: ["id"],
};

const ownerColumnOf = (part: CopiedPart): "application" | "version" =>
  APPLICATION_PARTS.some((one) => one === part) ? "application" : "version";

/** `owner`: the application's id, or the version's uid. */
export const listCopiedRows = (
  db: AnyDb,
  account: string,
  part: CopiedPart,
  owner: string,
): Promise<CopiedRow[]> =>
  ORDER[part]
    .reduce(
      (query, column) => query.orderBy(column),
      db.selectFrom(part).selectAll().where("account", "=", account).where(ownerColumnOf(part), "=", owner),
    )
    .execute();

export const insertCopiedRows = (db: AnyDb, part: CopiedPart, rows: readonly CopiedRow[]): Promise<void> =>
  inChunks<CopiedRow>(async (inner: AnyDb, some) => {
    await inner.insertInto(part).values(some).execute();
  })(db, rows);

export async function deleteCopiedRows(
  db: AnyDb,
  account: string,
  part: CopiedPart,
  owner: string,
): Promise<void> {
  await db.deleteFrom(part).where("account", "=", account).where(ownerColumnOf(part), "=", owner).execute();
}

/** Revisions: the source and settings that one version of a function runs with. */
import type { Kysely } from "kysely";
import type { Definition } from "../domain/index.ts";
import type { Tables } from "../tables.ts";

type Db = Kysely<Tables>;
export type Revision = {
  readonly slug: string;
  readonly revision: string;
  readonly blobId: string;
  readonly definition: Definition;
  /** The archive of its installed dependencies. */
  readonly dependenciesBlobId?: string | undefined;
};
/** One that came up. */
export type ReadyRevision = Pick<Revision, "revision" | "definition"> & { readonly createdAtMs: number };

export async function insertRevision(
  db: Db,
  account: string,
  { slug, revision, blobId: blob_id, definition, dependenciesBlobId }: Revision,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto("functions_revision")
    .values({
      account,
      slug,
      revision,
      blob_id,
      definition: JSON.stringify(definition),
      created_at: nowMs,
      dependencies_blob_id: dependenciesBlobId ?? null,
      ready_at: null,
    })
    .onConflict((conflict) => conflict.columns(["account", "slug", "revision"]).doNothing())
    .execute();
}
export async function findRevision(
  db: Db,
  account: string,
  slug: string,
  revision: string,
): Promise<Revision | undefined> {
  const row = await db
    .selectFrom("functions_revision")
    .selectAll()
    .where("account", "=", account)
    .where("slug", "=", slug)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return (
    row && {
      slug,
      revision,
      blobId: row.blob_id,
      definition: JSON.parse(row.definition),
      dependenciesBlobId: row.dependencies_blob_id ?? undefined,
    }
  );
}
export async function markReady(
  db: Db,
  account: string,
  { slug, revision }: Pick<Revision, "slug" | "revision">,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable("functions_revision")
    .set({ ready_at: nowMs })
    .where("account", "=", account)
    .where("slug", "=", slug)
    .where("revision", "=", revision)
    .execute();
}
/** Those that came up, the newest first. */
export async function listReadyRevisions(db: Db, account: string, slug: string): Promise<ReadyRevision[]> {
  const rows = await db
    .selectFrom("functions_revision")
    .select(["revision", "definition", "created_at"])
    .where("account", "=", account)
    .where("slug", "=", slug)
    .where("ready_at", "is not", null)
    .orderBy("created_at", "desc")
    .orderBy("revision", "desc")
    .execute();
  return rows.map(({ revision, definition, created_at }) => ({
    revision,
    definition: JSON.parse(definition),
    createdAtMs: Number(created_at),
  }));
}
/** The blobs of revisions that are no longer needed; their rows are gone. */
export async function dropRevisions(
  db: Db,
  account: string,
  slug: string,
  kept: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("functions_revision")
    .select(["revision", "blob_id", "dependencies_blob_id"])
    .where("account", "=", account)
    .where("slug", "=", slug)
    .execute();
  const dropped = rows.filter(({ revision }) => !kept.includes(revision));
  for (const { revision } of dropped)
    await db
      .deleteFrom("functions_revision")
      .where("account", "=", account)
      .where("slug", "=", slug)
      .where("revision", "=", revision)
      .execute();
  const blobsOf = (some: typeof rows) =>
    some.flatMap(({ blob_id, dependencies_blob_id }) => [blob_id, dependencies_blob_id ?? []].flat());
  const still = new Set(blobsOf(rows.filter(({ revision }) => kept.includes(revision))));
  return [...new Set(blobsOf(dropped))].filter((blobId) => !still.has(blobId));
}

/** All SQL of this service: results by file hash, until they expire or are evicted. */
import type { Kysely } from "kysely";
import type { AnalysisRow, Tables } from "./tables.ts";

type Db = Kysely<Tables>;
export type PartKind = "report" | "content";
export type NewAnalysis = {
  readonly sha256: string;
  readonly fileName: string;
  readonly size: number;
  readonly verdict: string;
  readonly packer: string;
  readonly tookMs: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Compressed. */
  readonly parts: Readonly<Partial<Record<PartKind, Uint8Array>>>;
};
export type KeptAnalysis = Omit<NewAnalysis, "parts"> & { readonly keptBytes: number };

const PIECE_BYTES = 1024 * 1024;

const keptOf = (row: AnalysisRow): KeptAnalysis => ({
  sha256: row.sha256,
  fileName: row.file_name,
  size: Number(row.size),
  verdict: row.verdict,
  packer: row.packer,
  keptBytes: Number(row.kept_bytes),
  tookMs: Number(row.took_ms),
  createdAtMs: Number(row.created_at),
  expiresAtMs: Number(row.expires_at),
});

export async function findAnalysis(
  db: Db,
  account: string,
  { sha256, nowMs }: { sha256: string; nowMs: number },
): Promise<KeptAnalysis | undefined> {
  const row = await db
    .selectFrom("unpack_analysis")
    .selectAll()
    .where("account", "=", account)
    .where("sha256", "=", sha256)
    .where("expires_at", ">", nowMs)
    .executeTakeFirst();
  return row && keptOf(row);
}

/** Undefined if the part does not exist or was deleted. */
export async function findPart(
  db: Db,
  account: string,
  sha256: string,
  kind: PartKind,
): Promise<Buffer | undefined> {
  const rows = await db
    .selectFrom("unpack_part")
    .select("bytes")
    .where("account", "=", account)
    .where("sha256", "=", sha256)
    .where("kind", "=", kind)
    .orderBy("position")
    .execute();
  return rows.length === 0 ? undefined : Buffer.concat(rows.map(({ bytes }) => bytes));
}

/** Returns false if a result with this hash exists. */
export async function insertAnalysis(db: Db, account: string, analysis: NewAnalysis): Promise<boolean> {
  const { sha256, parts } = analysis;
  const kinds = Object.entries(parts) as [PartKind, Uint8Array][];
  const result = await db
    .insertInto("unpack_analysis")
    .values({
      account,
      sha256,
      file_name: analysis.fileName,
      size: analysis.size,
      verdict: analysis.verdict,
      packer: analysis.packer,
      kept_bytes: kinds.reduce((sum, [, bytes]) => sum + bytes.length, 0),
      took_ms: analysis.tookMs,
      created_at: analysis.createdAtMs,
      expires_at: analysis.expiresAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(result.numInsertedOrUpdatedRows ?? 0n) === 0) return false;
  for (const [kind, bytes] of kinds)
    for (let start = 0, position = 0; start < bytes.length; start += PIECE_BYTES, position += 1)
      await db
        .insertInto("unpack_part")
        .values({
          account,
          sha256,
          kind,
          position,
          bytes: Buffer.from(bytes.subarray(start, start + PIECE_BYTES)),
        })
        .execute();
  return true;
}

async function deleteAnalyses(db: Db, account: string, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return;
  for (const table of ["unpack_part", "unpack_analysis"] as const)
    await db.deleteFrom(table).where("account", "=", account).where("sha256", "in", hashes).execute();
}

/** Deletes the oldest results until the number and the total size are within the limits. */
export async function makeRoom(
  db: Db,
  account: string,
  { countMax, bytesMax }: { countMax: number; bytesMax: number },
): Promise<void> {
  const rows = await db
    .selectFrom("unpack_analysis")
    .select(["sha256", "kept_bytes"])
    .where("account", "=", account)
    .orderBy("created_at", "desc")
    .orderBy("sha256")
    .execute();
  let bytes = 0;
  const surplus = rows.filter((row, index) => {
    bytes += Number(row.kept_bytes);
    return index >= countMax || bytes > bytesMax;
  });
  await deleteAnalyses(
    db,
    account,
    surplus.map(({ sha256 }) => sha256),
  );
}

export async function deleteExpired(db: Db, account: string, nowMs: number): Promise<void> {
  const rows = await db
    .selectFrom("unpack_analysis")
    .select("sha256")
    .where("account", "=", account)
    .where("expires_at", "<=", nowMs)
    .execute();
  await deleteAnalyses(
    db,
    account,
    rows.map(({ sha256 }) => sha256),
  );
}
export async function findNextEnd(db: Db, account: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("unpack_analysis")
    .select(({ fn }) => fn.min("expires_at").as("end"))
    .where("account", "=", account)
    .executeTakeFirst();
  return row?.end === null || row?.end === undefined ? undefined : Number(row.end);
}

/** Deletes all results of the account. */
export async function deleteAll(db: Db, account: string): Promise<void> {
  for (const table of ["unpack_part", "unpack_analysis"] as const)
    await db.deleteFrom(table).where("account", "=", account).execute();
}

/** Newest first. */
export async function listAnalyses(db: Db, account: string, limit: number): Promise<KeptAnalysis[]> {
  const rows = await db
    .selectFrom("unpack_analysis")
    .selectAll()
    .where("account", "=", account)
    .orderBy("created_at", "desc")
    .orderBy("sha256")
    .limit(limit)
    .execute();
  return rows.map(keptOf);
}

/** All SQL on signing keys. */
import type { Kysely } from "kysely";
import type { SigningKeyRow, Tables } from "../tables.ts";

type Db = Kysely<Tables>;

export const listKeys = (db: Db): Promise<SigningKeyRow[]> =>
  db.selectFrom("identity_signing_key").selectAll().orderBy("alg").orderBy("generation").execute();

/** Of two nodes that make the same generation, one wins. */
export async function insertKey(db: Db, row: SigningKeyRow): Promise<void> {
  await db
    .insertInto("identity_signing_key")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
/** Every older key of the algorithm is shown until the given instant and then no more. */
export async function retireOlder(
  db: Db,
  alg: string,
  generation: number,
  retireAtMs: number,
): Promise<void> {
  await db
    .updateTable("identity_signing_key")
    .set({ retire_at: retireAtMs })
    .where("alg", "=", alg)
    .where("generation", "<", generation)
    .where("retire_at", "is", null)
    .execute();
}
export async function deleteRetired(db: Db, nowMs: number): Promise<void> {
  await db.deleteFrom("identity_signing_key").where("retire_at", "<=", nowMs).execute();
}

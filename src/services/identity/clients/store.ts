/** All SQL on clients. */
import type { Kysely } from "kysely";
import { queriesOf } from "#kernel/db";
import type { ClientRow, PairwiseSaltRow, Tables } from "./tables.ts";

type Db = Kysely<Tables>;
const { compiledInsert, compiledQuery } = queriesOf<Db>();

const selectClient = compiledQuery<ClientRow, [string]>([""], (db, clientId) =>
  db.selectFrom("identity_client").selectAll().where("client_id", "=", clientId),
);
export const findClientRow = async (db: Db, clientId: string): Promise<ClientRow | undefined> =>
  (await selectClient(db, clientId))[0];

export const findClientRowByRegistration = (db: Db, digest: string): Promise<ClientRow | undefined> =>
  db.selectFrom("identity_client").selectAll().where("registration_digest", "=", digest).executeTakeFirst();

export const listClientRows = (db: Db, account: string, limit: number): Promise<ClientRow[]> =>
  db
    .selectFrom("identity_client")
    .selectAll()
    .where("account", "=", account)
    .orderBy("client_id")
    .limit(limit)
    .execute();

export async function countClients(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("identity_client")
    .select((expression) => expression.fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

export async function insertClient(db: Db, row: ClientRow): Promise<void> {
  await db.insertInto("identity_client").values(row).execute();
}
export async function updateClientRow(db: Db, clientId: string, change: Partial<ClientRow>): Promise<void> {
  await db.updateTable("identity_client").set(change).where("client_id", "=", clientId).execute();
}
export async function deleteClientRow(db: Db, clientId: string): Promise<void> {
  await db.deleteFrom("identity_client").where("client_id", "=", clientId).execute();
}

/** The first one stays. */
export const insertSalt = compiledInsert<PairwiseSaltRow>("identity_pairwise_salt", ["account", "salt"]);
const selectSalt = compiledQuery<PairwiseSaltRow, [string]>([""], (db, account) =>
  db.selectFrom("identity_pairwise_salt").selectAll().where("account", "=", account),
);
export const findSalt = async (db: Db, account: string): Promise<string | undefined> =>
  (await selectSalt(db, account))[0]?.salt;

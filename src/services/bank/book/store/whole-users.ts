/** All rows of one user, for backups: read, deleted and inserted as they are. */
import { type SqlBool, sql } from "kysely";
import { kindNames } from "../domain/kinds.ts";
import type { Tables } from "../tables.ts";
import type { Db } from "./db.ts";

const ROWS_AT_ONCE = 500;

/** The tables of a user, in the order in which they are written. */
export const USER_TABLES = [
  "bank_user",
  "bank_alias",
  "bank_key",
  "bank_oauth_client",
  "bank_ledger",
  "bank_entry",
  "bank_payment",
  "bank_insight",
  "bank_record",
  "bank_open_page",
  "bank_waiting",
  "bank_event",
  "bank_filter",
  "bank_share",
  "bank_attachment",
  "bank_avatar",
  "bank_card_secret",
  "bank_card_use",
] as const satisfies readonly (keyof Tables)[];
export type UserTable = (typeof USER_TABLES)[number];
export type AnyRow = Readonly<Record<string, string | number | null>>;

/** Columns of text. All others hold numbers, which PostgreSQL returns as text. */
const TEXTS: ReadonlySet<string> = new Set([
  "access",
  "account",
  "action",
  "alias",
  "anchor_uuid",
  "arrival",
  "blob_id",
  "body",
  "category",
  "certificate",
  "client_id",
  "content_type",
  "counterparty",
  "country",
  "currency",
  "description",
  "details",
  "display_name",
  "hash",
  "iban",
  "images",
  "kind",
  "method",
  "name",
  "object_kind",
  "permitted_ips",
  "public_uuid",
  "secret",
  "status",
  "style",
  "sub_status",
  "sub_type",
  "target",
  "type",
  "uuid",
  "value",
]);
export const isNumeric = (column: string): boolean => !TEXTS.has(column);
const plainRow = (row: object): AnyRow =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      value === null || !isNumeric(column) ? value : Number(value),
    ]),
  );

/** The rows of a user in a table: a condition, and the columns that order them. */
type Place = { readonly where: ReturnType<typeof sql<SqlBool>>; readonly order: readonly string[] };
const ledgersOf = (account: string, userId: number) =>
  sql`(select id from bank_ledger where account = ${account} and user_id = ${userId})`;
const recordsOf = (account: string, userId: number, kinds: readonly string[]) =>
  sql`(select id from bank_record where account = ${account} and user_id = ${userId} and kind in (${sql.join(kinds)}))`;
const SECRETIVE_KINDS = ["card", "challenge-request", "generated-cvc2"];

function placesOf(account: string, userId: number, table: UserTable): readonly Place[] {
  const byUser = (...order: readonly string[]): Place[] => [{ where: sql`user_id = ${userId}`, order }];
  switch (table) {
    case "bank_user":
      return [{ where: sql`id = ${userId}`, order: ["id"] }];
    case "bank_alias":
      return byUser("type", "value");
    case "bank_key":
      return byUser("hash");
    case "bank_insight":
      return byUser("hour_at", "category", "currency");
    case "bank_entry":
      return [{ where: sql`ledger_id in ${ledgersOf(account, userId)}`, order: ["ledger_id", "serial"] }];
    case "bank_payment":
      return [{ where: sql`ledger_id in ${ledgersOf(account, userId)}`, order: ["ledger_id", "id"] }];
    case "bank_record":
      // One kind at a time, because the index begins with the kind.
      return kindNames().map((kind) => ({
        where: sql`kind = ${kind} and user_id = ${userId}`,
        order: ["owner_id", "id"],
      }));
    case "bank_open_page":
      return [
        {
          where: sql`exists (select 1 from bank_record as record where record.account = bank_open_page.account
            and record.kind = bank_open_page.kind and record.id = bank_open_page.record_id
            and record.user_id = ${userId})`,
          order: ["uuid"],
        },
      ];
    case "bank_waiting":
      return [
        {
          where: sql`payment_id in ${recordsOf(account, userId, ["waiting-money"])}`,
          order: ["type", "value", "payment_id"],
        },
      ];
    case "bank_share":
      return [{ where: sql`owner_id = ${userId}`, order: ["id"] }];
    case "bank_card_secret":
      return [
        {
          where: sql`owner_id in ${recordsOf(account, userId, SECRETIVE_KINDS)}`,
          order: ["owner_id", "kind"],
        },
      ];
    case "bank_card_use":
      return [{ where: sql`card_id in ${recordsOf(account, userId, ["card"])}`, order: ["action_id"] }];
    default:
      return byUser("id");
  }
}

async function* rowsAt(db: Db, account: string, table: UserTable, { where, order }: Place) {
  const columns = sql.join(order.map((column) => sql.ref(column)));
  let isAfter = sql<SqlBool>`1 = 1`;
  for (;;) {
    const { rows } = await sql<object>`select * from ${sql.table(table)} where account = ${account}
      and ${where} and ${isAfter} order by ${columns} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    const found = rows.map(plainRow);
    yield* found;
    const last = found.at(-1);
    if (!last || found.length < ROWS_AT_ONCE) return;
    isAfter = sql`(${columns}) > (${sql.join(order.map((column) => last[column]))})`;
  }
}
export async function* rowsOfUser(
  db: Db,
  account: string,
  userId: number,
  table: UserTable,
): AsyncGenerator<AnyRow> {
  for (const place of placesOf(account, userId, table)) yield* rowsAt(db, account, table, place);
}

/** In reverse order, because some rows are found by others. */
export async function deleteUserRows(db: Db, account: string, userId: number): Promise<void> {
  for (const table of USER_TABLES.toReversed())
    for (const { where } of placesOf(account, userId, table))
      await sql`delete from ${sql.table(table)} where account = ${account} and ${where}`.execute(db);
}
/** The rest of a user that goes: devices, sessions, and rights on the accounts of others. */
export async function deleteAccess(db: Db, account: string, userId: number): Promise<void> {
  for (const table of ["bank_session", "bank_device", "bank_share", "bank_oauth_code"])
    await sql`delete from ${sql.table(table)} where account = ${account} and user_id = ${userId}`.execute(db);
}
/** Sessions that were opened with keys that are gone. */
export async function deleteKeylessSessions(db: Db, account: string, userId: number): Promise<void> {
  await sql`delete from bank_session where account = ${account} and user_id = ${userId} and key_id <> 0
    and key_id not in (select id from bank_key where account = ${account} and user_id = ${userId})`.execute(
    db,
  );
}

export async function insertUserRows(db: Db, table: UserTable, rows: readonly AnyRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
    await db
      .insertInto(table)
      .values(rows.slice(start, start + ROWS_AT_ONCE) as never)
      .execute();
}

/** Of these values of a column, those that rows of the account have. */
export async function listTaken(
  db: Db,
  account: string,
  table: UserTable,
  column: string,
  values: readonly (string | number)[],
): Promise<string[]> {
  const taken: string[] = [];
  for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
    const some = sql.join(values.slice(start, start + ROWS_AT_ONCE));
    const { rows } = await sql<{ found: unknown }>`select ${sql.ref(column)} as found
      from ${sql.table(table)} where account = ${account} and ${sql.ref(column)} in (${some})`.execute(db);
    taken.push(...rows.map(({ found }) => String(found)));
  }
  return taken;
}

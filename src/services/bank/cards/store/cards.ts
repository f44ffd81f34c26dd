/** Card data besides the card records: secrets, and amounts spent. */
import { queriesOf } from "#kernel/db";
import type { CardSecretRow, CardUseRow, Db } from "../../book/index.ts";

const { compiledInsert, compiledUpdate } = queriesOf<Db>();

export async function putCardSecret(db: Db, row: CardSecretRow): Promise<void> {
  await db
    .insertInto("bank_card_secret")
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(["account", "owner_id", "kind"]).doUpdateSet({ value: row.value }),
    )
    .execute();
}
export async function findCardSecret(
  db: Db,
  account: string,
  ownerId: number,
  kind: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("bank_card_secret")
    .select("value")
    .where("account", "=", account)
    .where("owner_id", "=", ownerId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return row?.value;
}

const useOf = (row: CardUseRow): CardUseRow => ({
  ...row,
  action_id: Number(row.action_id),
  card_id: Number(row.card_id),
  ledger_id: Number(row.ledger_id),
  amount: Number(row.amount),
  is_atm: Number(row.is_atm),
  created_at: Number(row.created_at),
});
export const insertCardUse = compiledInsert<CardUseRow>("bank_card_use", [
  "account",
  "action_id",
  "card_id",
  "ledger_id",
  "amount",
  "is_atm",
  "created_at",
]);
export const updateCardUse = compiledUpdate<
  Pick<CardUseRow, "account" | "action_id" | "amount">,
  "account" | "action_id"
>("bank_card_use", ["account", "action_id"], ["amount"]);

export type Span = { readonly fromMs: number; readonly untilMs: number };
/** The uses of a card within a period, the oldest first. */
export async function listCardUses(
  db: Db,
  account: string,
  cardId: number,
  { fromMs, untilMs }: Span,
  limit: number,
): Promise<CardUseRow[]> {
  const rows = await db
    .selectFrom("bank_card_use")
    .selectAll()
    .where("account", "=", account)
    .where("card_id", "=", cardId)
    .where("created_at", ">=", fromMs)
    .where("created_at", "<", untilMs)
    .orderBy("created_at")
    .orderBy("action_id")
    .limit(limit)
    .execute();
  return rows.map(useOf);
}
export async function sumCardUses(
  db: Db,
  account: string,
  cardId: number,
  { sinceMs, isAtm }: { readonly sinceMs: number; readonly isAtm: boolean },
): Promise<number> {
  const { sum } = await db
    .selectFrom("bank_card_use")
    .select(({ fn }) => fn.sum<number | null>("amount").as("sum"))
    .where("account", "=", account)
    .where("card_id", "=", cardId)
    .where("created_at", ">", sinceMs)
    .where("is_atm", "=", isAtm ? 1 : 0)
    .executeTakeFirstOrThrow();
  return Number(sum ?? 0);
}

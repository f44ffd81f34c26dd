/** Pictures, private and public, and avatars. */
import { queriesOf } from "#kernel/db";
import type { AttachmentRow, AvatarRow, Db } from "../../book/index.ts";

const { compiledInsert } = queriesOf<Db>();

const attachmentOf = (row: AttachmentRow): AttachmentRow => ({
  ...row,
  id: Number(row.id),
  user_id: Number(row.user_id),
  ledger_id: Number(row.ledger_id),
  is_public: Number(row.is_public),
  width: Number(row.width),
  height: Number(row.height),
  created_at: Number(row.created_at),
});
export const insertAttachment = compiledInsert<AttachmentRow>("bank_attachment", [
  "account",
  "id",
  "uuid",
  "user_id",
  "ledger_id",
  "is_public",
  "content_type",
  "width",
  "height",
  "description",
  "blob_id",
  "created_at",
]);
/** By id or by UUID. */
export async function findAttachment(
  db: Db,
  account: string,
  id: number | string,
): Promise<AttachmentRow | undefined> {
  const row = await db
    .selectFrom("bank_attachment")
    .selectAll()
    .where("account", "=", account)
    .where(typeof id === "number" ? "id" : "uuid", "=", id)
    .executeTakeFirst();
  return row && attachmentOf(row);
}
const countOf = async (
  db: Db,
  account: string,
  table: "bank_attachment" | "bank_avatar",
  userId: number,
): Promise<number> => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
};
export const countAttachments = (db: Db, account: string, userId: number): Promise<number> =>
  countOf(db, account, "bank_attachment", userId);

export const insertAvatar = compiledInsert<AvatarRow>("bank_avatar", [
  "account",
  "id",
  "uuid",
  "user_id",
  "anchor_uuid",
  "style",
  "images",
  "created_at",
]);
export async function findAvatar(
  db: Db,
  account: string,
  id: number | string,
): Promise<AvatarRow | undefined> {
  const row = await db
    .selectFrom("bank_avatar")
    .selectAll()
    .where("account", "=", account)
    .where(typeof id === "number" ? "id" : "uuid", "=", id)
    .executeTakeFirst();
  return (
    row && { ...row, id: Number(row.id), user_id: Number(row.user_id), created_at: Number(row.created_at) }
  );
}
export const countAvatars = (db: Db, account: string, userId: number): Promise<number> =>
  countOf(db, account, "bank_avatar", userId);

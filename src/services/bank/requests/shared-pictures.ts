/** Pictures that go with payments and requests: each side has its own, of the same bytes. */
import { type AttachmentRow, type BankContext, errors, type LedgerRow, takeIds } from "../book/index.ts";
import { findAttachment, insertAttachment } from "../money/index.ts";

/** Pictures of the account, and public ones. Not all of its owner's: others may give orders from a shared account. */
export async function getPictures(
  { db, account }: BankContext,
  { id: ledgerId }: LedgerRow,
  ids: readonly number[],
): Promise<AttachmentRow[]> {
  const found: AttachmentRow[] = [];
  for (const id of ids) {
    const picture = await findAttachment(db, account, id);
    if (!picture || (picture.ledger_id !== ledgerId && picture.is_public !== 1))
      throw errors.badRequest(`There is no attachment ${id}.`);
    found.push(picture);
  }
  return found;
}
/** Copies pictures to another account. Returns their new ids. */
export async function handOver(
  { db, account, ids, clock }: BankContext,
  pictures: readonly AttachmentRow[],
  to: LedgerRow,
): Promise<number[]> {
  if (pictures.length === 0) return [];
  const firstId = await takeIds(db, account, pictures.length);
  for (const [at, picture] of pictures.entries())
    await insertAttachment(db, {
      ...picture,
      id: firstId + at,
      uuid: ids.uuid(),
      user_id: to.user_id,
      ledger_id: to.id,
      is_public: 0,
      created_at: clock.nowMs(),
    });
  return pictures.map((_, at) => firstId + at);
}

/** Payments: each of the two accounts has its own side. */
import { queriesOf } from "#kernel/db";
import { type Db, numbersIn, type PaymentRow, paymentDetails, type Slice } from "../../book/index.ts";

const { compiledInsertAll, compiledQuery, compiledUpdate } = queriesOf<Db>();

const COLUMNS = [
  "account",
  "id",
  "ledger_id",
  "movement_id",
  "amount",
  "currency",
  "balance_after",
  "type",
  "sub_type",
  "alias",
  "counterparty",
  "description",
  "batch_id",
  "scheduled_id",
  "arrival",
  "category",
  "details",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof PaymentRow)[];
const paymentOf = numbersIn<PaymentRow>(
  "id",
  "ledger_id",
  "movement_id",
  "amount",
  "balance_after",
  "batch_id",
  "scheduled_id",
  "created_at",
  "updated_at",
);

export const insertPayments = compiledInsertAll<PaymentRow>("bank_payment", COLUMNS);
const selectPayment = compiledQuery<PaymentRow, [string, number, number]>(
  ["", 0, 0],
  (db, account, ledgerId, id) =>
    db
      .selectFrom("bank_payment")
      .selectAll()
      .where("account", "=", account)
      .where("id", "=", id)
      .where("ledger_id", "=", ledgerId),
);
export async function findPayment(
  db: Db,
  account: string,
  ledgerId: number,
  id: number,
): Promise<PaymentRow | undefined> {
  const [row] = await selectPayment(db, account, ledgerId, id);
  return row && paymentOf(row);
}
const selectOlder = compiledQuery<PaymentRow, [string, number, number, number]>(
  ["", 0, 0, 0],
  (db, account, ledgerId, olderThan, limit) =>
    db
      .selectFrom("bank_payment")
      .selectAll()
      .where("account", "=", account)
      .where("ledger_id", "=", ledgerId)
      .where("id", "<", olderThan)
      .orderBy("id", "desc")
      .limit(limit),
);
const selectNewer = compiledQuery<PaymentRow, [string, number, number, number]>(
  ["", 0, 0, 0],
  (db, account, ledgerId, newerThan, limit) =>
    db
      .selectFrom("bank_payment")
      .selectAll()
      .where("account", "=", account)
      .where("ledger_id", "=", ledgerId)
      .where("id", ">", newerThan)
      .orderBy("id")
      .limit(limit),
);
/** Newest first, in both paging directions. */
export async function pageOfPayments(
  db: Db,
  account: string,
  ledgerId: number,
  { olderThan = Number.MAX_SAFE_INTEGER, newerThan, limit }: Slice,
): Promise<PaymentRow[]> {
  if (newerThan === undefined)
    return (await selectOlder(db, account, ledgerId, olderThan, limit)).map(paymentOf);
  return (await selectNewer(db, account, ledgerId, newerThan, limit)).map(paymentOf).reverse();
}
const selectOfBatch = compiledQuery<PaymentRow, [string, number, number]>(
  ["", 0, 0],
  (db, account, batchId, ledgerId) =>
    db
      .selectFrom("bank_payment")
      .selectAll()
      .where("account", "=", account)
      .where("batch_id", "=", batchId)
      .where("ledger_id", "=", ledgerId)
      .orderBy("id"),
);
/** One account's sides of a batch, in order of creation. */
export const listPaymentsOfBatch = async (
  db: Db,
  account: string,
  ledgerId: number,
  batchId: number,
): Promise<PaymentRow[]> => (await selectOfBatch(db, account, batchId, ledgerId)).map(paymentOf);

export const updateArrival = compiledUpdate<
  Pick<PaymentRow, "account" | "id" | "arrival" | "updated_at">,
  "account" | "id"
>("bank_payment", ["account", "id"], ["arrival", "updated_at"]);
export const updateDetails = compiledUpdate<Pick<PaymentRow, "account" | "id" | "details">, "account" | "id">(
  "bank_payment",
  ["account", "id"],
  ["details"],
);
/** Records on a payment which users were asked to share its cost. */
export async function noteReference(
  db: Db,
  account: string,
  ledgerId: number,
  id: number,
  reference: { readonly type: string; readonly id: number },
): Promise<void> {
  const payment = await findPayment(db, account, ledgerId, id);
  if (!payment) return;
  const { references = [], ...rest } = paymentDetails.read(payment.details);
  const details = paymentDetails.write({ ...rest, references: [...references, reference] });
  await updateDetails(db, { account, id, details });
}
/** By id, of any user. */
export async function listPayments(db: Db, account: string, ids: readonly number[]): Promise<PaymentRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("bank_payment")
    .selectAll()
    .where("account", "=", account)
    .where("id", "in", ids)
    .execute();
  return rows.map(paymentOf);
}

/** Writes a saved user in place of the present one, or removes a user. The books stay balanced. */
import { BackupSourceError } from "#kernel/backups";
import type { Prepared } from "#kernel/blobs";
import {
  type AnyRow,
  type BankContext,
  balanceDifferences,
  type Differences,
  deleteKeylessSessions,
  deleteUserRows,
  findRecordById,
  insertUserRows,
  listTaken,
  raiseSequence,
  rowsOfUser,
  USER_TABLES,
  type UserTable,
} from "../book/index.ts";
import { makers } from "../documents/index.ts";
import { jobs } from "../jobs.ts";
import { documentWork, findUser } from "../money/index.ts";
import { fileIn, rowsIn, type SavedFile, type SavedUser } from "./content.ts";

/** Columns whose values nobody else may have: in the account, or of all accounts. */
const UNIQUE: readonly (readonly [UserTable, string])[] = [
  ["bank_user", "id"],
  ["bank_alias", "value"],
  ["bank_ledger", "id"],
  ["bank_payment", "id"],
  ["bank_event", "id"],
  ["bank_filter", "id"],
  ["bank_share", "id"],
  ["bank_attachment", "id"],
  ["bank_avatar", "id"],
  ["bank_oauth_client", "id"],
  ["bank_open_page", "uuid"],
];

/** The entries of a user as they are now count against those that are written. */
async function addEntries(
  differences: Differences,
  rows: Iterable<AnyRow>,
  currencies: Currencies,
  sign: 1 | -1,
) {
  for (const { movement_id, ledger_id, amount } of rows)
    differences.add(Number(movement_id), currencies.get(Number(ledger_id)) ?? "", sign * Number(amount));
}
type Currencies = ReadonlyMap<number, string>;
const currenciesOf = (ledgers: readonly AnyRow[]): Currencies =>
  new Map(ledgers.map(({ id, currency }) => [Number(id), String(currency)]));
async function listAll({ db, account }: BankContext, userId: number, table: UserTable): Promise<AnyRow[]> {
  const rows: AnyRow[] = [];
  for await (const row of rowsOfUser(db, account, userId, table)) rows.push(row);
  return rows;
}

/** Deletes the rows of a user. Files that nothing else names go as well, except those to keep. */
export async function clearUser(
  context: BankContext,
  userId: number,
  differences: Differences,
  keptFiles: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { db, account, blobs } = context;
  const currencies = currenciesOf(await listAll(context, userId, "bank_ledger"));
  await addEntries(differences, await listAll(context, userId, "bank_entry"), currencies, -1);
  const files = new Set<string>();
  for (const table of ["bank_attachment", "bank_record"] as const)
    for (const row of await listAll(context, userId, table)) {
      const file = fileIn(table, row);
      if (file !== undefined && !keptFiles.has(file)) files.add(file);
    }
  await deleteUserRows(db, account, userId);
  // Pictures that were sent with a request are another user's too.
  const shared = new Set(await listTaken(db, account, "bank_attachment", "blob_id", [...files]));
  for (const file of files) if (!shared.has(file)) await blobs.remove(file);
}

async function requireFree({ db, account }: BankContext, saved: SavedUser): Promise<void> {
  for (const [table, column] of UNIQUE) {
    const values = rowsIn(saved, table).map((row) => row[column] ?? "");
    const [taken] = await listTaken(db, account, table, column, values);
    if (taken !== undefined)
      throw new BackupSourceError(`${taken} belongs to another user now; give a userName to restore a copy.`);
  }
}

type Files = ReadonlyMap<string, string>;
/** By its saved id: the id of each file here. */
export async function keepFiles(
  { blobs }: BankContext,
  files: readonly (Pick<SavedFile, "id" | "type"> & { readonly prepared: Prepared })[],
  isCopy: boolean,
): Promise<Files> {
  const kept = new Map<string, string>();
  for (const { id, type, prepared } of files) {
    const isThere = !isCopy && (await blobs.find(id)) !== undefined;
    kept.set(id, isThere ? id : (await blobs.keep(prepared, type)).id);
  }
  return kept;
}
function withFile(table: UserTable, row: AnyRow, files: Files): AnyRow {
  const id = fileIn(table, row);
  if (id === undefined) return row;
  const here = files.get(id);
  if (table === "bank_attachment") return { ...row, blob_id: here ?? id };
  if (here !== undefined) return { ...row, body: String(row.body).replace(id, here) };
  const { blobId: _gone, ...body } = JSON.parse(String(row.body));
  return { ...row, body: JSON.stringify(row.kind === "invoice" ? { ...body, blobId: null } : body) };
}

type Other = { readonly kind: string; readonly id: number };
/** The record in which another user sees the same thing. */
function otherSideOf({ kind, id, body }: AnyRow): Other | undefined {
  const { providedId, draftId } = JSON.parse(String(body));
  if (kind === "request-inquiry") return { kind: "request-response", id: Number(id) };
  if (kind === "request-response") return { kind: "request-inquiry", id: Number(id) };
  if (kind === "draft-payment" && providedId !== undefined)
    return { kind: "payment-service-provider-draft-payment", id: providedId };
  return kind === "payment-service-provider-draft-payment"
    ? { kind: "draft-payment", id: draftId }
    : undefined;
}
/** What the other side has decided since stays decided, because their records do not change. */
async function decided({ db, account }: BankContext, row: AnyRow): Promise<AnyRow> {
  const side = row.status === "PENDING" ? otherSideOf(row) : undefined;
  const other = side && (await findRecordById(db, account, side.kind, side.id));
  if (!other || other.status === "PENDING") return row;
  const { responded, respondedAtMs } = JSON.parse(other.body);
  const body = { ...JSON.parse(String(row.body)), responded, respondedAtMs };
  return { ...row, status: other.status, body: JSON.stringify(body) };
}

/** What names another user is left out if that user is gone. */
async function isWhole({ db, account }: BankContext, table: UserTable, row: AnyRow): Promise<boolean> {
  if (table === "bank_share") return (await findUser(db, account, Number(row.user_id))) !== undefined;
  const isCompany = table === "bank_record" && row.kind === "company";
  return !isCompany || (await findUser(db, account, Number(row.id))) !== undefined;
}
async function insertRows(context: BankContext, saved: SavedUser, files: Files): Promise<void> {
  const { db, account } = context;
  for (const table of USER_TABLES) {
    const rows: AnyRow[] = [];
    for (const row of rowsIn(saved, table)) {
      if (!(await isWhole(context, table, row))) continue;
      const own = withFile(table, { ...row, account }, files);
      rows.push(table === "bank_record" ? await decided(context, own) : own);
    }
    await insertUserRows(db, table, rows);
  }
}

/** What became due since the backup happens at once. */
async function planJobs(context: BankContext, saved: SavedUser, files: Files): Promise<void> {
  const kinds = new Map(jobs.map((job) => [job.name, job]));
  for (const { name, key, payload, runAtMs } of saved.jobs) {
    const kind = kinds.get(name);
    if (kind) await context.enqueue({ name, payload: kind.payload }, payload, { key, runAtMs });
  }
  for (const row of rowsIn(saved, "bank_record")) {
    const kind = String(row.kind);
    const isMade = files.has(fileIn("bank_record", row) ?? "");
    if (makers[kind] && !isMade) await context.enqueue(documentWork, { kind, id: Number(row.id) });
  }
}

const lastIdOf = (saved: SavedUser): number => {
  let last = 0;
  for (const rows of saved.rows.values())
    for (const { id, movement_id } of rows) last = Math.max(last, Number(id ?? 0), Number(movement_id ?? 0));
  return last;
};
/** The caller holds the sequence lock, and has cleared the present user. */
export async function writeUser(
  context: BankContext,
  saved: SavedUser,
  files: Files,
  differences: Differences,
): Promise<void> {
  const { db, account, clock } = context;
  await requireFree(context, saved);
  await raiseSequence(db, account, lastIdOf(saved));
  await insertRows(context, saved, files);
  await addEntries(differences, rowsIn(saved, "bank_entry"), currenciesOf(rowsIn(saved, "bank_ledger")), 1);
  await balanceDifferences(db, account, differences, clock.nowMs());
  await planJobs(context, saved, files);
  await deleteKeylessSessions(db, account, saved.userId);
}

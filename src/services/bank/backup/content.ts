/** The content of a backup of a user: its rows, the jobs that are planned for it, and the bytes of its files. */
import { BackupSourceError, lineOf, RecordReader, readHead } from "#kernel/backups";
import type { PlannedJob } from "#kernel/operation";
import { type AnyRow, type BankContext, rowsOfUser, USER_TABLES, type UserTable } from "../book/index.ts";
import { jobKeysOf } from "./job-keys.ts";

const HEAD = "bank user";
const JOBS = "jobs";
const FILE = "file";
/** Columns that are sealed in the database with the key of the instance. */
const SEALED: Readonly<Partial<Record<UserTable, string>>> = {
  bank_oauth_client: "secret",
  bank_card_secret: "value",
};
const BLOB_ID = /"blobId":"([^"]+)"/;

type Tags = Readonly<Record<string, string>>;
type Head = { readonly userId: number; readonly tags: Tags };
export type SavedFile = { readonly id: string; readonly type: string; readonly bytes: Uint8Array };
export type SavedUser = Head & {
  readonly rows: ReadonlyMap<UserTable, readonly AnyRow[]>;
  readonly jobs: readonly PlannedJob[];
  readonly files: readonly SavedFile[];
};
export const rowsIn = (saved: Pick<SavedUser, "rows">, table: UserTable): readonly AnyRow[] =>
  saved.rows.get(table) ?? [];

/** The file that a row names: a picture, or a finished document. */
export function fileIn(table: UserTable, row: AnyRow): string | undefined {
  if (table === "bank_attachment") return String(row.blob_id);
  return table === "bank_record" ? BLOB_ID.exec(String(row.body))?.[1] : undefined;
}

async function* gathered(context: BankContext, { userId, tags }: Head): AsyncGenerator<Uint8Array> {
  const { db, account } = context;
  const keys: string[] = [];
  yield lineOf({ kind: HEAD, value: { userId, tags } satisfies Head });
  for (const table of USER_TABLES)
    for await (const row of rowsOfUser(db, account, userId, table)) {
      keys.push(...jobKeysOf(table, row));
      yield lineOf({ kind: table, value: row });
    }
  yield lineOf({ kind: JOBS, value: await context.plannedJobs(keys) });
}

const isTable = (kind: string): kind is UserTable => USER_TABLES.some((table) => table === kind);

/** Secrets are opened only after the snapshot was written to disk. The vault encrypts them. */
export async function* contentOf(context: BankContext, head: Head): AsyncGenerator<Uint8Array> {
  const { blobs, secrets } = context;
  const files = new Set<string>();
  for await (const { kind, value } of new RecordReader(context.gather((moment) => gathered(moment, head)))) {
    const sealed = isTable(kind) ? SEALED[kind] : undefined;
    const row = value as AnyRow;
    yield lineOf({ kind, value: sealed ? { ...row, [sealed]: secrets.open(String(row[sealed])) } : value });
    const file = isTable(kind) ? fileIn(kind, row) : undefined;
    if (file !== undefined) files.add(file);
  }
  for (const id of files) {
    const [blob, bytes] = [await blobs.find(id), await blobs.read(id)];
    // A document can be made anew while it is read. The record of the snapshot then comes back without it.
    if (!blob || !bytes) continue;
    yield lineOf({ kind: FILE, value: { id, type: blob.type }, size: bytes.length });
    yield bytes;
  }
}

export async function readContent(
  { secrets }: BankContext,
  content: AsyncIterable<Uint8Array>,
): Promise<SavedUser> {
  const records = new RecordReader(content);
  const head = await readHead<Head>(records, HEAD);
  const rows = new Map<UserTable, AnyRow[]>(USER_TABLES.map((table) => [table, []]));
  const files: SavedFile[] = [];
  let jobs: readonly PlannedJob[] = [];
  for await (const { kind, value } of records) {
    if (isTable(kind)) {
      const sealed = SEALED[kind];
      const row = value as AnyRow;
      rows.get(kind)?.push(sealed ? { ...row, [sealed]: secrets.seal(String(row[sealed])) } : row);
    } else if (kind === JOBS) jobs = value as readonly PlannedJob[];
    else if (kind === FILE) {
      const parts: Uint8Array[] = [];
      for await (const part of records.bytes()) parts.push(part);
      files.push({ ...(value as Omit<SavedFile, "bytes">), bytes: Buffer.concat(parts) });
    } else throw new BackupSourceError(`The content of the recovery point has an unknown part, ${kind}.`);
  }
  return { ...head, rows, jobs, files };
}

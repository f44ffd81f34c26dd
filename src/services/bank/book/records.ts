/** Records that come into being and move beside the one that a caller names: the other side's, or those of a job. */
import { keptText } from "./domain/kinds.ts";
import { askedOf, isMoveAllowed, recordStates } from "./domain/states/index.ts";
import { errors } from "./errors.ts";
import { type Happening, happened } from "./happening.ts";
import type { BankContext } from "./state.ts";
import { insertRecord, updateRecord } from "./store/records.ts";
import { takeId } from "./store/sequence.ts";
import type { RecordRow } from "./tables.ts";

export type NewRecord = {
  readonly kind: string;
  readonly userId: number;
  readonly ownerId: number;
  /** Where it has a number already; two records that are one thing seen from two sides share theirs. */
  readonly id?: number;
  readonly status?: string;
  readonly body: object;
};
export async function createRecord(context: BankContext, wanted: NewRecord): Promise<RecordRow> {
  const { db, account, clock } = context;
  const { kind, userId, ownerId, status, body } = wanted;
  const now = clock.nowMs();
  const record: RecordRow = {
    account,
    kind,
    id: wanted.id ?? (await takeId(db, account)),
    user_id: userId,
    owner_id: ownerId,
    status: status ?? recordStates[kind]?.initial ?? "ACTIVE",
    body: keptText(kind, body),
    created_at: now,
    updated_at: now,
  };
  await insertRecord(db, record);
  return record;
}

export function requireMove(kind: string, from: string, to: string): void {
  if (!isMoveAllowed(kind, from, to)) throw errors.badRequest(`What is ${from} cannot become ${to}.`);
}
/** What a PUT asks for: a move of the table, and one that is not the clock's, the other side's or the bank's. */
export function requireAsked(kind: string, from: string, to: string, member = "status"): void {
  requireMove(kind, from, to);
  const asked = askedOf(kind);
  if (asked && !asked.includes(to)) throw errors.badRequest(`${member} can be set to ${asked.join(" or ")}.`);
}

/** To another state, with what is kept from then on; what is not given stays. */
export async function moveRecord(
  { db, clock }: BankContext,
  record: RecordRow,
  { status = record.status, body }: { readonly status?: string; readonly body?: object },
): Promise<RecordRow> {
  if (status !== record.status) requireMove(record.kind, record.status, status);
  const moved = {
    ...record,
    status,
    body: body === undefined ? record.body : keptText(record.kind, body),
    updated_at: clock.nowMs(),
  };
  await updateRecord(db, moved);
  return moved;
}

type Told = Pick<Happening, "category" | "action"> & { readonly type: string; readonly shown: unknown };
/** Tells of a record below an account. */
export const tell = (
  context: BankContext,
  record: RecordRow,
  { type, shown, ...told }: Told,
): Promise<void> =>
  happened(context, {
    ...told,
    userId: record.user_id,
    ledgerId: record.owner_id,
    object: { type, id: record.id, body: shown },
  });

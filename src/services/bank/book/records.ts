/**
 * Creates and moves records that the caller did not name: the record of the other side, or the records of a
 * job.
 */
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
  /** An id that was taken before. Two records that show one thing from two sides share an id. */
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
/**
 * Checks a status that a PUT asks for. The table must allow the move, and clients must be allowed to request
 * it.
 */
export function requireAsked(kind: string, from: string, to: string, member = "status"): void {
  requireMove(kind, from, to);
  const asked = askedOf(kind);
  if (asked && !asked.includes(to)) throw errors.badRequest(`${member} can be set to ${asked.join(" or ")}.`);
}

/** Moves a record to another state. Members that are not given keep their value. */
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

type RecordedEvent = Pick<Happening, "category" | "action"> & {
  readonly type: string;
  readonly shown: unknown;
};
/** Notes an event for a record below an account. */
export const tell = (
  context: BankContext,
  record: RecordRow,
  { type, shown, ...event }: RecordedEvent,
): Promise<void> =>
  happened(context, {
    ...event,
    userId: record.user_id,
    ledgerId: record.owner_id,
    object: { type, id: record.id, body: shown },
  });

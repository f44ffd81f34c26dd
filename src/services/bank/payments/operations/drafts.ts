/** Payments that wait until enough users with the right to decide have accepted them. */
import { type Static, Type } from "@sinclair/typebox";
import {
  type BankContext,
  belowLedger,
  callerOf,
  collection,
  createRecord,
  errors,
  findLedger,
  keptIn,
  keptText,
  LabelUser,
  ledgerIn,
  mayUse,
  type RecordRow,
  timeText,
} from "../../book/index.ts";
import { getKnownLedger, getKnownUser, labelled, labelOfUser, StatusBody } from "../../money/index.ts";
import { DraftKept, type Entry, entryView, settleProvided } from "../../requests/index.ts";
import { carryOut, entriesOf, entryOf, resultView } from "../orders.ts";
import { beginSchedule } from "../schedules.ts";
import { rhythmOf, rhythmView } from "../views/schedules.ts";
import { EntryBody, Result, ShownEntry } from "../wire/orders.ts";
import { ScheduleBody } from "../wire/schedules.ts";

const COUNT_MAX = 100_000;
const ENTRIES_MAX = 200;
const ACCEPTS_MAX = 10;

const ChangedEntry = Type.Composite([
  Type.Object({ id: Type.Optional(Type.Integer({ minimum: 1 })) }),
  Type.Partial(EntryBody),
]);

const labelOf = async ({ db, account }: BankContext, userId: number) =>
  labelOfUser(await getKnownUser(db, account, userId));

/** Pays, or creates a schedule that pays. */
async function execute(context: BankContext, draft: RecordRow, { entries, rhythm }: DraftKept) {
  const from = await getKnownLedger(context.db, context.account, draft.owner_id);
  if (!rhythm) return { outcome: await carryOut(context, from, entries) };
  const kind = entries.length === 1 ? "schedule-payment" : "schedule-payment-batch";
  const { id } = await beginSchedule(context, from, { rhythm, scheduled: { kind, entries } });
  await createRecord(context, { kind, userId: from.user_id, ownerId: from.id, id, body: {} });
  return { scheduleId: id };
}
/** Each user has one vote. The last required acceptance triggers the payment. */
async function answered(
  context: BankContext,
  draft: RecordRow,
  status: string,
): Promise<{ status: string; body: DraftKept }> {
  const kept = keptIn(DraftKept, draft);
  const { userId } = callerOf(context);
  if (kept.said.some((one) => one.userId === userId))
    throw errors.badRequest("You have answered this draft already.");
  const said = [...kept.said, { userId, status }];
  if (status !== "ACCEPTED") {
    await settleProvided(context, kept.providedId, status);
    return { status, body: { ...kept, said } };
  }
  const accepts = said.filter((one) => one.status === "ACCEPTED").length;
  if (accepts < kept.acceptsNeeded) return { status: draft.status, body: { ...kept, said } };
  await settleProvided(context, kept.providedId, status);
  return { status, body: { ...kept, said, ...(await execute(context, draft, kept)) } };
}
function requireUnchanged(draft: RecordRow, seen: string | undefined): void {
  if (seen !== undefined && seen !== timeText(draft.updated_at))
    throw errors.badRequest("The draft was changed meanwhile: read it again.");
}

/** Entries that are given by id alone stay unchanged. Ids start at 1. */
async function entriesAfter(
  context: BankContext,
  before: readonly Entry[],
  wanted: readonly Static<typeof ChangedEntry>[],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [at, { id, ...given }] of wanted.entries()) {
    const known = id === undefined ? undefined : before.find((entry) => entry.id === id);
    if (id !== undefined && !known) throw errors.badRequest(`The draft has no entry ${id}.`);
    const entry = known && Object.keys(given).length === 0 ? known : await entryOf(context, getWhole(given));
    entries.push({ ...entry, id: at + 1 });
  }
  return entries;
}
function getWhole({
  amount,
  counterparty_alias,
  description,
  ...rest
}: Partial<Static<typeof EntryBody>>): Static<typeof EntryBody> {
  if (!amount || !counterparty_alias || description === undefined)
    throw errors.badRequest("An entry needs amount, counterparty_alias and description, or its id alone.");
  return { amount, counterparty_alias, description, ...rest };
}

async function draftView(context: BankContext, draft: RecordRow) {
  const { entries, said, creatorId, rhythm, outcome } = keptIn(DraftKept, draft);
  const ledger = await findLedger(context.db, context.account, draft.owner_id);
  const alias = ledger && (await labelled(context, ledger));
  const responses = said.map(async ({ userId, status }) => ({
    status,
    user_alias_created: await labelOf(context, userId),
  }));
  return {
    id: draft.id,
    updated: timeText(draft.updated_at),
    monetary_account_id: draft.owner_id,
    user_alias_created: await labelOf(context, creatorId),
    responses: await Promise.all(responses),
    status: draft.status,
    type: "PAYMENT",
    entries: entries.map((entry) => entryView(entry, alias)),
    ...(outcome && { object: await resultView(context, draft.owner_id, outcome) }),
    ...(rhythm && { schedule: rhythmView(rhythm) }),
    request_reference_split_the_bill: [],
  };
}

export const draftOperations = collection({
  kind: "draft-payment",
  name: "DraftPayment",
  noun: "draft of a payment",
  ...belowLedger("draft-payment", "draft"),
  wrapper: "DraftPayment",
  methods: ["create", "list", "read", "update"],
  signed: ["update"],
  bareId: true,
  category: "DRAFT_PAYMENT",
  countMax: COUNT_MAX,
  given: {
    entries: Type.Array(EntryBody, { minItems: 1, maxItems: ENTRIES_MAX }),
    number_of_required_accepts: Type.Integer({ minimum: 1, maximum: ACCEPTS_MAX }),
    schedule: Type.Optional(ScheduleBody),
  },
  changed: {
    status: Type.Optional(StatusBody),
    entries: Type.Optional(Type.Array(ChangedEntry, { minItems: 1, maxItems: ENTRIES_MAX })),
    previous_updated_timestamp: Type.Optional(Type.String({ maxLength: 40 })),
  },
  shown: {
    id: Type.Integer(),
    updated: Type.String(),
    monetary_account_id: Type.Integer(),
    user_alias_created: LabelUser,
    responses: Type.Array(Type.Object({ status: Type.String(), user_alias_created: LabelUser })),
    status: Type.String(),
    type: Type.String(),
    entries: Type.Array(ShownEntry),
    object: Type.Optional(Result),
    schedule: Type.Optional(ScheduleBody),
    request_reference_split_the_bill: Type.Array(Type.Object({ type: Type.String(), id: Type.Integer() })),
  },
  async make(context, { entries, number_of_required_accepts, schedule }, params) {
    await ledgerIn(context, params, "draft");
    const kept: DraftKept = {
      entries: (await entriesOf(context, entries)).map((entry, at) => ({ ...entry, id: at + 1 })),
      acceptsNeeded: number_of_required_accepts,
      creatorId: callerOf(context).userId,
      said: [],
      rhythm: schedule && rhythmOf(schedule, context.clock.nowMs()),
    };
    return { body: kept };
  },
  async change(context, draft, { status, entries, previous_updated_timestamp }, params) {
    requireUnchanged(draft, previous_updated_timestamp);
    if (draft.status !== "PENDING")
      throw errors.badRequest(`A draft that is ${draft.status} cannot be changed.`);
    if (status === "ACCEPTED" && !(await mayUse(context, params.monetaryAccountID ?? 0, "pay")))
      throw errors.badRequest("You may propose payments from this account, not accept them.");
    const kept = keptIn(DraftKept, draft);
    // Changed entries need new acceptances.
    const current = entries
      ? { ...kept, entries: await entriesAfter(context, kept.entries, entries), said: [] }
      : kept;
    if (status === undefined) return { body: current };
    return answered(context, { ...draft, body: keptText(draft.kind, current) }, status);
  },
  show: draftView,
});

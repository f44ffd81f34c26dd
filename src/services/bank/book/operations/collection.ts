/**
 * A collection of records of one kind, declared as a table. Half of the interface consists of such
 * collections.
 */
import { type Static, type TObject, type TProperties, Type } from "@sinclair/typebox";
import { type Method, noBody } from "#kernel/operation";
import { keptBody, keptText } from "../domain/kinds.ts";
import { recordStates } from "../domain/states/index.ts";
import { errors } from "../errors.ts";
import { type Category, happened } from "../happening.ts";
import { requireAsked, requireMove } from "../records.ts";
import type { BankContext } from "../state.ts";
import {
  countRecords,
  deleteRecord,
  findRecord,
  insertRecord,
  pageOfRecords,
  type RecordPlace,
  updateRecord,
} from "../store/records.ts";
import { takeId } from "../store/sequence.ts";
import type { RecordRow } from "../tables.ts";
import { idOf, timeText } from "../views/shared.ts";
import type { BankOperation } from "../wire/envelope.ts";
import { BareId, Id, itemParams, ListQuery } from "../wire/shared.ts";
import * as words from "./collection-descriptions.ts";
import { listOf, operation } from "./operation.ts";

export type Params = Readonly<Record<string, number>>;
/** The stored members of a record besides its id, status and times. */
export type Body = Readonly<Record<string, unknown>>;
type Verb = "create" | "list" | "read" | "update" | "delete";
export type Collection<Given extends TProperties, Changed extends TProperties, Shown extends TProperties> = {
  /** As the table keeps it, such as `note-text`; its states are in `domain/states`. */
  readonly kind: string;
  /** As operations are named, such as `NoteText`. */
  readonly name: string;
  /** In a sentence: "note". */
  readonly noun: string;
  readonly path: string;
  readonly params: TProperties;
  readonly wrapper: string;
  readonly methods: readonly Verb[];
  /** Verbs that move money or grant access. */
  readonly signed?: readonly Verb[];
  /** Verbs that answer the record itself instead of its id. */
  readonly answersRecord?: readonly Verb[];
  /** Verbs whose id the maker returns under the name of the kind. */
  readonly wrapsNumber?: readonly Verb[];
  /** Whether creating a record answers the bare id, as the maker defines for some kinds. */
  readonly bareId?: true;
  readonly countMax: number;
  /** The category of its events for notification filters. Absent: no event is noted. */
  readonly category?: Category;
  readonly given?: Given;
  readonly changed?: Changed;
  readonly shown: Shown;
  /** Checks that the caller has access, and returns the place of the records. */
  placeOf(context: BankContext, params: Params): Promise<Omit<RecordPlace, "kind">>;
  /**
   * Turns a request body into the stored body, or throws if it is invalid. `id` is the id of the new record.
   */
  make?(
    context: BankContext,
    given: Static<TObject<Given>>,
    params: Params,
    id: number,
  ): Promise<Made> | Made;
  /**
   * Returns the body after a change and applies its effects. The move to `changed.status` was checked before
   * the call.
   */
  change?(
    context: BankContext,
    record: RecordRow,
    changed: Static<TObject<Changed>>,
    params: Params,
  ): Promise<Made> | Made;
  /** Undoes the effects of the record. Throws if it may not be deleted. */
  remove?(context: BankContext, record: RecordRow): Promise<void> | void;
  /** Reads the body with `keptIn`, which knows the kind of the record. */
  show(context: BankContext, record: RecordRow): Promise<Static<TObject<Shown>>> | Static<TObject<Shown>>;
};
export type Made = { readonly status?: string; readonly body: Body };
type AnyCollection = Collection<TProperties, TProperties, TProperties>;

export const recordTimes = { id: Type.Integer(), created: Type.String(), updated: Type.String() };
export const timesOf = ({ id, created_at, updated_at }: RecordRow) => ({
  id,
  created: timeText(created_at),
  updated: timeText(updated_at),
});

const namesOf = ({ name, kind, path }: AnyCollection, verb: string, method: Method, ofOne: boolean) => ({
  id: `bank.${verb}${name}`,
  method,
  path: ofOne ? `${path}/{itemId}` : path,
  permission: `bank:${verb}${kind.startsWith("note-") ? "Note" : name}`,
});
async function placeIn(table: AnyCollection, context: BankContext, params: unknown): Promise<RecordPlace> {
  return { kind: table.kind, ...(await table.placeOf(context, params as Params)) };
}
async function getRecord(table: AnyCollection, context: BankContext, params: unknown): Promise<RecordRow> {
  const { itemId = 0 } = params as Params;
  const place = await placeIn(table, context, params);
  const record = await findRecord(context.db, context.account, place, itemId);
  if (!record) throw errors.notFound(`There is no ${table.noun} ${itemId}.`);
  return record;
}
const shownOf = async (table: AnyCollection, context: BankContext, record: RecordRow) =>
  table.show(context, record);

/** Runs after every change: notes an event if the kind has a category, and builds the answer. */
async function concluded(
  table: AnyCollection,
  context: BankContext,
  { verb, record, params }: { verb: "create" | "update"; record: RecordRow; params: unknown },
) {
  const { category, wrapper, answersRecord = [] } = table;
  if (category !== undefined) {
    const body = await shownOf(table, context, record);
    await happened(context, {
      category,
      action: verb === "create" ? "CREATE" : "UPDATE",
      userId: record.user_id,
      ledgerId: (params as Params).monetaryAccountID,
      object: { type: wrapper, id: record.id, body },
    });
  }
  if (answersRecord.includes(verb)) return shownOf(table, context, record);
  return isBare(table, verb) ? { id: record.id } : idOf(record.id);
}
const isBare = ({ bareId }: AnyCollection, verb: Verb): boolean => bareId === true && verb === "create";
function answerOf(table: AnyCollection, verb: Verb) {
  const { answersRecord = [], wrapsNumber = [], shown, wrapper } = table;
  if (answersRecord.includes(verb)) return { wrapper, answers: { 200: Type.Object(shown) } };
  if (wrapsNumber.includes(verb)) return { wrapper, answers: { 200: Id } };
  return isBare(table, verb) ? { wrapper: "Id", answers: { 200: BareId } } : { answers: { 200: Id } };
}
const signedIf = ({ signed = [] }: AnyCollection, verb: Verb) =>
  signed.includes(verb) ? { signed: true } : {};

const createIn = (table: AnyCollection): BankOperation =>
  operation({
    ...namesOf(table, "Create", "POST", false),
    ...signedIf(table, "create"),
    ...answerOf(table, "create"),
    summary: `Makes a ${table.noun}`,
    description: words.createDescription(table),
    params: Type.Object(table.params),
    body: Type.Object(table.given ?? {}),
    async handle({ params, body }, context) {
      const { db, account, clock } = context;
      const { kind, countMax } = table;
      const place = await placeIn(table, context, params);
      const id = await takeId(db, account);
      if ((await countRecords(db, account, place)) >= countMax)
        throw errors.badRequest(`There are ${countMax} already: no more can be made here.`);
      const made = (await table.make?.(context, body, params as Params, id)) ?? { body };
      const now = clock.nowMs();
      const record: RecordRow = {
        account,
        kind,
        id,
        user_id: place.userId,
        owner_id: place.ownerId,
        status: made.status ?? recordStates[kind]?.initial ?? "ACTIVE",
        body: keptText(kind, made.body),
        created_at: now,
        updated_at: now,
      };
      await insertRecord(db, record);
      return concluded(table, context, { verb: "create", record, params });
    },
  });

const listIn = (table: AnyCollection): BankOperation =>
  operation({
    ...namesOf(table, "List", "GET", false),
    summary: `Lists each ${table.noun}, the newest first`,
    description: words.listDescription(),
    wrapper: table.wrapper,
    params: Type.Object(table.params),
    query: ListQuery,
    answers: { 200: Type.Array(Type.Object(table.shown)) },
    async handle({ params, query }, context) {
      const place = await placeIn(table, context, params);
      return listOf(
        context,
        query,
        (slice) => pageOfRecords(context.db, context.account, place, slice),
        (record) => shownOf(table, context, record),
      );
    },
  });

const readIn = (table: AnyCollection): BankOperation =>
  operation({
    ...namesOf(table, "Read", "GET", true),
    summary: `Reads a ${table.noun}`,
    description: words.readDescription(table),
    wrapper: table.wrapper,
    params: Type.Object({ ...table.params, ...itemParams }),
    answers: { 200: Type.Object(table.shown) },
    handle: async ({ params }, context) => shownOf(table, context, await getRecord(table, context, params)),
  });

const updateIn = (table: AnyCollection): BankOperation =>
  operation({
    ...namesOf(table, "Update", "PUT", true),
    ...signedIf(table, "update"),
    ...answerOf(table, "update"),
    summary: `Changes a ${table.noun}`,
    description: words.updateDescription(table),
    params: Type.Object({ ...table.params, ...itemParams }),
    body: Type.Object(table.changed ?? {}),
    async handle({ params, body }, context) {
      // Taking an id locks the account's sequence, so the record cannot change after it is read here.
      await takeId(context.db, context.account);
      const before = await getRecord(table, context, params);
      const { status: wanted = (body as Body).state } = body as Body;
      if (typeof wanted === "string") requireAsked(table.kind, before.status, wanted);
      const made: Made = (await table.change?.(context, before, body, params as Params)) ?? {
        ...(typeof wanted === "string" && { status: wanted }),
        body: { ...keptBody(before), ...(body as Body) },
      };
      const record = {
        ...before,
        status: made.status ?? before.status,
        body: keptText(table.kind, made.body),
        updated_at: context.clock.nowMs(),
      };
      if (record.status !== before.status) requireMove(table.kind, before.status, record.status);
      await updateRecord(context.db, record);
      return concluded(table, context, { verb: "update", record, params });
    },
  });

const deleteIn = (table: AnyCollection): BankOperation =>
  operation({
    ...namesOf(table, "Delete", "DELETE", true),
    summary: `Deletes a ${table.noun}`,
    description: words.deleteDescription(table),
    params: Type.Object({ ...table.params, ...itemParams }),
    answers: { 200: noBody },
    async handle({ params }, context) {
      await takeId(context.db, context.account);
      const record = await getRecord(table, context, params);
      await table.remove?.(context, record);
      await deleteRecord(context.db, context.account, table.kind, record.id);
    },
  });

const makers: Readonly<Record<Verb, (table: AnyCollection) => BankOperation>> = {
  create: createIn,
  list: listIn,
  read: readIn,
  update: updateIn,
  delete: deleteIn,
};

export function collection<Given extends TProperties, Changed extends TProperties, Shown extends TProperties>(
  table: Collection<Given, Changed, Shown>,
): readonly BankOperation[] {
  const own: AnyCollection = table;
  return table.methods.map((verb) => makers[verb](own));
}

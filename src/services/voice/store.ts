/** All SQL of this service. */
import type { Kysely } from "kysely";
import { listByName } from "#kernel/db";
import type { CallFacts, EventType } from "./domain/calls.ts";
import type { Destination } from "./domain/destinations.ts";
import type { CallRow, EventDestinationRow, SubscriptionRow, Tables, Words } from "./tables.ts";

type Db = Kysely<Tables>;

/** Returns false if the name exists. */
export async function insertSet(
  db: Db,
  account: string,
  region: string,
  name: string,
  nowMs: number,
): Promise<boolean> {
  const result = await db
    .insertInto("voice_configuration_set")
    .values({ account, region, name, created_at: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}
export async function hasSet(db: Db, account: string, region: string, name: string): Promise<boolean> {
  const row = await db
    .selectFrom("voice_configuration_set")
    .select("name")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined;
}
export const listSetsAfter = (db: Db, account: string, region: string, after: string, limit: number) =>
  listByName(db, "voice_configuration_set", { account, region, after, limit });
export async function countSets(db: Db, account: string, region: string): Promise<number> {
  const row = await db
    .selectFrom("voice_configuration_set")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("region", "=", region)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
/** Deletes the set with its destinations. Returns false if it does not exist. */
export async function removeSet(db: Db, account: string, region: string, name: string): Promise<boolean> {
  await db
    .deleteFrom("voice_event_destination")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("configuration_set", "=", name)
    .execute();
  const result = await db
    .deleteFrom("voice_configuration_set")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("name", "=", name)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export type NamedDestination = Destination & { readonly name: string; readonly words: Words };
const destinationOf = (row: EventDestinationRow): NamedDestination => ({
  name: row.name,
  words: row.words,
  enabled: row.enabled === 1,
  eventTypes: JSON.parse(row.event_types) as EventType[],
  kind: row.kind,
  targetArn: row.target_arn,
  roleArn: row.role_arn,
});
const columnsOf = (destination: Destination, words: Words) => ({
  enabled: destination.enabled ? 1 : 0,
  event_types: JSON.stringify(destination.eventTypes),
  kind: destination.kind,
  target_arn: destination.targetArn,
  role_arn: destination.roleArn,
  words,
});

export async function listDestinations(
  db: Db,
  account: string,
  region: string,
  set: string,
): Promise<NamedDestination[]> {
  const rows = await db
    .selectFrom("voice_event_destination")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .where("configuration_set", "=", set)
    .orderBy("name")
    .execute();
  return rows.map(destinationOf);
}
type WriteDestination = (
  db: Db,
  account: string,
  region: string,
  set: string,
  destination: NamedDestination,
) => Promise<boolean>;
/** Returns false if the name exists in the set. */
export const insertDestination: WriteDestination = async (db, account, region, set, written) => {
  const { name, words, ...destination } = written;
  const result = await db
    .insertInto("voice_event_destination")
    .values({ account, region, configuration_set: set, name, ...columnsOf(destination, words) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
};
/** Returns false if the set has no such destination. */
export const updateDestination: WriteDestination = async (db, account, region, set, written) => {
  const { name, words, ...destination } = written;
  const result = await db
    .updateTable("voice_event_destination")
    .set(columnsOf(destination, words))
    .where("account", "=", account)
    .where("region", "=", region)
    .where("configuration_set", "=", set)
    .where("name", "=", name)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
};
/** Returns false if the set has no such destination. */
export async function removeDestination(
  db: Db,
  account: string,
  region: string,
  set: string,
  name: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom("voice_event_destination")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("configuration_set", "=", set)
    .where("name", "=", name)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function insertSubscription(db: Db, row: SubscriptionRow): Promise<void> {
  await db.insertInto("voice_topic_subscription").values(row).execute();
}
export const listSubscriptions = (db: Db, account: string, region: string, limit: number) =>
  db
    .selectFrom("voice_topic_subscription")
    .selectAll()
    .where("account", "=", account)
    .where("region", "=", region)
    .orderBy("id")
    .limit(limit)
    .execute();
export const listSubscriptionsTo = (db: Db, account: string, topicArn: string) =>
  db
    .selectFrom("voice_topic_subscription")
    .selectAll()
    .where("account", "=", account)
    .where("topic_arn", "=", topicArn)
    .orderBy("id")
    .execute();
export async function removeSubscription(
  db: Db,
  account: string,
  region: string,
  id: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom("voice_topic_subscription")
    .where("account", "=", account)
    .where("region", "=", region)
    .where("id", "=", id)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export const factsOf = (row: CallRow): CallFacts => ({
  messageId: row.message_id,
  origination: row.origination,
  callerId: row.caller_id,
  destination: row.destination,
  country: row.country,
  configurationSet: row.configuration_set,
  requestedAtMs: row.requested_at,
  answeredAtMs: row.answered_at,
});
/** Initial values of every call. */
export const newCall = {
  state: "QUEUED",
  audio_blob: null,
  duration_ms: null,
  placed_attempt: null,
  answered_at: null,
  ended_at: null,
  reason: null,
} as const satisfies Partial<CallRow>;
export async function insertCall(db: Db, row: CallRow): Promise<void> {
  await db.insertInto("voice_call").values(row).execute();
}
export const findCall = (db: Db, account: string, messageId: string): Promise<CallRow | undefined> =>
  db
    .selectFrom("voice_call")
    .selectAll()
    .where("account", "=", account)
    .where("message_id", "=", messageId)
    .executeTakeFirst();
export async function updateCall(
  db: Db,
  { account, message_id }: CallRow,
  change: Partial<CallRow>,
): Promise<void> {
  await db
    .updateTable("voice_call")
    .set(change)
    .where("account", "=", account)
    .where("message_id", "=", message_id)
    .execute();
}
export async function countCallsInProgress(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom("voice_call")
    .select(({ fn }) => fn.countAll().as("count"))
    .where("account", "=", account)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}
export const listNewestCalls = (db: Db, account: string, limit: number) =>
  db
    .selectFrom("voice_call")
    .selectAll()
    .where("account", "=", account)
    .orderBy("requested_at", "desc")
    .orderBy("message_id", "desc")
    .limit(limit)
    .execute();

/** Calls that ended first. */
export const listEndedCalls = (db: Db, account: string, limit: number) =>
  db
    .selectFrom("voice_call")
    .select(["message_id", "audio_blob", "ended_at"])
    .where("account", "=", account)
    .where("ended_at", "is not", null)
    .orderBy("ended_at")
    .orderBy("message_id")
    .limit(limit)
    .execute();
/** End time of the newest call beyond the `kept` newest ones. Undefined if there are fewer. */
export async function findEndBeyond(db: Db, account: string, kept: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("voice_call")
    .select("ended_at")
    .where("account", "=", account)
    .where("ended_at", "is not", null)
    .orderBy("ended_at", "desc")
    .orderBy("message_id", "desc")
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  return row?.ended_at ?? undefined;
}
export async function removeCalls(db: Db, account: string, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await db
    .deleteFrom("voice_call")
    .where("account", "=", account)
    .where("message_id", "in", [...messageIds])
    .execute();
}

/** Installations, devices and sessions: who may call, from where, for how long. */
import { queriesOf } from "#kernel/db";
import type { DeviceRow, InstallationRow, RequestIdRow, ServerKeyRow, SessionRow } from "../tables.ts";
import { type Db, numbersIn } from "./db.ts";
import { type Slice, sliceOf } from "./slices.ts";

const { compiledInsert, compiledQuery } = queriesOf<Db>();

/** Answers false when it is there already. */
export const insertInstallation = compiledInsert<InstallationRow>("bank_installation", [
  "account",
  "id",
  "public_key",
  "created_at",
]);

/** Answers false when there is one. */
export const insertServerKey = compiledInsert<ServerKeyRow>("bank_server_key", [
  "account",
  "public_key",
  "private_key",
  "created_at",
]);
export const findServerKey = (db: Db): Promise<ServerKeyRow | undefined> =>
  db.selectFrom("bank_server_key").selectAll().where("account", "=", "").executeTakeFirst();

const DEVICE_COLUMNS = [
  "account",
  "id",
  "installation_id",
  "user_id",
  "description",
  "permitted_ips",
  "ip",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof DeviceRow)[];
const deviceOf = numbersIn<DeviceRow>("id", "installation_id", "user_id", "created_at", "updated_at");
export const insertDevice = compiledInsert<DeviceRow>("bank_device", DEVICE_COLUMNS);
const selectDeviceOf = compiledQuery<DeviceRow, [string, number, number]>(
  ["", 0, 0],
  (db, account, installationId, userId) =>
    db
      .selectFrom("bank_device")
      .selectAll()
      .where("account", "=", account)
      .where("installation_id", "=", installationId)
      .where("user_id", "=", userId),
);
export async function findDeviceOf(
  db: Db,
  account: string,
  installationId: number,
  userId: number,
): Promise<DeviceRow | undefined> {
  const [row] = await selectDeviceOf(db, account, installationId, userId);
  return row && deviceOf(row);
}
export async function findDevice(db: Db, account: string, id: number): Promise<DeviceRow | undefined> {
  const row = await db
    .selectFrom("bank_device")
    .selectAll()
    .where("account", "=", account)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && deviceOf(row);
}
export async function pageOfDevices(
  db: Db,
  account: string,
  userId: number,
  slice: Slice,
): Promise<DeviceRow[]> {
  const query = db
    .selectFrom("bank_device")
    .selectAll()
    .where("account", "=", account)
    .where("user_id", "=", userId);
  return (await sliceOf(query, slice)).map(deviceOf);
}
const SESSION_NUMBERS = [
  "id",
  "user_id",
  "installation_id",
  "device_id",
  "key_id",
  "timeout_seconds",
  "expires_at",
  "created_at",
] as const;
const sessionOf = numbersIn<KnownSession>(...SESSION_NUMBERS);
export const insertSession = compiledInsert<SessionRow>("bank_session", [
  "hash",
  "account",
  ...SESSION_NUMBERS,
]);
type KnownSession = SessionRow & Pick<InstallationRow, "public_key"> & Pick<DeviceRow, "permitted_ips">;
const selectSession = compiledQuery<KnownSession, [string]>([""], (db, hash) =>
  db
    .selectFrom("bank_session as session")
    .innerJoin("bank_installation as installation", (join) =>
      join
        .onRef("installation.account", "=", "session.account")
        .onRef("installation.id", "=", "session.installation_id"),
    )
    .innerJoin("bank_device as device", (join) =>
      join.onRef("device.account", "=", "session.account").onRef("device.id", "=", "session.device_id"),
    )
    .selectAll("session")
    .select(["installation.public_key", "device.permitted_ips"])
    .where("session.hash", "=", hash),
);
export async function findSession(db: Db, hash: string): Promise<KnownSession | undefined> {
  const [row] = await selectSession(db, hash);
  return row && sessionOf(row);
}
/** A user has one session for each installation: opening a session ends the previous one. */
export async function endSessions(
  db: Db,
  account: string,
  installationId: number,
  userId: number,
): Promise<void> {
  await db
    .deleteFrom("bank_session")
    .where("account", "=", account)
    .where("installation_id", "=", installationId)
    .where("user_id", "=", userId)
    .execute();
}
export async function endSession(db: Db, account: string, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("bank_session")
    .where("account", "=", account)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
/** Answers false when the device has used it before. */
export const insertRequestId = compiledInsert<RequestIdRow>("bank_request_id", [
  "account",
  "device_id",
  "request_id",
  "created_at",
]);

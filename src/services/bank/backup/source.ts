/** Users can be backed up, with everything that belongs to them. */
import { parseArn } from "#kernel/arn";
import { BackupSourceError, IN_PLACE, restoredTags } from "#kernel/backups";
import type { OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { findUserIn, requireRoom, showInCatalog, USER_TYPE, userArnOf } from "../access/index.ts";
import {
  type BankContext,
  balanceDifferences,
  Differences,
  deleteAccess,
  takeId,
  takeIds,
} from "../book/index.ts";
import { findUser, freeIban } from "../money/index.ts";
import { contentOf, readContent, rowsIn, type SavedUser } from "./content.ts";
import { copyOf } from "./copying.ts";
import { clearUser, keepFiles, writeUser } from "./writing.ts";

const USER_ID = "userId";
const USER_NAME = "userName";
const NAME_MAX = 140;

/** Another user of the same content, with a name. */
async function copied(context: BankContext, saved: SavedUser, name: string): Promise<SavedUser> {
  const { db, account, ids } = context;
  if (name.trim() === "" || name.length > NAME_MAX)
    throw new BackupSourceError(`${USER_NAME} must have 1 to ${NAME_MAX} characters.`);
  await requireRoom(context);
  return copyOf(saved, name.trim(), {
    takeIds: (count) => takeIds(db, account, count),
    newUuid: () => ids.uuid(),
    newIban: (iban) => freeIban(context, iban.slice(0, 2)),
  });
}
async function requireOwnPlace(
  { db, account }: BankContext,
  saved: SavedUser,
  metadata: RestoreRequest["metadata"],
): Promise<void> {
  const { [USER_ID]: given = String(saved.userId), [IN_PLACE]: inPlace } = metadata;
  if (given !== String(saved.userId))
    throw new BackupSourceError(`The backup is of the user ${saved.userId}; give a ${USER_NAME} for a copy.`);
  const present = await findUser(db, account, saved.userId);
  if (!present) return;
  if (inPlace !== "true")
    throw new BackupSourceError(
      `There is a user ${saved.userId} already; say ${IN_PLACE}, or give a ${USER_NAME}.`,
    );
  if (present.public_uuid !== rowsIn(saved, "bank_user")[0]?.public_uuid)
    throw new BackupSourceError(
      `${saved.userId} is the number of another user now; give a ${USER_NAME} for a copy.`,
    );
}

type Incoming = Parameters<typeof keepFiles>[1];
async function write(
  context: BankContext,
  given: SavedUser,
  incoming: Incoming,
  { resourceArn, metadata, ...asked }: RestoreRequest,
): Promise<string> {
  const { db, account } = context;
  await takeId(db, account);
  const name = String(rowsIn(given, "bank_user")[0]?.display_name);
  const isCopy = metadata[USER_NAME] !== undefined || parseArn(resourceArn)?.account !== account;
  const saved = isCopy ? await copied(context, given, metadata[USER_NAME] ?? name) : given;
  const differences = new Differences();
  if (!isCopy) {
    await requireOwnPlace(context, saved, metadata);
    await clearUser(context, saved.userId, differences, new Set(saved.files.map(({ id }) => id)));
  }
  await writeUser(context, saved, await keepFiles(context, incoming, isCopy), differences);
  const user = await findUser(db, account, saved.userId);
  if (user) await showInCatalog(context, user, restoredTags(saved.tags, asked));
  return userArnOf(account, saved.userId);
}

/** Takes a user with everything out of the bank. What it had goes to the bank itself. */
export async function removeUser(context: BankContext, userId: number): Promise<void> {
  const { db, account, catalog, clock, state } = context;
  await takeId(db, account);
  const differences = new Differences();
  await clearUser(context, userId, differences);
  await deleteAccess(db, account, userId);
  await balanceDifferences(db, account, differences, clock.nowMs());
  await catalog.remove(userArnOf(account, userId));
  context.afterCommit(() => state.defaultUsers.delete(account));
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "BankUser",
  types: [USER_TYPE],
  restoreMetadata: async (_context, { nativeId = "" }) => ({ [USER_ID]: nativeId, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [USER_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, { arn, name, tags }) {
    const { db, account } = own(context);
    const userId = findUserIn(arn) ?? 0;
    if (!(await findUser(db, account, userId)))
      throw new BackupSourceError(`There is no user ${name} any more.`);
    yield* contentOf(own(context), { userId, tags });
  },
  async restore(context, content, request) {
    const saved = await readContent(own(context), content);
    const incoming = await Promise.all(
      saved.files.map(async ({ id, type, bytes }) => ({
        id,
        type,
        prepared: await own(context).blobs.prepare(async function* () {
          yield bytes;
        }),
      })),
    );
    await context.transact(async (inner) => {
      await request.done(inner, await write(own(inner), saved, incoming, request));
    });
  },
  async remove(context, arn) {
    const userId = findUserIn(arn);
    if (userId !== undefined) await removeUser(own(context), userId);
  },
});

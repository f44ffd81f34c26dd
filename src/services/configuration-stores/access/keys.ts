/** The four access keys of a store. */
import type { Context } from "#kernel/operation";
import { insertAccessKeys, replaceSecret } from "../store/index.ts";
import type { AccessKeyRow, Tables } from "../tables.ts";

const KEYS = [
  { name: "Primary", readOnly: false },
  { name: "Secondary", readOnly: false },
  { name: "Primary Read Only", readOnly: true },
  { name: "Secondary Read Only", readOnly: true },
] as const;
const SECRET_BYTES = 32;
const ID_LENGTH = 16;

const freshSecret = ({ ids, secrets }: Context): string =>
  secrets.seal(ids.bytes(SECRET_BYTES).toString("base64"));

export async function createAccessKeys(context: Context<Tables>, store: string): Promise<void> {
  const rows = KEYS.map(({ name, readOnly }, position) => ({
    id: context.ids.secret(ID_LENGTH),
    account: context.account,
    store,
    position,
    name,
    read_only: readOnly ? 1 : 0,
    secret: freshSecret(context),
    last_modified: context.clock.nowMs(),
  }));
  await insertAccessKeys(context.db, rows);
}

/** The key keeps its ID and gets a new secret. Requests signed with the old secret fail from now on. */
export async function regenerateAccessKey(
  context: Context<Tables>,
  key: AccessKeyRow,
): Promise<AccessKeyRow> {
  const secret = freshSecret(context);
  const lastModified = context.clock.nowMs();
  await replaceSecret(context.db, key.id, secret, lastModified);
  return { ...key, secret, last_modified: lastModified };
}

/** Backs up clients: their metadata, and the digests of their secrets. */
import { digestOf } from "#kernel/auth";
import { BackupSourceError, IN_PLACE, jsonContent, readJson, restoredTags } from "#kernel/backups";
import type { CatalogEntry } from "#kernel/catalog";
import type { Context, OwnContext } from "#kernel/operation";
import type { BackupSource, RestoreRequest } from "#ports/backup-sources";
import { CLIENT_TYPE, clientArnOf, findClientIn, showInCatalog } from "./catalog-entry.ts";
import type { ClientMetadata } from "./domain/metadata.ts";
import { deleteClientRow, findClientRow, insertClient, updateClientRow } from "./store.ts";
import { ensureSalt } from "./subjects.ts";
import type { ClientRow, Tables } from "./tables.ts";

const CLIENT_ID = "clientId";
const CLIENT_NAME = "clientName";
const SECRET_LENGTH = 48;
/** What requests can name; we make such ids ourselves. */
const CLIENT_IDS = /^[\w.-]{1,128}$/;
type Db = Context<Tables>;

type SavedClient = {
  readonly clientId: string;
  readonly metadata: ClientMetadata;
  readonly secretDigest: string | null;
  /** The secret itself, if it is also a signing key. */
  readonly secret?: string;
  readonly registrationDigest: string;
  readonly createdAtMs: number;
  readonly tags: Readonly<Record<string, string>>;
};

async function save(context: Db, { nativeId = "", name, tags }: CatalogEntry): Promise<SavedClient> {
  const row = await findClientRow(context.db, nativeId);
  if (row?.account !== context.account) throw new BackupSourceError(`There is no client ${name} any more.`);
  return {
    clientId: row.client_id,
    metadata: JSON.parse(row.metadata),
    secretDigest: row.secret_digest,
    ...(row.secret_sealed !== null && { secret: context.secrets.open(row.secret_sealed) }),
    registrationDigest: row.registration_digest,
    createdAtMs: row.created_at,
    tags,
  };
}
/** A restore in place keeps the id and the secret. A copy gets a new id and the same secret. */
async function write(
  context: Db,
  saved: SavedClient,
  { metadata: { [CLIENT_ID]: given, [CLIENT_NAME]: name, [IN_PLACE]: inPlace }, ...asked }: RestoreRequest,
): Promise<string> {
  const { db, account, ids, clock } = context;
  const clientId = given ?? (name === undefined ? saved.clientId : ids.next("app"));
  if (!CLIENT_IDS.test(clientId))
    throw new BackupSourceError(`${CLIENT_ID} has up to 128 letters, digits, dots, dashes and underscores.`);
  const before = await findClientRow(db, clientId);
  if (before && (before.account !== account || inPlace !== "true"))
    throw new BackupSourceError(
      `There is a client ${clientId} already; say ${IN_PLACE} to write over your own.`,
    );
  const metadata: ClientMetadata = { ...saved.metadata, ...(name !== undefined && { name }) };
  const row: ClientRow = {
    client_id: clientId,
    account,
    metadata: JSON.stringify(metadata),
    secret_digest: saved.secretDigest,
    secret_sealed: saved.secret === undefined ? null : context.secrets.seal(saved.secret),
    registration_digest:
      clientId === saved.clientId ? saved.registrationDigest : digestOf(ids.secret(SECRET_LENGTH)),
    guessed_until: null,
    created_at: saved.createdAtMs,
    updated_at: clock.nowMs(),
  };
  if (before) await updateClientRow(db, clientId, row);
  else await insertClient(db, row);
  if (metadata.sector !== undefined) await ensureSalt(context);
  await showInCatalog(context, clientId, metadata.name, restoredTags(saved.tags, asked));
  return clientArnOf(account, clientId);
}

export const backupSource = (own: OwnContext): BackupSource => ({
  resourceType: "IdentityClient",
  types: [CLIENT_TYPE],
  restoreMetadata: async (_context, { nativeId = "" }) => ({ [CLIENT_ID]: nativeId, [IN_PLACE]: "true" }),
  renamed: (_metadata, name) => ({ [CLIENT_NAME]: name, [IN_PLACE]: "false" }),
  async *read(context, resource) {
    yield* jsonContent(await context.transact((inner) => save(own(inner), resource)));
  },
  async restore(context, content, request) {
    const saved = await readJson<SavedClient>(content);
    await context.transact(async (inner) => {
      await request.done(inner, await write(own(inner), saved, request));
    });
  },
  async remove(context, arn) {
    const clientId = findClientIn(arn);
    if (clientId === undefined) return;
    await deleteClientRow(own(context).db, clientId);
    await own(context).catalog.remove(arn);
  },
});

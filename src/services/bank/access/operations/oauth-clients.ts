/** Applications of a user that others may allow to act for them, and where they are led back to. */
import { Type } from "@sinclair/typebox";
import { secret } from "#kernel/operation";
import {
  type BankContext,
  collection,
  errors,
  Id,
  idOf,
  itemParams,
  keptIn,
  ListQuery,
  listOf,
  listRecords,
  type OauthClientRow,
  operation,
  recordKind,
  requireAsked,
  requireUser,
  takeId,
  userParams,
} from "../../book/index.ts";
import { deleteKeysOfClient, findUser } from "../../money/index.ts";
import { findOauthClient, insertOauthClient, pageOfOauthClients, updateOauthStatus } from "../store/oauth.ts";

const CLIENTS_MAX = 10;
const URLS_MAX = 20;
const ID_LENGTH = 32;
const SECRET_LENGTH = 64;
const KIND = "oauth-client";

const Client = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  display_name: Type.String(),
  client_id: Type.String(),
  secret: secret(Type.String()),
  callback_url: Type.Array(Type.Object({ url: Type.String() })),
});
export const callbackUrlsOf = async (
  { db }: Pick<BankContext, "db">,
  { account, user_id, id }: OauthClientRow,
): Promise<string[]> => {
  const place = { kind: "callback-url", userId: user_id, ownerId: id };
  return (await listRecords(db, account, place, URLS_MAX)).map(({ body }) => UrlKept.read(body).url);
};
async function viewOf(context: BankContext, row: OauthClientRow) {
  const { id, status, display_name, client_id } = row;
  const urls = await callbackUrlsOf(context, row);
  return {
    id,
    status,
    display_name,
    client_id,
    secret: context.secrets.open(row.secret),
    callback_url: urls.map((url) => ({ url })),
  };
}
async function getClient(context: BankContext, userId: number, id: number): Promise<OauthClientRow> {
  requireUser(context, userId);
  const client = await findOauthClient(context.db, context.account, userId, id);
  if (!client) throw errors.notFound(`There is no OAuth client ${id}.`);
  return client;
}
const StatusBody = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("ACTIVE"), Type.Literal("CANCELLED")])),
});

const createClient = operation({
  id: "bank.CreateOauthClient",
  summary: "Registers an application",
  description: `Generates a client id and a secret, which \`bank.ReadOauthClient\` shows. The name is that of the user. Add a redirect address with \`bank.CreateOauthCallbackUrl\` before users can allow it. A user has at most ${CLIENTS_MAX} applications.`,
  method: "POST",
  path: "/user/{userID}/oauth-client",
  permission: "bank:CreateOauthClient",
  params: Type.Object(userParams),
  body: StatusBody,
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const { db, account, ids, clock, secrets } = context;
    const userId = requireUser(context, params.userID);
    const id = await takeId(db, account);
    const others = await pageOfOauthClients(db, account, userId, { limit: CLIENTS_MAX });
    if (others.length >= CLIENTS_MAX)
      throw errors.badRequest(`A user has at most ${CLIENTS_MAX} OAuth clients.`);
    const user = await findUser(db, account, userId);
    const now = clock.nowMs();
    await insertOauthClient(db, {
      account,
      id,
      user_id: userId,
      client_id: ids.secret(ID_LENGTH),
      secret: secrets.seal(ids.secret(SECRET_LENGTH)),
      display_name: user?.display_name ?? "",
      status: body.status ?? "ACTIVE",
      created_at: now,
      updated_at: now,
    });
    return idOf(id);
  },
});
const listClients = operation({
  id: "bank.ListOauthClients",
  summary: "Lists applications, the newest first",
  description: "Shows client id, secret and redirect addresses of each, also of cancelled ones.",
  method: "GET",
  path: "/user/{userID}/oauth-client",
  permission: "bank:ListOauthClients",
  wrapper: "OauthClient",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Client) },
  handle({ params, query }, context) {
    const userId = requireUser(context, params.userID);
    return listOf(
      context,
      query,
      (slice) => pageOfOauthClients(context.db, context.account, userId, slice),
      (row) => viewOf(context, row),
    );
  },
});
const oneParams = Type.Object({ ...userParams, ...itemParams });
const readClient = operation({
  id: "bank.ReadOauthClient",
  summary: "Reads an application with its secret",
  description:
    "Shows client id, secret and redirect addresses. Redirect a browser to `bank.ShowAuthorize` with the client id to ask a user for access.",
  method: "GET",
  path: "/user/{userID}/oauth-client/{itemId}",
  permission: "bank:ReadOauthClient",
  wrapper: "OauthClient",
  params: oneParams,
  answers: { 200: Client },
  handle: async ({ params }, context) =>
    viewOf(context, await getClient(context, params.userID, params.itemId)),
});
const updateClient = operation({
  id: "bank.UpdateOauthClient",
  summary: "Cancels an application and deletes the keys it was given",
  description:
    "CANCELLED is final: the keys that users granted stop working at once, and new grants are refused. Without `status` nothing changes.",
  method: "PUT",
  path: "/user/{userID}/oauth-client/{itemId}",
  permission: "bank:UpdateOauthClient",
  params: oneParams,
  body: StatusBody,
  answers: { 200: Id },
  async handle({ params, body }, context) {
    const { db, account, clock } = context;
    await takeId(db, account);
    const client = await getClient(context, params.userID, params.itemId);
    const { status } = body;
    if (status === undefined) return idOf(client.id);
    requireAsked(KIND, client.status, status);
    await updateOauthStatus(db, account, client.id, { status, atMs: clock.nowMs() });
    if (status === "CANCELLED") await deleteKeysOfClient(db, account, client.id);
    return idOf(client.id);
  },
});

/** Somewhere that a browser can be led to; on this machine also without TLS. */
function requireAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url?.hostname ?? "");
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal))
    throw errors.badRequest("url must be an https address; http is for this machine alone.");
  if (url.hash !== "") throw errors.badRequest("url must not have a fragment.");
  return text;
}
const UrlKept = recordKind(["callback-url"], Type.Object({ url: Type.String() }));
const UrlBody = { url: Type.String({ minLength: 1, maxLength: 1000 }) };
const callbackUrls = collection({
  kind: "callback-url",
  name: "OauthCallbackUrl",
  noun: "callback URL",
  path: "/user/{userID}/oauth-client/{oauthClientID}/callback-url",
  params: { ...userParams, oauthClientID: Type.Integer({ minimum: 1 }) },
  wrapper: "OauthCallbackUrl",
  methods: ["create", "list", "read", "update", "delete"],
  countMax: URLS_MAX,
  given: UrlBody,
  changed: UrlBody,
  shown: { id: Type.Integer(), url: Type.String() },
  async placeOf(context, { userID = 0, oauthClientID = 0 }) {
    const { id } = await getClient(context, userID, oauthClientID);
    return { userId: userID, ownerId: id };
  },
  make: (_context, { url }) => ({ body: { url: requireAddress(url) } }),
  change: (_context, _record, { url }) => ({ body: { url: requireAddress(url) } }),
  show: (_context, record) => ({ id: record.id, url: keptIn(UrlKept, record).url }),
});

export const oauthClientOperations = [createClient, listClients, readClient, updateClient, ...callbackUrls];

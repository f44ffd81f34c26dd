/** The way in: an installation gives its public key, registers a device by a key, and opens sessions. */
import { createPublicKey } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { digestOf } from "#kernel/auth";
import { anyone, kernelErrors, noBody, secret } from "#kernel/operation";
import {
  type BankContext,
  BareId,
  callerOf,
  type DeviceRow,
  endSession,
  endSessions,
  errors,
  findDevice,
  findDeviceOf,
  insertDevice,
  insertInstallation,
  insertSession,
  isPermitted,
  itemParams,
  ListQuery,
  listOf,
  operation,
  pageOfDevices,
  takeId,
  timeText,
  type UserRow,
} from "../../book/index.ts";
import { findKeyById, findUser } from "../../money/index.ts";
import {
  type Installation,
  installationTokenOf,
  isInstallationToken,
  openInstallationToken,
  SECRET_LENGTH,
  sessionTokenOf,
} from "../domain/tokens.ts";
import { findOauthClientById } from "../store/oauth.ts";
import { User, userView, wrapperOf } from "../wire/users.ts";

const KEY_LENGTH_MAX = 2000;
const BODY_BYTES_MAX = 8 * 1024;
const KEY_BITS_MIN = 2048;
const KEY_BITS_MAX = 4096;
const DIGITS = 9;

const Token = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  token: secret(Type.String()),
});
const ServerPublicKey = Type.Object({ server_public_key: Type.String() });

function requireRsaKey(text: string): void {
  let details: { readonly modulusLength?: number } | undefined;
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === "rsa") details = key.asymmetricKeyDetails;
  } catch {
    details = undefined;
  }
  const bits = details?.modulusLength ?? 0;
  if (bits < KEY_BITS_MIN || bits > KEY_BITS_MAX)
    throw errors.badRequest("client_public_key must be an RSA key of 2048 to 4096 bits, as PEM.");
}
/** The installation of a caller that has registered no device yet, so that its user is not known. */
function getInstallation(context: BankContext): Installation {
  const shown = context.request.headers["x-vendor-client-authentication"];
  const installation =
    typeof shown === "string" && isInstallationToken(shown)
      ? openInstallationToken(shown, context.secrets)
      : undefined;
  if (!installation) throw kernelErrors.unauthenticated("An installation token is required.");
  context.state.signFor(context.request.headers);
  return installation;
}
function getInstallationById(context: BankContext, id: number): Installation {
  const installation = getInstallation(context);
  if (installation.id !== id) throw errors.notFound(`There is no installation ${id}.`);
  return installation;
}

const createInstallation = operation({
  id: "bank.CreateInstallation",
  summary: "Registers the public key of a client; answers a token and the key of the bank",
  description: "Nothing is kept: the installation lies in its token.",
  method: "POST",
  path: "/installation",
  permission: anyone,
  transaction: "manual",
  bodyBytesMax: BODY_BYTES_MAX,
  body: Type.Object({ client_public_key: Type.String({ maxLength: KEY_LENGTH_MAX }) }),
  answers: {
    200: Type.Object({ Id: BareId, Token, ServerPublicKey }),
  },
  async handle({ body }, context) {
    requireRsaKey(body.client_public_key);
    const createdAtMs = context.clock.nowMs();
    const id = Number(context.ids.digits(DIGITS));
    const token = installationTokenOf(
      { id, publicKey: body.client_public_key, createdAtMs },
      context.secrets,
    );
    const { publicPem } = await context.state.serverKey();
    const time = timeText(createdAtMs);
    return {
      Id: { id },
      Token: { id, created: time, updated: time, token },
      ServerPublicKey: { server_public_key: publicPem },
    };
  },
});
const listInstallations = operation({
  id: "bank.ListInstallations",
  summary: "Lists the installation of the caller",
  description:
    "An installation is known by its token alone, so the list has one entry. Next, register a device with `bank.CreateDeviceServer`.",
  method: "GET",
  path: "/installation",
  permission: anyone,
  wrapper: "Id",
  answers: { 200: Type.Array(BareId) },
  handle: (_input, context) => [{ id: getInstallation(context).id }],
});
const readInstallation = operation({
  id: "bank.ReadInstallation",
  summary: "Reads an installation",
  description: "Only the installation of the token; other ids give 404.",
  method: "GET",
  path: "/installation/{itemId}",
  permission: anyone,
  wrapper: "Id",
  params: Type.Object(itemParams),
  answers: { 200: BareId },
  handle: ({ params }, context) => ({ id: getInstallationById(context, params.itemId).id }),
});
const listServerKeys = operation({
  id: "bank.ListServerPublicKeys",
  summary: "Reads the public key that verifies signatures of the bank",
  description:
    "Responses to this installation are signed with the bank's private key; verify them with this one.",
  method: "GET",
  path: "/installation/{installationID}/server-public-key",
  permission: anyone,
  wrapper: "ServerPublicKey",
  params: Type.Object({ installationID: Type.Integer({ minimum: 1 }) }),
  answers: { 200: Type.Array(ServerPublicKey) },
  async handle({ params }, context) {
    getInstallationById(context, params.installationID);
    return [{ server_public_key: (await context.state.serverKey()).publicPem }];
  },
});

const Device = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  description: Type.String(),
  ip: Type.String(),
  status: Type.String(),
});
const deviceView = (row: DeviceRow) => ({
  id: row.id,
  created: timeText(row.created_at),
  updated: timeText(row.updated_at),
  description: row.description,
  ip: row.ip,
  status: "ACTIVE",
});

const createDevice = operation({
  id: "bank.CreateDeviceServer",
  summary: "Registers a device with a key and the addresses it may call from",
  description:
    "Needs an installation token and the user's API key. An installation registers one device for each user; a second is refused. Without `permitted_ips`, only the present address may call. Next: `bank.CreateSessionServer`.",
  method: "POST",
  path: "/device-server",
  permission: "bank:CreateDeviceServer",
  wrapper: "Id",
  body: Type.Object({
    description: Type.String({ minLength: 1, maxLength: 255 }),
    secret: secret(Type.String({ maxLength: 200 })),
    permitted_ips: Type.Optional(Type.Array(Type.String({ maxLength: 45 }), { maxItems: 50 })),
  }),
  answers: { 200: BareId },
  async handle({ body }, context) {
    const { db, account, clock, request } = context;
    const { userId, installation } = callerOf(context);
    if (!installation) throw errors.badRequest("A device is registered with an installation token.");
    if (await findDeviceOf(db, account, installation.id, userId))
      throw errors.badRequest("This installation has registered its device before.");
    const id = await takeId(db, account);
    const now = clock.nowMs();
    await insertInstallation(db, {
      account,
      id: installation.id,
      public_key: installation.publicKey,
      created_at: now,
    });
    await insertDevice(db, {
      account,
      id,
      installation_id: installation.id,
      user_id: userId,
      description: body.description,
      permitted_ips: JSON.stringify(body.permitted_ips ?? [request.remoteAddress]),
      ip: request.remoteAddress,
      created_at: now,
      updated_at: now,
    });
    return { id };
  },
});
const deviceList = (path: string, id: string, summary: string) =>
  operation({
    id,
    summary,
    description: "Devices of the user of the session, the newest first. Devices cannot be deleted.",
    method: "GET",
    path,
    permission: id.replace("bank.", "bank:"),
    wrapper: "DeviceServer",
    query: ListQuery,
    answers: { 200: Type.Array(Device) },
    handle: ({ query }, context) =>
      listOf(
        context,
        query,
        (slice) => pageOfDevices(context.db, context.account, callerOf(context).userId, slice),
        deviceView,
      ),
  });

const deviceRead = (path: string, id: string, summary: string) =>
  operation({
    id,
    summary,
    description: "A device of another user gives 404. `ip` is the address from which it was registered.",
    method: "GET",
    path: `${path}/{itemId}`,
    permission: id.replace("bank.", "bank:"),
    wrapper: "DeviceServer",
    params: Type.Object(itemParams),
    answers: { 200: Device },
    async handle({ params }, context) {
      const device = await findDevice(context.db, context.account, params.itemId);
      if (device?.user_id !== callerOf(context).userId)
        throw errors.notFound(`There is no device ${params.itemId}.`);
      return deviceView(device);
    },
  });

const Anchored = Type.Object({ UserPerson: Type.Optional(User), UserCompany: Type.Optional(User) });
/** The two users of a key that acts for somebody else. */
const UserApiKey = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  requested_by_user: Anchored,
  granted_by_user: Anchored,
});
async function bodyOfUser(context: BankContext, user: UserRow) {
  const { keyId = 0 } = callerOf(context);
  const granted = { [wrapperOf(user)]: await userView(context, user) };
  const key = await findKeyById(context.db, context.account, user.id, keyId);
  const client =
    key?.oauth_client_id != null
      ? await findOauthClientById(context.db, context.account, key.oauth_client_id)
      : undefined;
  const owner = client && (await findUser(context.db, context.account, client.user_id));
  if (!key || !owner) return granted;
  return {
    UserApiKey: {
      id: user.id,
      created: timeText(key.created_at),
      updated: timeText(key.updated_at),
      requested_by_user: { [wrapperOf(owner)]: await userView(context, owner) },
      granted_by_user: granted,
    },
  };
}

const createSession = operation({
  id: "bank.CreateSessionServer",
  summary: "Opens a session for the user of a key",
  description: "An installation has one session for each user: another one ends the one before.",
  method: "POST",
  path: "/session-server",
  permission: "bank:CreateSessionServer",
  signed: true,
  body: Type.Object({ secret: secret(Type.String({ maxLength: 200 })) }),
  answers: {
    200: Type.Object({
      Id: BareId,
      Token,
      UserPerson: Type.Optional(User),
      UserCompany: Type.Optional(User),
      UserPaymentServiceProvider: Type.Optional(User),
      UserApiKey: Type.Optional(UserApiKey),
    }),
  },
  async handle(_input, context) {
    const { db, account, clock, ids } = context;
    const { userId, keyId = 0, installation } = callerOf(context);
    const device = installation && (await findDeviceOf(db, account, installation.id, userId));
    const user = await findUser(db, account, userId);
    if (!installation || !device || !user)
      throw errors.badRequest("No device is registered with this installation and key.");
    if (!isPermitted(JSON.parse(device.permitted_ips), context.request.remoteAddress))
      throw errors.badRequest("This device may not call from here.");
    const id = await takeId(db, account);
    const now = clock.nowMs();
    const token = sessionTokenOf(ids.secret(SECRET_LENGTH));
    await endSessions(db, account, installation.id, userId);
    await insertSession(db, {
      hash: digestOf(token),
      account,
      id,
      user_id: userId,
      installation_id: installation.id,
      device_id: device.id,
      key_id: keyId,
      timeout_seconds: user.session_seconds,
      expires_at: now + user.session_seconds * 1000,
      created_at: now,
    });
    const time = timeText(now);
    return {
      Id: { id },
      Token: { id, created: time, updated: time, token },
      ...(await bodyOfUser(context, user)),
    };
  },
});
const deleteSession = operation({
  id: "bank.DeleteSession",
  summary: "Ends a session",
  description: "With any number: the session that asks.",
  method: "DELETE",
  path: "/session/{itemId}",
  permission: "bank:DeleteSession",
  params: Type.Object({ itemId: Type.Integer({ minimum: 0 }) }),
  answers: { 200: noBody },
  async handle(_input, context) {
    const { userId, sessionId } = callerOf(context);
    if (sessionId === undefined)
      throw errors.badRequest("There is no session to end: the request used an API key.");
    await endSession(context.db, context.account, userId, sessionId);
  },
});

export const installationOperations = [
  createInstallation,
  listInstallations,
  readInstallation,
  listServerKeys,
  createDevice,
  deviceList("/device-server", "bank.ListDeviceServers", "Lists registered devices"),
  deviceList("/device", "bank.ListDevices", "Lists devices of every kind"),
  deviceRead("/device-server", "bank.ReadDeviceServer", "Reads a registered device"),
  deviceRead("/device", "bank.ReadDevice", "Reads a device of any kind"),
  createSession,
  deleteSession,
];

/** Keys and their permitted addresses, pinned certificates, and credentials of service providers. */
import { verify, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { Type } from "@sinclair/typebox";
import { parseInstant } from "#kernel/clock";
import { secret } from "#kernel/operation";
import {
  type BankContext,
  callerOf,
  collection,
  createRecord,
  errors,
  findRecord,
  Id,
  idOf,
  itemParams,
  type KeyRow,
  keptIn,
  ListQuery,
  listOf,
  listRecords,
  operation,
  recordKind,
  requireUser,
  takeId,
  timeText,
  userParams,
} from "../../book/index.ts";
import {
  CERTIFICATES_MAX,
  certificatesIn,
  findKeyById,
  findUserByCertificate,
  PinnedChain,
  pageOfKeys,
  updatePermittedIps,
} from "../../money/index.ts";
import { issueKey, openUser } from "../open-user.ts";

const IPS_MAX = 50;
const PEM_MAX = 20_000;

const Credential = Type.Object({
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  status: Type.String(),
  token_value: Type.Optional(secret(Type.String())),
  permitted_device: Type.Optional(
    Type.Object({ description: Type.String(), ip: Type.Optional(Type.String()) }),
  ),
});
const viewOf = ({ id, status, description, permitted_ips, created_at, updated_at }: KeyRow) => {
  const [ip] = permitted_ips === "" ? [] : JSON.parse(permitted_ips);
  return {
    id,
    created: timeText(created_at),
    updated: timeText(updated_at),
    status,
    permitted_device: { description, ...(ip !== undefined && { ip }) },
  };
};
async function getKey(context: BankContext, userId: number, id: number): Promise<KeyRow> {
  requireUser(context, userId);
  const key = await findKeyById(context.db, context.account, userId, id);
  if (!key) throw errors.notFound(`There is no credential ${id}.`);
  return key;
}
const listCredentials = operation({
  id: "bank.ListCredentialPasswordIps",
  summary: "Lists a user's keys, the newest first",
  description:
    "Shows status, description and the first permitted address of each key, never the key itself. Permitted addresses are changed with `bank.CreatePermittedIp`.",
  method: "GET",
  path: "/user/{userID}/credential-password-ip",
  permission: "bank:ListCredentials",
  wrapper: "CredentialPasswordIp",
  params: Type.Object(userParams),
  query: ListQuery,
  answers: { 200: Type.Array(Credential) },
  handle({ params, query }, context) {
    const userId = requireUser(context, params.userID);
    return listOf(context, query, (slice) => pageOfKeys(context.db, context.account, userId, slice), viewOf);
  },
});
const readCredential = operation({
  id: "bank.ReadCredentialPasswordIp",
  summary: "Reads the description of a key. The key itself is shown only when it is created",
  description:
    "`permitted_device` holds the description and the first permitted address. A key without permitted addresses may be used from everywhere; `bank.CreatePermittedIp` limits it.",
  method: "GET",
  path: "/user/{userID}/credential-password-ip/{itemId}",
  permission: "bank:ReadCredential",
  wrapper: "CredentialPasswordIp",
  params: Type.Object({ ...userParams, ...itemParams }),
  answers: { 200: Credential },
  handle: async ({ params }, context) => viewOf(await getKey(context, params.userID, params.itemId)),
});

function requireIp(text: string): string {
  if (text !== "*" && isIP(text) === 0) throw errors.badRequest("ip must be an address, or * for all.");
  return text;
}
/** Where no address is active, the key may be used from everywhere. */
async function writeRules(context: BankContext, keyId: number, userId: number, changed: Rule): Promise<void> {
  const place = { kind: "permitted-ip", userId, ownerId: keyId };
  const rules = (await listRecords(context.db, context.account, place, IPS_MAX))
    .filter(({ id }) => id !== changed.id)
    .map((record) => ({ ip: keptIn(IpKept, record).ip, status: record.status }));
  const active = [...rules, changed].filter(({ status }) => status === "ACTIVE").map(({ ip }) => ip);
  await updatePermittedIps(context.db, context.account, keyId, active);
}
type Rule = { readonly id: number; readonly ip: string; readonly status: string };
const IpKept = recordKind(["permitted-ip"], Type.Object({ ip: Type.String() }));
const IpStatus = Type.Optional(Type.Union([Type.Literal("ACTIVE"), Type.Literal("INACTIVE")]));
const IpBody = { ip: Type.String({ minLength: 1, maxLength: 45 }), status: IpStatus };
const permittedIps = collection({
  kind: "permitted-ip",
  name: "PermittedIp",
  noun: "permitted address",
  path: "/user/{userID}/credential-password-ip/{credentialPasswordIpID}/ip",
  params: { ...userParams, credentialPasswordIpID: Type.Integer({ minimum: 1 }) },
  wrapper: "PermittedIp",
  methods: ["create", "list", "read", "update"],
  countMax: IPS_MAX,
  given: IpBody,
  changed: IpBody,
  shown: { id: Type.Integer(), ip: Type.String(), status: Type.String() },
  async placeOf(context, { userID = 0, credentialPasswordIpID = 0 }) {
    const { id } = await getKey(context, userID, credentialPasswordIpID);
    return { userId: userID, ownerId: id };
  },
  async make(context, { ip, status = "ACTIVE" }, { userID = 0, credentialPasswordIpID = 0 }, id) {
    await writeRules(context, credentialPasswordIpID, userID, { id, ip: requireIp(ip), status });
    return { status, body: { ip } };
  },
  async change(context, { id, user_id, owner_id, status: before }, { ip, status = before }) {
    await writeRules(context, owner_id, user_id, { id, ip: requireIp(ip), status });
    return { status, body: { ip } };
  },
  show(_context, record) {
    return { id: record.id, ip: keptIn(IpKept, record).ip, status: record.status };
  },
});

const PROVIDER_CREDENTIAL = "provider-credential";
/** The key is sealed. */
const ProviderCredentialKept = recordKind(
  [PROVIDER_CREDENTIAL],
  Type.Object({ providerId: Type.Number(), key: Type.String() }),
);

function readCertificate(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw errors.badRequest("A certificate must be given as PEM.");
  }
}
const Pem = Type.String({ minLength: 1, maxLength: PEM_MAX });
const certificates = collection({
  kind: "certificate-pinned",
  name: "CertificatePinned",
  noun: "pinned certificate",
  path: "/user/{userID}/certificate-pinned",
  params: userParams,
  wrapper: "CertificatePinned",
  methods: ["create", "list", "read", "delete"],
  bareId: true,
  countMax: CERTIFICATES_MAX,
  given: {
    certificate_chain: Type.Array(Type.Object({ certificate: Pem }), { minItems: 1, maxItems: 10 }),
  },
  shown: { id: Type.Integer(), certificate_chain: Type.String() },
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  make(_context, { certificate_chain }) {
    const chain = certificate_chain.map(({ certificate }) => readCertificate(certificate).toString());
    return { body: { chain: chain.join("") } satisfies PinnedChain };
  },
  show: (_context, record) => ({ id: record.id, certificate_chain: keptIn(PinnedChain, record).chain }),
});

/**
 * Checks a signature made with the provider's certificate. It covers the installation's key, or the
 * certificate itself if there is no installation.
 */
function requireProvider(
  context: BankContext,
  pem: string,
  chain: string,
  signature: string,
): X509Certificate {
  const certificate = readCertificate(pem);
  const isIssuer = (other: X509Certificate) =>
    certificate.checkIssued(other) && certificate.verify(other.publicKey);
  if (!certificatesIn(chain).map(readCertificate).some(isIssuer))
    throw errors.badRequest("Nobody in the certificate chain issued the certificate.");
  const signed = callerOf(context).installation?.publicKey ?? pem;
  if (!verify("sha256", Buffer.from(signed), certificate.publicKey, Buffer.from(signature, "base64")))
    throw errors.badRequest("client_public_key_signature does not fit the certificate.");
  const now = context.clock.nowMs();
  if ((parseInstant(certificate.validFrom) ?? 0) > now || (parseInstant(certificate.validTo) ?? 0) <= now)
    throw errors.badRequest("The certificate is not valid now.");
  return certificate;
}
const createProvider = operation({
  id: "bank.CreatePaymentServiceProviderCredential",
  summary: "Creates the credential of a payment service provider from its certificate",
  description:
    "The same certificate leads to the same provider; the key is told when the credential is read first.",
  method: "POST",
  path: "/payment-service-provider-credential",
  permission: "bank:CreatePaymentServiceProviderCredential",
  body: Type.Object({
    client_payment_service_provider_certificate: Pem,
    client_payment_service_provider_certificate_chain: Type.String({ maxLength: PEM_MAX }),
    client_public_key_signature: Type.String({ maxLength: 2000 }),
  }),
  answers: { 200: Id },
  async handle({ body }, context) {
    const { db, account, secrets } = context;
    const certificate = requireProvider(
      context,
      body.client_payment_service_provider_certificate,
      body.client_payment_service_provider_certificate_chain,
      body.client_public_key_signature,
    );
    const id = await takeId(db, account);
    const name = certificate.subject.replaceAll("\n", ", ");
    const known = await findUserByCertificate(db, account, certificate.fingerprint256);
    const userId =
      known?.id ??
      (
        await openUser(context, {
          kind: "provider",
          isDefault: false,
          names: ["", name],
          isEmpty: true,
          certificate: { fingerprint: certificate.fingerprint256, subject: name },
        })
      ).userId;
    const key = await issueKey(context, userId, name.slice(0, 200), id);
    await createRecord(context, {
      kind: PROVIDER_CREDENTIAL,
      id,
      userId: callerOf(context).userId,
      ownerId: 0,
      body: { providerId: userId, key: secrets.seal(key) },
    });
    return idOf(id);
  },
});
const readProvider = operation({
  id: "bank.ReadPaymentServiceProviderCredential",
  summary: "Reads a provider's credential, with the key that opens its sessions",
  description:
    "Only the user who made it with `bank.CreatePaymentServiceProviderCredential` can read it. `token_value` is the key, which `bank.CreateSessionServer` takes as `secret`.",
  method: "GET",
  path: "/payment-service-provider-credential/{itemId}",
  permission: "bank:ReadPaymentServiceProviderCredential",
  wrapper: "CredentialPasswordIp",
  params: Type.Object(itemParams),
  answers: { 200: Credential },
  async handle({ params }, context) {
    const { db, account, secrets } = context;
    const place = { kind: PROVIDER_CREDENTIAL, userId: callerOf(context).userId, ownerId: 0 };
    const record = await findRecord(db, account, place, params.itemId);
    const kept = record && keptIn(ProviderCredentialKept, record);
    const known = kept && (await findKeyById(db, account, kept.providerId, record.id));
    if (!known) throw errors.notFound(`There is no credential ${params.itemId}.`);
    return { ...viewOf(known), token_value: secrets.open(kept.key) };
  },
});

export const credentialOperations = [
  listCredentials,
  readCredential,
  ...permittedIps,
  ...certificates,
  createProvider,
  readProvider,
];

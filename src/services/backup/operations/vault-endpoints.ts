/** An addition to the public interface: a webhook receives the events of a vault. */
import { Type } from "@sinclair/typebox";
import { errors } from "../errors.ts";
import * as store from "../store/index.ts";
import type { VaultRow } from "../tables/index.ts";
import * as wire from "../wire/index.ts";
import { clearingVault, namedVault, openVault, vaultErrors, vaultParams } from "./open-vault.ts";
import { operation } from "./operation.ts";

const SECRET_LENGTH = 40;
const PATH = "/backup-vaults/{backupVaultName}/notification-endpoint";
const Url = Type.String({
  maxLength: 2048,
  description: "The web address.",
  examples: ["https://example.org/backups"],
});
const Events = Type.Array(wire.VaultEvent, {
  minItems: 1,
  maxItems: 100,
  description: "What it is told of.",
  examples: [["BACKUP_JOB_FAILED"]],
});
const Secret = Type.String({
  description: "What deliveries are signed with; shown once.",
  examples: ["q1Zr7bW0kK2n4m6p8s0u2w4y6A8C0E2G4I6K8M0o"],
});

function checkUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw errors.invalidParameterValue("Url is not an http or https address.");
  if (url.username !== "" || url.password !== "")
    throw errors.invalidParameterValue("Url must not hold a user name or password.");
  return url.href;
}
const shown = (vault: VaultRow) => ({
  Url: vault.endpoint_url ?? "",
  BackupVaultEvents: JSON.parse(vault.endpoint_events ?? "[]") as string[],
});

const putEndpoint = operation({
  id: "backup.PutBackupVaultEndpoint",
  summary: "Sets a URL that receives events of a vault",
  description:
    "Each call creates a new secret, which is returned once. Deliveries have the header `webhook-signature`: `v1,` and the base64 of the HMAC-SHA256 of `webhook-id`, `webhook-timestamp` and the body, joined by dots. A failed delivery is attempted up to 6 times.",
  method: "PUT",
  path: PATH,
  tags: ["additional"],
  permission: "backup:PutBackupVaultNotifications",
  params: vaultParams,
  body: Type.Object({ Url, BackupVaultEvents: Events }),
  answers: { 200: Type.Object({ Url, BackupVaultEvents: Type.Array(Type.String()), Secret }) },
  errors: vaultErrors,
  resource: namedVault,
  async handle({ params: { backupVaultName }, body }, context) {
    const vault = await openVault(context, backupVaultName, "PutBackupVaultNotifications");
    const secret = context.ids.secret(SECRET_LENGTH);
    const change = {
      endpoint_url: checkUrl(body.Url),
      endpoint_secret: context.secrets.seal(secret),
      endpoint_events: JSON.stringify([...new Set(body.BackupVaultEvents)]),
    };
    await store.updateVault(context.db, vault, change);
    return { ...shown({ ...vault, ...change }), Secret: secret };
  },
});
const getEndpoint = operation({
  id: "backup.GetBackupVaultEndpoint",
  summary: "Returns the URL that receives events of a vault",
  description: "The secret is never returned again; set the endpoint anew to replace it.",
  method: "GET",
  path: PATH,
  tags: ["additional"],
  permission: "backup:GetBackupVaultNotifications",
  params: vaultParams,
  answers: { 200: Type.Object({ Url, BackupVaultEvents: Type.Array(Type.String()) }) },
  errors: vaultErrors,
  resource: namedVault,
  async handle({ params: { backupVaultName } }, context) {
    const vault = await openVault(context, backupVaultName, "GetBackupVaultNotifications");
    if (vault.endpoint_url === null)
      throw errors.notFound(`The backup vault ${vault.name} tells no web address of its events.`);
    return shown(vault);
  },
});
const deleteEndpoint = clearingVault({
  id: "backup.DeleteBackupVaultEndpoint",
  summary: "Stops events of a vault to its URL",
  description: "The topic of the vault is not affected. Repeating the request changes nothing.",
  path: PATH,
  tags: ["additional"],
  action: "DeleteBackupVaultNotifications",
  cleared: { endpoint_url: null, endpoint_secret: null, endpoint_events: null },
});

export const vaultEndpointOperations = [putEndpoint, getEndpoint, deleteEndpoint];

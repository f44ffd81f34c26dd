/**
 * Checks whether a message can be delivered, by its token and by catalogue entries of the account, queue,
 * topic and key. If the catalogue has no entry of the type, every name is accepted.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Static, type TObject, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { CatalogEntry } from "#kernel/catalog";
import type { Context } from "#kernel/operation";
import {
  findInstant,
  instantText,
  type KeptSecret,
  type MessageAction,
  type ServiceBusMessage,
} from "../domain/index.ts";

const ENTRIES_AT_ONCE = 500;
const STORAGE_ACCOUNT = "Vendor::Storage::StorageAccount";
const NAMESPACE = "Vendor::ServiceBus::Namespace";

/** Details of a catalogue entry. Tokens and keys are SHA-256 digests in hexadecimal, never plain. */
const storageDetails = Type.Object({
  queues: Type.Optional(Type.Array(Type.String())),
  sasTokens: Type.Optional(Type.Array(Type.String())),
});
const busDetails = Type.Object({
  queues: Type.Optional(Type.Array(Type.String())),
  topics: Type.Optional(Type.Array(Type.String())),
  keys: Type.Optional(Type.Record(Type.String(), Type.String())),
});

const same = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const holds = (names: readonly string[] | undefined, name: string): boolean =>
  names?.some((one) => same(one, name)) ?? true;
function isOf(secret: string, digest: string): boolean {
  const own = createHash("sha256").update(secret).digest();
  const known = Buffer.from(digest, "hex");
  return known.length === own.length && timingSafeEqual(known, own);
}

type Registered = { readonly isAnyThere: boolean; readonly entry?: CatalogEntry };
async function findRegistered({ catalog }: Context, type: string, name: string): Promise<Registered> {
  let after = "";
  for (;;) {
    const page = await catalog.list({ type, after, limit: ENTRIES_AT_ONCE });
    const entry = page.find((one) => same(one.name, name));
    if (entry) return { isAnyThere: true, entry };
    if (page.length < ENTRIES_AT_ONCE) return { isAnyThere: after !== "" || page.length > 0 };
    after = page.at(-1)?.arn ?? "";
  }
}
/** Details with an invalid format are ignored. */
const detailsOf = <T extends TObject>(shape: T, { details = {} }: CatalogEntry): Static<T> =>
  (Value.Check(shape, details) ? details : {}) as Static<T>;

/** Checks the token's own fields: `se` is its end, `sp` its permissions. The permission `a` is required. */
function tokenObstacle(token: string, account: string, nowMs: number): string | undefined {
  const said = new URLSearchParams(token);
  const endsMs = findInstant(said.get("se") ?? "");
  if (endsMs !== undefined && endsMs <= nowMs)
    return `The token for the storage account ${account} was good until ${instantText(endsMs)}.`;
  const allowed = said.get("sp");
  return allowed === null || allowed.includes("a")
    ? undefined
    : `The token for the storage account ${account} does not allow messages to be added.`;
}

type StorageAction = Extract<MessageAction, { type: "StorageQueue" }>;
async function storageObstacle(
  context: Context,
  { queueMessage: { storageAccount, queueName } }: StorageAction,
  token: string | undefined,
): Promise<string | undefined> {
  const own = token === undefined ? undefined : tokenObstacle(token, storageAccount, context.clock.nowMs());
  if (own !== undefined) return own;
  const { isAnyThere, entry } = await findRegistered(context, STORAGE_ACCOUNT, storageAccount);
  if (!entry) return isAnyThere ? `No storage account ${storageAccount} is registered.` : undefined;
  const { queues, sasTokens } = detailsOf(storageDetails, entry);
  const the = `The storage account ${storageAccount}`;
  if (!holds(queues, queueName)) return `${the} has no queue ${queueName}.`;
  if (sasTokens === undefined) return undefined;
  if (token === undefined) return `${the} needs a token, and the job has none.`;
  return sasTokens.some((digest) => isOf(token, digest)) ? undefined : `${the} does not know the token.`;
}

type BusAction = Exclude<MessageAction, StorageAction>;
type BusReceiver = {
  readonly kind: "queue" | "topic";
  readonly name: string;
  readonly message: ServiceBusMessage;
};
function busReceiverOf(action: BusAction): BusReceiver {
  if (action.type === "ServiceBusTopic") {
    const { serviceBusTopicMessage: message } = action;
    return { kind: "topic", name: message.topicPath, message };
  }
  const { serviceBusQueueMessage: message } = action;
  return { kind: "queue", name: message.queueName, message };
}
async function busObstacle(
  context: Context,
  action: BusAction,
  key: string | undefined,
): Promise<string | undefined> {
  const { kind, name, message } = busReceiverOf(action);
  const { namespace, authentication } = message;
  const { isAnyThere, entry } = await findRegistered(context, NAMESPACE, namespace);
  if (!entry) return isAnyThere ? `No service-bus namespace ${namespace} is registered.` : undefined;
  const { queues, topics, keys } = detailsOf(busDetails, entry);
  const the = `The service-bus namespace ${namespace}`;
  if (!holds(kind === "queue" ? queues : topics, name)) return `${the} has no ${kind} ${name}.`;
  if (keys === undefined) return undefined;
  if (key === undefined) return `${the} needs a shared access key, and the job has none.`;
  const { sasKeyName = "" } = authentication ?? {};
  const isKnown = Object.hasOwn(keys, sasKeyName) && isOf(key, keys[sasKeyName] ?? "");
  return isKnown ? undefined : `${the} does not know the key ${sasKeyName}.`;
}

/** The reason why the message cannot be sent, for the history; undefined if it can. */
export function findObstacle(
  context: Context,
  action: MessageAction,
  secret: KeptSecret | undefined,
): Promise<string | undefined> {
  return action.type === "StorageQueue"
    ? storageObstacle(context, action, secret?.values.sasToken)
    : busObstacle(context, action, secret?.values.sasKey);
}

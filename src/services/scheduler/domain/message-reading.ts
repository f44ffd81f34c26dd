/** Reads the queue and topic messages of an action. */
import {
  type ServiceBusMessage,
  type ServiceBusQueueMessage,
  type ServiceBusTopicMessage,
  type StorageQueueMessage,
  TRANSPORT_TYPES,
} from "./action.ts";
import type { DefinitionReader } from "./definition-reader.ts";
import { findDurationMs, findInstant } from "./iso-time.ts";
import { isGiven, isObject } from "./problems.ts";

type Members = Readonly<Record<string, unknown>>;

const nameRule = { lengthMax: 260 } as const;
const messageRule = { lengthMax: 16_384 } as const;

export function readStorageQueueMessage(
  reader: DefinitionReader,
  value: unknown,
  root: string,
): StorageQueueMessage | undefined {
  const from = reader.members(value, root);
  if (from === undefined) return undefined;
  const storageAccount = reader.text(from, root, "storageAccount", nameRule);
  const queueName = reader.text(from, root, "queueName", nameRule);
  const message = reader.text(from, root, "message", messageRule);
  reader.secret(from, root, ["sasToken"], JSON.stringify(["StorageQueue", storageAccount, queueName]));
  if (storageAccount === undefined || queueName === undefined || message === undefined) return undefined;
  return { storageAccount, queueName, message };
}

const BROKERED_TEXTS = [
  "contentType",
  "correlationId",
  "label",
  "messageId",
  "partitionKey",
  "replyTo",
  "replyToSessionId",
  "sessionId",
  "to",
  "viaPartitionKey",
] as const;

function readBrokeredProperties(
  reader: DefinitionReader,
  value: unknown,
  root: string,
): Readonly<Record<string, string | boolean>> | undefined {
  if (!isGiven(value)) return undefined;
  if (!isObject(value)) return reader.refuse(root, "must be an object");
  const read: Record<string, string | boolean> = {};
  for (const member of BROKERED_TEXTS) {
    const text = reader.text(value, root, member, { optional: true, lengthMax: 260 });
    if (text !== undefined) read[member] = text;
  }
  if (typeof value.forcePersistence === "boolean") read.forcePersistence = value.forcePersistence;
  else if (isGiven(value.forcePersistence))
    reader.refuse(`${root}.forcePersistence`, "must be true or false");
  const timed = [
    ["scheduledEnqueueTimeUtc", findInstant, "must be an ISO 8601 date-time"],
    ["timeToLive", findDurationMs, "must be an ISO 8601 duration such as PT1H"],
  ] as const;
  for (const [member, find, says] of timed) {
    const text = reader.text(value, root, member, { optional: true, lengthMax: 64 });
    if (text === undefined) continue;
    if (find(text) === undefined) reader.refuse(`${root}.${member}`, says);
    else read[member] = text;
  }
  return Object.keys(read).length === 0 ? undefined : read;
}

function readSharedAccessKey(
  reader: DefinitionReader,
  value: unknown,
  root: string,
  namespace: string | undefined,
): ServiceBusMessage["authentication"] {
  if (!isGiven(value)) return undefined;
  const from = reader.members(value, root);
  if (from === undefined) return undefined;
  const type = reader.word(from, root, "type", ["NotSpecified", "SharedAccessKey"], "NotSpecified");
  if (type !== "SharedAccessKey") return type && { type };
  const sasKeyName = reader.text(from, root, "sasKeyName", nameRule);
  const binding = JSON.stringify(["SharedAccessKey", namespace, sasKeyName]);
  if (!reader.secret(from, root, ["sasKey"], binding)) return reader.refuse(`${root}.sasKey`, "is required");
  return sasKeyName === undefined ? undefined : { type, sasKeyName };
}

function readServiceBusMessage(
  reader: DefinitionReader,
  from: Members,
  root: string,
): ServiceBusMessage | undefined {
  const namespace = reader.text(from, root, "namespace", nameRule);
  const message = reader.text(from, root, "message", messageRule);
  const transportType = isGiven(from.transportType)
    ? reader.word(from, root, "transportType", TRANSPORT_TYPES)
    : undefined;
  const authentication = readSharedAccessKey(
    reader,
    from.authentication,
    `${root}.authentication`,
    namespace,
  );
  const brokered = readBrokeredProperties(
    reader,
    from.brokeredMessageProperties,
    `${root}.brokeredMessageProperties`,
  );
  const custom = reader.textMap(from, root, "customMessageProperties");
  if (namespace === undefined || message === undefined) return undefined;
  return {
    namespace,
    message,
    ...(transportType !== undefined && { transportType }),
    ...(authentication !== undefined && { authentication }),
    ...(brokered !== undefined && { brokeredMessageProperties: brokered }),
    ...(custom !== undefined && { customMessageProperties: custom }),
  };
}

export function readServiceBusQueueMessage(
  reader: DefinitionReader,
  value: unknown,
  root: string,
): ServiceBusQueueMessage | undefined {
  const from = reader.members(value, root);
  if (from === undefined) return undefined;
  const message = readServiceBusMessage(reader, from, root);
  const queueName = reader.text(from, root, "queueName", nameRule);
  return message === undefined || queueName === undefined ? undefined : { ...message, queueName };
}

export function readServiceBusTopicMessage(
  reader: DefinitionReader,
  value: unknown,
  root: string,
): ServiceBusTopicMessage | undefined {
  const from = reader.members(value, root);
  if (from === undefined) return undefined;
  const message = readServiceBusMessage(reader, from, root);
  const topicPath = reader.text(from, root, "topicPath", nameRule);
  return message === undefined || topicPath === undefined ? undefined : { ...message, topicPath };
}

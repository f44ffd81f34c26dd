/** Reads the action of a job and its error action: only the part that fits the type counts, the rest falls away. */
import { ACTION_TYPES, type Action, type ErrorAction, type RetryPolicyText } from "./action.ts";
import { DefinitionReader, type KeptSecrets } from "./definition-reader.ts";
import { readHttpRequest } from "./http-request-reading.ts";
import {
  readServiceBusQueueMessage,
  readServiceBusTopicMessage,
  readStorageQueueMessage,
} from "./message-reading.ts";
import { isGiven, isObject, type Reading } from "./problems.ts";
import { readRetryPolicy } from "./retry.ts";

export type ReadAction = {
  readonly action: Action;
  readonly secrets: KeptSecrets;
};

function readRetry(reader: DefinitionReader, value: unknown, root: string): RetryPolicyText | undefined {
  if (!isGiven(value)) return undefined;
  const { problems, value: policy } = readRetryPolicy(value, root);
  reader.problems.push(...problems);
  if (policy === undefined || !isObject(value)) return undefined;
  const { retryInterval, retryCount } = value;
  return {
    retryType: policy.retryType,
    ...(typeof retryInterval === "string" && { retryInterval }),
    ...(typeof retryCount === "number" && { retryCount }),
  };
}

function readTarget(reader: DefinitionReader, value: unknown, root: string): ErrorAction | undefined {
  const from = reader.members(value, root);
  const type = from && reader.word(from, root, "type", ACTION_TYPES);
  if (from === undefined || type === undefined) return undefined;
  switch (type) {
    case "StorageQueue": {
      const queueMessage = readStorageQueueMessage(reader, from.queueMessage, `${root}.queueMessage`);
      return queueMessage && { type, queueMessage };
    }
    case "ServiceBusQueue": {
      const path = `${root}.serviceBusQueueMessage`;
      const message = readServiceBusQueueMessage(reader, from.serviceBusQueueMessage, path);
      return message && { type, serviceBusQueueMessage: message };
    }
    case "ServiceBusTopic": {
      const path = `${root}.serviceBusTopicMessage`;
      const message = readServiceBusTopicMessage(reader, from.serviceBusTopicMessage, path);
      return message && { type, serviceBusTopicMessage: message };
    }
    default: {
      const request = readHttpRequest(reader, from.request, `${root}.request`, type);
      return request && { type, request };
    }
  }
}

function readWithRetry(reader: DefinitionReader, value: unknown, root: string): ErrorAction | undefined {
  const target = readTarget(reader, value, root);
  const given = isObject(value) ? value.retryPolicy : undefined;
  const retryPolicy = readRetry(reader, given, `${root}.retryPolicy`);
  return target && { ...target, ...(retryPolicy !== undefined && { retryPolicy }) };
}

/** `stored` are the secrets of the job as it stands, which a definition without them keeps. */
export function readAction(value: unknown, stored: KeptSecrets = {}): Reading<ReadAction> {
  const reader = new DefinitionReader(stored);
  const main = readWithRetry(reader, value, "action");
  const errorGiven = isObject(value) ? value.errorAction : undefined;
  const errorAction = isGiven(errorGiven)
    ? readWithRetry(reader, errorGiven, "action.errorAction")
    : undefined;
  if (main === undefined || reader.problems.length > 0) return { problems: reader.problems };
  const action: Action = { ...main, ...(errorAction !== undefined && { errorAction }) };
  return { problems: [], value: { action, secrets: reader.secrets } };
}

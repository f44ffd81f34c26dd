/** Performs a queue or topic action: writes to the outbox in the transaction that records the run. */
import type { Context } from "#kernel/operation";
import type { ErrorAction, KeptSecrets, MessageAction, ServiceBusMessage } from "../domain/index.ts";
import type { Outcome } from "./http-action.ts";
import { findObstacle } from "./receivers.ts";

type MessageSurroundings = {
  readonly root: string;
  readonly secrets: KeptSecrets | undefined;
  readonly ownHeaders: Readonly<Record<string, string>>;
};
export const isMessageAction = (action: ErrorAction): action is MessageAction =>
  action.type !== "Http" && action.type !== "Https";

const headersOf = (
  ownHeaders: Readonly<Record<string, string>>,
  { brokeredMessageProperties = {}, customMessageProperties = {} }: Partial<ServiceBusMessage>,
): Record<string, string> => ({
  ...ownHeaders,
  ...Object.fromEntries(
    Object.entries(brokeredMessageProperties).map(([name, value]) => [name, String(value)]),
  ),
  ...customMessageProperties,
});

/** Path of the secret, relative to the action. */
const secretPlaces = {
  StorageQueue: "queueMessage",
  ServiceBusQueue: "serviceBusQueueMessage.authentication",
  ServiceBusTopic: "serviceBusTopicMessage.authentication",
} as const satisfies Readonly<Record<MessageAction["type"], string>>;

/** `root` is the path of the action in the job. `secrets` is undefined if they cannot be decrypted. */
export async function performMessage(
  context: Context,
  action: MessageAction,
  { root, secrets, ownHeaders }: MessageSurroundings,
): Promise<Outcome> {
  if (secrets === undefined)
    return {
      succeeded: false,
      message: "The job's secrets cannot be read on this instance. Define them again.",
    };
  const obstacle = await findObstacle(context, action, secrets[`${root}.${secretPlaces[action.type]}`]);
  return obstacle === undefined ? send(context, action, ownHeaders) : { succeeded: false, message: obstacle };
}
async function send(
  context: Context,
  action: MessageAction,
  ownHeaders: Readonly<Record<string, string>>,
): Promise<Outcome> {
  if (action.type === "StorageQueue") {
    const { storageAccount, queueName, message } = action.queueMessage;
    const target = `${storageAccount}/${queueName}`;
    await context.outbox.send({ kind: "queue", target, headers: ownHeaders, body: message });
    return { succeeded: true, message: `The message was put into the storage queue ${target}.` };
  }
  const isQueue = action.type === "ServiceBusQueue";
  const message = isQueue ? action.serviceBusQueueMessage : action.serviceBusTopicMessage;
  const name = isQueue ? action.serviceBusQueueMessage.queueName : action.serviceBusTopicMessage.topicPath;
  const target = `${message.namespace}/${name}`;
  const label = message.brokeredMessageProperties?.label;
  await context.outbox.send({
    kind: isQueue ? "queue" : "topic",
    target,
    ...(typeof label === "string" && { subject: label }),
    headers: headersOf(ownHeaders, message),
    body: message.message,
  });
  return {
    succeeded: true,
    message: `The message was sent to the service bus ${isQueue ? "queue" : "topic"} ${target}.`,
  };
}

/** Carries out a queue or topic action: the message lands in the outbox, in the transaction that notes the run. */
import type { Context } from "#kernel/operation";
import type { ErrorAction, ServiceBusMessage } from "../domain/index.ts";
import type { Outcome } from "./http-action.ts";

export type MessageAction = Exclude<ErrorAction, { type: "Http" | "Https" }>;
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

export async function performMessage(
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

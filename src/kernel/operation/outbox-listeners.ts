/** Services that get every message of the outbox, in the transaction that sends it. */
import type { SentMessage } from "../events/outbox.ts";
import type { Context } from "./context.ts";
import { defineJoinedPort } from "./port.ts";

export type OutboxListener = {
  hear(context: Context, message: SentMessage): Promise<void>;
};
export const outboxListeners = defineJoinedPort<OutboxListener, OutboxListener>(
  "outbox-listeners",
  (listeners) => ({
    async hear(context, message) {
      for (const listener of listeners) await listener.hear(context, message);
    },
  }),
);

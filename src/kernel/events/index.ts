/** The outbox and its delivery. */
export { deliver } from "./deliver.ts";
export { type HttpDelivery, Outbox, type Outgoing, type SentMessage } from "./outbox.ts";
export { pruneOutbox } from "./prune.ts";

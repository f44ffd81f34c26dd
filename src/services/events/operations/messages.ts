/**
 * Operation that accepts messages. They are stored durably and evaluated soon after, in order for each
 * model.
 */
import { createHash } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { kernelErrors } from "#kernel/operation";
import { inputArnOf } from "../domain/arns.ts";
import { SEEN_MS } from "../domain/index.ts";
import { errors } from "../errors.ts";
import { BACKLOG_MAX } from "../evaluators.ts";
import { Acceptance, askForEvaluation, type Incoming, lookLater } from "../jobs/index.ts";
import type { EventsContext } from "../state.ts";
import { countWaiting, noteSeen } from "../store/index.ts";
import * as wire from "../wire/index.ts";
import { EntryErrors, requireForAll } from "./entries.ts";
import { operation } from "./operation.ts";

const PAYLOAD_BYTES_MAX = 16 * 1024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

type Message = (typeof wire.Messages)["static"][number];

const isUtf8 = new TextDecoder("utf-8", { fatal: true });
/** The payload text, or the problem with it. */
function textOf(payload: string): { readonly text: string } | { readonly problem: string } {
  if (payload.length % 4 !== 0 || !BASE64.test(payload)) return { problem: "The payload is not base64." };
  const bytes = Buffer.from(payload, "base64");
  if (bytes.length > PAYLOAD_BYTES_MAX)
    return { problem: `The payload has ${bytes.length} bytes; ${PAYLOAD_BYTES_MAX} are allowed.` };
  try {
    return { text: isUtf8.decode(bytes) };
  } catch {
    return { problem: "The payload is not UTF-8." };
  }
}

function readMessages(messages: readonly Message[], refused: EntryErrors<"messageId">): Incoming[] {
  const incoming: Incoming[] = [];
  for (const { messageId, inputName, payload, timestamp } of messages) {
    if (!refused.isNew(messageId)) continue;
    const read = textOf(payload);
    if ("problem" in read) refused.add(messageId, errors.invalidRequest, read.problem);
    else
      incoming.push({ messageId, inputName, text: read.text, sentAtMs: timestamp?.timeInMillis, depth: 0 });
  }
  return incoming;
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** Stores the messages. Returns rejections and the shards of accepted messages. */
async function accept(context: EventsContext, incoming: readonly Incoming[], isWatched: boolean) {
  const acceptance = new Acceptance(context, context.request.region);
  const refusals = [];
  const { db, account, clock, request } = context;
  for (const message of incoming) {
    const { messageId, inputName: input } = message;
    // A client that gets no answer retries with the same id.
    const named = {
      account,
      region: request.region,
      input,
      messageId: `${messageId} ${digestOf(message.text)}`,
    };
    const refusal = await acceptance.add(message, () => noteSeen(db, named, clock.nowMs(), SEEN_MS));
    if (refusal) refusals.push({ messageId, ...refusal });
  }
  await acceptance.write();
  if (acceptance.shards.size > 0) await (isWatched ? lookLater(context) : askForEvaluation(context));
  return { shards: acceptance.shards, refusals };
}

async function requireRoomFor({ db, account, state }: EventsContext, messageCount: number): Promise<void> {
  const { evaluators } = state;
  if (evaluators.isLookDue(account, messageCount))
    evaluators.noteBacklog(account, await countWaiting(db, account, BACKLOG_MAX));
  if (evaluators.isOverloaded(account))
    throw kernelErrors.throttled("Too many messages wait for their evaluation: try again later.");
}

const putMessages = operation({
  id: "events.BatchPutMessage",
  summary: "Sends messages to inputs",
  description: `At most 10 messages with ${PAYLOAD_BYTES_MAX} bytes each. Accepted messages survive a crash, and each model that reads the input evaluates them once, in order. A message with the same id and payload within 5 minutes is accepted but not evaluated again. Messages that were refused are in the response; throttled while 200000 messages of the account wait.`,
  method: "POST",
  path: "/inputs/messages",
  permission: "iotevents:BatchPutMessage",
  transaction: "manual",
  bodyBytesMax: 1024 * 1024,
  body: Type.Object({ messages: wire.Messages }),
  answers: { 200: Type.Object({ BatchPutMessageErrorEntries: wire.MessageErrors }) },
  errors: [errors.invalidRequest],
  resource: ({ body }, account, region) => inputArnOf(account, region, body.messages[0]?.inputName ?? "*"),
  async handle({ body }, context) {
    const { account, state } = context;
    const { region } = context.request;
    await requireForAll(
      context,
      "iotevents:BatchPutMessage",
      body.messages.map(({ inputName }) => inputArnOf(account, region, inputName)),
    );
    await requireRoomFor(context, body.messages.length);
    const refused = new EntryErrors("messageId");
    const incoming = readMessages(body.messages, refused);
    const loop = state.evaluators.findOpen(account);
    loop?.rely();
    try {
      const { shards, refusals } = await context.transact((inner) =>
        accept(inner, incoming, loop !== undefined),
      );
      for (const { messageId, code, message } of refusals) refused.add(messageId, errors[code], message);
      loop?.want(shards);
    } finally {
      loop?.release();
    }
    return { BatchPutMessageErrorEntries: refused.entries };
  },
});

export const messageOperations = [putMessages];

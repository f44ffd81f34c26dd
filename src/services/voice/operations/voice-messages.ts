/** Voice messages: validates and accepts a message. Jobs synthesize it and place the call. */
import { type Static, Type } from "@sinclair/typebox";
import { operationsFor } from "#kernel/operation";
import { ORIGINATION_DEFAULT } from "../domain/calls.ts";
import { parseTelephone } from "../domain/phone-numbers.ts";
import { errors } from "../errors.ts";
import { renderMessage } from "../jobs/index.ts";
import { findCarrier } from "../settings.ts";
import { planSpeech, type SpeechContent, SpeechError } from "../speech/index.ts";
import * as store from "../store.ts";
import type { CallRow, Tables } from "../tables.ts";
import { VoiceMessage, type VoiceMessageContent } from "../wire.ts";

const operation = operationsFor<Tables>();
const CALLS_IN_PROGRESS_MAX = 1000;
const CALLER_NAME = /^[A-Za-z0-9+*._-]{1,64}$/;

type Message = Static<typeof VoiceMessage>;

function speechOf({
  PlainTextMessage,
  SSMLMessage,
  CallInstructionsMessage,
}: VoiceMessageContent): SpeechContent {
  if (CallInstructionsMessage) return { kind: "callInstructions", text: CallInstructionsMessage.Text };
  const { Text = "", LanguageCode = "", VoiceId = "" } = PlainTextMessage ?? SSMLMessage ?? {};
  return {
    kind: SSMLMessage ? "ssml" : "text",
    text: Text,
    ...(LanguageCode !== "" && { languageCode: LanguageCode }),
    ...(VoiceId !== "" && { voiceId: VoiceId }),
  };
}

function checkSpeakable(content: SpeechContent): void {
  try {
    planSpeech(content);
  } catch (error) {
    if (error instanceof SpeechError && error.isCallerFault) throw errors.badRequest(`${error.message}.`);
    throw error;
  }
}

type Parties = Pick<CallRow, "origination" | "caller_id" | "destination" | "country">;
function readParties(message: Message, carrierFrom: string | undefined): Parties {
  const { DestinationPhoneNumber, OriginationPhoneNumber, CallerId } = message;
  const destination = parseTelephone(DestinationPhoneNumber, "DestinationPhoneNumber");
  const own = carrierFrom !== undefined && CALLER_NAME.test(carrierFrom) ? carrierFrom : ORIGINATION_DEFAULT;
  const origination =
    OriginationPhoneNumber === undefined
      ? own
      : parseTelephone(OriginationPhoneNumber, "OriginationPhoneNumber").e164;
  if (origination === destination.e164)
    throw errors.badRequest("OriginationPhoneNumber and DestinationPhoneNumber are the same.");
  const callerId = CallerId === undefined ? null : parseTelephone(CallerId, "CallerId").e164;
  return {
    origination,
    caller_id: callerId,
    destination: destination.e164,
    country: destination.country ?? null,
  };
}

export const voiceMessageOperations = [
  operation({
    id: "voice.SendVoiceMessage",
    summary: "Calls a telephone number and speaks a message",
    description: `Returns when the message is accepted; jobs synthesise the speech and place the call. Without a configured carrier the call is simulated on the clock, and the audio is in the outbox. An account may have ${CALLS_IN_PROGRESS_MAX} calls in progress. Each request is a new call: repeating it calls again. Follow the call by the events of its configuration set.`,
    method: "POST",
    path: "/v1/sms-voice/voice/message",
    permission: "sms-voice:SendVoiceMessage",
    // The limit is checked before the transaction. Counting inside would serialize all messages.
    transaction: "manual",
    body: VoiceMessage,
    answers: {
      200: Type.Object({
        MessageId: Type.String({
          description: "What the events of the call name.",
          examples: ["msg_1m7fqc768"],
        }),
      }),
    },
    errors: [errors.badRequest, errors.tooManyRequests],
    async handle({ body }, context) {
      const content = speechOf(body.Content);
      const parties = readParties(body, findCarrier(context.config)?.from);
      checkSpeakable(content);
      const { account } = context;
      const { region } = context.request;
      if ((await store.countCallsInProgress(context.db, account)) >= CALLS_IN_PROGRESS_MAX)
        throw errors.tooManyRequests(`${CALLS_IN_PROGRESS_MAX} calls are in progress already.`);
      const set = body.ConfigurationSetName ?? null;
      return context.transact(async (inner) => {
        if (set !== null && !(await store.hasSet(inner.db, account, region, set)))
          throw errors.badRequest(`There is no configuration set named ${set}.`);
        const messageId = inner.ids.uuid();
        await store.insertCall(inner.db, {
          ...store.newCall,
          ...parties,
          account,
          region,
          message_id: messageId,
          configuration_set: set,
          content: JSON.stringify(content),
          requested_at: inner.clock.nowMs(),
        });
        await inner.enqueue(renderMessage, { messageId });
        return { MessageId: messageId };
      });
    },
  }),
];

/** Synthesizes a message and starts its call, at the carrier or as a simulation. */
import { Readable } from "node:stream";
import { Type } from "@sinclair/typebox";
import type { Prepared } from "#kernel/blobs";
import { type JobAttempt, jobsFor } from "#kernel/operation";
import { findCarrier } from "../settings.ts";
import { createSpeech, type SpeechContent, SpeechError, type SpokenMessage } from "../speech/index.ts";
import type { State, VoiceContext } from "../state.ts";
import * as store from "../store.ts";
import type { CallRow, Tables } from "../tables.ts";
import { placeCall } from "./place-call.ts";
import { moveCall, planNextStep } from "./progress.ts";

const SPEECH_WORKERS_MAX = 1;
const SPEECH_MS_MAX = 60_000;
/** One pool for all instances of the process, because workers keep no state of callers. */
const speech = createSpeech({ workersMax: SPEECH_WORKERS_MAX, timeoutMs: SPEECH_MS_MAX });

const waits = (call: CallRow | undefined): call is CallRow =>
  call?.state === "QUEUED" && call.audio_blob === null;

async function run(
  { messageId }: { messageId: string },
  context: VoiceContext,
  { lastAttempt }: JobAttempt,
): Promise<void> {
  const call = await store.findCall(context.db, context.account, messageId);
  if (!waits(call)) return;
  let spoken: SpokenMessage;
  let sound: Prepared;
  try {
    spoken = await speech.render(JSON.parse(call.content) as SpeechContent);
    const { wav } = spoken;
    sound = await context.blobs.prepare(() => Readable.from([wav]));
  } catch (error) {
    const isHopeless = lastAttempt || (error instanceof SpeechError && error.isCallerFault);
    if (!isHopeless) throw error;
    const reason = `The message could not be spoken: ${(error as Error).message}.`;
    await context.transact(async (inner) => {
      await moveCall(inner, messageId, { event: "FAILED", atMs: inner.clock.nowMs(), reason });
    });
    return;
  }
  await context.transact((inner) => begin(inner, messageId, spoken, sound));
}

async function begin(
  context: VoiceContext,
  messageId: string,
  spoken: SpokenMessage,
  sound: Prepared,
): Promise<void> {
  const call = await store.findCall(context.db, context.account, messageId);
  if (!waits(call)) return;
  const blob = await context.blobs.keep(sound, "audio/wav");
  const audio = { audio_blob: blob.id, duration_ms: spoken.durationMs };
  const carrier = findCarrier(context.config);
  await context.outbox.send({
    kind: "call",
    target: call.destination,
    subject: `Call from ${call.caller_id ?? call.origination}`,
    body: {
      messageId,
      region: call.region,
      originationPhoneNumber: call.origination,
      ...(call.caller_id !== null && { callerId: call.caller_id }),
      destinationPhoneNumber: call.destination,
      ...(call.configuration_set !== null && { configurationSetName: call.configuration_set }),
      content: JSON.parse(call.content),
      durationMs: spoken.durationMs,
      placedBy: carrier ? "carrier" : "simulation",
    },
    blobId: blob.id,
  });
  if (carrier) {
    await store.updateCall(context.db, call, audio);
    await context.enqueue(placeCall, { messageId });
    return;
  }
  const happening = { event: "INITIATED_CALL", atMs: context.clock.nowMs() } as const;
  const moved = await moveCall(context, messageId, happening, audio);
  if (moved) await planNextStep(context, moved);
}

export const renderMessage = jobsFor<Tables, State>()({
  name: "voice.render-message",
  payload: Type.Object({ messageId: Type.String() }),
  transaction: "manual",
  run,
});

/**
 * Places a call at the carrier, at most once. A separate transaction marks the call as placed before the
 * carrier is contacted. If a later attempt finds the mark of another process, it ends the call as failed.
 */
import { Type } from "@sinclair/typebox";
import { type Job, type JobAttempt, jobsFor } from "#kernel/operation";
import { type EventType, type Happening, isFinal, RING_MS_MAX } from "../domain/calls.ts";
import type { Line } from "../lines.ts";
import { type CarrierSettings, findCarrier } from "../settings.ts";
import { type CallOutcome, type CallResult, placeCall as placeSipCall } from "../sip/index.ts";
import { readWav } from "../speech/index.ts";
import type { State, VoiceContext } from "../state.ts";
import * as store from "../store.ts";
import type { CallRow, Tables } from "../tables.ts";
import { moveCall } from "./progress.ts";

const LINE_WAIT_MS = 1000;
const DOMAIN_NAME = /^(?=.*[A-Za-z])[A-Za-z0-9.-]{1,253}$/;

const EVENTS: Readonly<Record<CallResult, EventType>> = {
  "answered-completed": "COMPLETED_CALL",
  busy: "BUSY",
  noAnswer: "NO_ANSWER",
  rejected: "FAILED",
  failed: "FAILED",
};

/** The reason of a rejection is the carrier's status and text. */
function endOf({ result, reason, status }: CallOutcome, atMs: number): Happening {
  const isRefused = status !== undefined && status >= 300;
  const told = isRefused ? `${status} ${reason}` : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return { event: EVENTS[result], atMs, reason: told };
}

/** Records all events of the line in order. Events that were recorded before have no effect. */
const note = (context: VoiceContext, messageId: string, heard: readonly Happening[]): Promise<void> =>
  context.transact(async (inner) => {
    for (const happening of heard) await moveCall(inner, messageId, happening);
  });
const fail = (context: VoiceContext, messageId: string, reason: string): Promise<void> =>
  note(context, messageId, [{ event: "FAILED", atMs: context.clock.nowMs(), reason }]);

async function run(
  { messageId }: { messageId: string },
  context: VoiceContext,
  { attempt, lastAttempt }: JobAttempt,
): Promise<void> {
  const call = await store.findCall(context.db, context.account, messageId);
  if (!call || isFinal(call.state)) return;
  const carrier = findCarrier(context.config);
  const { lines } = context.state;
  if (call.state !== "QUEUED") return settle(context, call, attempt);
  if (!carrier) return fail(context, messageId, "There is no carrier any more.");
  if (lines.areFull) return waitForLine(context, messageId);
  let placing: Placing;
  try {
    const peer = await findPeer(context, carrier);
    placing = { call, carrier, peer, audio: await readAudio(context, call) };
  } catch (error) {
    if (!lastAttempt) throw error;
    return fail(context, messageId, `The call cannot be placed: ${(error as Error).message}`);
  }
  const marked = await context.transact((inner) =>
    moveCall(
      inner,
      messageId,
      { event: "INITIATED_CALL", atMs: inner.clock.nowMs() },
      { placed_attempt: attempt },
    ),
  );
  if (!marked) throw new Error("the call is being placed elsewhere");
  await lines.hold(messageId, (line) => converse(context, line, placing));
}

/**
 * An earlier attempt placed the call: in this process, if its end could not be recorded, or in a process
 * that crashed.
 */
async function settle(context: VoiceContext, call: CallRow, attempt: number): Promise<void> {
  const { lines } = context.state;
  if (lines.isBusyWith(call.message_id) || attempt < (call.placed_attempt ?? 0))
    throw new Error("the call is still in progress");
  const ended = lines.findEnded(call.message_id);
  if (ended) await note(context, call.message_id, ended.heard);
  await fail(context, call.message_id, "The node that placed the call stopped before the call had ended.");
  lines.forget(call.message_id);
}

const waitForLine = (context: VoiceContext, messageId: string): Promise<void> =>
  context.transact(async (inner) => {
    await inner.enqueue(placeCall, { messageId }, { runAtMs: inner.clock.nowMs() + LINE_WAIT_MS });
  });

type Peer = { readonly host: string; readonly port: number };
async function findPeer({ outbound }: VoiceContext, { host, port }: CarrierSettings): Promise<Peer> {
  const { addresses } = await outbound.resolveGuarded(host);
  const { address } = addresses.find(({ family }) => family === 4) ?? addresses[0];
  return { host: address, port };
}

async function readAudio(context: VoiceContext, call: CallRow): Promise<Int16Array> {
  const wav = call.audio_blob === null ? undefined : await context.blobs.read(call.audio_blob);
  if (!wav) throw new Error("the call has no audio");
  return readWav(wav).samples;
}

type Placing = {
  readonly call: CallRow;
  readonly carrier: CarrierSettings;
  readonly peer: Peer;
  readonly audio: Int16Array;
};
async function converse(context: VoiceContext, line: Line, placing: Placing): Promise<void> {
  const { call, carrier, peer, audio } = placing;
  const { clock, log, outbound } = context;
  let noted = Promise.resolve();
  const hear = (happening: Happening): void => {
    line.heard.push(happening);
    // Events that cannot be recorded now are recorded with the next ones.
    noted = noted
      .then(() => note(context, call.message_id, line.heard))
      .catch((error) => log.error("an event of a call could not be noted yet", { error: String(error) }));
  };
  await placeSipCall({
    peer,
    from: call.caller_id ?? call.origination,
    to: call.destination,
    audio,
    ringTimeoutMs: RING_MS_MAX,
    signal: line.signal,
    ...(DOMAIN_NAME.test(carrier.host) && { domain: carrier.host }),
    ...(carrier.username !== undefined && {
      credentials: { username: carrier.username, password: carrier.password ?? "" },
    }),
    isAddressAllowed: (host) =>
      outbound.resolveGuarded(host).then(
        () => true,
        () => false,
      ),
    onEvent(event) {
      const atMs = clock.nowMs();
      if (event.type === "ringing") hear({ event: "RINGING", atMs });
      if (event.type === "answered") hear({ event: "ANSWERED", atMs });
      if (event.type === "ended") hear(endOf(event.outcome, atMs));
    },
  });
  await noted;
  await note(context, call.message_id, line.heard);
}

export const placeCall: Job<{ messageId: string }> = jobsFor<Tables, State>()({
  name: "voice.place-call",
  payload: Type.Object({ messageId: Type.String() }),
  transaction: "manual",
  run,
});

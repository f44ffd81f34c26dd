/** Tables that the console shows for this service. */
import { isoOf } from "#kernel/clock";
import type { ConsoleView, Context, Widget } from "#kernel/operation";
import * as store from "./store.ts";

const timeOf = (ms: number | null): string => (ms === null ? "" : isoOf(ms));

type Call = NonNullable<Awaited<ReturnType<typeof store.findCall>>>;

const courseOf = (call: Call): Widget => ({
  kind: "timeline",
  title: "How it went",
  events: [
    { at: timeOf(call.requested_at), text: "requested" },
    { at: timeOf(call.answered_at), text: "answered" },
    { at: timeOf(call.ended_at), text: "ended", state: call.state },
  ].filter(({ at }) => at !== ""),
});
/** The audio of a call is available until the call is deleted. */
async function callDetail(context: Context, messageId: string) {
  const call = await store.findCall(context.db, context.account, messageId);
  if (!call) return undefined;
  const blobId = call.audio_blob;
  const value = {
    messageId: call.message_id,
    region: call.region,
    state: call.state,
    originationPhoneNumber: call.origination,
    callerId: call.caller_id,
    destinationPhoneNumber: call.destination,
    countryCode: call.country,
    configurationSetName: call.configuration_set,
    content: JSON.parse(call.content),
    durationMs: call.duration_ms,
    requestedAt: timeOf(call.requested_at),
    answeredAt: timeOf(call.answered_at),
    endedAt: timeOf(call.ended_at),
    reason: call.reason,
  };
  const blob = blobId === null ? undefined : await context.blobs.find(blobId);
  const bytes = blob && (await context.blobs.read(blob.id));
  const heard: Widget[] =
    blob && bytes ? [{ kind: "audio", title: "What was spoken", type: blob.type, bytes }] : [];
  return { value, widgets: [courseOf(call), ...heard] };
}

export const consoleViews: readonly ConsoleView[] = [
  {
    title: "Calls",
    madeBy: "voice.SendVoiceMessage",
    columns: ["Message", "Region", "From", "To", "State", "Requested", "Answered", "Ended", "Reason"],
    async rows({ db, account }, limit) {
      const calls = await store.listNewestCalls(db, account, limit);
      return calls.map((call) => [
        call.message_id,
        call.region,
        call.caller_id ?? call.origination,
        call.destination,
        call.state,
        timeOf(call.requested_at),
        timeOf(call.answered_at),
        timeOf(call.ended_at),
        call.reason ?? "",
      ]);
    },
    detail: callDetail,
  },
];

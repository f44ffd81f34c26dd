/** Calls functions for events. The trigger decides whether a failed call is retried. */
import { Type } from "@sinclair/typebox";
import { parseArn } from "#kernel/arn";
import { isoOf } from "#kernel/clock";
import type { SentMessage } from "#kernel/events";
import { type JobAttempt, jobsFor } from "#kernel/operation";
import type { Invocation } from "#ports/function-invocations";
import { type CloudEvent, isFor, isTopicNamed, messageEventOf } from "../domain/index.ts";
import { bringingOfServed } from "../running/bring-up.ts";
import { invokeForEvent } from "../running/invoke-event.ts";
import type { FunctionsContext, State } from "../state.ts";
import { findServed, listNamed, listTriggered, type ServedFunction } from "../store/index.ts";
import type { Tables } from "../tables.ts";

const ATTEMPTS_MAX = 20;
const Payload = Type.Object({ slug: Type.String(), event: Type.Unknown() });
type Delivery = { readonly slug: string; readonly event: unknown };

async function run(
  { slug, event }: Delivery,
  context: FunctionsContext,
  { lastAttempt }: JobAttempt,
): Promise<void> {
  const served = await findServed(context.db, slug);
  if (
    !served ||
    served.account !== context.account ||
    served.state === "DELETING" ||
    served.revision === undefined
  )
    return;
  const { running } = context.state;
  const revision = running.nextRevision(served);
  const pool = await running.poolOf(() => bringingOfServed(context, served, revision), slug, revision);
  const problem = await invokeForEvent(pool, event as CloudEvent);
  if (problem === undefined) return;
  const text = `The event ${(event as CloudEvent).id} failed: ${problem}${lastAttempt ? " It is not tried again." : ""}`;
  running.logs.add(
    { account: served.account, slug, revision },
    "",
    { severity: "ERROR", text },
    context.clock.nowMs(),
  );
  if (!lastAttempt) throw new Error(problem);
}

const declare = jobsFor<Tables, State>();
const deliverOnce = declare({
  name: "functions.deliver",
  payload: Payload,
  transaction: "manual",
  attemptsMax: 1,
  run,
});
const deliverSurely = declare({
  name: "functions.deliver-until-done",
  payload: Payload,
  transaction: "manual",
  attemptsMax: ATTEMPTS_MAX,
  run,
});
export const deliverJobs = [deliverOnce, deliverSurely];

async function plan(
  context: FunctionsContext,
  { slug, definition }: ServedFunction,
  event: CloudEvent,
): Promise<void> {
  const isRetried = definition.eventTrigger?.retryPolicy === "RETRY_POLICY_RETRY";
  await context.enqueue(isRetried ? deliverSurely : deliverOnce, { slug, event });
}
/** In the caller's transaction; answers how many functions will be called. */
export async function publish(context: FunctionsContext, event: CloudEvent): Promise<number> {
  const triggered = await listTriggered(context.db, context.account);
  const wanted = triggered.filter(
    ({ definition: { eventTrigger } }) => eventTrigger && isFor(eventTrigger, event),
  );
  for (const one of wanted) await plan(context, one, event);
  return wanted.length;
}

function dataOf(payload: string): Pick<CloudEvent, "data" | "datacontenttype"> {
  try {
    return { data: JSON.parse(payload), datacontenttype: "application/json" };
  } catch {
    return { data: payload, datacontenttype: "text/plain" };
  }
}
/** Other services name a function `…:lambda:<region>:<account>:function:<id>`; of several, the one in that region is meant. */
export async function invoke(
  context: FunctionsContext,
  { functionArn, payload }: Invocation,
): Promise<boolean> {
  const { db, account, clock, ids } = context;
  const { service, region, account: owner, resource = "" } = parseArn(functionArn) ?? {};
  const [kind, id] = resource.split(":");
  if (service !== "lambda" || owner !== account || kind !== "function" || id === undefined) return false;
  const named = await listNamed(db, account, id);
  const meant = named.find(({ location }) => location === region) ?? named[0];
  if (!meant) return false;
  const event: CloudEvent = {
    specversion: "1.0",
    id: ids.next("invocation"),
    source: functionArn,
    type: "medley.function.invoked",
    time: isoOf(clock.nowMs()),
    ...dataOf(payload),
  };
  await context.enqueue(deliverSurely, { slug: meant.slug, event });
  return true;
}

const MESSAGE_KINDS = new Set(["topic", "queue"]);
/** A message that a service sends to a topic or queue calls the functions whose trigger names that topic. */
export async function publishMessage(context: FunctionsContext, message: SentMessage): Promise<void> {
  if (!MESSAGE_KINDS.has(message.kind)) return;
  for (const one of await listTriggered(context.db, context.account)) {
    const { definition, project, location, functionId } = one;
    const { eventTrigger } = definition;
    const topic = eventTrigger?.pubsubTopic;
    if (!eventTrigger || !topic || !isTopicNamed(topic, message.target)) continue;
    const subscription = `projects/${project}/subscriptions/eventarc-${location}-${functionId}`;
    const event = messageEventOf({ ...message, time: isoOf(message.atMs) }, topic, subscription);
    if (isFor(eventTrigger, event)) await plan(context, one, event);
  }
}

/** CloudEvents, and which of them a function is called for. */
import { neutralName } from "#kernel/arn";
import type { ResourceChange } from "#kernel/catalog";
import type { EventFilter, EventTrigger } from "./function.ts";

export type CloudEvent = {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly specversion: "1.0";
  readonly time?: string;
  readonly subject?: string;
  readonly datacontenttype?: string;
  readonly data?: unknown;
  readonly [attribute: string]: unknown;
};

/** An attribute of the event, or one derived from its source: `projects/p/topics/t` names a topic. */
function attributeOf(event: CloudEvent, name: string): string | undefined {
  const own = event[name];
  return typeof own === "string" || typeof own === "number" ? String(own) : undefined;
}

export function isFor(trigger: EventTrigger, event: CloudEvent): boolean {
  if (trigger.eventType !== event.type) return false;
  if (trigger.pubsubTopic && !topicsOf(event).includes(trigger.pubsubTopic)) return false;
  if (trigger.channel && attributeOf(event, "channel") !== trigger.channel) return false;
  return (trigger.eventFilters ?? []).every((filter) => fits(filter, event));
}
const TOPIC_SOURCE = "//pubsub.googleapis.com/";
function topicsOf(event: CloudEvent): readonly string[] {
  const topic = attributeOf(event, "topic");
  const source = event.source.startsWith(TOPIC_SOURCE)
    ? event.source.slice(TOPIC_SOURCE.length)
    : event.source;
  return topic === undefined ? [source] : [source, topic];
}
function fits({ attribute, value, operator }: EventFilter, event: CloudEvent): boolean {
  const actual = attributeOf(event, attribute);
  if (actual === undefined) return false;
  const wanted = attribute === "resourcetype" ? neutralType(value) : value;
  return operator === "match-path-pattern" ? matchesPath(wanted, actual) : actual === wanted;
}
/** The catalogue uses neutral names. The makers' names are accepted too. */
const neutralType = (type: string): string => neutralName(type).replace(/^Microsoft\./i, "Vendor.");

/**
 * `*` matches within one segment, and `**` any number of segments; `{name}` and `{name=**}` work likewise.
 */
export function matchesPath(pattern: string, path: string): boolean {
  return matchSegments(pattern.split("/"), path.split("/"));
}
const isAnyDepth = (segment: string): boolean =>
  segment === "**" || (segment.startsWith("{") && segment.endsWith("=**}"));
const isWholeSegment = (segment: string): boolean =>
  segment === "*" || (segment.startsWith("{") && segment.endsWith("}"));

/** Which positions of the path can be reached, segment by segment of the pattern: no way is tried twice. */
function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let reached = new Set([0]);
  for (const segment of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (isAnyDepth(segment)) for (let end = at; end <= path.length; end += 1) next.add(end);
      else if (at < path.length && (isWholeSegment(segment) || matchSegment(segment, path[at] as string)))
        next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(path.length);
}
function matchSegment(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === text;
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > text.length - last.length) return false;
    at = found + part.length;
  }
  return true;
}

export const RESOURCE_EVENTS = "medley.resource.v1.";
export const MESSAGE_EVENT = "google.cloud.pubsub.topic.v1.messagePublished";

/** The event for a change of a resource. The event type names the change. */
export function resourceEventOf(
  { arn, before, after }: ResourceChange,
  id: string,
  time: string,
): CloudEvent | undefined {
  const entry = after ?? before;
  if (!entry) return undefined;
  const happened = !before ? "created" : after ? "updated" : "deleted";
  return {
    specversion: "1.0",
    id,
    type: `${RESOURCE_EVENTS}${happened}`,
    source: `/medley/${entry.service}`,
    subject: arn,
    time,
    datacontenttype: "application/json",
    resourcetype: entry.type,
    region: entry.region,
    data: entry,
  };
}

/** `arn:…:alerts`, `bus/alerts` and `https://…/alerts` all name the topic `alerts` of any project. */
export const isTopicNamed = (topic: string, target: string): boolean =>
  topic === target || topic.split("/").at(-1) === target.split(/[/:]/).at(-1);

/** A message that a service has sent to a topic or queue. */
type Message = {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly time: string;
};
/** In the public shape, as the topic's subscription for one function hands it out. */
export function messageEventOf(
  { id, headers, body, time }: Message,
  topic: string,
  subscription: string,
): CloudEvent {
  const data = Buffer.from(body).toString("base64");
  return {
    specversion: "1.0",
    id,
    type: MESSAGE_EVENT,
    source: `${TOPIC_SOURCE}${topic}`,
    time,
    datacontenttype: "application/json",
    data: { message: { data, attributes: headers, messageId: id, publishTime: time }, subscription },
  };
}

/** Names of configuration sets and destinations, and what an event destination must say. */
import { errors } from "../errors.ts";
import type { EventType } from "./calls.ts";

export type DestinationKind = "log" | "stream" | "topic";
export type Destination = {
  readonly enabled: boolean;
  readonly eventTypes: readonly EventType[];
  readonly kind: DestinationKind;
  readonly targetArn: string;
  readonly roleArn: string | null;
};

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const ARN_START = "arn:[a-z][a-z-]{0,30}";
const REGION = "[a-z][a-z0-9-]{1,30}";
const ACCOUNT = "\\d{12}";
const ARN_LENGTH_MAX = 2048;

/** What follows the partition; the maker's and the neutral service name are both known. */
const TARGETS: Readonly<Record<DestinationKind, { readonly pattern: RegExp; readonly title: string }>> = {
  log: {
    pattern: new RegExp(`^${ARN_START}:logs:${REGION}:${ACCOUNT}:log-group:[A-Za-z0-9._/#-]{1,512}(:\\*)?$`),
    title: "a log group",
  },
  stream: {
    pattern: new RegExp(
      `^${ARN_START}:(?:firehose|streams):${REGION}:${ACCOUNT}:deliverystream/[A-Za-z0-9_.-]{1,64}$`,
    ),
    title: "a delivery stream",
  },
  topic: {
    pattern: new RegExp(`^${ARN_START}:(?:sns|topics):${REGION}:${ACCOUNT}:[A-Za-z0-9_-]{1,256}(\\.fifo)?$`),
    title: "a topic",
  },
};
const ROLE = new RegExp(`^${ARN_START}:iam::${ACCOUNT}:role/[A-Za-z0-9+=,.@_/-]{1,512}$`);

export function checkName(name: string | undefined, member: string): string {
  if (name === undefined) throw errors.badRequest(`${member} is missing.`);
  if (!NAME.test(name))
    throw errors.badRequest(`${member} must be 1 to 64 letters, digits, hyphens or underscores.`);
  return name;
}

export function checkTarget(kind: DestinationKind, arn: string | undefined, member: string): string {
  const { pattern, title } = TARGETS[kind];
  if (arn === undefined) throw errors.badRequest(`${member} is missing.`);
  if (arn.length > ARN_LENGTH_MAX || !pattern.test(arn))
    throw errors.badRequest(`${member} is not the ARN of ${title}.`);
  return arn;
}

export function checkRole(arn: string | undefined, member: string): string {
  if (arn === undefined) throw errors.badRequest(`${member} is missing.`);
  if (arn.length > ARN_LENGTH_MAX || !ROLE.test(arn))
    throw errors.badRequest(`${member} is not the ARN of a role.`);
  return arn;
}

/** An event type that is named twice counts once. */
export function checkEventTypes(given: readonly EventType[] | undefined): readonly EventType[] {
  if (given === undefined || given.length === 0)
    throw errors.badRequest("MatchingEventTypes must name at least one event type.");
  return [...new Set(given)];
}

const URL_LENGTH_MAX = 2048;

/** Where a topic's messages are delivered: a plain web address without a password in it. */
export function checkEndpoint(text: string): string {
  const url = text.length <= URL_LENGTH_MAX && URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw errors.badRequest("Endpoint is not an http or https address.");
  if (url.username !== "" || url.password !== "")
    throw errors.badRequest("Endpoint must not hold a user name or password.");
  return url.href;
}

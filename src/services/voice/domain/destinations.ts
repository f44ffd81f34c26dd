/** Event destinations and the patterns of their names. */
import type { EventType } from "./calls.ts";

export type DestinationKind = "log" | "stream" | "topic";
export type Destination = {
  readonly enabled: boolean;
  readonly eventTypes: readonly EventType[];
  readonly kind: DestinationKind;
  readonly targetArn: string;
  readonly roleArn: string | null;
};

/** Patterns are strings, so that declared shapes can include them. */
export const NAME_PATTERN = "^[A-Za-z0-9_-]{1,64}$";
const ARN_START = "arn:[a-z][a-z-]{0,30}";
const REGION = "[a-z][a-z0-9-]{1,30}";
const ACCOUNT = "\\d{12}";
export const ARN_LENGTH_MAX = 2048;

/** Patterns after the partition. They accept the vendor's and the neutral service name. */
export const TARGETS: Readonly<
  Record<DestinationKind, { readonly pattern: string; readonly title: string }>
> = {
  log: {
    pattern: `^${ARN_START}:logs:${REGION}:${ACCOUNT}:log-group:[A-Za-z0-9._/#-]{1,512}(:\\*)?$`,
    title: "a log group",
  },
  stream: {
    pattern: `^${ARN_START}:(?:firehose|streams):${REGION}:${ACCOUNT}:deliverystream/[A-Za-z0-9_.-]{1,64}$`,
    title: "a delivery stream",
  },
  topic: {
    pattern: `^${ARN_START}:(?:sns|topics):${REGION}:${ACCOUNT}:[A-Za-z0-9_-]{1,256}(\\.fifo)?$`,
    title: "a topic",
  },
};
export const ROLE_PATTERN = `^${ARN_START}:iam::${ACCOUNT}:role/[A-Za-z0-9+=,.@_/-]{1,512}$`;

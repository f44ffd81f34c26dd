/** Events in the CloudEvents format. A published event reaches all listening services. */
import { type Context, defineJoinedPort, sumOfAnswers } from "#kernel/operation";

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
export type CloudEventListener = {
  /** Stores the event in the caller's transaction. Returns the number of receivers. */
  publish(context: Context, event: CloudEvent): Promise<number>;
};
export const cloudEvents = defineJoinedPort("cloud-events", sumOfAnswers<CloudEventListener>("publish"));

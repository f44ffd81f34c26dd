/** The voice service as its callers use it, and what they send to it. */
import { expect } from "vitest";
import type { AccountName, Instance, Sent } from "./medley.ts";

export const BASE = "/voice/v1/sms-voice";
export const SETS = `${BASE}/configuration-sets`;
export const TOPIC = "arn:vendor:sns:us-east-1:111111111111:calls";
export const ROLE = "arn:vendor:iam::111111111111:role/voice";
export const LOG = {
  LogGroupArn: "arn:vendor:logs:us-east-1:111111111111:log-group:/calls/all",
  IamRoleArn: ROLE,
};
export const STREAM = {
  DeliveryStreamArn: "arn:vendor:firehose:us-east-1:111111111111:deliverystream/calls",
  IamRoleArn: ROLE,
};
export const ALL = ["INITIATED_CALL", "RINGING", "ANSWERED", "COMPLETED_CALL", "BUSY", "FAILED", "NO_ANSWER"];
export const toTopic = { Enabled: true, MatchingEventTypes: ALL, TopicDestination: { TopicArn: TOPIC } };

type Options = { as?: AccountName | null; region?: string };
export class Voice {
  readonly #instance: () => Instance;
  constructor(instance: () => Instance) {
    this.#instance = instance;
  }
  send(method: string, path: string, body?: unknown, { as, region = "us-east-1" }: Options = {}) {
    const options = { ...(body !== undefined && { body }), ...(as !== undefined && { as }) };
    return this.#instance().signed("sms-voice", method, path, options, region);
  }
  createSet(name: string, options?: Options): Promise<Sent> {
    return this.send("POST", SETS, { ConfigurationSetName: name }, options);
  }
  createDestination(set: string, name: string, EventDestination: unknown): Promise<Sent> {
    return this.send("POST", `${SETS}/${set}/event-destinations`, {
      EventDestinationName: name,
      EventDestination,
    });
  }
  async destinations(set: string): Promise<any[]> {
    return (await this.send("GET", `${SETS}/${set}/event-destinations`)).body.EventDestinations;
  }
  message(changes: Record<string, unknown> = {}, options?: Options): Promise<Sent> {
    const body = {
      DestinationPhoneNumber: "+12065550142",
      OriginationPhoneNumber: "+12065550199",
      Content: {
        PlainTextMessage: { Text: "Your table is ready.", LanguageCode: "en-US", VoiceId: "Joanna" },
      },
      ...changes,
    };
    return this.send("POST", `${BASE}/voice/message`, body, options);
  }
  async outbox(filter: string): Promise<any[]> {
    const { body } = await this.#instance().bearer("GET", `/_medley/outbox?limit=1000&${filter}`);
    return body.messages.toReversed();
  }
  /** The records of one call that reached a kind of destination, oldest first. */
  async events(kind: string, messageId: string): Promise<any[]> {
    return (await this.outbox(`kind=${kind}`))
      .map(({ body }) => body)
      .filter((one) => one.messageId === messageId);
  }
}

export const expectError = (answer: Sent, status: number, name: string, message?: RegExp) => {
  expect([answer.status, answer.headers.get("x-amzn-errortype"), typeof answer.body.Message]).toEqual([
    status,
    name,
    "string",
  ]);
  if (message) expect(answer.body.Message).toMatch(message);
};

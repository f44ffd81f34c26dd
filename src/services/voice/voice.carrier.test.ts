/** Calls that go to a carrier: real SIP over UDP to a peer of the test's own, and what becomes of them as events. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, pause } from "../../../tests/support/eventually.ts";
import {
  createDatabase,
  type DatabaseKind,
  type Instance,
  startInstance,
} from "../../../tests/support/medley.ts";
import { type PeerAnswer, SipPeer } from "../../../tests/support/sip-peer.ts";
import { decodeMuLaw, encodeMuLaw } from "./sip/mu-law.ts";
import { levelOf, readWav } from "./speech/index.ts";

const SET = "/voice/v1/sms-voice/configuration-sets";
const ALL = ["INITIATED_CALL", "RINGING", "ANSWERED", "COMPLETED_CALL", "BUSY", "FAILED", "NO_ANSWER"];
const ANSWERS: Record<string, PeerAnswer> = {
  "+12065550131": { status: "486 Busy Here" },
  "+12065550132": { status: "603 Decline" },
  "+12065550133": { status: "480 Temporarily Unavailable" },
  "+12065550134": { status: "404 Not Found" },
};

describe.each(["sqlite", "postgres"] as const satisfies DatabaseKind[])("a carrier, on %s", (kind) => {
  const credentials = { username: "medley", password: "trunk-password" };
  const peer = new SipPeer(({ to }) => ANSWERS[to] ?? { answers: true, ringMs: 100 }, credentials);
  let instance: Instance;

  beforeAll(async () => {
    await peer.open();
    instance = await startInstance({
      on: kind,
      services: ["voice"],
      carrier: { host: "127.0.0.1", port: peer.port, ...credentials, from: "+12065550150" },
    });
    await instance.signed("sms-voice", "POST", SET, { body: { ConfigurationSetName: "told" } });
    await instance.signed("sms-voice", "POST", `${SET}/told/event-destinations`, {
      body: {
        EventDestinationName: "stream",
        EventDestination: {
          Enabled: true,
          MatchingEventTypes: ALL,
          StreamDestination: {
            DeliveryStreamArn: "arn:vendor:firehose:us-east-1:111111111111:deliverystream/calls",
            IamRoleArn: "arn:vendor:iam::111111111111:role/voice",
          },
        },
      },
    });
  });
  afterAll(async () => {
    await instance.stop();
    await peer.close();
  });

  async function call(number: string, text = "Hello Ann.", changes = {}): Promise<string> {
    const { status, body } = await instance.signed("sms-voice", "POST", "/voice/v1/sms-voice/voice/message", {
      body: {
        ConfigurationSetName: "told",
        DestinationPhoneNumber: number,
        Content: { PlainTextMessage: { Text: text } },
        ...changes,
      },
    });
    expect(status).toBe(200);
    return body.MessageId;
  }
  async function outbox(filter: string): Promise<any[]> {
    const { body } = await instance.bearer("GET", `/_medley/outbox?limit=1000&${filter}`);
    return body.messages.toReversed();
  }
  const eventsOf = async (id: string): Promise<any[]> =>
    (await outbox("kind=stream")).map(({ body }) => body).filter(({ messageId }) => messageId === id);
  const endOf = (id: string): Promise<any[]> =>
    eventually(async () => {
      const events = await eventsOf(id);
      return events.at(-1)?.isFinal ? events : undefined;
    }, "the end of the call");

  it("hears the message in real time, exactly as it is kept in the outbox", async () => {
    const id = await call("+1 206 555 0142", "Your table is ready, please come in.", {
      CallerId: "+12065550177",
    });
    const events = await endOf(id);
    expect(events.map(({ eventType }) => eventType)).toEqual(ALL.slice(0, 4));
    const calls = peer.callsTo("+12065550142");
    expect(calls).toHaveLength(1);
    const [heard] = calls;
    expect(heard).toMatchObject({ from: "+12065550177", endedBy: "caller" });
    const [message] = (await outbox("kind=call")).filter(({ body }) => body.messageId === id);
    expect(message.body.placedBy).toBe("carrier");
    const { samples } = readWav((await instance.bearer("GET", message.content)).bytes);
    const audio = heard!.audio();
    expect(Math.abs(audio.length - samples.length)).toBeLessThanOrEqual(160);
    // What is kept and what arrived are the same but for the eight bits of the line.
    expect(audio.subarray(0, samples.length)).toEqual(decodeMuLaw(encodeMuLaw(samples)));
    expect(levelOf(audio).rms).toBeGreaterThan(0.01);
    expect(events.at(-1).eventTimestamp - events.at(-2).eventTimestamp).toBeGreaterThanOrEqual(
      message.body.durationMs,
    );
  });
  it("is called with the number of the trunk when the message names none", async () => {
    await endOf(await call("+12065550143"));
    expect(peer.callsTo("+12065550143")[0]?.from).toBe("+12065550150");
  });
  it.each([
    ["+12065550131", "BUSY", /486 Busy Here/],
    ["+12065550132", "FAILED", /603 Decline/],
    ["+12065550133", "NO_ANSWER", /480/],
    ["+12065550134", "FAILED", /404 Not Found/],
  ])("that refuses %s becomes %s", async (number, event, reason) => {
    const events = await endOf(await call(number));
    expect(events.map(({ eventType }) => eventType)).toEqual(["INITIATED_CALL", event]);
    expect(events.at(-1).messageStatusDescription).toMatch(reason);
    expect(peer.callsTo(number)).toHaveLength(1);
  });
  it("takes twenty calls, eight at a time", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => `+120655501${60 + index}`);
    const ids = await Promise.all(numbers.map((number) => call(number, "Hi.")));
    for (const id of ids) expect((await endOf(id)).at(-1).eventType).toBe("COMPLETED_CALL");
    for (const number of numbers) expect(peer.callsTo(number)).toHaveLength(1);
  });
});

describe("an instance that stops", () => {
  it("hangs up, and says so", async () => {
    const peer = new SipPeer(() => ({ rings: true }));
    await peer.open();
    const silent = new SipPeer(() => ({ answers: true }));
    await silent.open();
    const database = await createDatabase();
    const options = { services: ["voice"], database, jobLeaseSeconds: 2 };
    const first = await startInstance({ ...options, carrier: { host: "127.0.0.1", port: peer.port } });
    const body = {
      DestinationPhoneNumber: "+12065550142",
      Content: { PlainTextMessage: { Text: "Hello." } },
    };
    await first.signed("sms-voice", "POST", "/voice/v1/sms-voice/voice/message", { body });
    await eventually(() => peer.calls.size > 0, "the call");
    await first.stop();
    const [call] = peer.calls.values();
    // A request that is slow to be answered is repeated, which says nothing new.
    const said = new Set(call?.requests.map((text) => text.split(" ")[0]));
    expect([...said]).toEqual(["INVITE", "CANCEL", "ACK"]);

    const second = await startInstance({ ...options, carrier: { host: "127.0.0.1", port: silent.port } });
    const jobs = "/_medley/jobs?service=voice&kind=voice.place-call";
    const states = async () =>
      (await second.bearer("GET", jobs)).body.jobs.map(({ state }: { state: string }) => state);
    await eventually(async () => (await states()).every((state: string) => state === "done"), "the end");
    await pause(1000);
    expect(await states()).toEqual(["done"]);
    expect(silent.calls.size).toBe(0);
    await second.stop();
    await Promise.all([peer.close(), silent.close()]);
  });
});

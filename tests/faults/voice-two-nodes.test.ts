/** Calls in flight on two nodes that share a PostgreSQL, while one of them is killed. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Medley } from "../../src/app/start.ts";
import { eventually } from "../support/eventually.ts";
import { createDatabase, Instance } from "../support/medley.ts";
import { type NodeProcess, startServe } from "../support/processes.ts";
import { SipPeer } from "../support/sip-peer.ts";
import { WebReceiver } from "../support/web-receiver.ts";

const BASE = "/voice/v1/sms-voice";
const TOPIC = "arn:vendor:sns:us-east-1:111111111111:calls";
const ANSWERED_LIFE = ["INITIATED_CALL", "RINGING", "ANSWERED", "COMPLETED_CALL"];
const ALL = [...ANSWERED_LIFE, "BUSY", "FAILED", "NO_ANSWER"];
/** Long by its pauses, so that speaking it takes no time. */
const message = (pauses: number): string =>
  `<speak>Hello.${'<break time="5s"/>'.repeat(pauses)}Good bye.</speak>`;

type CallEvent = { messageId: string; eventType: string; messageStatusDescription?: string };

let receiver: WebReceiver;
let peer: SipPeer;
let folder: string;
let nodes: NodeProcess[] = [];

beforeEach(async () => {
  receiver = new WebReceiver();
  peer = new SipPeer(() => ({ answers: true, ringMs: 100 }));
  folder = mkdtempSync(join(tmpdir(), "medley-voice-"));
  nodes = [];
  await Promise.all([receiver.open(), peer.open()]);
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.kill("SIGKILL")));
  await Promise.all([receiver.close(), peer.close()]);
  rmSync(folder, { recursive: true, force: true });
});

async function startNode(database: string, ...words: string[]): Promise<{ node: NodeProcess; at: Instance }> {
  const node = await startServe(
    ...["--database", database, "--data", join(folder, String(nodes.length)), "--services", "voice"],
    ...["--credentials", join(import.meta.dirname, "../support/credentials.json"), "--log-level", "error"],
    ...["--job-lease-seconds", "4", "--job-poll-ms", "50"],
    ...words,
  );
  nodes.push(node);
  return { node, at: new Instance({ url: node.url } as Medley) };
}

async function prepare(at: Instance): Promise<void> {
  const post = (path: string, body: unknown) => at.signed("sms-voice", "POST", `${BASE}${path}`, { body });
  await post("/configuration-sets", { ConfigurationSetName: "told" });
  await post("/configuration-sets/told/event-destinations", {
    EventDestinationName: "topic",
    EventDestination: { Enabled: true, MatchingEventTypes: ALL, TopicDestination: { TopicArn: TOPIC } },
  });
  const subscribed = await post("/topic-subscriptions", { TopicArn: TOPIC, Endpoint: receiver.url });
  expect(subscribed.status).toBe(200);
}
async function call(at: Instance, number: string, pauses: number): Promise<string> {
  const { status, body } = await at.signed("sms-voice", "POST", `${BASE}/voice/message`, {
    body: {
      ConfigurationSetName: "told",
      DestinationPhoneNumber: number,
      Content: { SSMLMessage: { Text: message(pauses) } },
    },
  });
  expect(status).toBe(200);
  return body.MessageId;
}

const delivered = (): CallEvent[] =>
  receiver.received.map(({ body }) => JSON.parse(JSON.parse(body).Message) as CallEvent);
const deliveredTo = (id: string): string[] => [
  ...new Set(
    delivered()
      .filter(({ messageId }) => messageId === id)
      .map(({ eventType }) => eventType),
  ),
];
async function recorded(at: Instance, id: string): Promise<CallEvent[]> {
  const { body } = await at.bearer("GET", "/_medley/outbox?limit=1000&kind=topic");
  return body.messages
    .toReversed()
    .map((one: { body: CallEvent }) => one.body)
    .filter(({ messageId }: CallEvent) => messageId === id);
}
const isOver = (id: string): boolean =>
  deliveredTo(id).some((type) => ["COMPLETED_CALL", "BUSY", "FAILED", "NO_ANSWER"].includes(type));

it("places every call once at the carrier, ends what the dead node had placed, and delivers every event", async () => {
  const database = await createDatabase();
  const carrier = ["--carrier", `sip:127.0.0.1:${peer.port}`];
  const first = await startNode(database, ...carrier);
  await prepare(first.at);
  const inFlight = await call(first.at, "+12065550101", 40);
  await eventually(() => deliveredTo(inFlight).includes("ANSWERED"), "the first call's answer");

  const second = await startNode(database, ...carrier);
  const numbers = Array.from({ length: 8 }, (_, index) => `+120655501${10 + index}`);
  const ids = await Promise.all(
    numbers.map((number, index) => call(index % 2 === 0 ? first.at : second.at, number, 1)),
  );
  await eventually(() => peer.calls.size >= 4, "some more calls");
  await first.node.kill("SIGKILL");
  const byThen = peer.calls.size;

  await eventually(() => [inFlight, ...ids].every(isOver), "the end of all calls");
  const last = (await recorded(second.at, inFlight)).at(-1);
  expect(last).toMatchObject({ eventType: "FAILED" });
  expect(last?.messageStatusDescription).toMatch(/node that placed the call stopped/);

  let completed = 0;
  for (const [index, id] of [inFlight, ...ids].entries()) {
    const types = (await recorded(second.at, id)).map(({ eventType }) => eventType);
    // At most once at the carrier, and exactly once unless the node died between the mark and the first packet.
    const placed = peer.callsTo(index === 0 ? "+12065550101" : numbers[index - 1]!).length;
    expect(placed).toBeLessThanOrEqual(1);
    if (types.at(-1) === "COMPLETED_CALL") {
      completed += 1;
      expect(placed).toBe(1);
      expect(types).toEqual(ANSWERED_LIFE);
    } else expect(types.at(-1)).toBe("FAILED");
    expect(new Set(types).size).toBe(types.length);
    await eventually(
      () => types.every((type) => deliveredTo(id).includes(type)),
      `delivery of all events of ${id}`,
    );
  }
  expect(completed).toBeGreaterThan(0);
  expect(peer.calls.size).toBeGreaterThanOrEqual(byThen);
}, 600_000);

it("goes on with simulated calls as if nothing had happened", async () => {
  const database = await createDatabase();
  const [first, second] = [await startNode(database), await startNode(database)];
  await prepare(first.at);
  const ids: string[] = [];
  for (let index = 0; index < 10; index += 1)
    ids.push(await call(index % 2 === 0 ? first.at : second.at, `+120655501${30 + index}`, 0));
  await eventually(() => ids.some((id) => deliveredTo(id).includes("RINGING")), "ringing");
  await first.node.kill("SIGKILL");
  await eventually(() => ids.every(isOver), "the end of all calls");
  for (const id of ids) {
    expect((await recorded(second.at, id)).map(({ eventType }) => eventType)).toEqual(ANSWERED_LIFE);
    await eventually(() => ANSWERED_LIFE.every((type) => deliveredTo(id).includes(type)), "all deliveries");
  }
}, 600_000);

/** Events of Medley itself: changes of resources, and messages to topics and queues. */
import { expect, it } from "vitest";
import { eventually } from "../../../tests/support/eventually.ts";
import { Functions } from "../../../tests/support/functions.ts";
import { onBothDatabases } from "../../../tests/support/medley.ts";
import { firingStage } from "../../../tests/support/scheduler.ts";

const NOTES =
  "exports.notes = ({ id, data, ...event }) => console.log('event ' + JSON.stringify({ ...event, data }));";

onBothDatabases("events of Medley's own", (instance) => {
  const functions = new Functions(instance);
  const { put, advance } = firingStage(instance);
  const notes = (id: string, trigger: object) =>
    functions.create(id, { source: NOTES, entryPoint: "notes", trigger });
  const eventsOf = async (id: string): Promise<any[]> =>
    (await functions.lines(id))
      .filter(({ text }) => text.startsWith("event "))
      .map(({ text }) => JSON.parse(text.slice("event ".length)));
  const arnOf = (name: string) => `arn:vendor:shelves:eu-west-1:123456789012:${name}`;
  const register = async (name: string, tags: Record<string, string>, type = "Vendor::Shelves::Shelf") => {
    const body = { arn: arnOf(name), type, name, region: "eu-west-1", tags };
    const { status, text } = await instance().bearer("PUT", "/_medley/resources", { body });
    expect(status, text).toBe(200);
  };
  const unregister = (name: string) =>
    instance().bearer("DELETE", `/_medley/resources?arn=${encodeURIComponent(arnOf(name))}`);

  it("tell of resources that come, change and go", async () => {
    await register("before", {});
    for (const happened of ["created", "updated", "deleted"])
      await notes(happened, {
        eventType: `medley.resource.v1.${happened}`,
        eventFilters: [
          {
            attribute: "resourcetype",
            // Either spelling.
            value: happened === "updated" ? "AWS::Shelves::Shelf" : "Vendor::Shelves::Shelf",
          },
        ],
      });
    await register("oak", { room: "1" });
    await register("oak", { room: "2" });
    await register("other", {}, "Vendor::Shelves::Box");
    expect((await unregister("oak")).status).toBeLessThan(300);
    for (const [happened, room] of [
      ["created", "1"],
      ["updated", "2"],
      ["deleted", "2"],
    ] as const) {
      const [event, ...more] = await eventually(async () => {
        const all = await eventsOf(happened);
        return all.length > 0 && all;
      }, `an event: ${happened}`);
      expect(more).toEqual([]);
      expect(event).toMatchObject({
        type: `medley.resource.v1.${happened}`,
        source: expect.stringMatching(/^\/medley\/./),
        subject: arnOf("oak"),
        region: "eu-west-1",
        data: { arn: arnOf("oak"), name: "oak", tags: { room } },
      });
    }
  });

  it("tell of nothing once no function asks for them", async () => {
    for (const happened of ["created", "updated", "deleted"])
      await functions.ended(await functions.send("DELETE", functions.nameOf(happened)));
    await register("elm", {});
    await notes("created", { eventType: "medley.resource.v1.created" });
    await register("ash", {});
    const events = await eventually(async () => {
      const all = await eventsOf("created");
      return all.some(({ subject }) => subject === arnOf("ash")) && all;
    }, "the event of what came later");
    expect(events.map(({ subject }) => subject)).not.toContain(arnOf("elm"));
  });

  it("tell of what happens to contributions", async () => {
    await notes("pictures", { eventType: "contributions.contribution.created" });
    const send = async (path: string, body: object) => {
      const {
        status,
        text,
        body: answered,
      } = await instance().bearer("POST", `/contributions/1${path}`, { body });
      expect(status, text).toBe(200);
      return answered;
    };
    const assignment = await send("/assignments", { name: "The flood" });
    const { id } = await send("/contributions", {
      assignment: { id: assignment.id },
      headline: "The bridge",
    });
    const [event] = await eventually(async () => {
      const all = await eventsOf("pictures");
      return all.length > 0 && all;
    }, "an event of the contribution");
    expect(event).toMatchObject({
      type: "contributions.contribution.created",
      subject: id,
      data: { id, assignment: assignment.id, description: "The bridge" },
    });
  });

  it("tell of messages to the topics and queues that triggers name", async () => {
    const eventType = "google.cloud.pubsub.topic.v1.messagePublished";
    await notes("news", { eventType, pubsubTopic: "projects/demo/topics/news" });
    await notes("alarms", { eventType, pubsubTopic: "projects/demo/topics/alarms" });
    await notes("silent", { eventType, pubsubTopic: "projects/demo/topics/silent" });
    const serviceBusTopicMessage = {
      namespace: "bus",
      topicPath: "news",
      message: "Grüße",
      customMessageProperties: { color: "red" },
    };
    await put("to-topic", { action: { type: "ServiceBusTopic", serviceBusTopicMessage } });
    const queueMessage = { storageAccount: "store", queueName: "alarms", message: "fire" };
    await put("to-queue", { action: { type: "StorageQueue", queueMessage } });
    await advance(0);
    for (const [id, text, attributes] of [
      ["news", "Grüße", { color: "red" }],
      ["alarms", "fire", {}],
    ] as const) {
      const [event, ...more] = await eventually(async () => {
        const all = await eventsOf(id);
        return all.length > 0 && all;
      }, `a message to ${id}`);
      expect(more).toEqual([]);
      expect(event).toMatchObject({
        type: eventType,
        source: `//pubsub.googleapis.com/projects/demo/topics/${id}`,
        data: {
          message: {
            data: Buffer.from(text).toString("base64"),
            attributes,
            messageId: expect.stringMatching(/^out/),
            publishTime: expect.stringMatching(/Z$/),
          },
          subscription: `projects/demo/subscriptions/eventarc-us-central1-${id}`,
        },
      });
    }
    expect(await eventsOf("silent")).toEqual([]);
  });
});

/** The job scheduler with its public management client, as its users run it: over http and https, in both spellings. */
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "../support/http-receiver.ts";
import {
  expectOneSpelling,
  expectSameInBothSpellings,
  msRestOptions,
  type Wire,
  ways,
  wireTo,
} from "../support/management-clients.ts";
import { type Instance, startInstance } from "../support/medley.ts";

// The client's package has no module form.
const require = createRequire(import.meta.url);
const SchedulerManagementClient = require("azure-arm-scheduler");
const requireOfClient = createRequire(require.resolve("azure-arm-scheduler"));
const { TokenCredentials } = requireOfClient("ms-rest");
const { duration } = createRequire(requireOfClient.resolve("ms-rest"))("moment");

const clientOn = (wire: Wire, subscription: string) =>
  new SchedulerManagementClient(
    new TokenCredentials(wire.token),
    subscription,
    wire.endpoint,
    msRestOptions(wire),
  );

describe.each(ways)("the management client over $scheme in the spelling $spelling", (way) => {
  const { scheme, spelling } = way;
  let instance: Instance;
  let receiver: HttpReceiver;
  let wire: Wire;
  let client: any;
  const group = "office";
  const collection = "Reports";
  beforeAll(async () => {
    instance = await startInstance({
      tls: true,
      provisioningSeconds: 0.2,
      services: ["scheduler", "resource-manager"],
    });
    receiver = await startHttpReceiver();
    wire = wireTo(instance, way);
    client = clientOn(wire, `${scheme}-${spelling}`);
  });
  afterAll(async () => {
    await instance.stop();
    await receiver.stop();
  });

  it("makes a collection, changes it and finds it again", async () => {
    const made = await client.jobCollections.createOrUpdate(group, collection, {
      location: "westeurope",
      tags: { team: "sales" },
      properties: {
        sku: { name: "Standard" },
        quota: { maxJobCount: 10, maxRecurrence: { frequency: "Minute", interval: 1 } },
      },
    });
    expect(made).toMatchObject({
      name: collection,
      type: `${spelling}.Scheduler/jobCollections`,
      location: "westeurope",
      properties: { state: "Enabled", sku: { name: "Standard" }, quota: { maxJobCount: 10 } },
    });
    const changed = await client.jobCollections.patch(group, collection, { tags: { floor: "3" } });
    expect(changed.tags).toEqual({ team: "sales", floor: "3" });
    expect(await client.jobCollections.get(group, collection)).toEqual(changed);
    expect(await client.jobCollections.listByResourceGroup(group)).toMatchObject([{ name: collection }]);
    expect(await client.jobCollections.listBySubscription()).toMatchObject([{ name: collection }]);
  });

  it("schedules a call, watches it run and fail and be retried, and reads its history", async () => {
    await instance.clock.freeze();
    const startTime = new Date(Math.ceil(instance.clock.nowMs() / 60_000) * 60_000 + 3_600_000);
    receiver.reply = () => ({ status: receiver.received.length === 2 ? 503 : 200, body: "thanks" });
    const made = await client.jobs.createOrUpdate(group, collection, "nightly", {
      properties: {
        startTime,
        action: {
          type: "Http",
          request: {
            uri: `${receiver.url}/report`,
            method: "POST",
            headers: { "x-report": "sales" },
            body: "please",
            authentication: { type: "Basic", username: "ann", password: "s3cret" },
          },
          retryPolicy: { retryType: "Fixed", retryInterval: duration(1, "minutes"), retryCount: 2 },
        },
        recurrence: {
          frequency: "Day",
          interval: 1,
          count: 3,
          schedule: { hours: [startTime.getUTCHours()], minutes: [startTime.getUTCMinutes()] },
        },
      },
    });
    expect(made.name).toBe(`${collection}/nightly`);
    expect(made.properties.startTime).toEqual(startTime);
    expect(made.properties.action.request.authentication).toMatchObject({ type: "Basic", username: "ann" });
    expect(made.properties.action.request.authentication.password).toBeUndefined();
    expect(made.properties.status.nextExecutionTime).toEqual(startTime);

    await instance.clock.advance("2d");
    expect(receiver.received).toHaveLength(3);
    expect(receiver.received[0]).toMatchObject({ method: "POST", url: "/report", body: "please" });
    const day = 86_400_000;
    const running = await client.jobs.get(group, collection, "nightly");
    expect(running.properties.status).toMatchObject({ executionCount: 2, failureCount: 1, faultedCount: 0 });
    expect(running.properties.status.nextExecutionTime).toEqual(new Date(startTime.getTime() + 2 * day));
    const history = await client.jobs.listJobHistory(group, collection, "nightly");
    expect(history.map(({ properties }: any) => [properties.status, properties.retryCount])).toEqual([
      ["Completed", 1],
      ["Failed", 0],
      ["Completed", 0],
    ]);
    const failed = await client.jobs.listJobHistory(group, collection, "nightly", {
      top: 1,
      filter: "status eq 'Failed'",
    });
    expect(failed).toHaveLength(1);
    expect(failed[0].properties.startTime).toEqual(new Date(startTime.getTime() + day));
    await instance.clock.advance("1d");
    expect((await client.jobs.get(group, collection, "nightly")).properties.state).toBe("Completed");
  });

  it("runs a job by hand, switches it off, lists by state and follows pages", async () => {
    await client.jobs.createOrUpdate(group, collection, "by-hand", {
      properties: {
        state: "Disabled",
        action: {
          type: "ServiceBusTopic",
          serviceBusTopicMessage: {
            namespace: "bus",
            topicPath: "news",
            message: "hello",
            transportType: "NetMessaging",
            brokeredMessageProperties: { label: "greeting" },
          },
        },
      },
    });
    await client.jobs.run(group, collection, "by-hand");
    await instance.clock.advance(0);
    const { messages } = (await instance.bearer("GET", "/_medley/outbox?kind=topic")).body;
    expect(messages).toMatchObject([{ target: "bus/news", body: "hello", subject: "greeting" }]);
    const { id } = await client.jobs.get(group, collection, "by-hand");
    await expectSameInBothSpellings(instance, id, "2016-03-01");
    const patched = await client.jobs.patch(group, collection, "by-hand", {
      properties: { state: "Enabled" },
    });
    expect(patched.properties.state).toBe("Enabled");
    const completed = await client.jobs.list(group, collection, { filter: "state eq 'Completed'" });
    expect(completed.map(({ name }: any) => name)).toContain(`${collection}/nightly`);
    const first = await client.jobs.list(group, collection, { top: 1 });
    const second = await client.jobs.listNext(first.nextLink);
    expect([...first, ...second].map(({ name }: any) => name)).toEqual([
      `${collection}/by-hand`,
      `${collection}/nightly`,
    ]);
  });

  it("switches a collection off and on, deletes it, and gets errors it understands", async () => {
    await instance.clock.resume();
    await client.jobCollections.disable(group, collection);
    expect((await client.jobCollections.get(group, collection)).properties.state).toBe("Disabled");
    await expect(client.jobs.run(group, collection, "nightly")).rejects.toMatchObject({
      statusCode: 409,
      code: "JobCollectionNotEnabled",
    });
    await client.jobCollections.enable(group, collection);
    expect((await client.jobCollections.get(group, collection)).properties.state).toBe("Enabled");
    await expect(
      client.jobs.createOrUpdate(group, collection, "bad", {
        properties: { action: { type: "Http", request: { uri: "nowhere", method: "GET" } } },
      }),
    ).rejects.toMatchObject({ statusCode: 400, code: "InvalidJob" });
    await client.jobs.deleteMethod(group, collection, "nightly");
    await client.jobCollections.deleteMethod(group, collection);
    await expect(client.jobCollections.get(group, collection)).rejects.toMatchObject({
      statusCode: 404,
      code: "ResourceNotFound",
    });
    expectOneSpelling(wire);
  });

  if (scheme === "https")
    it("does not trust a server without its authority", async () => {
      const stranger = clientOn({ ...wire, authority: undefined }, `${scheme}-${spelling}`);
      await expect(stranger.jobCollections.listBySubscription()).rejects.toThrow(/certificate/);
    });
});

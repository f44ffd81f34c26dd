/** Demo data: a collection with a nightly report, a month-end notice and a disabled health check. */
import type { Context } from "#kernel/operation";
import { findById, makeResource } from "#kernel/resource-provider";
import { jobCollections } from "./operations/job-collections.ts";
import { jobs } from "./operations/jobs.ts";

const RESOURCE_GROUP = "demo";
const COLLECTION = "office";

const demoJobs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "nightly-report": {
    startTime: "2020-01-01T02:30:00Z",
    recurrence: { frequency: "Day", interval: 1 },
    action: {
      type: "StorageQueue",
      queueMessage: {
        storageAccount: "demostorage",
        queueName: "reports",
        message: '{"report":"sales","of":"yesterday"}',
      },
    },
  },
  "month-end": {
    startTime: "2020-01-31T17:00:00Z",
    recurrence: { frequency: "Month", interval: 1, schedule: { monthDays: [-1], hours: [17], minutes: [0] } },
    action: {
      type: "ServiceBusTopic",
      serviceBusTopicMessage: {
        namespace: "demo-bus",
        topicPath: "bookkeeping",
        message: "Close the books of this month.",
        brokeredMessageProperties: { label: "month-end" },
      },
    },
  },
  "health-check": {
    state: "Disabled",
    recurrence: { frequency: "Minute", interval: 15 },
    action: {
      type: "Https",
      request: { method: "GET", uri: "https://www.example.org/health" },
      retryPolicy: { retryType: "Fixed", retryInterval: "PT1M", retryCount: 2 },
      errorAction: {
        type: "StorageQueue",
        queueMessage: {
          storageAccount: "demostorage",
          queueName: "alarms",
          message: "The web site does not answer.",
        },
      },
    },
  },
};

export async function seed(context: Context): Promise<void> {
  const subscriptionId = `00000000-0000-0000-0000-${context.account}`;
  const at = (names: readonly string[]) => ({ subscriptionId, resourceGroup: RESOURCE_GROUP, names });
  const id = `/subscriptions/${subscriptionId}/resourceGroups/${RESOURCE_GROUP}/providers/Vendor.Scheduler/jobCollections/${COLLECTION}`;
  if (await findById(context, id)) return;
  await makeResource(context, jobCollections, at([COLLECTION]), {
    location: "westeurope",
    tags: { team: "office" },
    properties: { sku: { name: "Standard" } },
  });
  for (const [name, properties] of Object.entries(demoJobs))
    await makeResource(context, jobs, at([COLLECTION, name]), { properties });
}

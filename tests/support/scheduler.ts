/** A stage for jobs that fire: a collection on a clock that stands still, and a real HTTP server to be called. */
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type HttpReceiver, startHttpReceiver } from "./http-receiver.ts";
import type { Instance, SendOptions } from "./medley.ts";

export const schedulerVersion = "api-version=2016-03-01";
export const schedulerServices = ["scheduler", "resource-manager"];
export const minuteMs = 60_000;

/** One attempt, as the history shows it. */
type Entry = {
  status: string;
  actionName: string;
  retryCount: number;
  repeatCount: number;
  message: string;
  startTime: string;
  expectedExecutionTime: string;
};

/** Known before it runs, so that tests can take it apart; hooks of the surrounding suite start and stop it. */
function receiverOfSuite(): Omit<HttpReceiver, "stop"> {
  let live: HttpReceiver;
  beforeAll(async () => {
    live = await startHttpReceiver();
  });
  afterAll(() => live.stop());
  beforeEach(() => {
    live.received.length = 0;
    live.reply = () => ({ status: 200, body: "fine" });
  });
  return {
    get url() {
      return live.url;
    },
    get received() {
      return live.received;
    },
    get mostAtOnce() {
      return live.mostAtOnce;
    },
    get reply() {
      return live.reply;
    },
    set reply(reply) {
      live.reply = reply;
    },
    waitFor: (count) => live.waitFor(count),
  };
}

export function firingStage(instance: () => Instance) {
  const path =
    "/management/subscriptions/firing/resourceGroups/rg/providers/Vendor.Scheduler/jobCollections/c";
  const receiver = receiverOfSuite();
  const send = async (method: string, below: string, body?: unknown) => {
    const answered = await instance().bearer(method, `${path}${below}?${schedulerVersion}`, { body });
    expect(answered.status, answered.text).toBeLessThan(300);
    return answered.body;
  };
  beforeAll(async () => {
    await instance().clock.freeze();
    await send("PUT", "", { location: "westus", properties: {} });
  });
  const now = () => instance().clock.nowMs();
  const advance = (by: string | number) => instance().clock.advance(by);
  return {
    path,
    receiver,
    send,
    put: (name: string, properties: Record<string, unknown>) => send("PUT", `/jobs/${name}`, { properties }),
    patch: (name: string, properties: Record<string, unknown>) =>
      send("PATCH", `/jobs/${name}`, { properties }),
    get: async (name: string) => (await send("GET", `/jobs/${name}`)).properties,
    /** Oldest first. */
    async history(name: string): Promise<Entry[]> {
      const entries: { properties: Entry }[] = [];
      let url: string | undefined = `${path}/jobs/${name}/history?${schedulerVersion}`;
      while (url) {
        const { body } = await instance().bearer("GET", url);
        entries.push(...body.value);
        url = body.nextLink;
      }
      return entries.map(({ properties }) => properties).reverse();
    },
    outbox: async (kind: string) =>
      (await instance().bearer("GET", `/_medley/outbox?service=scheduler&kind=${kind}`)).body.messages,
    queueAction: (message: string) => ({
      type: "StorageQueue",
      queueMessage: { storageAccount: "a", queueName: "calendar", message },
    }),
    /** When messages of this text were put into the queue. */
    async sentAt(message: string): Promise<Date[]> {
      const { body } = await instance().bearer("GET", "/_medley/outbox?kind=queue&limit=1000");
      return body.messages
        .filter((one: { body: string }) => one.body === message)
        .map((one: { createdAt: string }) => new Date(one.createdAt));
    },
    request: (more: Record<string, unknown> = {}) => ({
      type: "Http",
      request: { uri: `${receiver.url}/hook`, method: "POST", ...more },
    }),
    now,
    at: (ms: number) => new Date(ms).toISOString().replace(".000Z", "Z"),
    /** The next full minute, so that texts are short. */
    soon: () => Math.ceil((now() + 1) / minuteMs) * minuteMs,
    advance,
    advanceTo: (ms: number) => advance(ms - now()),
  };
}

/** A month from now, on the minute. */
export const later = `${new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 16)}:00Z`;
export const helloAction = {
  type: "StorageQueue",
  queueMessage: { storageAccount: "store", queueName: "work", message: "hello" },
};
export const collectionBody = (
  properties: Record<string, unknown> = {},
  extra: Record<string, unknown> = {},
) => ({ location: "West Europe", properties, ...extra });
export const jobBody = (properties: Record<string, unknown> = {}) => ({
  properties: { startTime: later, action: helloAction, ...properties },
});

/** Below one subscription of its own, so that tests don't meet. */
export function schedulerClient(
  instance: () => Instance,
  subscription: string,
  namespace = "Vendor.Scheduler",
) {
  const group = `/management/subscriptions/${subscription}/resourceGroups/rg/providers/${namespace}`;
  const send = (method: string, path: string, options: SendOptions = {}) => {
    const url = path.startsWith("/management") ? path : `${group}/jobCollections${path}`;
    return instance().bearer(method, `${url}${url.includes("?") ? "&" : "?"}${schedulerVersion}`, options);
  };
  return {
    group,
    get: (path: string, options?: SendOptions) => send("GET", path, options),
    put: (path: string, body: unknown, options?: SendOptions) => send("PUT", path, { body, ...options }),
    patch: (path: string, body: unknown) => send("PATCH", path, { body }),
    post: (path: string, options?: SendOptions) => send("POST", path, options),
    remove: (path: string, options?: SendOptions) => send("DELETE", path, options),
    history: async (path: string) => (await send("GET", `${path}/history`)).body.value,
  };
}

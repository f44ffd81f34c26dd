/** Actions as callers write them: what is kept, which secrets are taken out, and when stored ones are kept. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { authenticates } from "./action.ts";
import { readAction } from "./action-reading.ts";
import { readCollection } from "./collection.ts";
import type { KeptSecrets } from "./definition-reader.ts";
import { findInstant, instantText } from "./iso-time.ts";
import { retryPolicyOf } from "./job.ts";
import { readRecurrence } from "./recurrence-reading.ts";
import { writeRecurrence } from "./recurrence-writing.ts";

const basic = (uri: string, password?: string, username = "ann") => ({
  type: "Http",
  request: { uri, method: "get", authentication: { type: "Basic", username, password } },
});
const at = "action.request.authentication";
const secretsOf = (action: unknown, stored: KeptSecrets = {}) => readAction(action, stored).value?.secrets;

describe("secrets of an action", () => {
  const stored = secretsOf(basic("https://a.org/x", "pw")) ?? {};

  it("are taken out of what is shown", () => {
    const { value } = readAction(basic("https://a.org/x", "pw"));
    expect(value?.action).toEqual({
      type: "Http",
      request: {
        uri: "https://a.org/x",
        method: "GET",
        authentication: { type: "Basic", username: "ann" },
      },
    });
    expect(value?.secrets[at]?.values).toEqual({ password: "pw" });
  });

  it("are kept for the same user at the same origin, and for nobody else", () => {
    expect(secretsOf(basic("https://a.org/elsewhere?x=1"), stored)).toEqual(stored);
    for (const other of [
      basic("http://a.org/x"),
      basic("https://b.org/x"),
      basic("https://a.org:8443/x"),
      basic("https://a.org/x", undefined, "bob"),
    ]) {
      expect(readAction(other, stored).problems).toMatchObject([{ path: `${at}.password` }]);
    }
  });

  it("are replaced when new ones are given", () => {
    expect(secretsOf(basic("https://b.org/x", "new"), stored)?.[at]?.values).toEqual({ password: "new" });
  });

  it("of a client go to its tenant alone", () => {
    const oauth = (tenant: string, secret?: string) => ({
      type: "Http",
      request: {
        uri: "https://a.org",
        authentication: { type: "ActiveDirectoryOAuth", tenant, audience: "x", clientId: "c", secret },
      },
    });
    const kept = secretsOf(oauth("t", "s")) ?? {};
    expect(secretsOf(oauth("t"), kept)).toEqual(kept);
    expect(readAction(oauth("https://thief.example/token"), kept).problems).toMatchObject([
      { path: `${at}.secret` },
    ]);
  });

  it("may be left out of messages, which stay on this machine", () => {
    const queueMessage = { storageAccount: "a", queueName: "q", message: "m" };
    expect(readAction({ type: "StorageQueue", queueMessage }).value).toEqual({
      action: { type: "StorageQueue", queueMessage },
      secrets: {},
    });
  });
});

describe("an action", () => {
  it("keeps the part that fits its type and drops the others", () => {
    const queueMessage = { storageAccount: "a", queueName: "q", message: "m" };
    const { value } = readAction({ type: "storagequeue", queueMessage, request: { uri: "http://x.org" } });
    expect(value?.action).toEqual({ type: "StorageQueue", queueMessage });
  });

  it("tells everything that is wrong at once", () => {
    const { problems } = readAction({
      type: "Http",
      request: { uri: "x", method: "y" },
      retryPolicy: { retryType: "Often" },
      errorAction: { type: "ServiceBusQueue", serviceBusQueueMessage: { message: 1 } },
    });
    expect(problems.map(({ path }) => path)).toEqual([
      "action.request.uri",
      "action.request.method",
      "action.retryPolicy.retryType",
      "action.errorAction.serviceBusQueueMessage.namespace",
      "action.errorAction.serviceBusQueueMessage.message",
      "action.errorAction.serviceBusQueueMessage.queueName",
    ]);
  });

  it("presents credentials when any of its requests does", () => {
    const plain = {
      type: "Http",
      request: { uri: "http://x.org", authentication: { type: "NotSpecified" } },
    };
    const read = (action: unknown) => readAction(action).value?.action;
    const actions = [
      plain,
      { ...plain, errorAction: basic("http://x.org", "p") },
      basic("http://x.org", "p"),
    ];
    expect(actions.map(read).map((action) => action && authenticates(action))).toEqual([false, true, true]);
  });

  it("lends its retry policy to an error action without one", () => {
    const plain = { type: "Http", request: { uri: "http://x.org" } };
    const policy = { retryType: "fixed", retryInterval: "PT1M", retryCount: 2 };
    const read = readAction({ ...plain, retryPolicy: policy, errorAction: plain }).value;
    expect(read && retryPolicyOf(read, "ErrorAction")).toEqual({
      retryType: "Fixed",
      retryIntervalMs: 60_000,
      retryCount: 2,
    });
  });

  it("never breaks the reader, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.constantFrom("Http", "StorageQueue", "ServiceBusTopic"),
        (value, type) => {
          for (const action of [value, { type, request: value, queueMessage: value, errorAction: value }])
            expect(readAction(action).problems.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe("texts of time", () => {
  it("come back as they were written", () => {
    const instants = fc.integer({ min: 0, max: 253_402_300_799_999 });
    fc.assert(
      fc.property(instants, (instant) => {
        expect(findInstant(instantText(instant))).toBe(instant);
        expect(instantText(instant)).toBe(new Date(instant).toISOString().replace(".000Z", "Z"));
      }),
    );
  });

  it("write a recurrence so that reading it gives the same", () => {
    const recurrence = {
      frequency: "month",
      interval: 2,
      count: 9,
      endTime: "2031-05-06T07:08:09+02:00",
      schedule: {
        monthlyOccurrences: [{ day: "friday", occurrence: -1 }, { day: "Monday" }],
        hours: 3,
        minutes: [5, 5],
      },
    };
    const { value } = readRecurrence(recurrence);
    const written = value && writeRecurrence(value);
    expect(written).toEqual({
      frequency: "Month",
      interval: 2,
      count: 9,
      endTime: "2031-05-06T05:08:09Z",
      schedule: {
        monthlyOccurrences: [{ day: "Friday", Occurrence: -1 }, { day: "Monday" }],
        hours: [3],
        minutes: [5],
      },
    });
    expect(readRecurrence(written).value).toEqual(value);
  });
});

describe("a collection", () => {
  it("is enabled and of the standard plan unless it says otherwise", () => {
    expect(readCollection({}, undefined).value).toEqual({ sku: { name: "Standard" }, state: "Enabled" });
    expect(readCollection({ sku: { name: "FREE" }, state: "disabled", quota: {} }, undefined).value).toEqual({
      sku: { name: "Free" },
      state: "Disabled",
    });
  });

  it("may be sent back in the state it was read in", () => {
    expect(readCollection({ state: "Suspended" }, "Suspended").value?.state).toBe("Suspended");
    expect(readCollection({ state: "Suspended" }, "Enabled").problems).toMatchObject([{ path: "state" }]);
  });
});

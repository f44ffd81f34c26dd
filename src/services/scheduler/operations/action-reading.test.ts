/** Actions as callers write them: what is kept, which secrets are taken out, and when stored ones are kept. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { problemsIn, readJobWith } from "../../../../tests/support/job-reading.ts";
import { authenticates } from "../domain/action.ts";
import {
  type CollectionState,
  collectionOf,
  defaultRetryPolicy,
  findInstant,
  instantText,
  type KeptSecrets,
  mayBeAsked,
  retryPolicyFrom,
  retryPolicyOf,
} from "../domain/index.ts";
import { collectionProperties } from "../wire/index.ts";
import { wholeReader } from "./whole.ts";

const readAction = (action: unknown, stored: KeptSecrets = {}) => readJobWith({ action }, 0, { stored });
const problemsOf = (action: unknown, stored: KeptSecrets = {}) =>
  problemsIn(() => readAction(action, stored)).map(({ target }) => target.replace("properties.", ""));

const basic = (uri: string, password?: string, username = "ann") => ({
  type: "Http",
  request: { uri, method: "get", authentication: { type: "Basic", username, password } },
});
const at = "action.request.authentication";
const secretsOf = (action: unknown, stored: KeptSecrets = {}) => readAction(action, stored).secrets;

describe("secrets of an action", () => {
  const stored = secretsOf(basic("https://a.org/x", "pw"));

  it("are taken out of what is shown", () => {
    const read = readAction(basic("https://a.org/x", "pw"));
    expect(read.action).toEqual({
      type: "Http",
      request: {
        uri: "https://a.org/x",
        method: "GET",
        authentication: { type: "Basic", username: "ann" },
      },
    });
    expect(read.secrets[at]?.values).toEqual({ password: "pw" });
  });

  it("are kept for the same user at the same origin, and for nobody else", () => {
    expect(secretsOf(basic("https://a.org/elsewhere?x=1"), stored)).toEqual(stored);
    for (const other of [
      basic("http://a.org/x"),
      basic("https://b.org/x"),
      basic("https://a.org:8443/x"),
      basic("https://a.org/x", undefined, "bob"),
    ]) {
      expect(problemsOf(other, stored)).toEqual([`${at}.password`]);
    }
  });

  it("are replaced when new ones are given", () => {
    expect(secretsOf(basic("https://b.org/x", "new"), stored)[at]?.values).toEqual({ password: "new" });
  });

  it("of a client go to its tenant alone", () => {
    const oauth = (tenant: string, secret?: string) => ({
      type: "Http",
      request: {
        uri: "https://a.org",
        authentication: { type: "ActiveDirectoryOAuth", tenant, audience: "x", clientId: "c", secret },
      },
    });
    const kept = secretsOf(oauth("t", "s"));
    expect(secretsOf(oauth("t"), kept)).toEqual(kept);
    expect(problemsOf(oauth("https://thief.example/token"), kept)).toEqual([`${at}.secret`]);
  });

  it("may be left out of messages, which stay on this machine", () => {
    const queueMessage = { storageAccount: "a", queueName: "q", message: "m" };
    expect(readAction({ type: "StorageQueue", queueMessage })).toEqual({
      action: { type: "StorageQueue", queueMessage },
      secrets: {},
    });
  });
});

describe("an action", () => {
  it("keeps the part that fits its type and drops the others", () => {
    const queueMessage = { storageAccount: "a", queueName: "q", message: "m" };
    const { action } = readAction({ type: "storagequeue", queueMessage, request: { uri: "http://x.org" } });
    expect(action).toEqual({ type: "StorageQueue", queueMessage });
  });

  it("tells everything that is wrong at once", () => {
    const action = {
      type: "Http",
      request: { uri: "x", method: "y" },
      retryPolicy: { retryType: "Often" },
      errorAction: { type: "ServiceBusQueue", serviceBusQueueMessage: { message: 1 } },
    };
    expect(problemsOf(action)).toEqual([
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
    const read = (action: unknown) => readAction(action).action;
    const actions = [
      plain,
      { ...plain, errorAction: basic("http://x.org", "p") },
      basic("http://x.org", "p"),
    ];
    expect(actions.map(read).map(authenticates)).toEqual([false, true, true]);
  });

  it("lends its retry policy to an error action without one", () => {
    const plain = { type: "Http", request: { uri: "http://x.org" } };
    const policy = { retryType: "fixed", retryInterval: "PT1M", retryCount: 2 };
    const read = readAction({ ...plain, retryPolicy: policy, errorAction: plain });
    expect(retryPolicyOf(read, "ErrorAction")).toEqual({
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
            expect(problemsOf(action).length).toBeGreaterThan(0);
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
    const { recurrence: written } = readJobWith({ recurrence });
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
    expect(readJobWith({ recurrence: written }).recurrence).toEqual(written);
  });
});

describe("retry policies", () => {
  const withPolicy = (retryPolicy: unknown) => ({
    type: "Http",
    request: { uri: "http://x.org" },
    retryPolicy,
  });
  const dayMs = 86_400_000;
  it.each([
    ["nothing", undefined, defaultRetryPolicy],
    ["null", null, defaultRetryPolicy],
    ["none", { retryType: "none" }, { retryType: "None" }],
    ["fixed", { retryType: "fixed" }, defaultRetryPolicy],
    ["no type", { retryCount: 2 }, { ...defaultRetryPolicy, retryCount: 2 }],
    [
      "all",
      { retryType: "Fixed", retryInterval: "PT1H", retryCount: 20 },
      { retryType: "Fixed", retryIntervalMs: 3_600_000, retryCount: 20 },
    ],
    [
      "the shortest",
      { retryInterval: "PT15S", retryCount: 1 },
      { retryType: "Fixed", retryIntervalMs: 15_000, retryCount: 1 },
    ],
    ["the longest", { retryInterval: "P548D" }, { ...defaultRetryPolicy, retryIntervalMs: 548 * dayMs }],
    ["18 months", { retryInterval: "P18M" }, { ...defaultRetryPolicy, retryIntervalMs: 540 * dayMs }],
  ])("understand %s", (_, value, policy) => {
    expect(retryPolicyFrom(readAction(withPolicy(value)).action.retryPolicy)).toEqual(policy);
  });

  it.each([
    ["Fixed", "action.retryPolicy", /must be an object/],
    [{ retryType: "Exponential" }, "action.retryPolicy.retryType", /None, Fixed/],
    [{ retryInterval: "PT14S" }, "action.retryPolicy.retryInterval", /from PT15S to P548D/],
    [{ retryInterval: "P549D" }, "action.retryPolicy.retryInterval", /from PT15S to P548D/],
    [{ retryInterval: "00:01:00" }, "action.retryPolicy.retryInterval", /ISO 8601 duration/],
    [{ retryInterval: 60 }, "action.retryPolicy.retryInterval", /ISO 8601 duration/],
    [{ retryCount: 0 }, "action.retryPolicy.retryCount", /from 1 to 20/],
    [{ retryCount: 21 }, "action.retryPolicy.retryCount", /from 1 to 20/],
    [{ retryCount: 1.5 }, "action.retryPolicy.retryCount", /whole number/],
  ])("refuse %j", (value, path, message) => {
    expect(problemsIn(() => readAction(withPolicy(value)))).toEqual([
      { target: `properties.${path}`, message: expect.stringMatching(message) },
    ]);
  });
});

describe("a collection", () => {
  const readWhole = wholeReader(collectionProperties);
  const read = (properties: unknown) => collectionOf(readWhole(properties));

  it("is enabled and of the standard plan unless it says otherwise", () => {
    expect(read({})).toEqual({ sku: { name: "Standard" }, state: "Enabled" });
    expect(read({ sku: { name: "FREE" }, state: "disabled", quota: {} })).toEqual({
      sku: { name: "Free" },
      state: "Disabled",
    });
  });

  it("may be sent back in the state it was read in", () => {
    const states: [CollectionState | undefined, boolean][] = [
      ["Suspended", true],
      ["Enabled", false],
      [undefined, false],
    ];
    for (const [current, isFine] of states) expect(mayBeAsked("Suspended", current)).toBe(isFine);
  });

  it.each([
    ["Free", { maxJobCount: 5 }, []],
    ["Free", { maxJobCount: 6 }, ["quota.maxJobCount"]],
    ["Standard", { maxJobCount: 0 }, ["quota.maxJobCount"]],
    ["P20Premium", { maxJobCount: 1_000, maxJobOccurrence: 1 }, []],
    ["P20Premium", { maxJobOccurrence: 0 }, ["quota.maxJobOccurrence"]],
    ["Free", { maxRecurrence: { frequency: "Minute", interval: 59 } }, ["quota.maxRecurrence"]],
    ["Free", { maxRecurrence: { frequency: "Minute", interval: 60 } }, []],
    ["Standard", { maxRecurrence: { frequency: "Month", interval: 19 } }, ["quota.maxRecurrence.interval"]],
    ["Standard", { maxRecurrence: { frequency: "Minute", interval: 0 } }, ["quota.maxRecurrence.interval"]],
  ])("in the plan %s: %j", (name, quota, paths) => {
    const problems = problemsIn(() => read({ sku: { name }, quota }));
    expect(problems.map(({ target }) => target)).toEqual(paths.map((path) => `properties.${path}`));
  });
});

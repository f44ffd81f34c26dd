/** The rules of a call's life. */
import { describe, expect, it } from "vitest";
import {
  type CallFacts,
  type CallState,
  canFollow,
  EVENT_TYPES,
  eventRecord,
  isFinal,
  nextStep,
} from "./calls.ts";

function lifeOf(destination: string, durationMs: number): [CallState, number][] {
  const life: [CallState, number][] = [["INITIATED_CALL", 0]];
  let atMs = 0;
  for (let state: CallState = "INITIATED_CALL"; ; ) {
    const step = nextStep(state, { destination, durationMs });
    if (!step) return life;
    expect(canFollow(state, step.event)).toBe(true);
    state = step.event;
    atMs += step.afterMs;
    life.push([state, atMs]);
  }
}

describe("a simulated call", () => {
  it.each([
    ["+12065550142", ["INITIATED_CALL", "RINGING", "ANSWERED", "COMPLETED_CALL"], 1000 + 4000 + 7300],
    ["+12065550120", ["INITIATED_CALL", "BUSY"], 1000],
    ["+12065550121", ["INITIATED_CALL", "RINGING", "NO_ANSWER"], 1000 + 30_000],
    ["+12065550122", ["INITIATED_CALL", "FAILED"], 1000],
  ])("to %s goes through %j", (destination, states, lengthMs) => {
    const life = lifeOf(destination, 7300);
    expect(life.map(([state]) => state)).toEqual(states);
    expect(life.at(-1)?.[1]).toBe(lengthMs);
  });
});

describe("the order of events", () => {
  it("lets nothing follow an end, and an end follow everything else", () => {
    const finals = EVENT_TYPES.filter(isFinal);
    expect(finals).toEqual(["COMPLETED_CALL", "BUSY", "FAILED", "NO_ANSWER"]);
    for (const last of finals) for (const event of EVENT_TYPES) expect(canFollow(last, event)).toBe(false);
    for (const state of ["QUEUED", "INITIATED_CALL", "RINGING", "ANSWERED"] as const)
      expect(canFollow(state, "FAILED")).toBe(true);
  });
  it("never goes back or repeats", () => {
    const order = ["INITIATED_CALL", "RINGING", "ANSWERED"] as const;
    for (const [position, state] of order.entries())
      for (const earlier of order.slice(0, position + 1)) expect(canFollow(state, earlier)).toBe(false);
  });
});

describe("an event", () => {
  const facts: CallFacts = {
    messageId: "m",
    origination: "+12065550100",
    callerId: null,
    destination: "+12065550142",
    country: "US",
    configurationSet: "set",
    requestedAtMs: 1000,
    answeredAtMs: 5000,
  };
  it("tells the call, the time and whether it is the last one", () => {
    expect(eventRecord(facts, { event: "RINGING", atMs: 4000 })).toEqual({
      eventType: "RINGING",
      eventVersion: "1.0",
      eventTimestamp: 4000,
      isFinal: false,
      originationPhoneNumber: "+12065550100",
      destinationPhoneNumber: "+12065550142",
      isoCountryCode: "US",
      messageId: "m",
      messageRequestTimestamp: 1000,
      configurationSetName: "set",
    });
  });
  it("tells how long a completed call was, in begun seconds and minutes", () => {
    expect(eventRecord(facts, { event: "COMPLETED_CALL", atMs: 65_100, reason: "done" })).toMatchObject({
      isFinal: true,
      callDurationInSeconds: 61,
      totalDurationInMinutes: 2,
      messageStatusDescription: "done",
    });
  });
});

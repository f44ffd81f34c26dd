/** What a gateway decides about a call: routes, samples, marks, masks and bodies at their limits. */
import { describe, expect, it } from "vitest";
import { correlate, sampleAt } from "./correlation.ts";
import { decide } from "./diagnostic.ts";
import { BodySample, keptHeaders, keptUrl } from "./masking.ts";
import { findApi, findOperation, segmentsOf, templateSegments } from "./routing.ts";

describe("sampling", () => {
  const CALLS = 10_000;
  const placeOf = (index: number): number => sampleAt(`call-${index}`);
  it.each([0, 0.5, 12.5, 50, 99])("keeps %s of a hundred calls in the long run", (percentage) => {
    const settings = { loggerId: "/loggers/x", sampling: { percentage } };
    let kept = 0;
    for (let index = 0; index < CALLS; index += 1)
      if (decide(settings, { status: 200, at: placeOf(index) }).isLogged) kept += 1;
    // Four times what chance alone makes of it.
    const slack = 4 * Math.sqrt(CALLS * (percentage / 100) * (1 - percentage / 100));
    expect(Math.abs(kept - (CALLS * percentage) / 100)).toBeLessThanOrEqual(slack);
  });
  it("decides alike for the same mark, and a larger sample holds the smaller one", () => {
    for (let index = 0; index < 100; index += 1) {
      expect(placeOf(index)).toBe(placeOf(index));
      const at = placeOf(index);
      const isIn = (percentage: number) =>
        decide({ loggerId: "", sampling: { percentage } }, { status: 200, at }).isLogged;
      if (isIn(20)) expect(isIn(40)).toBe(true);
    }
  });
  it.each([
    [200, "error", undefined, false],
    [404, "error", undefined, true],
    [404, undefined, "allErrors", true],
    [302, "error", "allErrors", false],
    [500, "information", "allErrors", true],
  ] as const)("%s with verbosity %s and %s", (status, verbosity, alwaysLog, isLogged) => {
    const settings = { loggerId: "", ...(verbosity && { verbosity }), ...(alwaysLog && { alwaysLog }) };
    expect(decide(settings, { status, at: 99 }).isLogged).toBe(isLogged);
  });
});

describe("marks", () => {
  const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  it.each([
    ["nothing", undefined],
    ["nonsense", "nonsense"],
    ["a trace of zeros", `00-${"0".repeat(32)}-00f067aa0ba902b7-01`],
    ["a version that there is not", `ff-${TRACE}-00f067aa0ba902b7-01`],
    ["capital letters", `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`],
  ])("begin anew with %s", (_what, traceparent) => {
    const { id, parentId, header } = correlate("W3C", traceparent === undefined ? {} : { traceparent }, "r");
    expect([parentId, id === TRACE]).toEqual([undefined, false]);
    expect(header?.[1]).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-01$`));
  });
  it("keep what the caller said of being recorded", () => {
    const { header } = correlate("W3C", { traceparent: `00-${TRACE}-00f067aa0ba902b7-00` }, "r");
    expect(header?.[1]).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  });
  it("are left alone where nobody asks for them", () => {
    expect(correlate("None", { traceparent: "x", "request-id": "y" }, "own")).toEqual({ id: "own" });
  });
  it("of the older protocol grow at their end, and begin anew when they are absurd", () => {
    expect(correlate("Legacy", { "request-id": "plain" }, "r")).toMatchObject({ id: "plain" });
    expect(correlate("Legacy", { "request-id": "a".repeat(1024) }, "r").parentId).toBe("a".repeat(1024));
    expect(correlate("Legacy", { "request-id": "a".repeat(1025) }, "r").parentId).toBeUndefined();
  });
});

describe("bodies", () => {
  it.each([0, 1, 2, 3, 4, 8191, 8192])("are kept up to %s bytes, however they come", (bytes) => {
    const sample = new BodySample(8192);
    const whole = "ab\u00e9\u4e16".repeat(2000);
    for (const part of Buffer.from(whole)
      .toString("latin1")
      .match(/[\s\S]{1,7}/g) ?? [])
      sample.take(Buffer.from(part, "latin1"));
    const text = sample.text(bytes);
    expect(sample.size).toBe(Buffer.byteLength(whole));
    if (bytes === 0) expect(text).toBeUndefined();
    else {
      expect(whole.startsWith(text ?? "")).toBe(true);
      const length = Buffer.byteLength(text ?? "");
      expect([length <= bytes, length > bytes - 3]).toEqual([true, true]);
    }
  });
});

describe("masks", () => {
  it("cover what is named, in any spelling, and all with a star", () => {
    const raw = ["X-A", "1", "x-a", "2", "X-B", "3"];
    expect(keptHeaders(raw, ["x-A", "x-b", "x-c"], undefined)).toEqual({ "x-A": "1, 2", "x-b": "3" });
    expect(keptHeaders(raw, ["x-a", "x-b"], [{ value: "*" }, { value: "X-B", mode: "Hide" }])).toEqual({
      "x-a": "***",
    });
    expect(keptHeaders(raw, [], undefined)).toBeUndefined();
    expect(keptUrl("/x?a=1&B=2&c", [{ value: "b", mode: "Hide" }, { value: "C" }], "key")).toBe("/x?a=1&c");
    expect(keptUrl("/x?a=1", [{ value: "*", mode: "Hide" }], "key")).toBe("/x");
    expect(keptUrl("/x?%zz=1&key=2", undefined, "key")).toBe("/x?%zz=1&key=***");
  });
});

describe("routes", () => {
  const api = (path: string, ...operations: readonly [string, string][]) => ({
    segments: segmentsOf(path),
    operations: operations.map(([method, template]) => ({
      id: `${method} ${template}`,
      name: template,
      method,
      segments: templateSegments(template),
    })),
  });
  const shop = api(
    "shop",
    ["GET", "/{id}"],
    ["GET", "/newest"],
    ["*", "/files/*"],
    ["GET", "/{id}/parts?x={x}"],
  );
  it.each([
    ["GET", "/shop/newest", "GET /newest"],
    ["GET", "/shop/7", "GET /{id}"],
    ["GET", "/shop/7/parts", "GET /{id}/parts?x={x}"],
    ["DELETE", "/shop/files/a/b", "* /files/*"],
    ["DELETE", "/shop/files", "* /files/*"],
    ["POST", "/shop/7", undefined],
    ["GET", "/shop", undefined],
  ])("%s %s goes to %s", (method, path, wanted) => {
    const found = findApi([shop], segmentsOf(path));
    const operation = found && findOperation(found.api, method, found.rest);
    expect(operation === "any" ? operation : operation?.id).toBe(wanted);
  });
  it("without declared operations everything is taken", () => {
    expect(findOperation(api("x"), "PATCH", ["a"])).toBe("any");
    expect(findApi([api("x")], ["xy"])).toBeUndefined();
  });
});

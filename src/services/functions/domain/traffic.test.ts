/** The rules of traffic. */
import { describe, expect, it } from "vitest";
import {
  checkTraffic,
  findTaggedRevision,
  isAllOnNewest,
  keptRevisions,
  mainRevisionOf,
  REVISIONS_MAX,
  servedRevisionsOf,
  sharesOf,
  splitTagged,
  TAGS_MAX,
  TARGETS_MAX,
  type Traffic,
  taggedSlug,
  trafficAfterDeployment,
} from "./traffic.ts";

const KNOWN = new Set(["f-1", "f-2"]);
const check = (traffic: Traffic) => () => checkTraffic(traffic, KNOWN);

describe("a division of requests", () => {
  it("adds up to 100 among revisions that exist", () => {
    expect(check([{ revision: "f-1", percent: 60 }, { percent: 40 }])).not.toThrow();
    expect(check([{ percent: 99 }])).toThrow("make 99, not 100");
    expect(check([{ revision: "f-3", percent: 100 }])).toThrow("There is no revision f-3");
    expect(check([])).toThrow("make 0");
  });
  it("has a limited number of targets and tags", () => {
    const parts = (count: number, tags: number): Traffic =>
      Array.from({ length: count }, (_, index) => ({
        percent: index === 0 ? 100 : 0,
        ...(index < tags && { tag: `t${index}` }),
      }));
    expect(check(parts(TARGETS_MAX, TAGS_MAX))).not.toThrow();
    expect(check(parts(TARGETS_MAX + 1, 0))).toThrow(`${TARGETS_MAX} targets at the most`);
    expect(check(parts(TARGETS_MAX, TAGS_MAX + 1))).toThrow(`${TAGS_MAX} tags at the most`);
  });
  it.each(["A", "1a", "a-", "a---b", "x".repeat(47), "ä"])("refuses the tag %s", (tag) => {
    expect(check([{ percent: 100, tag }])).toThrow("is not a tag");
  });
  it.each(["a", "a-b", "a--b", "x".repeat(46), "v2"])("takes the tag %s", (tag) => {
    expect(check([{ percent: 100, tag }])).not.toThrow();
  });
  it("uses a tag once", () => {
    const twice = [
      { percent: 100, tag: "a" },
      { revision: "f-1", percent: 0, tag: "a" },
    ];
    expect(check(twice)).toThrow("one revision only");
  });
  it("adds the parts of one revision", () => {
    const one = { revision: "f-2", traffic: [{ revision: "f-2", percent: 30 }, { percent: 70 }] };
    expect([...sharesOf(one)]).toEqual([["f-2", 100]]);
    expect(isAllOnNewest(one)).toBe(true);
  });
  it("knows who gets most, and who can be called", () => {
    const traffic = [
      { revision: "f-1", percent: 60 },
      { percent: 40 },
      { revision: "f-0", percent: 0, tag: "old" },
      { revision: "f-9", percent: 0 },
    ];
    const one = { revision: "f-2", traffic };
    expect([mainRevisionOf(one), isAllOnNewest(one)]).toEqual(["f-1", false]);
    expect([...servedRevisionsOf(one)]).toEqual(["f-1", "f-2", "f-0"]);
    expect([findTaggedRevision(one, "old"), findTaggedRevision(one, "new")]).toEqual(["f-0", undefined]);
    const later = [{ revision: "f-1", percent: 20 }, { percent: 50 }, { revision: "f-0", percent: 30 }];
    expect(mainRevisionOf({ revision: "f-2", traffic: later })).toBe("f-2");
    const equal = [{ revision: "f-1", percent: 50 }, { percent: 50 }];
    expect(mainRevisionOf({ revision: "f-2", traffic: equal })).toBe("f-1");
    expect(mainRevisionOf({ revision: undefined, traffic: undefined })).toBeUndefined();
  });
});

describe("after a deployment", () => {
  const split = [{ revision: "f-1", percent: 50, tag: "old" }, { percent: 50 }];
  it.each<[string, Traffic | undefined, boolean, Traffic | undefined]>([
    ["the newest gets all by default", undefined, true, undefined],
    ["requests stay with the former if asked", undefined, false, [{ revision: "f-1", percent: 100 }]],
    ["a division stays, and its newest part moves on", split, false, split],
    ["a division ends, but tags stay", split, true, [{ percent: 100 }, { ...split[0]!, percent: 0 }]],
    [
      "tags of the newest stay with the requests",
      [{ percent: 100, tag: "now" }],
      false,
      [{ revision: "f-1", percent: 100, tag: "now" }],
    ],
  ])("%s", (_name, traffic, takesAll, after) => {
    expect(trafficAfterDeployment({ revision: "f-1", traffic }, takesAll)).toEqual(after);
  });
  it("the first revision gets all", () => {
    expect(trafficAfterDeployment({ revision: undefined, traffic: undefined }, false)).toBeUndefined();
  });
  it("keeps what is needed and the newest of the others", () => {
    const all = Array.from({ length: 12 }, (_, index) => `f-${12 - index}`);
    const kept = keptRevisions({ revision: "f-12", traffic: [{ revision: "f-1", percent: 100 }] }, all);
    expect(kept).toHaveLength(REVISIONS_MAX);
    expect(kept.slice(0, 3)).toEqual(["f-1", "f-12", "f-11"]);
    expect(kept).not.toContain("f-3");
  });
});

it("addresses contain a tag before the name", () => {
  expect(splitTagged(taggedSlug("next", "a---b-cde"))).toEqual({ tag: "next", slug: "a---b-cde" });
  expect(splitTagged("plain-name")).toBeUndefined();
  expect(splitTagged("---name")).toBeUndefined();
});

/** What texts say about episodes. */
import { describe, expect, it } from "vitest";
import { detectorTextOf, hasGuestInterview, hasSponsor, isExplicit } from "./detectors.ts";

const told = (text: string) => {
  const all = detectorTextOf("A title", text);
  return [hasGuestInterview(all), hasSponsor(all), isExplicit(all)];
};

describe("what a text says", () => {
  it.each([
    ["Nothing of the kind: sponsorship, a guesthouse, with code-named cats", [false, true, false]],
    ["An interview with a beekeeper", [true, false, false]],
    ["INTERVIEWED at last", [true, false, false]],
    ["Im Gespräch mit der Nachbarin, präsentiert von niemandem", [true, true, false]],
    ["Notre invité", [true, false, false]],
    ["guest:", [true, false, false]],
    ["sponsored b", [false, false, false]],
    ["Brought to you by bread. Listener discretion is advised.", [false, true, true]],
    ["g", [false, false, false]],
    ["", [false, false, false]],
  ])("%j", (text, expected) => {
    expect(told(text)).toEqual(expected);
  });
  it("of a title alone", () => {
    expect(hasGuestInterview(detectorTextOf("Black holes with Ann Example", ""))).toBe(true);
    expect(hasGuestInterview(detectorTextOf("Out with the old", ""))).toBe(false);
  });
});

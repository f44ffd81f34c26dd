/** From distances to confidence: falling, half at the threshold, and never mixed between models. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { confidenceOf, distanceBetween, thresholdOf } from "./confidence.ts";
import { descriptorOf, textOf } from "./descriptor.ts";
import { RECOGNITION_MODELS } from "./models.ts";

const descriptor = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 128, maxLength: 128 })
  .map((values) => Float32Array.from(values));

describe("confidence", () => {
  it.each(RECOGNITION_MODELS)("of %s is 0.5 at the threshold, and falls", (model) => {
    expect(confidenceOf(thresholdOf(model), model)).toBeCloseTo(0.5, 10);
    expect(confidenceOf(0, model)).toBeGreaterThan(0.999);
    expect(confidenceOf(1.2, model)).toBeLessThan(0.001);
    const distances = fc.tuple(
      fc.double({ min: 0, max: 1.5, noNaN: true }),
      fc.double({ min: 0.001, max: 0.5, noNaN: true }),
    );
    fc.assert(
      fc.property(distances, ([near, more]) => {
        expect(confidenceOf(near + more, model)).toBeLessThan(confidenceOf(near, model));
      }),
    );
  });
  it("has a threshold of its own for each descriptor version", () => {
    expect(thresholdOf("recognition_01")).not.toBe(thresholdOf("recognition_04"));
  });
});

describe("a descriptor", () => {
  it("keeps its distances as text", () => {
    fc.assert(
      fc.property(descriptor, descriptor, (one, other) => {
        const kept = distanceBetween(descriptorOf(textOf(one)), descriptorOf(textOf(other)));
        expect(Math.abs(kept - distanceBetween(one, other))).toBeLessThan(0.001);
      }),
    );
  });
  it("is as far from another as that is from it, and not from itself", () => {
    fc.assert(
      fc.property(descriptor, descriptor, (one, other) => {
        expect(distanceBetween(one, other)).toBe(distanceBetween(other, one));
        expect(distanceBetween(one, one)).toBe(0);
      }),
    );
  });
});

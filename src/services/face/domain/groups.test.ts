/** Grouping: who belongs together, whatever order the faces are given in. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { groupFaces } from "./groups.ts";

/** Faces as places on a line. */
const distancesOf = (places: readonly number[]): Float32Array[] =>
  places.map((one) => Float32Array.from(places, (other) => Math.abs(one - other)));

const group = (places: readonly number[], limit: number) =>
  groupFaces(distancesOf(places), limit, async () => {});

describe("grouping", () => {
  it("puts near faces together, the largest group first, and leaves out who is alone", async () => {
    const places = [5, 0, 0.1, 9, 9.2, 9.1];
    expect(await group(places, 0.5)).toEqual({
      groups: [
        [3, 4, 5],
        [1, 2],
      ],
      messy: [0],
    });
  });
  it("asks for mutual similarity: a chain of neighbours is not one person", async () => {
    const places = [0, 0.4, 0.8, 1.2, 1.6, 2];
    const { groups } = await group(places, 0.5);
    expect(groups.length).toBeGreaterThan(1);
    for (const group of groups)
      expect(Math.abs((places[group[0]!] ?? 0) - (places[group.at(-1)!] ?? 0))).toBeLessThan(1);
  });
  it("finds nobody alike where all are different", async () => {
    expect(await group([0, 10, 20], 0.5)).toEqual({ groups: [], messy: [0, 1, 2] });
  });
  it("finds the same groups in every order", async () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 0, max: 4000 }), { minLength: 2, maxLength: 24 });
    const shuffled = numbers.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    const peopleIn = async (given: readonly number[]) => {
      // No two pairs are equally far apart.
      const { groups, messy } = await group(
        given.map((number) => Math.sin(number) * 1000),
        50,
      );
      const named = (members: readonly number[]) =>
        members.map((i) => given[i]!).sort((one, other) => one - other);
      return new Set([...groups, ...messy.map((i) => [i])].map((members) => named(members).join()));
    };
    await fc.assert(
      fc.asyncProperty(shuffled, async ([one, other]) => {
        expect(await peopleIn(one)).toEqual(await peopleIn(other));
      }),
    );
  });
  it("holds every face exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 20, noNaN: true }), { maxLength: 40 }),
        async (places) => {
          const { groups, messy } = await group(places, 0.6);
          const all = [...groups.flat(), ...messy].sort((one, other) => one - other);
          expect(all).toEqual(places.map((_, i) => i));
          expect(groups.every(({ length }) => length > 1)).toBe(true);
        },
      ),
    );
  });
  it("lets others have their turn while it groups a thousand faces", async () => {
    const places = Array.from({ length: 1000 }, (_, i) => (i % 50) * 10 + (i % 7) * 0.01);
    let pauses = 0;
    const { groups } = await groupFaces(distancesOf(places), 0.5, async () => {
      pauses += 1;
    });
    expect(groups).toHaveLength(50);
    expect(pauses).toBeGreaterThan(40);
  });
});

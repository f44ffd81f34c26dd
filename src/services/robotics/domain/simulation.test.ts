/** Simulated matches: numbers by chance, and points on stage. */
import { expect, it } from "vitest";
import { randomOf, scoredSide } from "./simulation.ts";

it("gives the same numbers from 0 to 1 for the same seed", () => {
  const drawn = (seed: number) => {
    const random = randomOf(seed);
    return Array.from({ length: 1000 }, () => random());
  };
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
  expect(drawn(7).every((number) => number >= 0 && number < 1)).toBe(true);
  const mean = drawn(7).reduce((sum, number) => sum + number, 0) / 1000;
  expect(mean).toBeGreaterThan(0.4);
  expect(mean).toBeLessThan(0.6);
});

it("gives a point for each robot on a lit stage, and two for harmony", () => {
  const none = { autoAmp: 0, autoSpeaker: 0, amp: 0, speaker: 0, amplified: 0, traps: 0 };
  const side = (...endGame: string[]) => ({
    leaves: [false, false, false],
    endGame,
    counts: none,
    fouls: 0,
    techFouls: 0,
    cooperates: false,
  });
  const lightPoints = (lit: readonly boolean[], ...endGame: string[]) => {
    const draws = lit.map((isLit) => (isLit ? 0 : 0.9));
    const { details } = scoredSide(side(...endGame), side(), false, () => draws.shift() ?? 0.9);
    const {
      endGameSpotLightBonusPoints: light,
      endGameHarmonyPoints: harmony,
      endGameParkPoints: park,
    } = details;
    return [light, harmony, park];
  };
  expect(lightPoints([true, true, true], "StageLeft", "StageLeft", "Parked")).toEqual([2, 2, 1]);
  expect(lightPoints([false, true, true], "StageLeft", "StageLeft", "CenterStage")).toEqual([1, 2, 0]);
  expect(lightPoints([false, false, false], "StageLeft", "CenterStage", "StageRight")).toEqual([0, 0, 0]);
  expect(lightPoints([false, false, true], "StageRight", "None", "Parked")).toEqual([1, 0, 1]);
});

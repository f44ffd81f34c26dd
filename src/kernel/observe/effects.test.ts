/** What is kept of the effects of requests and jobs: the last that fits, and what goes for the next. */
import { expect, it } from "vitest";
import { type Effect, Effects } from "./effects.ts";

const job = (id: string): Effect => ({ kind: "job", id, name: "work" });
const many = (count: number, prefix = "job"): Effect[] =>
  Array.from({ length: count }, (_, index) => job(`${prefix}-${index}`));

it("fifty effects of one cause, also if they are noted one after another", () => {
  const effects = new Effects();
  effects.note("request", many(49));
  effects.note("request", [job("last"), job("beyond")]);
  expect(effects.ofOne("request")).toHaveLength(50);
  expect(effects.ofOne("request").at(-1)?.id).toBe("last");
});

it("identifiers of 512 characters, and the first 512 of a name", () => {
  const effects = new Effects();
  effects.note("request", [{ ...job("i".repeat(512)), name: "n".repeat(513) }, job("i".repeat(513))]);
  expect(effects.ofOne("request").map(({ id, name }) => [id.length, name.length])).toEqual([[512, 512]]);
});

it("five thousand causes: the oldest goes for one more", () => {
  const effects = new Effects();
  for (let cause = 1; cause <= 5000; cause += 1) effects.note(`c${cause}`, [job("one")]);
  expect(effects.ofOne("c1")).toHaveLength(1);
  effects.note("c5001", [job("one")]);
  expect(["c1", "c2", "c5001"].map((cause) => effects.ofOne(cause).length)).toEqual([0, 1, 1]);
});

it("twenty thousand effects in all", () => {
  const effects = new Effects();
  for (let cause = 1; cause <= 400; cause += 1) effects.note(`c${cause}`, many(50));
  expect(effects.ofOne("c1")).toHaveLength(50);
  effects.note("c401", [job("one")]);
  expect(["c1", "c2", "c401"].map((cause) => effects.ofOne(cause).length)).toEqual([0, 50, 1]);
});

it("two hundred are followed from one request to its jobs, and on", () => {
  const effects = new Effects();
  effects.note("request", many(50));
  for (let index = 0; index < 3; index += 1) effects.note(`job-${index}`, many(50, `next-${index}`));
  expect(effects.of("request")).toHaveLength(200);
  effects.note("job-3", [job("beyond")]);
  expect(effects.of("request")).toHaveLength(200);
});

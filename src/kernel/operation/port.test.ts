/** What is made of several offers of one port. */
import { expect, it } from "vitest";
import { allOffers, firstAnswer, sumOfAnswers } from "./port.ts";

type Offer = { find(id: string): Promise<string | undefined>; has(id: string): Promise<boolean> };
const knowing = (...known: string[]): Offer & { readonly asked: string[] } => ({
  asked: [],
  async find(id) {
    this.asked.push(id);
    return known.includes(id) ? `${id} of ${known.length}` : undefined;
  },
  has: async (id) => known.includes(id),
});
const join = firstAnswer<Offer>({ find: undefined, has: false });

it("the first that knows something answers, and nobody after it is asked", async () => {
  const [one, other] = [knowing("a"), knowing("a", "b")];
  const joined = join([one, other]);
  expect([await joined.find("a"), await joined.find("b"), await joined.find("c")]).toEqual([
    "a of 1",
    "b of 2",
    undefined,
  ]);
  expect([await joined.has("b"), await joined.has("c")]).toEqual([true, false]);
  expect(other.asked).toEqual(["b", "c"]);
});
it("where nobody offers anything, the answer is nothing", async () => {
  expect([await join([]).find("a"), await join([]).has("a")]).toEqual([undefined, false]);
});
it("all are asked where answers are added up", async () => {
  type Counter = { count(by: number): Promise<number> };
  const times = (factor: number): Counter => ({ count: async (by) => by * factor });
  const summed = sumOfAnswers<Counter>("count");
  expect([await summed([times(2), times(3)]).count(4), await summed([]).count(4)]).toEqual([20, 0]);
});
it("offers may be handed on as they are", () => {
  expect(allOffers([1, 2])).toEqual([1, 2]);
});

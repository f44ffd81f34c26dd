/** Memory that is shared: what fits runs at once, one byte more waits, and nobody is overtaken. */
import { expect, it } from "vitest";
import { MemoryBudget } from "./memory-budget.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));
function staged(bytesMax: number) {
  const memory = new MemoryBudget(bytesMax);
  const running = new Map<string, (error?: Error) => void>();
  const ask = (name: string, bytes: number) =>
    memory.run(
      bytes,
      () =>
        new Promise<string>((resolve, reject) => {
          running.set(name, (error) => (error ? reject(error) : resolve(name)));
        }),
    );
  const end = async (name: string, error?: Error) => {
    running.get(name)?.(error);
    running.delete(name);
    await settle();
  };
  return { memory, ask, end, names: () => [...running.keys()] };
}

it("what fits runs at once, and one byte more waits", async () => {
  const { memory, ask, end, names } = staged(100);
  const asked = [ask("a", 60), ask("b", 40), ask("c", 1)];
  await settle();
  expect([names(), memory.held]).toEqual([["a", "b"], 100]);
  await end("b");
  expect([names(), memory.held]).toEqual([["a", "c"], 61]);
  await end("a");
  await end("c");
  expect([await Promise.all(asked), memory.held]).toEqual([["a", "b", "c"], 0]);
});
it("small ones do not overtake a large one that waits", async () => {
  const { ask, end, names } = staged(100);
  const asked = [ask("a", 60), ask("large", 100), ask("small", 1)];
  await settle();
  expect(names()).toEqual(["a"]);
  await end("a");
  expect(names()).toEqual(["large"]);
  await end("large");
  expect(names()).toEqual(["small"]);
  await end("small");
  await Promise.all(asked);
});
it("what needs more than there is runs alone, and what fails gives its memory back", async () => {
  const { memory, ask, end, names } = staged(100);
  const huge = ask("huge", 1000).catch((error: Error) => error.message);
  const next = ask("next", 100);
  await settle();
  expect([names(), memory.held]).toEqual([["huge"], 100]);
  await end("huge", new Error("broken"));
  expect([await huge, names()]).toEqual(["broken", ["next"]]);
  await end("next");
  expect([await next, memory.held]).toEqual(["next", 0]);
});

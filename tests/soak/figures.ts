/** What was seen, what is allowed, and whether it was kept. */
import type { Report } from "./nodes.ts";

const MEGABYTE = 1024 * 1024;
const TURN_MS_MAX = 100;
const RECOVERY_MS_MAX = 5000;
/** Of what is left after collecting, from the second to the last third of the run; caches have filled before. */
const HEAP_GROWTH_BYTES_MAX = 30 * MEGABYTE;
const RESIDENT_GROWTH_BYTES_MAX = 120 * MEGABYTE;

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
/** Between the middles of two thirds, so that single values do not matter. */
function growthOf(values: readonly number[]): number {
  const third = Math.floor(values.length / 3);
  return middleOf(values.slice(-third || undefined)) - middleOf(values.slice(third, 2 * third));
}

export class Figures {
  readonly recoveriesMs: number[] = [];
  readonly turnsMs: number[] = [];
  /** Of the node that lives through it all. */
  readonly #heapBytes: number[] = [];
  readonly #residentBytes: number[] = [];
  readonly #lines: { name: string; value: string; isGood: boolean }[] = [];

  noteMemory({ heapBytes, rssBytes }: Report): void {
    this.#heapBytes.push(heapBytes);
    this.#residentBytes.push(rssBytes);
  }
  line(name: string, value: number | string, isGood = true): void {
    this.#lines.push({ name, value: String(value), isGood });
  }
  /** Prints all of it; true where everything was kept. */
  conclude(): boolean {
    const longestMs = Math.max(0, ...this.turnsMs);
    this.line("longest turn of a main thread", `${longestMs.toFixed(0)} ms`, longestMs <= TURN_MS_MAX);
    const slowestMs = Math.max(0, ...this.recoveriesMs);
    const recoveries = `${middleOf(this.recoveriesMs).toFixed(0)} ms, at most ${slowestMs.toFixed(0)} ms`;
    this.line("acknowledged again after a promotion", recoveries, slowestMs <= RECOVERY_MS_MAX);
    this.#memoryLine("heap", this.#heapBytes, HEAP_GROWTH_BYTES_MAX);
    this.#memoryLine("resident memory", this.#residentBytes, RESIDENT_GROWTH_BYTES_MAX);
    for (const { name, value, isGood } of this.#lines)
      console.log(`${isGood ? "      " : "RED   "}${name.padEnd(44)} ${value}`);
    return this.#lines.every(({ isGood }) => isGood);
  }
  #memoryLine(name: string, values: readonly number[], growthMax: number): void {
    const growth = growthOf(values);
    const said = `${(middleOf(values) / MEGABYTE).toFixed(0)} MB, grew by ${(growth / MEGABYTE).toFixed(1)} MB`;
    this.line(name, said, growth <= growthMax);
  }
}

/** What work costs, whatever else the machine is doing: a test may limit this, never the time that goes by. */
import { existsSync, readFileSync } from "node:fs";

export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
/** The same for work that waits; other work of this process counts as well. */
export async function processorMsWhile(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
const MAIN_THREAD = `/proc/self/task/${process.pid}/schedstat`;
/** The main thread's part of all that this process does meanwhile, from 0 to 1. Undefined where the system does not tell. */
export async function mainThreadShareOf(work: () => Promise<void>): Promise<number | undefined> {
  if (!existsSync(MAIN_THREAD)) return undefined;
  const mainMs = (): number => Number(readFileSync(MAIN_THREAD, "utf8").split(" ")[0]) / 1e6;
  const beforeMs = mainMs();
  const allMs = await processorMsWhile(work);
  return (mainMs() - beforeMs) / allMs;
}

const YARDSTICK_ITEMS = 20_000;
/** What the yardstick takes on the machine that limits are meant for. */
const YARDSTICK_MS = 20;
const WARM_UPS = 5;
/** Sorts, looks up and joins, as most work does. */
function yardstick(): void {
  const items = Array.from({ length: YARDSTICK_ITEMS }, (_, index) => ({
    key: `k${(index * 7919) % YARDSTICK_ITEMS}`,
    index,
  }));
  const byKey = new Map(items.map((item) => [item.key, item]));
  items.sort((a, b) => (a.key < b.key ? -1 : 1));
  for (let index = 0; index < YARDSTICK_ITEMS; index += 1) byKey.get(`k${index}`)!.index += index;
}
/** What the work would take on a usual machine: measured beside a fixed piece of work, since machines and their hours differ. */
export function usualMs(work: () => void): number {
  for (let time = 0; time < WARM_UPS; time += 1) yardstick();
  const before = processorMs(yardstick);
  const took = processorMs(work);
  const after = processorMs(yardstick);
  return (took * 2 * YARDSTICK_MS) / (before + after);
}

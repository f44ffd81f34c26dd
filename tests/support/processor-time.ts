/** What work costs, whatever else the machine is doing: a test may limit this, never the time that goes by. */
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

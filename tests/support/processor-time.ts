/** What work costs, whatever else the machine is doing: a test may limit this, never the time that goes by. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

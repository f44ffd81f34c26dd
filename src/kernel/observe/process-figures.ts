/** The metrics that dashboards expect of every Node process, under their usual names. */
import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Of the process, for all instances, because it has one event loop. Measured from the first call on. */
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

/** Delays since the last call. */
export function processLines(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const openFiles = countOpenFiles();
  const lines = [
    ...lineOf("counter", "process_cpu_user_seconds_total", user / MICROSECONDS),
    ...lineOf("counter", "process_cpu_system_seconds_total", system / MICROSECONDS),
    ...lineOf("counter", "process_cpu_seconds_total", (user + system) / MICROSECONDS),
    ...lineOf("gauge", "process_start_time_seconds", Math.round(performance.timeOrigin / 1000)),
    ...lineOf("gauge", "process_resident_memory_bytes", rss),
    ...(openFiles === undefined ? [] : lineOf("gauge", "process_open_fds", openFiles)),
    ...lineOf("gauge", "nodejs_heap_size_total_bytes", heapTotal),
    ...lineOf("gauge", "nodejs_heap_size_used_bytes", heapUsed),
    ...lineOf("gauge", "nodejs_external_memory_bytes", external),
    ...lineOf("gauge", "nodejs_active_resources_total", process.getActiveResourcesInfo().length),
    ...lineOf("gauge", "nodejs_eventloop_lag_mean_seconds", seconds(delays.mean)),
    ...lineOf("gauge", "nodejs_eventloop_lag_p99_seconds", seconds(delays.percentile(99))),
    ...lineOf("gauge", "nodejs_eventloop_lag_max_seconds", seconds(delays.max)),
  ];
  delays.enable();
  delays.reset();
  return lines;
}
const lineOf = (kind: "counter" | "gauge", name: string, value: number): string[] => [
  `# TYPE ${name} ${kind}`,
  `${name} ${value}`,
];
/** There is no delay before the first one was measured. */
const seconds = (nanoseconds: number): number =>
  delays.count === 0 || Number.isNaN(nanoseconds) ? 0 : nanoseconds / NANOSECONDS;

/** If the system offers it. */
function countOpenFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

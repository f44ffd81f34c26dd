/** Counters for Prometheus: requests, durations, jobs. Labels come from declarations, so their number is bounded. */
import { processLines } from "./process-figures.ts";

const BOUNDS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

type Series = { count: number; sum: number; buckets: number[] };

export class Metrics {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #durations = new Map<string, Series>();
  readonly #jobs = new Map<string, number>();

  request(operation: string, status: number, seconds: number): void {
    const byStatus = this.#requests.get(operation) ?? new Map<number, number>();
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    this.#requests.set(operation, byStatus);
    const series = this.#durations.get(operation) ?? {
      count: 0,
      sum: 0,
      buckets: BOUNDS_SECONDS.map(() => 0),
    };
    series.count += 1;
    series.sum += seconds;
    for (let i = 0; i < BOUNDS_SECONDS.length; i += 1) {
      if (seconds <= (BOUNDS_SECONDS[i] ?? 0)) series.buckets[i] = (series.buckets[i] ?? 0) + 1;
    }
    this.#durations.set(operation, series);
  }
  job(name: string, outcome: "done" | "retried" | "failed"): void {
    const key = `${name}",outcome="${outcome}`;
    this.#jobs.set(key, (this.#jobs.get(key) ?? 0) + 1);
  }
  /** `help` says more about a gauge. */
  text(gauges: Readonly<Record<string, number>>, help: Readonly<Record<string, string>> = {}): string {
    const lines = ["# TYPE medley_requests_total counter"];
    for (const [operation, byStatus] of this.#requests) {
      for (const [status, count] of byStatus)
        lines.push(`medley_requests_total{operation="${operation}",status="${status}"} ${count}`);
    }
    lines.push("# TYPE medley_request_seconds histogram");
    for (const [operation, series] of this.#durations) lines.push(...histogramLines(operation, series));
    lines.push("# TYPE medley_jobs_total counter");
    for (const [key, count] of this.#jobs) lines.push(`medley_jobs_total{job="${key}"} ${count}`);
    for (const [name, value] of Object.entries(gauges)) {
      if (help[name] !== undefined) lines.push(`# HELP ${name} ${help[name].replaceAll(/\s+/g, " ")}`);
      lines.push(`# TYPE ${name} gauge`, `${name} ${value}`);
    }
    lines.push(...processLines());
    return `${lines.join("\n")}\n`;
  }
}

function histogramLines(operation: string, { count, sum, buckets }: Series): string[] {
  const name = "medley_request_seconds";
  return [
    ...buckets.map(
      (value, i) => `${name}_bucket{operation="${operation}",le="${BOUNDS_SECONDS[i]}"} ${value}`,
    ),
    `${name}_bucket{operation="${operation}",le="+Inf"} ${count}`,
    `${name}_sum{operation="${operation}"} ${sum}`,
    `${name}_count{operation="${operation}"} ${count}`,
  ];
}

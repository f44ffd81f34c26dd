/** Metrics of the last hour, by minute. */
import { Type } from "@sinclair/typebox";
import { isoOf } from "#kernel/clock";
import { MINUTES_KEPT, type ShownMinute } from "#kernel/observe";
import { operationsFor } from "#kernel/operation";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { ADMIN_PERMISSION } from "../protocol.ts";

const operation = operationsFor<KernelTables>();
const series = (description: string, example: number) =>
  Type.Array(Type.Union([Type.Number(), Type.Null()]), { description, examples: [[example]] });
const gauge = (description: string, example: number) =>
  Type.Union([Type.Number(), Type.Null()], { description, examples: [example] });
const ServiceSeries = Type.Object({
  requests: Type.Array(Type.Integer(), { description: "How many requests came.", examples: [[12]] }),
  errors: Type.Array(Type.Integer(), {
    description: "How many of them the server failed (status 500 and above).",
    examples: [[0]],
  }),
  p50Ms: series("How many milliseconds half of them took at most.", 1.2),
  p95Ms: series("Likewise of 95 in a hundred.", 3.1),
  p99Ms: series("Likewise of 99 in a hundred.", 8.4),
});
const ProcessSeries = Type.Object(
  {
    eventLoopDelayMs: series("By how many milliseconds the process came late to its work, on average.", 0.4),
    residentBytes: series("Memory.", 120_000_000),
    heapBytes: series("Of which JavaScript's own.", 60_000_000),
    databaseBytes: series("What the database takes.", 4_194_304),
    jobsWaiting: series("How much work waits.", 3),
  },
  { description: "Of the process, taken every minute since it started." },
);
const Now = Type.Object(
  {
    eventLoopDelayMs: gauge("By how many milliseconds the process came late to its work, on average.", 0.4),
    residentBytes: gauge("Memory.", 120_000_000),
    heapBytes: gauge("Of which JavaScript's own.", 60_000_000),
    databaseBytes: gauge("What the database takes.", 4_194_304),
    jobsWaiting: gauge("How much work waits.", 3),
  },
  { description: "Of the process, at this moment." },
);

function seriesOf(minutes: readonly ShownMinute[], name: string) {
  const all = minutes.map(({ services }) => services[name]);
  return {
    requests: all.map((one) => one?.requests ?? 0),
    errors: all.map((one) => one?.errors ?? 0),
    p50Ms: all.map((one) => one?.p50Ms ?? null),
    p95Ms: all.map((one) => one?.p95Ms ?? null),
    p99Ms: all.map((one) => one?.p99Ms ?? null),
  };
}
type Gauge = keyof NonNullable<ShownMinute["gauges"]>;

export const figureOperations = (kernel: Kernel) => [
  operation({
    id: "medley.figures",
    summary: "Returns requests, errors and latency of the last hour",
    description:
      "By service and minute, with memory and event-loop delay. Of this node only, kept in memory.",
    method: "GET",
    path: "/figures",
    permission: ADMIN_PERMISSION,
    query: Type.Object({
      minutes: Type.Integer({
        minimum: 1,
        maximum: MINUTES_KEPT,
        default: MINUTES_KEPT,
        description: "How many minutes back.",
      }),
    }),
    answers: {
      200: Type.Object({
        minutes: Type.Array(Type.String(), {
          description: "When each minute began, on the machine's clock, the oldest first.",
          examples: [["2026-01-01T00:00:00.000Z"]],
        }),
        services: Type.Record(Type.String(), ServiceSeries, {
          description: "Of each service that was asked something, a value for each minute.",
          examples: [{ voice: { requests: [12], errors: [0], p50Ms: [1.2], p95Ms: [3.1], p99Ms: [8.4] } }],
        }),
        process: ProcessSeries,
        now: Now,
      }),
    },
    async handle({ query }) {
      const now = await kernel.minutes.take();
      const minutes = kernel.minutes.list(query.minutes);
      const names = [...new Set(minutes.flatMap(({ services }) => Object.keys(services)))].sort();
      const gauges = (name: Gauge) => minutes.map((minute) => minute.gauges?.[name] ?? null);
      return {
        minutes: minutes.map(({ atMs }) => isoOf(atMs)),
        services: Object.fromEntries(names.map((name) => [name, seriesOf(minutes, name)])),
        process: {
          eventLoopDelayMs: gauges("eventLoopDelayMs"),
          residentBytes: gauges("residentBytes"),
          heapBytes: gauges("heapBytes"),
          databaseBytes: gauges("databaseBytes"),
          jobsWaiting: gauges("jobsWaiting"),
        },
        now,
      };
    },
  }),
];

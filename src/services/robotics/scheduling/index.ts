/** Generates qualification schedules in worker threads. */
import { createWorkerPool, type WorkerPool, workerFile } from "#kernel/workers";
import type { GeneratedSchedule, ScheduleRequest } from "./generator.ts";

export type { GeneratedSchedule, ScheduledTeam, ScheduleRequest } from "./generator.ts";

/** Larger schedules take too long or have no solution. */
export const SCHEDULE_LIMITS = {
  teamsMax: 200,
  matchesPerTeamMax: 30,
  matchesMax: 600,
  effortMax: 10,
} as const;

const THREADS_MAX = 2;
const WAITING_MAX = 20;
const TIMEOUT_MS = 120_000;

export type Scheduling = WorkerPool<ScheduleRequest, GeneratedSchedule>;

export const createScheduling = (): Scheduling =>
  createWorkerPool({
    file: workerFile(import.meta.url, "services/robotics/scheduling/worker.js"),
    name: "generateSchedule",
    timeoutMs: TIMEOUT_MS,
    threadsMax: THREADS_MAX,
    waitingMax: WAITING_MAX,
  });

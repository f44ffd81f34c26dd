/** Main-thread side: a fair queue by caller, and worker threads with limits. */
import { availableParallelism } from "node:os";
import { kernelErrors } from "#kernel/operation";
import {
  createWorkerPool,
  FairQueue,
  meteredMs,
  newThreadMeter,
  type ThreadMeter,
  WorkerError,
  workerFile,
} from "#kernel/workers";
import { errors } from "../errors.ts";
import type {
  Emulated,
  EmulationTask,
  Refused,
  RulesApplied,
  RulesTask,
  StringsFound,
  StringsTask,
} from "./tasks.ts";

export { type KeptReport, readContent, readReport } from "./kept.ts";
export type { AppliedRules, Emulated } from "./tasks.ts";

/**
 * Limit of processor time, which does not depend on the machine's load. The instruction limit is usually
 * reached first.
 */
const EMULATION_SECONDS_MAX = 280;
export const SCAN_SECONDS_MAX = 30;
const spentMs = ({ meter }: { readonly meter: ThreadMeter }, elapsedMs: number): number =>
  meteredMs(meter, elapsedMs);
/** The heap and the emulated or scanned memory together stay below 512 MB. */
const HEAP_MB_MAX = 192;
/** One core stays free for requests. */
const THREADS_MAX = Math.min(4, Math.max(1, availableParallelism() - 1));
const IDLE_MS = 60_000;
const WAITING_PER_CALLER_MAX = 8;
const WAITING_MAX = 32;
const RETRY_AFTER_SECONDS = 5;
const RETRY_AFTER_SLOW_SECONDS = 60;

/** Authenticated callers take precedence over anonymous ones. */
export type Asker = { readonly name: string; readonly isKnown: boolean };
export type Laboratory = {
  /**
   * `key`: concurrent requests for the same executable share one emulation. Throws an error for a broken
   * file.
   */
  emulate(asker: Asker, key: string, content: Uint8Array): Promise<Emulated>;
  findStrings(asker: Asker, task: Omit<StringsTask, "kind" | "meter">): Promise<StringsFound>;
  /** Undefined after a timeout or out of memory. */
  applyRules(asker: Asker, task: Omit<RulesTask, "kind" | "meter">): Promise<RulesApplied | undefined>;
  close(): Promise<void>;
};

const busy = () =>
  kernelErrors.unavailable("Too many executables are waiting to be looked at; try again.", {
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
const tooSlow = () =>
  kernelErrors.unavailable("The machine is too busy to emulate the file; try again.", {
    headers: { "retry-after": String(RETRY_AFTER_SLOW_SECONDS) },
  });
function accepted<T extends object>(result: T | Refused | undefined): T {
  if (result === undefined) throw busy();
  if ("problem" in result) throw errors.brokenFile(result.problem);
  return result;
}
const isOutOfMemory = (error: WorkerError): boolean =>
  (error.cause as NodeJS.ErrnoException | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
/** The task exceeded its limit, or crashed its thread. */
const isItsOwnFault = (error: unknown): error is WorkerError =>
  error instanceof WorkerError && (error.reason === "timedOut" || error.reason === "failed");

export type LaboratoryOptions = {
  readonly emulationSecondsMax?: number;
  readonly scanSecondsMax?: number;
  readonly threadsMax?: number;
  /** Called when a thread fails for a reason other than its limits, which is a defect. */
  readonly noteDefect?: (message: string) => void;
};

/** Threads start with the first executable. */
export function createLaboratory({
  emulationSecondsMax = EMULATION_SECONDS_MAX,
  scanSecondsMax = SCAN_SECONDS_MAX,
  threadsMax = THREADS_MAX,
  noteDefect = () => {},
}: LaboratoryOptions = {}): Laboratory {
  const shared = { name: "run", threadsMax, idleMs: IDLE_MS, heapMbMax: HEAP_MB_MAX };
  const emulation = createWorkerPool<EmulationTask, Emulated | Refused>({
    ...shared,
    file: workerFile(import.meta.url, "services/unpack/workers/emulation-worker.js"),
    timeoutMs: emulationSecondsMax * 1000,
    spentMs,
  });
  const scanning = createWorkerPool<StringsTask | RulesTask, StringsFound | RulesApplied | Refused>({
    ...shared,
    file: workerFile(import.meta.url, "services/unpack/workers/scan-worker.js"),
    timeoutMs: scanSecondsMax * 1000,
    spentMs,
  });
  const limits = {
    placesMax: threadsMax,
    waitingPerCallerMax: WAITING_PER_CALLER_MAX,
    waitingMax: WAITING_MAX,
  };
  const emulationQueue = new FairQueue(limits);
  const scanQueue = new FairQueue(limits);
  const underWay = new Map<string, Promise<Emulated>>();
  const emulateNow = async (asker: Asker, content: Uint8Array): Promise<Emulated> => {
    const work = () =>
      emulation.run({ content, meter: newThreadMeter() }).catch((error: unknown): Refused => {
        if (!isItsOwnFault(error)) throw error;
        if (error.reason === "timedOut") throw tooSlow();
        if (isOutOfMemory(error))
          return { problem: "The file could not be emulated within the limit on memory." };
        noteDefect(error.message);
        return { problem: "The file could not be emulated: it does what the emulator is not prepared for." };
      });
    return accepted(await emulationQueue.run(asker.name, work, asker.isKnown));
  };
  return {
    emulate(asker, key, content) {
      // Anonymous callers may join an emulation of an authenticated caller. The reverse would put it into
      // the slower queue.
      const own = `${asker.isKnown} ${key}`;
      const before = underWay.get(`true ${key}`) ?? underWay.get(own);
      if (before) return before;
      const emulating = emulateNow(asker, content).finally(() => underWay.delete(own));
      underWay.set(own, emulating);
      return emulating;
    },
    async findStrings({ name, isKnown }, task) {
      const work = () =>
        scanning.run({ kind: "strings", meter: newThreadMeter(), ...task }).catch((error: unknown) => {
          throw error instanceof WorkerError && error.reason === "timedOut" ? tooSlow() : error;
        });
      const found = await scanQueue.run(name, work, isKnown);
      return accepted(found) as StringsFound;
    },
    async applyRules({ name, isKnown }, task) {
      const work = () =>
        scanning.run({ kind: "rules", meter: newThreadMeter(), ...task }).catch((error: unknown) => {
          if (!isItsOwnFault(error)) throw error;
          return "ended" as const;
        });
      const applied = await scanQueue.run(name, work, isKnown);
      return applied === "ended" ? undefined : (accepted(applied) as RulesApplied);
    },
    async close() {
      await Promise.all([emulation.close(), scanning.close()]);
    },
  };
}

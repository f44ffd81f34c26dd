/** In-memory state of a running instance, mainly cached answers. */
import { type Context, ImportsUnderWay } from "#kernel/operation";
import { KeptPages, Watchers } from "./live/index.ts";
import { createScheduling, type Scheduling } from "./scheduling/index.ts";
import { PageReadings, StandingsCache } from "./standings-cache.ts";
import type { Tables } from "./tables.ts";

/** Size limit of cached answers of all accounts. */
const ANSWERS_BYTES_MAX = 64 * 1024 * 1024;

export type FinishedAnswer = {
  /** Second of the last change of its content. */
  readonly second: number;
  readonly bytes: Buffer;
  readonly isEmpty: boolean;
  /** Cached after its second has passed. */
  headers?: Readonly<Record<string, string>>;
};

/** LRU cache. */
export class AnswerCache {
  readonly #answers = new Map<string, FinishedAnswer>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax = ANSWERS_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }
  /** Undefined if there is no answer of this version. */
  find(key: string, second: number): FinishedAnswer | undefined {
    const kept = this.#answers.get(key);
    if (!kept || kept.second !== second) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, kept);
    return kept;
  }
  keep(key: string, answer: FinishedAnswer): void {
    this.#drop(key);
    if (answer.bytes.length > this.#bytesMax) return;
    this.#answers.set(key, answer);
    this.#bytes += answer.bytes.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }
  #drop(key: string): void {
    this.#bytes -= this.#answers.get(key)?.bytes.length ?? 0;
    this.#answers.delete(key);
  }
  clear(): void {
    this.#answers.clear();
    this.#bytes = 0;
  }
}

export type State = {
  readonly answers: AnswerCache;
  readonly standings: StandingsCache;
  readonly readings: PageReadings;
  readonly pages: KeptPages;
  readonly watchers: Watchers;
  readonly scheduling: Scheduling;
  readonly imports: ImportsUnderWay;
};
export type RoboticsContext = Context<Tables, State>;

export const start = (): State => ({
  answers: new AnswerCache(),
  standings: new StandingsCache(),
  readings: new PageReadings(),
  pages: new KeptPages(),
  watchers: new Watchers(),
  scheduling: createScheduling(),
  imports: new ImportsUnderWay(),
});
export function forget({ answers, standings, readings, pages }: State): void {
  answers.clear();
  standings.clear();
  readings.clear();
  pages.clear();
}
/** Disconnects the watchers of events, and cancels schedules that are being generated. */
export async function stop({ watchers, scheduling }: State): Promise<void> {
  watchers.close();
  await scheduling.close();
}

/** The list of requests as they come: what was there, what is added, and whether it stands still. */
import { useEffect, useRef, useState } from "preact/hooks";
import { call, openEvents, Problem } from "../../api.ts";
import type { Answers } from "../../generated/operations.ts";

/** What the list tells of a request when bodies are left out. */
export type RequestSummary = Pick<
  Answers["medley.requests.get"],
  "id" | "at" | "method" | "url" | "status" | "durationMs" | "operation"
>;
export const summariesOf = ({ requests }: Answers["medley.requests.list"]) =>
  requests as readonly Record<string, unknown>[] as readonly RequestSummary[];
export type RequestFilter = {
  readonly service?: string;
  readonly operation?: string;
  readonly account?: string;
  readonly status?: string;
  readonly text?: string;
  readonly console?: boolean;
};
export type Live = {
  readonly requests: readonly RequestSummary[] | undefined;
  readonly problem: Problem | undefined;
  /** How many came while the list stood still. */
  readonly held: number;
};

export const SHOWN_MAX = 500;
const AGAIN_MS = 2000;

/** Many may come in one moment: they are shown together, when the browser draws next. */
class Arrivals {
  #held: RequestSummary[] = [];
  #timer: number | undefined;
  readonly #show: (arrived: readonly RequestSummary[]) => void;
  constructor(show: (arrived: readonly RequestSummary[]) => void) {
    this.#show = show;
  }
  add(request: RequestSummary): void {
    this.#held.unshift(request);
    this.#timer ??= requestAnimationFrame(() => {
      this.#timer = undefined;
      const arrived = this.#held;
      this.#held = [];
      this.#show(arrived);
    });
  }
  stop(): void {
    if (this.#timer !== undefined) cancelAnimationFrame(this.#timer);
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function follow(
  query: RequestFilter,
  signal: AbortSignal,
  tell: {
    start(requests: readonly RequestSummary[]): void;
    add(request: RequestSummary): void;
    fail(problem: Problem): void;
  },
): Promise<void> {
  while (!signal.aborted)
    try {
      const events = await openEvents(
        "medley.requests.stream",
        { query: { ...query, bodies: false } },
        signal,
      );
      const first = { query: { ...query, bodies: false, limit: SHOWN_MAX } };
      tell.start(summariesOf(await call("medley.requests.list", first, { signal })));
      for await (const event of events) tell.add(event as RequestSummary);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem) tell.fail(error);
      if (error instanceof Problem && error.status === 401) return;
      await sleep(AGAIN_MS);
    }
}

export function useLiveRequests(filter: RequestFilter, isPaused: boolean): Live {
  const [state, setState] = useState<Live>({ requests: undefined, problem: undefined, held: 0 });
  const waiting = useRef<RequestSummary[]>([]);
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const question = JSON.stringify(filter);
  // The question stands for the filter.
  useEffect(() => {
    const stopped = new AbortController();
    waiting.current = [];
    const show = (arrived: readonly RequestSummary[]) => {
      if (paused.current) {
        waiting.current = [...arrived, ...waiting.current].slice(0, SHOWN_MAX);
        setState((before) => ({ ...before, held: waiting.current.length }));
        return;
      }
      setState(({ requests = [] }) => {
        const known = new Set(arrived.map(({ id }) => id));
        const older = requests.filter(({ id }) => !known.has(id));
        return { requests: [...arrived, ...older].slice(0, SHOWN_MAX), problem: undefined, held: 0 };
      });
    };
    const arrivals = new Arrivals(show);
    void follow(filter, stopped.signal, {
      start: (requests) => setState({ requests, problem: undefined, held: 0 }),
      add: (request) => arrivals.add(request),
      fail: (problem) => setState((before) => ({ ...before, problem })),
    });
    return () => {
      stopped.abort();
      arrivals.stop();
    };
  }, [question]);
  useEffect(() => {
    if (isPaused || waiting.current.length === 0) return;
    const arrived = waiting.current;
    waiting.current = [];
    setState(({ requests = [], problem }) => ({
      requests: [...arrived, ...requests].slice(0, SHOWN_MAX),
      problem,
      held: 0,
    }));
  }, [isPaused]);
  return state;
}

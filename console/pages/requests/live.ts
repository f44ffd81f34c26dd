/** The list of requests as they come: what was there, what is added, and whether it stands still. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { openEvents, Problem } from "../../api.ts";
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
        { query: { ...query, bodies: false, latest: SHOWN_MAX } },
        signal,
      );
      for await (const event of events)
        if (Array.isArray(event)) tell.start(event);
        else tell.add(event as RequestSummary);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem) tell.fail(error);
      if (error instanceof Problem && error.status === 401) return;
      await sleep(AGAIN_MS);
    }
}

/** Each once, the newest first, as many as are shown. */
function joined(
  newer: readonly RequestSummary[],
  older: readonly RequestSummary[],
): readonly RequestSummary[] {
  const known = new Set(newer.map(({ id }) => id));
  return [...newer, ...older.filter(({ id }) => !known.has(id))].slice(0, SHOWN_MAX);
}

export function useLiveRequests(filter: RequestFilter, isPaused: boolean): Live {
  const [state, setState] = useState<Live>({ requests: undefined, problem: undefined, held: 0 });
  const waiting = useRef<readonly RequestSummary[]>([]);
  const shown = useRef<readonly RequestSummary[] | undefined>(undefined);
  shown.current = state.requests;
  const paused = useRef(isPaused);
  paused.current = isPaused;
  const question = JSON.stringify(filter);
  // The question stands for the filter. Nothing is drawn before the server is asked.
  useLayoutEffect(() => {
    const stopped = new AbortController();
    let isBegun = false;
    waiting.current = [];
    const show = (arrived: readonly RequestSummary[]) => {
      if (paused.current) {
        waiting.current = joined(arrived, waiting.current);
        setState((before) => ({ ...before, held: waiting.current.length }));
        return;
      }
      setState(({ requests = [] }) => ({ requests: joined(arrived, requests), problem: undefined, held: 0 }));
    };
    const arrivals = new Arrivals(show);
    void follow(filter, stopped.signal, {
      start: (requests) => {
        // A list that stands still does so as well when the server was away meanwhile.
        if (isBegun && paused.current) {
          const known = new Set(shown.current?.map(({ id }) => id));
          setState((before) => ({ ...before, problem: undefined }));
          show(requests.filter(({ id }) => !known.has(id)));
        } else setState({ requests, problem: undefined, held: 0 });
        isBegun = true;
      },
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
    setState(({ requests = [], problem }) => ({ requests: joined(arrived, requests), problem, held: 0 }));
  }, [isPaused]);
  return state;
}

/** A list that is asked for page by page: what was loaded stays until there is something newer, more is added at its end. */
import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, type Problem } from "../api.ts";
import type { Answers, Inputs, OperationId } from "../generated/operations.ts";
import { asProblem, isAbsent, useEvery, useReturn } from "../loading.ts";

export type Paged<T> = {
  readonly rows: readonly T[] | undefined;
  /** Whether the rows answer an earlier question. */
  readonly isOld: boolean;
  readonly problem: Problem | undefined;
  readonly more: (() => void) | undefined;
  readonly reload: () => void;
};

const ASKED_EVERY_MS = 2000;

/** `rowsOf` picks the list out of an answer; the query says everything but where the page begins. */
export function usePages<Id extends OperationId, T>(
  id: Id,
  query: Readonly<Record<string, unknown>>,
  rowsOf: (answer: Answers[Id]) => readonly T[],
): Paged<T> {
  const question = JSON.stringify([id, query]);
  const [state, setState] = useState<{
    question: string;
    rows?: readonly T[];
    problem?: Problem;
    next?: string;
  }>({
    question,
  });
  const [turn, setTurn] = useState(0);
  const underWay = useRef<number | undefined>(undefined);
  const load = async (nextToken: string | undefined, before: readonly T[], signal: AbortSignal) => {
    try {
      const input = { query: { ...query, ...(nextToken !== undefined && { nextToken }) } } as Inputs[Id];
      const answer = await call(id, input, { signal });
      const { nextToken: next } = answer as { nextToken?: string };
      underWay.current = undefined;
      setState({ question, rows: [...before, ...rowsOf(answer)], ...(next !== undefined && { next }) });
    } catch (error) {
      if (signal.aborted) return;
      underWay.current = undefined;
      setState((known) => ({ ...known, question, problem: asProblem(error) }));
    }
  };
  // The question stands for everything that is asked. Nothing is drawn before the server is asked.
  useLayoutEffect(() => {
    const stopped = new AbortController();
    underWay.current = Date.now();
    void load(undefined, [], stopped.signal);
    return () => stopped.abort();
  }, [question, turn]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useReturn(isAbsent(state.problem), reload);
  const isCurrent = state.question === question;
  const isEmpty = isCurrent && state.rows?.length === 0;
  // What comes into an empty list is what somebody waits for.
  useEvery(isEmpty ? ASKED_EVERY_MS : undefined, reload, underWay);
  const { next, rows = [] } = state;
  return {
    rows: state.rows,
    isOld: !isCurrent,
    problem: isCurrent ? state.problem : undefined,
    more:
      isCurrent && next !== undefined ? () => void load(next, rows, new AbortController().signal) : undefined,
    reload,
  };
}

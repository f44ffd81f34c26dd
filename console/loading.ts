/** What the server answers, asked again when the question changes, when told to, or every few seconds while somebody looks. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { call, isThere, Problem } from "./api.ts";
import type { Answers, Inputs, OperationId } from "./generated/operations.ts";

export type Loaded<T> = {
  readonly data: T | undefined;
  readonly problem: Problem | undefined;
  readonly reload: () => void;
};

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem ? error : new Problem(0, "Error", String((error as Error)?.message ?? error));

type Options<T> = {
  /** Or as long as what was answered last asks for it. */
  readonly everyMs?: number | ((data: T) => number | undefined);
  readonly isWanted?: boolean;
};

/** Asks again as soon as a server that was away is back, for what it missed. */
export function useReturn(isMissed: boolean, ask: () => void): void {
  useEffect(() => {
    if (!isMissed) return undefined;
    return isThere.subscribe(() => isThere.value && ask());
  }, [isMissed, ask]);
}
/** No answer is to be expected any more: the line may be dead. */
const PATIENCE_MS = 30_000;
/** While somebody looks, and not before the last question is answered: a slow server would be asked for ever in vain. `underWay` tells when it was asked. */
export function useEvery(
  pauseMs: number | undefined,
  ask: () => void,
  underWay: { readonly current: number | undefined },
): void {
  useEffect(() => {
    if (pauseMs === undefined) return undefined;
    const isWanted = () =>
      document.visibilityState === "visible" &&
      (underWay.current === undefined || Date.now() - underWay.current > PATIENCE_MS);
    const timer = setInterval(() => isWanted() && ask(), pauseMs);
    return () => clearInterval(timer);
  }, [pauseMs, ask, underWay]);
}
export const isAbsent = (problem: Problem | undefined): boolean => problem?.code === "Unreachable";

/** What was there stays in view until something newer is. */
export function useAnswer<Id extends OperationId>(
  id: Id,
  input: Inputs[Id],
  { everyMs, isWanted = true }: Options<Answers[Id]> = {},
): Loaded<Answers[Id]> {
  const question = JSON.stringify([id, input]);
  const [state, setState] = useState<{ question: string; data?: Answers[Id]; problem?: Problem }>({
    question,
  });
  const [turn, setTurn] = useState(0);
  const asked = useRef(input);
  asked.current = input;
  const underWay = useRef<number | undefined>(undefined);
  // The turn asks again. Nothing is drawn before the server is asked.
  useLayoutEffect(() => {
    if (!isWanted) return undefined;
    const stopped = new AbortController();
    underWay.current = Date.now();
    call(id, asked.current, { signal: stopped.signal }).then(
      (data) => {
        underWay.current = undefined;
        setState({ question, data });
      },
      (error) => {
        if (stopped.signal.aborted) return;
        underWay.current = undefined;
        setState((before) => ({ ...before, question, problem: asProblem(error) }));
      },
    );
    return () => stopped.abort();
  }, [question, turn, isWanted]);
  const reload = useCallback(() => setTurn((before) => before + 1), []);
  useReturn(isAbsent(state.problem), reload);
  const isCurrent = state.question === question;
  const data = isCurrent ? state.data : undefined;
  const pauseMs = typeof everyMs === "function" ? data && everyMs(data) : everyMs;
  useEvery(isWanted ? pauseMs : undefined, reload, underWay);
  return { data, problem: isCurrent ? state.problem : undefined, reload };
}

/** Hears of each value that comes after another. */
export function useChange(value: string | undefined, hear: () => void): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current !== undefined && value !== before.current) hear();
    before.current = value;
  }, [value]);
}

export type Work<Given extends readonly unknown[]> = {
  readonly isBusy: boolean;
  readonly problem: Problem | undefined;
  readonly run: (...given: Given) => Promise<void>;
  readonly forget: () => void;
};

/** Something that is done at the press of a button: once at a time, and what goes wrong is kept to be shown. */
export function useWork<Given extends readonly unknown[]>(
  work: (...given: Given) => Promise<unknown>,
): Work<Given> {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const busy = useRef(false);
  const run = async (...given: Given) => {
    if (busy.current) return;
    busy.current = true;
    setBusy(true);
    setProblem(undefined);
    try {
      await work(...given);
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      busy.current = false;
      setBusy(false);
    }
  };
  return { isBusy, problem, run, forget: () => setProblem(undefined) };
}

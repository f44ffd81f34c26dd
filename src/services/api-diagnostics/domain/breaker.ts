/** Circuit breaker of a backend: rules that count failures within an interval. */
import { parseInstant } from "#kernel/clock";

export const FAILURE_REASONS = ["Server errors", "Timeout", "BackendConnectionFailure"] as const;
export type BreakerRule = {
  readonly name?: string;
  readonly failureCondition: {
    readonly count: number;
    readonly interval: string;
    readonly statusCodeRanges?: readonly { readonly min: number; readonly max: number }[];
    readonly errorReasons?: readonly (typeof FAILURE_REASONS)[number][];
  };
  readonly tripDuration: string;
  readonly acceptRetryAfter?: boolean;
};
/** Result of a request to a backend: a status, or a reason if there was no response. */
export type Ending = {
  readonly status?: number;
  readonly reason?: string;
  readonly retryAfter?: string | undefined;
};

const DURATION = /^P(?:(\d{1,3})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/;
const UNITS_MS = [86_400_000, 3_600_000, 60_000, 1000] as const;
/** Milliseconds of a duration such as `PT1M30S`. Undefined if it is invalid or zero. */
export function durationMsOf(text: string): number | undefined {
  const [, ...parts] = DURATION.exec(text) ?? [];
  const ms = UNITS_MS.reduce((sum, unit, index) => sum + unit * Number(parts[index] ?? 0), 0);
  return ms > 0 ? ms : undefined;
}
/** Milliseconds of a Retry-After header: seconds or a date. */
function waitMsOf(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,7}$/.test(text.trim())) return Number(text) * 1000;
  const instant = parseInstant(text);
  return instant === undefined ? undefined : Math.max(0, instant - nowMs);
}

const isFailure = ({ failureCondition }: BreakerRule, { status, reason }: Ending): boolean => {
  const { statusCodeRanges = [], errorReasons = [] } = failureCondition;
  if (status !== undefined && statusCodeRanges.some(({ min, max }) => status >= min && status <= max))
    return true;
  return errorReasons.some((one) =>
    one === "Server errors" ? status === undefined || status >= 500 : one === reason,
  );
};

/** One rule of one backend, with its failure count. */
class Rule {
  readonly #rule: BreakerRule;
  /** Times of the last failures, at most as many as trip the rule. */
  #failures: number[] = [];
  constructor(rule: BreakerRule) {
    this.#rule = rule;
  }
  /** Records a result. Returns how long the breaker opens, or undefined if it stays closed. */
  hear(ending: Ending, nowMs: number): number | undefined {
    if (!isFailure(this.#rule, ending)) return undefined;
    const { failureCondition, tripDuration, acceptRetryAfter } = this.#rule;
    const since = nowMs - (durationMsOf(failureCondition.interval) ?? 0);
    this.#failures = [...this.#failures.filter((at) => at > since), nowMs];
    if (this.#failures.length < failureCondition.count) return undefined;
    this.#failures = [];
    const asked = acceptRetryAfter ? waitMsOf(ending.retryAfter, nowMs) : undefined;
    return asked ?? durationMsOf(tripDuration) ?? 0;
  }
}
/** The breaker starts closed. A tripped rule opens it for a time. */
export class Breaker {
  readonly #rules: readonly Rule[];
  #openUntilMs = 0;
  constructor(rules: readonly BreakerRule[]) {
    this.#rules = rules.map((rule) => new Rule(rule));
  }
  /** Milliseconds until the breaker closes. Undefined while it is closed. */
  waitMs(nowMs: number): number | undefined {
    return this.#openUntilMs > nowMs ? this.#openUntilMs - nowMs : undefined;
  }
  hear(ending: Ending, nowMs: number): void {
    for (const rule of this.#rules) {
      const waitMs = rule.hear(ending, nowMs);
      if (waitMs !== undefined) this.#openUntilMs = Math.max(this.#openUntilMs, nowMs + waitMs);
    }
  }
}

/** The circuit breakers of backends that were called lately, as this node has seen them. */
import type { Clock } from "#kernel/clock";
import type { AnswerTaker } from "#kernel/outbound";
import { Breaker, type Ending } from "../domain/index.ts";
import type { ServedBackend } from "../operations/backends.ts";
import { backendFailed } from "./answers.ts";

const BREAKERS_MAX = 10_000;

/** One backend's, for one call. */
export type Guard = {
  /** Undefined while calls may pass. */
  waitSeconds(): number | undefined;
  /** Hears how the exchange ends before whoever takes the answer does. */
  listening(taker: AnswerTaker): AnswerTaker;
};
const retryAfterIn = (headers: readonly Buffer[]): string | undefined => {
  const at = headers.findIndex(
    (bytes, index) => index % 2 === 0 && bytes.toString("latin1").toLowerCase() === "retry-after",
  );
  return at < 0 ? undefined : headers[at + 1]?.toString("latin1");
};

export class Breakers {
  readonly #clock: Clock;
  readonly #known = new Map<string, Breaker>();
  constructor(clock: Clock) {
    this.#clock = clock;
  }
  forget(): void {
    this.#known.clear();
  }
  /** `owner`: whose backend it is. Undefined where it has no rules. */
  guardOf(owner: string, { id, version, rules }: ServedBackend): Guard | undefined {
    if (rules.length === 0) return undefined;
    // A change of the settings begins anew.
    const key = `${owner} ${id.toLowerCase()} ${version}`;
    const breaker = this.#known.get(key) ?? new Breaker(rules);
    if (!this.#known.has(key) && this.#known.size >= BREAKERS_MAX) this.#known.clear();
    this.#known.set(key, breaker);
    const hear = (ending: Ending): void => breaker.hear(ending, this.#clock.nowMs());
    return {
      waitSeconds: () => {
        const waitMs = breaker.waitMs(this.#clock.nowMs());
        return waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
      },
      listening: (taker) => {
        let hasHead = false;
        return {
          head: (status, headers) => {
            hasHead = true;
            hear({ status, retryAfter: retryAfterIn(headers) });
            taker.head(status, headers);
          },
          data: (part) => taker.data(part),
          end: () => taker.end(),
          fail: (error) => {
            if (!hasHead) hear({ reason: backendFailed(error).error.reason });
            taker.fail(error);
          },
        };
      },
    };
  }
}

/** Circuit breakers of recently called backends. State is local to this node. */

import type { Clock } from "#kernel/clock";
import { makeRoom } from "#kernel/memory";
import type { AnswerTaker } from "#kernel/outbound";
import { Breaker, type Ending } from "../domain/index.ts";
import type { ServedBackend } from "../operations/backends.ts";
import { backendFailed } from "./answers.ts";

const BREAKERS_MAX = 10_000;

/** Circuit breaker of one backend, for one call. */
export type Guard = {
  /** Undefined while the breaker is closed. */
  waitSeconds(): number | undefined;
  /** Records the result before it forwards the response. */
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
  /** `owner`: the owner of the backend. Undefined if the backend has no rules. */
  guardOf(owner: string, { id, version, rules }: ServedBackend): Guard | undefined {
    if (rules.length === 0) return undefined;
    // A change of the settings resets the breaker.
    const key = `${owner} ${id.toLowerCase()} ${version}`;
    const breaker = this.#known.get(key) ?? new Breaker(rules);
    this.#known.delete(key);
    makeRoom(this.#known, BREAKERS_MAX);
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

/** Retries of a call. A request with a body gets one attempt, because its body cannot be replayed. */
import { hasBody, type PassingRequest } from "#kernel/operation";
import type { AnswerTaker } from "#kernel/outbound";
import { backendFailed } from "./answers.ts";
import type { PolicyCall } from "./policy-call.ts";

export class Attempts {
  readonly #passing: PassingRequest;
  #number = 0;
  constructor(passing: PassingRequest) {
    this.#passing = passing;
  }
  get number(): number {
    return this.#number;
  }
  /** Forwards the response of the current attempt, unless a retry follows. */
  taking(taker: AnswerTaker, policy: PolicyCall, again: () => void, abort: () => void): AnswerTaker {
    const attempt = this.#number;
    const isCurrent = (): boolean => attempt === this.#number;
    const triesAgain = (status: number): boolean => {
      if (hasBody(this.#passing.request) || !policy.shouldRetry(status, attempt)) return false;
      this.#number += 1;
      abort();
      // biome-ignore lint/style/noRestrictedGlobals: callers wait in real time.
      setTimeout(again, policy.waitMs(attempt));
      return true;
    };
    return {
      head: (status, headers) => {
        if (isCurrent() && !triesAgain(status)) taker.head(status, headers);
      },
      data: (part) => (isCurrent() ? taker.data(part) : true),
      end: () => {
        if (isCurrent()) taker.end();
      },
      fail: (error) => {
        if (isCurrent() && !triesAgain(backendFailed(error).status)) taker.fail(error);
      },
    };
  }
}

/** Requests to a store on connections that are kept between them. */
import { type Outbound, OutboundError, parseTargetUrl } from "../outbound/index.ts";

export type StoreAnswer = { readonly status: number; readonly body: Buffer };
type StoreRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** For everything together: connecting, sending, the whole answer. */
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
};

/** Any status is an answer, not a failure. A connection is kept only after a complete answer. */
export function requestKept(outbound: Outbound, request: StoreRequest): Promise<StoreAnswer> {
  const { method, headers, body, timeoutMs, responseBytesMax } = request;
  const url = parseTargetUrl(request.url);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let [size, status, isOver] = [0, 0, false];
    let abort = (): void => {};
    const end = (tell: () => void): void => {
      isOver = true;
      clearTimeout(timer);
      tell();
    };
    const fail = (error: Error): void => end(() => reject(error));
    const giveUp = (reason: "timeout" | "tooLarge", message: string): void => {
      fail(new OutboundError(reason, message));
      abort();
    };
    const timer = setTimeout(
      () => giveUp("timeout", `${url.host} did not answer completely within ${timeoutMs} ms.`),
      timeoutMs,
    );
    const taker = {
      head(given: number): void {
        status = given;
      },
      data(part: Buffer): boolean {
        size += part.length;
        if (size > responseBytesMax)
          giveUp("tooLarge", `The answer of ${url.host} is larger than ${responseBytesMax} bytes.`);
        else parts.push(part);
        return true;
      },
      end: () => end(() => resolve({ status, body: Buffer.concat(parts) })),
      fail,
    };
    const given = { ...headers, "user-agent": "medley", "accept-encoding": "identity" };
    const sent = { method, url, headers: Object.entries(given).flat(), body, patienceMs: timeoutMs };
    outbound.stream(sent, taker).then((exchange) => {
      abort = () => exchange.abort();
      if (isOver) abort();
    }, fail);
  });
}

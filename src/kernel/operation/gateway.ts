/** Requests that are forwarded as they come to a function or a backend, streaming both ways. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Principal } from "./context.ts";

/** One such request. The gateway answers it itself. */
export type PassingRequest = {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The target: the first label of the host, or the first segment of the path after that of the gateway. */
  readonly target: string;
  /**
   * The rest of path and query; begins with a slash. The path was decided on once, and the forwarded path is built
   * from it.
   */
  readonly url: string;
  /** Some reader would resolve the path differently, so the answer must be 400. `url` is then meaningless. */
  readonly isMisleading: boolean;
  readonly scheme: "http" | "https";
  readonly remoteAddress: string;
  /** Call it once the request is accepted: a caller with `Expect: 100-continue` sends the body only then. */
  askForBody(): void;
  /** Sends a complete answer without forwarding. Does not wait for the rest of the request body. */
  answer(status: number, headers: Readonly<Record<string, string>>, body: string): void;
  /**
   * Runs `end`, which writes a whole answer: at once, or together with other answers at the end of this turn of the
   * event loop. That takes less processor time than single writes.
   */
  endTogether(end: () => void): void;
  /** The account of the bearer token; undefined without a valid one. */
  findCaller(): Promise<Principal | undefined>;
  /**
   * The headers to forward, names and values in turn, and `url`. Neither holds a credential or a cookie of this
   * server. `known`: a key that the service itself issued and forwards.
   */
  handedOn(known?: string): Promise<{ readonly headers: string[]; readonly url: string }>;
  /** For work on behalf of the owner of the target. The request log then shows that account. */
  contextOf(account: string): Context;
};

export type Gateway = {
  /** The id in the request log, in metrics and for fault rules: `functions.invoke`. */
  readonly id: string;
  /** `/functions/run`; the next segment names the target. */
  readonly path: string;
  /** `functions`: `<target>.functions.localhost` leads there too. */
  readonly hostLabel: string;
  /** The context is for looking up the target, and belongs to no account. */
  pass(passing: PassingRequest, context: Context): Promise<void>;
};

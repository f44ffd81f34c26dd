/** Requests that no operation answers: they are handed on as they come, to a function or a backend, and stream both ways. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, Principal } from "./context.ts";

/** One such request. Whoever takes it answers it by itself. */
export type PassingRequest = {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Whom it is for: the host's first label, or the path's first segment behind the gateway's own. */
  readonly target: string;
  /** Path and query behind that; begins with a slash. The path is the one that was decided on: what is handed on is made of it. */
  readonly url: string;
  /** Whether the path would lead elsewhere for some reader: to be answered 400. `url` says nothing of it then. */
  readonly isMisleading: boolean;
  readonly scheme: "http" | "https";
  readonly remoteAddress: string;
  /** Once it is let in: whoever waits to be asked for the body sends it only then. */
  askForBody(): void;
  /** The whole answer, where nobody is asked for one; what is left of the request's body is not waited for. */
  answer(status: number, headers: Readonly<Record<string, string>>, body: string): void;
  /** Whom the bearer token speaks for; undefined without one that is good. */
  findCaller(): Promise<Principal | undefined>;
  /**
   * For whoever is asked next: the headers, names and values in turn, without those that end here, and `url`. Neither
   * holds a credential or a cookie of this server's. `known`: a key that the service itself gave out, and hands on.
   */
  handedOn(known?: string): Promise<{ readonly headers: string[]; readonly url: string }>;
  /** For work on behalf of the account that the target belongs to, which the request log then knows as well. */
  contextOf(account: string): Context;
};

export type Gateway = {
  /** Names it in the request log, in metrics and to fault rules: `functions.invoke`. */
  readonly id: string;
  /** `/functions/run`; what follows names the target. */
  readonly path: string;
  /** `functions`: `<target>.functions.localhost` leads there too. */
  readonly hostLabel: string;
  /** For looking up the target; it belongs to no account. */
  pass(passing: PassingRequest, context: Context): Promise<void>;
};

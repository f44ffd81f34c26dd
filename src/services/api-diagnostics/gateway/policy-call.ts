/** Runs the policies of one call. */
import type { Context, PassingRequest } from "#kernel/operation";
import {
  type EffectivePolicy,
  Fields,
  LETTERS_PER_CALL_MAX,
  matchedBy,
  type PolicyRun,
  type PolicyTools,
  type Reply,
  type RoutedOperation,
  revisionOf,
  runSteps,
  segmentsOf,
} from "../domain/index.ts";
import { cacheKeyOf, type PolicyMemory, toolsFor } from "./policy-tools.ts";
import type { Served, ServedApi, ServedProduct } from "./served.ts";

const CACHED_BYTES_MAX = 1024 * 1024;
export type PolicyWay = {
  readonly passing: PassingRequest;
  readonly served: Served;
  readonly api: ServedApi;
  readonly operation: RoutedOperation | undefined;
  readonly rest: string;
  readonly subscription: { readonly id: string; readonly key: string } | undefined;
  readonly product: ServedProduct | undefined;
  /**
   * Headers and URL that the backend may see. They exclude credentials of this server, which policies must
   * not read either.
   */
  readonly handed: { readonly headers: readonly string[]; readonly url: string };
};

const pairsOf = (query: string): [string, string][] => [...new URLSearchParams(query)];
const queryIn = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
function runOf({ passing, api, operation, rest, subscription, product, handed }: PolicyWay): PolicyRun {
  const { request, url, scheme, remoteAddress } = passing;
  const [path = ""] = url.split("?", 1);
  const query = queryIn(handed.url);
  const [host = "", port = scheme === "https" ? "443" : "80"] = (request.headers.host ?? "").split(":");
  return {
    requestId: passing.id,
    api: {
      id: api.id,
      name: api.settings.displayName,
      path: api.settings.path,
      revision: api.settings.apiRevision,
      isCurrent: revisionOf(api.id).revision === undefined,
    },
    operation,
    subscription,
    product,
    request: {
      method: request.method ?? "GET",
      ipAddress: remoteAddress,
      headers: Fields.ofRaw(handed.headers),
      original: { scheme, host, port: Number(port), path, query: new Fields(pairsOf(query)) },
      matched: matchedBy(operation, segmentsOf(rest)),
      path: rest === "" ? "/" : rest,
      query: new Fields(pairsOf(query)),
    },
    shown: { headers: Fields.ofRaw(request.rawHeaders), query: new Fields(pairsOf(queryIn(url))) },
    backend: api.backend,
    backendId: undefined,
    response: undefined,
    lastError: undefined,
    variables: new Map(),
    answerHeaders: [],
    cache: undefined,
    notes: [],
    work: { lettersLeft: LETTERS_PER_CALL_MAX },
    emptyFields: () => new Fields([]),
  };
}

export class PolicyCall {
  readonly policy: EffectivePolicy;
  readonly run: PolicyRun;
  readonly #memory: PolicyMemory;
  readonly #context: Context;
  readonly #instanceKey: string;
  readonly #tools: PolicyTools;
  readonly #restBefore: string;
  #parts: Buffer[] | undefined;
  #size = 0;

  constructor(way: PolicyWay, policy: EffectivePolicy, memory: PolicyMemory, context: Context) {
    this.policy = policy;
    this.run = runOf(way);
    this.#memory = memory;
    this.#context = context;
    this.#instanceKey = way.served.key;
    this.#tools = toolsFor(memory, context, way.served);
    this.#restBefore = this.run.request.path;
  }
  /** Runs the inbound and backend sections. A reply ends the call. */
  async before(): Promise<Reply | undefined> {
    const { inbound, backend } = this.policy.sections;
    return (
      (await runSteps(inbound, this.run, this.#tools, "inbound")) ??
      (await runSteps(backend, this.run, this.#tools, "backend"))
    );
  }
  /** Path below the backend's own path, if a policy changed it. */
  get rewritten(): string | undefined {
    return this.run.request.path === this.#restBefore ? undefined : this.run.request.path;
  }
  /** The query after the edits of policies. */
  queryOf(search: string): string {
    const { edits } = this.run.request.query;
    if (edits.length === 0) return search;
    const { pairs } = new Fields(pairsOf(search.slice(1))).with(edits);
    return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs as [string, string][])}`;
  }
  headersOf(handed: readonly string[]): readonly string[] {
    const { edits } = this.run.request.headers;
    return edits.length === 0 ? handed : Fields.ofRaw(handed).with(edits).raw;
  }
  shouldRetry(status: number, attempt: number): boolean {
    const { retry } = this.policy;
    if (!retry || attempt >= retry.count) return false;
    this.run.response = { status, headers: new Fields([]) };
    const wanted = retry.condition(this.run);
    if (wanted)
      this.run.notes.push({
        scope: "",
        section: "backend",
        policy: "retry",
        effect: `attempt ${attempt + 2}`,
      });
    return wanted;
  }
  waitMs(attempt: number): number {
    const { retry } = this.policy;
    return attempt === 0 && retry?.firstFast ? 0 : (retry?.intervalSeconds ?? 0) * 1000;
  }
  /** Runs the outbound section. Returns the changed response, or a reply that replaces it. */
  after(status: number, head: readonly string[]): { status: number; head: readonly string[]; reply?: Reply } {
    const { run } = this;
    run.response = { status, headers: Fields.ofRaw(head) };
    const reply = this.#now(runSteps(this.policy.sections.outbound, run, this.#tools, "outbound"));
    if (reply) return { status, head, reply };
    if (run.cache?.seconds !== undefined) this.#parts = [];
    return { status: run.response.status, head: [...run.response.headers.raw, ...run.answerHeaders.flat()] };
  }
  /** Runs the on-error section for a failed call. */
  onError(reply: Reply): Reply {
    const { run } = this;
    run.lastError = reply.error;
    run.response = { status: reply.status, headers: new Fields(reply.headers) };
    const other = this.#now(runSteps(this.policy.sections["on-error"], run, this.#tools, "on-error"));
    if (other) return other;
    return { ...reply, status: run.response.status, headers: run.response.headers.pairs };
  }
  /** Policies of these sections are synchronous. */
  #now(outcome: ReturnType<typeof runSteps>): Reply | undefined {
    if (outcome instanceof Promise) throw new Error("a policy waits where the answer is under way");
    return outcome;
  }
  see(part: Buffer): void {
    if (!this.#parts) return;
    this.#size += part.length;
    if (this.#size > CACHED_BYTES_MAX) this.#parts = undefined;
    else this.#parts.push(part);
  }
  /** Stores the completed response in the cache, without headers that policies added for this caller. */
  keep(): void {
    const { cache, response } = this.run;
    if (!this.#parts || !response || cache?.seconds === undefined) return;
    const { status, headers: fields } = response;
    const { pairs } = fields;
    const headers = pairs.filter(([name]) => !/^(?:content-length|set-cookie|date|age)$/i.test(name));
    const key = cacheKeyOf(this.#context, this.#instanceKey, cache.key);
    this.#memory.keep(key, { status, headers, body: Buffer.concat(this.#parts) }, cache.seconds);
  }
}

/** One call: routing, admission, forwarding, and the data for its log. */
import { type Context, hasBody, type PassingRequest } from "#kernel/operation";
import type { AnswerTaker, Outbound, OutboundError, StreamedExchange } from "#kernel/outbound";
import {
  BodySample,
  bytesWanted,
  type Call,
  type Correlation,
  correlate,
  protocolOf,
  type Reply,
  sampleAt,
} from "../domain/index.ts";
import type { ServedBackend } from "../operations/backends.ts";
import * as answers from "./answers.ts";
import { Attempts } from "./attempts.ts";
import type { Breakers } from "./breakers.ts";
import { PassedBody } from "./passed-body.ts";
import { PolicyCall } from "./policy-call.ts";
import type { PolicyMemory } from "./policy-tools.ts";
import { answerHeadOf, preflightMethodOf, requestHeadOf, withHeaders, withLength } from "./request-head.ts";
import { type Admitted, admit, findRoute, type Route } from "./route.ts";
import type { Served, Watch } from "./served.ts";

const JSON_TYPE = "application/json";
const SHORT_BYTES_MAX = 8 * 1024;

type Forwarded = Route & { readonly url: URL; readonly backend: ServedBackend | undefined };
export class CallUnderWay implements AnswerTaker {
  readonly #passing: PassingRequest;
  readonly #served: Served;
  readonly #breakers: Breakers;
  readonly #startedMs = performance.now();
  /** Stored at the start, because it is unavailable after the connection closes. */
  readonly #clientAddress: string;
  readonly #steps: [number, string, string][] = [];
  readonly #correlation: Correlation;
  readonly #watches: readonly Watch[];
  readonly #requestBody: BodySample;
  readonly #responseBody: BodySample;
  readonly #route: Route | undefined;
  #admitted: Admitted = {};
  #sentHead: readonly string[] = [];
  #backendUrl: URL | undefined;
  #backendStatus: number | undefined;
  #backendHead: readonly string[] = [];
  #backendMs = 0;
  #answerHead: readonly string[] = [];
  #error: answers.Refusal["error"] | undefined;
  #exchange: StreamedExchange | undefined;
  #policy: PolicyCall | undefined;
  #handed: Awaited<ReturnType<PassingRequest["handedOn"]>> | undefined;
  /** Status after policies, if they changed the backend's. */
  #answerStatus: number | undefined;
  readonly #attempts: Attempts;
  /** The first chunk, until the call knows whether more chunks arrive in this turn. */
  #held: Buffer | undefined;
  /** The response is complete. */
  #isWhole = false;
  #isOver = false;
  #ended: () => void = () => {};

  constructor(passing: PassingRequest, served: Served, breakers: Breakers) {
    this.#passing = passing;
    this.#clientAddress = passing.remoteAddress;
    this.#served = served;
    this.#breakers = breakers;
    this.#route = findRoute(passing, served);
    this.#attempts = new Attempts(passing);
    this.#watches = this.#route?.api.watches ?? served.watches;
    const settings = this.#watches.map((watch) => watch.settings);
    this.#correlation = correlate(protocolOf(settings), passing.request.headers, passing.id);
    this.#requestBody = new BodySample(bytesWanted(settings, "request"));
    this.#responseBody = new BodySample(bytesWanted(settings, "response"));
  }
  get watches(): readonly Watch[] {
    return this.#watches;
  }

  #refusal(): answers.Refusal | undefined {
    const { isMisleading, request } = this.#passing;
    if (isMisleading) return answers.badPath("The path holds segments that lead elsewhere.");
    if (!this.#route) return answers.notFound();
    const { api } = this.#route;
    this.#step("routing", `The API '${api.id}' answers at '/${api.settings.path}'.`);
    if (request.headers.upgrade !== undefined) return answers.noUpgrade();
    if (String(request.headers.via ?? "").includes(api.via)) return answers.looped();
    const admitted = admit(this.#passing, this.#served, api);
    if ("refusal" in admitted) return admitted.refusal;
    this.#admitted = admitted;
    return undefined;
  }
  #step(source: string, text: string): void {
    if (this.#watches.some(({ settings }) => settings.verbosity === "verbose"))
      this.#steps.push([performance.now() - this.#startedMs, source, text]);
  }

  /** Resolves when the response was sent or the caller disconnected. */
  async run(outbound: Outbound, timeoutMs: number, memory: PolicyMemory, context: Context): Promise<void> {
    const refusal = this.#refusal();
    const { request, response } = this.#passing;
    const over = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    const route = this.#route;
    if (!route || (refusal && preflightMethodOf(request) === undefined)) {
      this.#refuse(refusal ?? answers.notFound());
      return;
    }
    response.once("close", () => this.#giveUp());
    const reply = await this.#followPolicies(route, memory, context);
    if (this.#isOver) return;
    const url = this.#policy ? this.#policy.run.backend : route.api.backend;
    if (reply) this.#reply(reply);
    else if (refusal) this.#refuse(refusal);
    else if (!url) this.#refuse(answers.noBackend());
    else {
      const seconds = this.#policy?.policy.timeoutSeconds;
      await this.#forward(
        { ...route, url, backend: this.#served.backends.get(this.#policy?.run.backendId ?? "") },
        outbound,
        seconds === undefined ? timeoutMs : seconds * 1000,
      );
    }
    await over;
    if (!request.complete) request.resume();
  }
  async #followPolicies(route: Route, memory: PolicyMemory, context: Context): Promise<Reply | undefined> {
    const { api, operation } = route;
    const { subscription, product } = this.#admitted;
    const policy = api.policyOf(product?.id.toLowerCase(), operation?.id);
    if (!policy) return undefined;
    this.#handed = await this.#passing.handedOn(subscription?.key);
    const way = {
      passing: this.#passing,
      served: this.#served,
      ...route,
      subscription,
      product,
      handed: this.#handed,
    };
    this.#policy = new PolicyCall(way, policy, memory, context);
    return this.#policy.before();
  }
  async #forward(to: Forwarded, outbound: Outbound, timeoutMs: number): Promise<void> {
    const { account, key } = this.#served;
    const guard = to.backend && this.#breakers.guardOf(`${account} ${key}`, to.backend);
    const waitSeconds = guard?.waitSeconds();
    if (waitSeconds !== undefined) {
      this.#refuse(answers.circuitOpen(waitSeconds));
      return;
    }
    const again = (): void => {
      if (!this.#isOver) void this.#forward(to, outbound, timeoutMs);
    };
    const policy = this.#policy?.policy.retry ? this.#policy : undefined;
    const taker = policy ? this.#attempts.taking(this, policy, again, () => this.#exchange?.abort()) : this;
    const request = await this.#requestTo(to, timeoutMs);
    if (this.#isOver) request.body?.destroy();
    else this.#exchange = outbound.stream(request, guard ? guard.listening(taker) : taker);
  }
  async #requestTo({ api, url: base, backend, rest }: Forwarded, timeoutMs: number) {
    const { request } = this.#passing;
    const policy = this.#policy;
    const { headers, url } = this.#handed ?? (await this.#passing.handedOn(this.#admitted.subscription?.key));
    const query = url.indexOf("?");
    const search = query < 0 ? "" : url.slice(query);
    const target = new URL(base);
    target.pathname = `${base.pathname.replace(/\/$/, "")}${policy?.rewritten ?? rest}` || "/";
    target.search = policy ? policy.queryOf(search) : search;
    for (const [name, value] of backend?.query ?? []) target.searchParams.set(name, value);
    this.#backendUrl = target;
    const { via } = api;
    const said = { host: target.host, via, correlation: this.#correlation };
    const wanted = withHeaders(policy ? policy.headersOf(headers) : headers, backend?.headers ?? []);
    this.#sentHead = requestHeadOf(this.#passing, wanted, said);
    this.#step("forward-request", `The request goes to ${target.origin}.`);
    this.#passing.askForBody();
    const see = (part: Buffer): void => this.#requestBody.take(part);
    return {
      method: policy?.run.request.method ?? request.method ?? "GET",
      url: target,
      headers: this.#sentHead,
      body: hasBody(request) ? new PassedBody(request, see) : undefined,
      timeoutMs,
    };
  }

  head(status: number, headers: readonly Buffer[]): void {
    const { response } = this.#passing;
    if (this.#isOver || response.destroyed) return;
    this.#backendMs = this.#elapsedMs;
    this.#backendStatus = status;
    this.#backendHead = headers.map((bytes) => bytes.toString("latin1"));
    this.#answerHead = answerHeadOf(this.#backendHead);
    this.#step("forward-request", `The backend answers ${status}.`);
    if (this.#policy && !this.#applyOutbound(this.#policy, status)) return;
    // Most responses complete within this turn. Head and body are then sent together.
    setImmediate(() => {
      if (!this.#isOver && !this.#isWhole) this.#writeOn();
    });
  }
  /** False if another response replaces the backend's. */
  #applyOutbound(policy: PolicyCall, status: number): boolean {
    const after = policy.after(status, this.#answerHead);
    if (after.reply) {
      this.#reply(after.reply);
      this.#exchange?.abort();
      return false;
    }
    this.#answerStatus = after.status;
    this.#answerHead = after.head;
    return true;
  }
  data(part: Buffer): boolean {
    if (this.#isOver) return true;
    this.#responseBody.take(part);
    this.#policy?.see(part);
    if (!this.#held && !this.#passing.response.headersSent) {
      this.#held = part;
      return true;
    }
    this.#writeOn();
    return this.#write(part);
  }
  end(): void {
    if (this.#isOver) return;
    this.#isWhole = true;
    const isHeld = !this.#passing.response.headersSent;
    if (isHeld) this.#answerHead = withLength(this.#answerHead, this.#held, this.#hasNoBody);
    this.#policy?.keep();
    if (isHeld) this.#passing.endTogether(() => this.#writeEnd());
    else this.#writeEnd();
  }
  #writeEnd(): void {
    if (this.#isOver) return;
    const { response } = this.#passing;
    const held = this.#held;
    this.#writeHead();
    // A short body and its head are sent in one write.
    if (held && held.length <= SHORT_BYTES_MAX) response.end(held.toString("latin1"), "latin1");
    else response.end(held);
    this.#end();
  }
  get #hasNoBody(): boolean {
    const { method } = this.#passing.request;
    return method === "HEAD" || this.#status === 204 || this.#status === 304;
  }
  get #status(): number {
    return this.#answerStatus ?? this.#backendStatus ?? 502;
  }
  #writeHead(): void {
    const { response } = this.#passing;
    if (!response.headersSent) response.writeHead(this.#status, this.#answerHead as string[]);
  }
  /** Sends the held chunk, because the rest is not available yet. */
  #writeOn(): void {
    const held = this.#held;
    this.#held = undefined;
    const isFirst = !this.#passing.response.headersSent;
    this.#writeHead();
    if (held) this.#write(held);
    else if (isFirst) this.#passing.response.flushHeaders();
  }
  #write(part: Buffer): boolean {
    const { response } = this.#passing;
    if (response.write(part)) return true;
    response.once("drain", () => this.#exchange?.resume());
    return false;
  }
  fail(error: OutboundError): void {
    if (this.#isOver) return;
    const failed = answers.backendFailed(error);
    if (this.#backendStatus !== undefined) {
      this.#error = failed.error;
      this.#passing.response.destroy();
      this.#end();
    } else this.#refuse(failed);
  }
  #refuse(refusal: answers.Refusal): void {
    const { status, error } = refusal;
    const headers = Object.entries({ "content-type": JSON_TYPE, ...refusal.headers });
    this.#reply({ status, headers, body: answers.bodyOf(refusal), error });
  }
  /** Sends a reply without the backend, or in place of its response. */
  #reply(given: Reply): void {
    const policy = this.#policy;
    const { status, headers, body, error } = given.error && policy ? policy.onError(given) : given;
    this.#error = given.error ?? error;
    if (this.#error) this.#step(this.#error.source, this.#error.message);
    const all = [...headers, ...(policy?.run.answerHeaders ?? [])];
    this.#answerHead = all.flat();
    this.#responseBody.take(Buffer.from(body));
    if (typeof body === "string") this.#passing.answer(status, answers.joinedHeaders(all), body);
    else
      this.#passing.response
        .writeHead(status, withLength(this.#answerHead, body, false) as string[])
        .end(body);
    this.#end();
  }
  /** The caller disconnected. */
  #giveUp(): void {
    if (this.#isOver) return;
    this.#error = {
      source: "client",
      reason: "ClientConnectionFailure",
      message: "The caller closed the connection.",
    };
    this.#exchange?.abort();
    this.#end();
  }
  #end(): void {
    this.#isOver = true;
    this.#ended();
  }
  get #isSampled(): boolean {
    return this.#watches.some(({ settings }) => settings.sampling?.percentage !== undefined);
  }
  get #elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  /** Data of the completed call. */
  seen(atMs: number): Call {
    const { request, response, scheme, id } = this.#passing;
    const { api, operation } = this.#route ?? {};
    return {
      id,
      atMs,
      instanceId: this.#served.id,
      location: this.#served.location,
      method: request.method ?? "GET",
      url: `${scheme}://${request.headers.host ?? "localhost"}${request.url}`,
      protocol: `HTTP/${request.httpVersion}`,
      clientAddress: this.#clientAddress,
      status: response.statusCode,
      correlation: this.#correlation,
      at: this.#isSampled ? sampleAt(this.#correlation.id) : 0,
      keyName: api?.settings.subscriptionKeyParameterNames.query ?? "subscription-key",
      ...(api && {
        api: { id: api.id, ...(operation && { operationId: operation.id, operationName: operation.name }) },
      }),
      ...(this.#admitted.subscription && { subscriptionId: this.#admitted.subscription.id }),
      requestHeaders: request.rawHeaders,
      responseHeaders: this.#answerHead,
      requestBody: this.#requestBody,
      responseBody: this.#responseBody,
      ...(this.#backendUrl && {
        backend: {
          url: this.#backendUrl.href,
          requestHeaders: this.#sentHead,
          responseHeaders: this.#backendHead,
          ...(this.#backendStatus !== undefined && { status: this.#backendStatus }),
          ms: this.#backendMs || this.#elapsedMs,
        },
      }),
      ms: this.#elapsedMs,
      ...(this.#error && { error: this.#error }),
      steps: this.#steps,
      policies: this.#policy?.run.notes ?? [],
    };
  }
}

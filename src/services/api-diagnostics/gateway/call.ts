/** One call: where it goes, whether it may, and what was seen of it when it is over. */
import { hasBody, type PassingRequest } from "#kernel/operation";
import { type AnswerTaker, type Outbound, OutboundError, type StreamedExchange } from "#kernel/outbound";
import {
  BodySample,
  bytesWanted,
  type Call,
  type Correlation,
  correlate,
  findApi,
  findOperation,
  protocolOf,
  type RoutedOperation,
  sampleAt,
  segmentsOf,
} from "../domain/index.ts";
import * as answers from "./answers.ts";
import { PassedBody } from "./passed-body.ts";
import { answerHeadOf, requestHeadOf, withLength } from "./request-head.ts";
import type { Served, ServedApi, Watch } from "./served.ts";

const DEFAULT_KEY_HEADER = "vendor-subscription-key";
const JSON_TYPE = "application/json";
const SHORT_BYTES_MAX = 8 * 1024;

type Route = {
  readonly api: ServedApi;
  readonly operation: RoutedOperation | undefined;
  readonly rest: string;
};

export class CallUnderWay implements AnswerTaker {
  readonly #passing: PassingRequest;
  readonly #served: Served;
  readonly #startedMs = performance.now();
  /** Known while the connection is there. */
  readonly #clientAddress: string;
  readonly #steps: [number, string, string][] = [];
  readonly #correlation: Correlation;
  readonly #watches: readonly Watch[];
  readonly #requestBody: BodySample;
  readonly #responseBody: BodySample;
  readonly #route: Route | undefined;
  #subscriptionId: string | undefined;
  #admittedKey: string | undefined;
  #sentHead: readonly string[] = [];
  #backendUrl: URL | undefined;
  #backendStatus: number | undefined;
  #backendHead: readonly string[] = [];
  #backendMs = 0;
  #answerHead: readonly string[] = [];
  #error: answers.Refusal["error"] | undefined;
  #exchange: StreamedExchange | undefined;
  /** The first part, until it is known whether more comes in this turn. */
  #held: Buffer | undefined;
  #isOver = false;
  #ended: () => void = () => {};

  constructor(passing: PassingRequest, served: Served) {
    this.#passing = passing;
    this.#clientAddress = passing.remoteAddress;
    this.#served = served;
    this.#route = this.#findRoute();
    this.#watches = this.#route?.api.watches ?? served.watches;
    const settings = this.#watches.map((watch) => watch.settings);
    this.#correlation = correlate(protocolOf(settings), passing.request.headers, passing.id);
    this.#requestBody = new BodySample(bytesWanted(settings, "request"));
    this.#responseBody = new BodySample(bytesWanted(settings, "response"));
  }
  get watches(): readonly Watch[] {
    return this.#watches;
  }

  #findRoute(): Route | undefined {
    const { url, scheme, request, isMisleading } = this.#passing;
    if (isMisleading) return undefined;
    const [path = ""] = url.split("?", 1);
    const found = findApi(this.#served.apis, segmentsOf(path));
    if (!found?.api.settings.protocols.includes(scheme)) return undefined;
    const operation = findOperation(found.api, request.method ?? "GET", found.rest);
    if (operation === undefined) return undefined;
    const isClosed = path.endsWith("/") && found.rest.length > 0;
    const rest = found.rest.length === 0 ? "" : `/${found.rest.join("/")}${isClosed ? "/" : ""}`;
    return { api: found.api, operation: operation === "any" ? undefined : operation, rest };
  }
  #refusal(): answers.Refusal | undefined {
    const { isMisleading, request } = this.#passing;
    if (isMisleading) return answers.badPath("The path holds segments that lead elsewhere.");
    if (!this.#route) return answers.notFound();
    const { api } = this.#route;
    this.#step("routing", `The API '${api.id}' answers at '/${api.settings.path}'.`);
    if (request.headers.upgrade !== undefined) return answers.noUpgrade();
    if (String(request.headers.via ?? "").includes(api.via)) return answers.looped();
    return this.#admit(api) ?? (api.backend ? undefined : answers.noBackend());
  }
  #admit({ id, settings }: ServedApi): answers.Refusal | undefined {
    const { header, query } = settings.subscriptionKeyParameterNames;
    const { headers } = this.#passing.request;
    const inQuery = new URLSearchParams(this.#passing.url.split("?")[1] ?? "").get(query);
    const given = headers[header.toLowerCase()] ?? headers[DEFAULT_KEY_HEADER] ?? inQuery;
    const admission = given ? this.#served.admissions.get(String(given)) : undefined;
    const isGood = admission && (admission.api === undefined || admission.api === id.toLowerCase());
    if (isGood) {
      this.#subscriptionId = admission.subscriptionId;
      this.#admittedKey = String(given);
    }
    if (isGood || !settings.subscriptionRequired) return undefined;
    return answers.keyNeeded(Boolean(given), header, `/${settings.path}`);
  }
  #step(source: string, text: string): void {
    if (this.#watches.some(({ settings }) => settings.verbosity === "verbose"))
      this.#steps.push([performance.now() - this.#startedMs, source, text]);
  }

  /** Until the answer has been handed over, or nobody waits for it any more. */
  async run(outbound: Outbound, patienceMs: number): Promise<void> {
    const refusal = this.#refusal();
    if (refusal || !this.#route) {
      this.#refuse(refusal ?? answers.notFound());
      return;
    }
    const { request, response } = this.#passing;
    const over = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    response.once("close", () => this.#giveUp());
    try {
      this.#exchange = await outbound.stream(await this.#requestTo(this.#route, patienceMs), this);
      if (this.#isOver) this.#exchange.abort();
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      this.fail(error);
    }
    await over;
    if (!request.complete) request.resume();
  }
  async #requestTo({ api, rest }: Route, patienceMs: number) {
    const { request } = this.#passing;
    const { headers, url } = await this.#passing.handedOn(this.#admittedKey);
    const backend = api.backend as URL;
    const query = url.indexOf("?");
    const target = new URL(backend);
    target.pathname = `${backend.pathname.replace(/\/$/, "")}${rest}` || "/";
    target.search = query < 0 ? "" : url.slice(query);
    this.#backendUrl = target;
    const { via } = api;
    const said = { host: target.host, via, correlation: this.#correlation };
    this.#sentHead = requestHeadOf(this.#passing, headers, said);
    this.#step("forward-request", `The request goes to ${target.origin}.`);
    this.#passing.askForBody();
    const see = (part: Buffer): void => this.#requestBody.take(part);
    return {
      method: request.method ?? "GET",
      url: target,
      headers: this.#sentHead,
      body: hasBody(request) ? new PassedBody(request, see) : undefined,
      patienceMs,
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
    // Most answers are whole within this very turn: then head and body go out together.
    setImmediate(() => {
      if (!this.#isOver) this.#writeOn();
    });
  }
  data(part: Buffer): boolean {
    if (this.#isOver) return true;
    this.#responseBody.take(part);
    if (!this.#held && !this.#passing.response.headersSent) {
      this.#held = part;
      return true;
    }
    this.#writeOn();
    return this.#write(part);
  }
  end(): void {
    if (this.#isOver) return;
    const { response } = this.#passing;
    const held = this.#held;
    if (!response.headersSent) this.#answerHead = withLength(this.#answerHead, held, this.#hasNoBody);
    this.#writeHead();
    // A short text and its head are one write.
    if (held && held.length <= SHORT_BYTES_MAX) response.end(held.toString("latin1"), "latin1");
    else response.end(held);
    this.#end();
  }
  get #hasNoBody(): boolean {
    const { method } = this.#passing.request;
    return method === "HEAD" || this.#backendStatus === 204 || this.#backendStatus === 304;
  }
  #writeHead(): void {
    const { response } = this.#passing;
    if (!response.headersSent) response.writeHead(this.#backendStatus ?? 502, this.#answerHead as string[]);
  }
  /** What was held back goes out: the rest takes its time. */
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
    this.#error = refusal.error;
    this.#step(refusal.error.source, refusal.error.message);
    const headers = { "content-type": JSON_TYPE, ...refusal.headers };
    this.#answerHead = Object.entries(headers).flat();
    const body = answers.bodyOf(refusal);
    this.#responseBody.take(Buffer.from(body));
    this.#passing.answer(refusal.status, headers, body);
    this.#end();
  }
  /** The caller has gone. */
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

  /** When it is over. */
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
      ...(this.#subscriptionId !== undefined && { subscriptionId: this.#subscriptionId }),
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
    };
  }
}

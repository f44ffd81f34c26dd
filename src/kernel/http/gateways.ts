/** Finds the gateway of a request and handles the request: limits, faults, metrics and the request log. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../operation/context.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import type { Gateway, PassingRequest } from "../operation/gateway.ts";
import { handedHeaders } from "../operation/passing-head.ts";
import type { Service } from "../operation/service.ts";
import { WorkContext } from "../runtime/context.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { Caller } from "./caller.ts";
import { decidedPath } from "./decided-path.ts";
import { callerAddress } from "./forwarded.ts";
import { urlWithoutOwnCredentials, withoutOwnCredentials } from "./handed-credentials.ts";
import { isSoundHost } from "./host.ts";
import { nameOf, retryHeaders } from "./known-errors.ts";
import { observeSafely } from "./observed.ts";
import { isFromBrowser, isNavigation, mayBeBrowser, nameOfHost, ownOrigin } from "./own-host.ts";
import { checkSizes, refuseAmbiguous } from "./request-checks.ts";
import { type AnswerWriter, writeNow } from "./respond.ts";
import { shutIn, wantsPage } from "./shut-in.ts";
import type { SlowReaders } from "./slow-readers.ts";
import { unexpected } from "./strictness.ts";
import { strikeFault } from "./strike-fault.ts";

type Entry = {
  readonly gateway: Gateway;
  readonly service: Service;
  readonly prefix: string;
  readonly host: string;
  /** Whether a mount itself answers at that name. Otherwise nothing does. */
  readonly isMounted: boolean;
};
export type FoundGateway = {
  readonly gateway: Gateway;
  readonly service: Service;
  readonly target: string;
  readonly url: string;
  /** Under the name of this host, like the console. */
  readonly isByPath: boolean;
};

export class Gateways {
  readonly #entries: readonly Entry[];
  constructor(services: readonly Service[]) {
    this.#entries = services.flatMap((service) => {
      const { gateway } = service;
      if (!gateway) return [];
      const isMounted = services.some(({ mount }) => mount.split("/")[1] === gateway.hostLabel);
      const host = `${gateway.hostLabel}.localhost`;
      return [{ gateway, service, prefix: `${gateway.path}/`, host, isMounted }];
    });
  }
  find({ url = "/", headers }: IncomingMessage): FoundGateway | undefined {
    return this.#byHost(url, headers.host ?? "") ?? this.#byPath(url);
  }
  /**
   * Only the program answers on its host, whatever the path. The same holds for names around it, which share its
   * cookies.
   */
  #byHost(url: string, host: string): FoundGateway | undefined {
    const name = nameOfHost(host);
    for (const entry of this.#entries) {
      const { gateway, service, isMounted, prefix } = entry;
      const found = { gateway, service, url, isByPath: false };
      if (name.endsWith(`.${entry.host}`)) return { ...found, target: name.slice(0, -entry.host.length - 1) };
      if (name === entry.host && !isMounted && !url.startsWith(prefix)) return { ...found, target: "" };
    }
    return undefined;
  }
  #byPath(url: string): FoundGateway | undefined {
    for (const { gateway, service, prefix } of this.#entries) {
      if (!url.startsWith(prefix)) continue;
      const end = endOfSegment(url, prefix.length);
      const rest = url.slice(end);
      return {
        gateway,
        service,
        target: url.slice(prefix.length, end),
        url: rest.startsWith("/") ? rest : `/${rest}`,
        isByPath: true,
      };
    }
    return undefined;
  }
}
function endOfSegment(url: string, start: number): number {
  for (let index = start; index < url.length; index += 1)
    if (url[index] === "/" || url[index] === "?") return index;
  return url.length;
}

const nobody: Principal = { account: "", name: "", credentialKind: "none", admin: false };
const NOTHING = new Uint8Array();
const LATE_BODY = JSON.stringify({
  error: { code: "RequestTimeout", message: "The body did not arrive in time." },
});

export class Passage implements PassingRequest {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: string;
  readonly url: string;
  readonly isMisleading: boolean;
  readonly scheme: "http" | "https";
  readonly #kernel: Kernel;
  readonly #writer: AnswerWriter;
  readonly #found: FoundGateway;
  readonly #startedMs = performance.now();
  /** The origin that browsers are redirected to. */
  readonly #ownOrigin: string | undefined;
  #account: string | undefined;
  #isBodyAsked: boolean;
  #bytesRead = -1;
  #readAtMs = 0;

  constructor(
    kernel: Kernel,
    writer: AnswerWriter,
    found: FoundGateway,
    request: IncomingMessage,
    response: ServerResponse,
    scheme: string,
  ) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#found = found;
    this.id = kernel.ids.uuid();
    this.request = request;
    this.response = response;
    this.target = found.target;
    const query = found.url.indexOf("?");
    const path = decidedPath(query < 0 ? found.url : found.url.slice(0, query));
    this.isMisleading = path === undefined;
    this.url = path === undefined ? "/" : query < 0 ? path : `${path}${found.url.slice(query)}`;
    this.scheme = scheme === "https" ? "https" : "http";
    this.#isBodyAsked = request.headers.expect === undefined;
    this.#ownOrigin = found.isByPath && mayBeBrowser(request) ? this.#findOwnOrigin() : undefined;
    shutIn(response, {
      isPage: found.isByPath && wantsPage(request),
      mayKeepCookies: this.#ownOrigin === undefined || !isFromBrowser(request),
    });
  }
  /** Index in the list of requests under way. */
  place = 0;
  get operationId(): string {
    return this.#found.gateway.id;
  }

  async run(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.response.once("close", resolve));
    try {
      this.#check();
      if (this.#ownOrigin !== undefined && !this.isMisleading && isNavigation(this.request))
        this.#sendTo(this.#ownOrigin);
      else await this.#pass();
    } catch (error) {
      this.#fail(error);
    }
    if (!this.response.writableFinished && !this.response.destroyed) await gone;
    observeSafely(this.#kernel, this.id, () => this.#observe());
  }
  async #pass(): Promise<void> {
    if (this.#kernel.faults.active) await this.#strikeFault();
    await this.#found.gateway.pass(this, this.#contextFor(nobody));
  }
  #findOwnOrigin(): string | undefined {
    const { target, gateway } = this.#found;
    const { hostLabel } = gateway;
    return ownOrigin(
      { target, hostLabel },
      { scheme: this.scheme, headers: this.request.headers },
      this.#kernel.config,
    );
  }
  #sendTo(origin: string): void {
    const headers = { location: `${origin}${this.url}`, "cache-control": "no-store" };
    this.answer(307, headers, "");
  }
  #check(): void {
    refuseAmbiguous(this.request);
    if (!isSoundHost(this.#host)) throw kernelErrors.invalidInput("The Host header does not name a host.");
    if (!this.url.startsWith("/"))
      throw kernelErrors.invalidInput("The address does not begin with a slash.");
    // The target itself checks what follows its name.
    checkSizes(this.request, this.target, { acceptsNul: true });
  }
  get #host(): string {
    return this.request.headers.host || "localhost";
  }
  askForBody(): void {
    if (!this.#isBodyAsked) this.response.writeContinue();
    this.#isBodyAsked = true;
  }
  answer(status: number, headers: Readonly<Record<string, string>>, body: string): void {
    const { request, response } = this;
    const outgoing = { status, contentType: undefined, headers, body };
    writeNow({ request, response, headers: { ...headers }, outgoing });
  }
  endTogether(end: () => void): void {
    this.#writer.writeBy({ response: this.response, end });
  }
  /**
   * Each target has its own timeouts. But a caller who neither sends nor reads blocks resources that others wait
   * for.
   */
  watch(slowReaders: SlowReaders, nowMs: number, timeoutMs: number): void {
    const { complete, readableLength, socket } = this.request;
    if (this.response.headersSent) {
      if (socket.writableLength > 0) slowReaders.watch(socket);
      return;
    }
    if (complete || readableLength > 0 || !this.#isBodyAsked || socket.bytesRead !== this.#bytesRead) {
      this.#bytesRead = socket.bytesRead;
      this.#readAtMs = nowMs;
    } else if (nowMs - this.#readAtMs > timeoutMs)
      this.answer(408, { "content-type": "application/json", connection: "close" }, LATE_BODY);
  }
  #strikeFault(): Promise<void> {
    const { service, gateway } = this.#found;
    const target = { service: service.name, operation: gateway.id, account: undefined };
    return strikeFault(this.#kernel, target, nameOf(kernelErrors.unavailable, service));
  }
  get remoteAddress(): string {
    const { headers, socket } = this.request;
    return callerAddress(
      socket.remoteAddress ?? "",
      headers["x-forwarded-for"],
      this.#kernel.config.trustedProxies,
    );
  }
  async findCaller(): Promise<Principal | undefined> {
    const { authorization } = this.request.headers;
    if (authorization?.slice(0, 7).toLowerCase() !== "bearer ") return undefined;
    const token = authorization.slice(7).trim();
    const guess = { address: this.remoteAddress, name: undefined };
    const { accounts, guessing } = this.#kernel;
    if (!guessing.isQuiet && !accounts.wasGood("token", token)) guessing.refuseTooMany(guess);
    const principal = await accounts.byToken(token);
    if (!principal) guessing.note(guess, token);
    return principal;
  }
  async handedOn(known?: string): Promise<{ headers: string[]; url: string }> {
    const { accounts } = this.#kernel;
    const headers = await withoutOwnCredentials(handedHeaders(this.request), accounts, known);
    return { headers, url: await urlWithoutOwnCredentials(this.url, accounts, known) };
  }
  contextOf(account: string): WorkContext {
    this.#account = account;
    return this.#contextFor({ ...nobody, account, name: "medley", credentialKind: "internal" });
  }
  #contextFor(principal: Principal): WorkContext {
    const { service } = this.#found;
    return new WorkContext(
      this.#kernel,
      new Caller(service.name, principal, () => ({
        id: this.id,
        method: this.request.method ?? "GET",
        operation: this.#found.gateway.id,
        mountUrl: `${this.scheme}://${this.#host}${service.mount}`,
        rawUrl: this.request.url ?? "/",
        headers: this.request.headers,
        remoteAddress: this.remoteAddress,
        region: "local",
        dialect: undefined,
      })),
      undefined,
    );
  }
  #fail(error: unknown): void {
    const known =
      error instanceof ServiceError ? error : unexpected(error, this.#kernel, this.operationId, this.id);
    if (this.response.headersSent) {
      this.response.destroy();
      return;
    }
    const { service } = this.#found;
    const [code, status] = nameOf(known.kind, service);
    const rendered = service.protocol.renderError(
      { code, status, message: known.message, extras: known.extras },
      { id: this.id, headers: this.request.headers },
    );
    const body = typeof rendered.body === "string" ? rendered.body : JSON.stringify(rendered.body);
    const headers = {
      "content-type": "application/json",
      ...retryHeaders(known.kind),
      ...rendered.headers,
      ...known.extras.headers,
    };
    this.answer(rendered.status, headers, body);
  }
  #observe(): void {
    const { metrics, requestLog, clock } = this.#kernel;
    const durationMs = performance.now() - this.#startedMs;
    const { statusCode: status } = this.response;
    metrics.request(this.#found.gateway.id, status, durationMs / 1000);
    requestLog.add({
      id: this.id,
      atMs: clock.nowMs(),
      durationMs,
      method: this.request.method ?? "GET",
      url: this.request.url ?? "/",
      service: this.#found.service.name,
      operation: undefined,
      account: this.#account,
      caller: "",
      credentialKind: "none",
      isConsole: false,
      phases: undefined,
      status,
      requestHeaders: this.request.headers,
      requestBody: NOTHING,
      answerHeaders: this.response.getHeaders(),
      answerBody: undefined,
    });
  }
}

/** Finds the gateway that a request is for, and sees it through: limits, faults, metrics and the request log. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../operation/context.ts";
import { kernelErrors, ServiceError } from "../operation/errors.ts";
import type { Gateway, PassingRequest } from "../operation/gateway.ts";
import type { Service } from "../operation/service.ts";
import { WorkContext } from "../runtime/context.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { Caller } from "./caller.ts";
import { callerAddress } from "./forwarded.ts";
import { findFault, nameOf } from "./known-errors.ts";
import { refuseTwoHosts } from "./request-checks.ts";

type Entry = {
  readonly gateway: Gateway;
  readonly service: Service;
  readonly prefix: string;
  readonly hostEnd: string;
};
export type FoundGateway = {
  readonly gateway: Gateway;
  readonly service: Service;
  readonly target: string;
  readonly url: string;
};

export class Gateways {
  readonly #entries: readonly Entry[];
  constructor(services: readonly Service[]) {
    this.#entries = services.flatMap((service) =>
      service.gateway
        ? [
            {
              gateway: service.gateway,
              service,
              prefix: `${service.gateway.path}/`,
              hostEnd: `.${service.gateway.hostLabel}.localhost`,
            },
          ]
        : [],
    );
  }
  find({ url = "/", headers }: IncomingMessage): FoundGateway | undefined {
    for (const { gateway, service, prefix, hostEnd } of this.#entries) {
      if (url.startsWith(prefix)) {
        const end = endOfSegment(url, prefix.length);
        const rest = url.slice(end);
        return {
          gateway,
          service,
          target: url.slice(prefix.length, end),
          url: rest.startsWith("/") ? rest : `/${rest}`,
        };
      }
      const host = headers.host ?? "";
      const dot = host.indexOf(hostEnd);
      if (dot > 0 && !host.slice(0, dot).includes("."))
        return { gateway, service, target: host.slice(0, dot).toLowerCase(), url };
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

export class Passage implements PassingRequest {
  readonly id: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: string;
  readonly url: string;
  readonly scheme: "http" | "https";
  readonly #kernel: Kernel;
  readonly #found: FoundGateway;
  readonly #startedMs = performance.now();
  #account: string | undefined;

  constructor(
    kernel: Kernel,
    found: FoundGateway,
    request: IncomingMessage,
    response: ServerResponse,
    scheme: string,
  ) {
    this.#kernel = kernel;
    this.#found = found;
    this.id = kernel.ids.uuid();
    this.request = request;
    this.response = response;
    this.target = found.target;
    this.url = found.url;
    this.scheme = scheme === "https" ? "https" : "http";
  }
  /** Among the requests under way. */
  place = 0;
  /** Each target sees to its own time limits. */
  readonly deadlineMs = Number.POSITIVE_INFINITY;
  timeOut(): void {}
  get operationId(): string {
    return this.#found.gateway.id;
  }

  async run(): Promise<void> {
    const gone = new Promise<void>((resolve) => this.response.once("close", resolve));
    try {
      refuseTwoHosts(this.request.rawHeaders);
      if (this.#kernel.faults.active) await this.#strikeFault();
      await this.#found.gateway.pass(this, this.#contextFor(nobody));
    } catch (error) {
      this.#fail(error);
    }
    if (!this.response.writableFinished && !this.response.destroyed) await gone;
    this.#observe();
  }
  async #strikeFault(): Promise<void> {
    const { faults, ids } = this.#kernel;
    const { service, gateway } = this.#found;
    const target = { service: service.name, operation: gateway.id, account: undefined };
    const rule = await faults.strike(target, () => ids.fraction());
    if (!rule) return;
    if (rule.latencyMs !== undefined) await new Promise((resolve) => setTimeout(resolve, rule.latencyMs));
    const fault = findFault(rule, nameOf(kernelErrors.unavailable, service));
    if (fault) throw fault;
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
        mountUrl: `${this.scheme}://${this.request.headers.host ?? "localhost"}${service.mount}`,
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
      error instanceof ServiceError ? error : kernelErrors.internal("Something went wrong on our side.");
    if (known !== error) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#kernel.log.error("a request could not be handed on", { id: this.id, error: text });
    }
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
    this.response.writeHead(rendered.status, {
      "content-type": "application/json",
      ...rendered.headers,
      ...known.extras.headers,
      "content-length": String(Buffer.byteLength(body)),
    });
    this.response.end(body);
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
      status,
      requestHeaders: this.request.headers,
      requestBody: NOTHING,
      answerHeaders: this.response.getHeaders(),
      answerBody: undefined,
    });
  }
}

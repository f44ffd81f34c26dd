/** The life of one request, step by step. Read `run` first. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dialect } from "../dialects/dialect.ts";
import { Phases } from "../observe/phases.ts";
import { Answer } from "../operation/answers.ts";
import type { Principal, RequestInfo } from "../operation/context.ts";
import { type ErrorKind, kernelErrors } from "../operation/errors.ts";
import { anyone, type OperationInput } from "../operation/operation.ts";
import type { Service } from "../operation/service.ts";
import { WrongCredential } from "../protocols/credentials.ts";
import type { Authenticated, Call, Protocol } from "../protocols/protocol.ts";
import { inTransaction, WorkContext } from "../runtime/context.ts";
import type { Kernel } from "../runtime/kernel.ts";
import { authorize, permit } from "./authorize.ts";
import { type DecodedBody, decodeBody } from "./body.ts";
import { Caller } from "./caller.ts";
import { hasDotSegments, withoutDotSegments } from "./dot-segments.ts";
import { callerAddress } from "./forwarded.ts";
import { guessOf, isKnownGood, noteGoodPassword } from "./guesses.ts";
import { isSoundHost } from "./host.ts";
import { IncomingBody } from "./incoming-body.ts";
import { nameOf } from "./known-errors.ts";
import type { Found, Located, MountTable } from "./mounts.ts";
import { findNotedCaller } from "./noted-caller.ts";
import { mayReadOld } from "./old-reads.ts";
import { eachOnce, parsePairs, respelt } from "./query.ts";
import { renderFailure } from "./render-failure.ts";
import { checkSizes, refuseAmbiguous } from "./request-checks.ts";
import {
  type AnswerWriter,
  discardBody,
  isEndless,
  isStreamed,
  type Outgoing,
  renderAnswer,
} from "./respond.ts";
import { Sending } from "./sending.ts";
import { checkAnswer, knownFailure } from "./strictness.ts";
import { strikeFault } from "./strike-fault.ts";
import type { UnderWay } from "./under-way.ts";
import { refuseUnknown } from "./unknown-names.ts";

const TIMEOUT_SECONDS = 30;
const QUERY_KEYS_MAX = 1000;
const NO_QUERY: Call["query"] = {};

const nobody: Principal = { account: "", name: "", credentialKind: "none", admin: false };

export class Exchange {
  readonly #kernel: Kernel;
  readonly #writer: AnswerWriter;
  readonly #sending: Sending;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #scheme: string;
  readonly #phases = new Phases();
  readonly id: string;
  #located: Located | undefined;
  #found: Found | undefined;
  #dialect: Dialect | undefined;
  readonly #call: { -readonly [Part in keyof Call]: Call[Part] };
  #principal: Principal = nobody;
  #knownCaller: Principal | undefined;
  #region = "local";
  /** The resource for policies if the operation names none. */
  #addressed = "*";
  readonly #body: IncomingBody;
  #checkBody: Authenticated["checkBody"];
  #openBody: Authenticated["openBody"];
  /** Undeclared names in the request. */
  #unknown: readonly string[] | undefined;
  /** When the answer is due, on the machine's monotonic clock. */
  deadlineMs: number;
  /** Index in the list of requests under way. */
  place = 0;

  constructor(
    kernel: Kernel,
    writer: AnswerWriter,
    request: IncomingMessage,
    response: ServerResponse,
    scheme: string,
  ) {
    this.#kernel = kernel;
    this.#writer = writer;
    this.#sending = new Sending(kernel, writer, request, response);
    this.#request = request;
    this.#response = response;
    this.#scheme = scheme;
    this.#body = new IncomingBody(kernel, request, response);
    this.id = kernel.ids.uuid();
    this.deadlineMs = this.#phases.startedMs + TIMEOUT_SECONDS * 1000;
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    this.#call = {
      id: this.id,
      method: request.method ?? "GET",
      rawPath: mark < 0 ? url : url.slice(0, mark),
      rawQuery: mark < 0 ? "" : url.slice(mark + 1),
      rawHeaders: request.rawHeaders,
      headers: request.headers,
      query: NO_QUERY,
      callerAddress: () => this.#callerAddress(),
      body: this.#body,
    };
  }

  async run(mounts: MountTable, underWay: Pick<UnderWay<Exchange>, "remove">): Promise<void> {
    try {
      const preparing = this.#locate(mounts).mount.ready();
      if (preparing) await preparing;
      this.#findDialect();
      this.#route();
      this.#checkHost();
      checkSizes(this.#request, this.#call.rawPath, this.#operation);
      this.#readQuery();
      // Each await costs a microtask, so it awaits only real promises.
      const authenticating =
        this.#operation.permission === anyone ? this.#noteCaller() : this.#authenticate();
      if (authenticating) await authenticating;
      if (this.#kernel.faults.active) await this.#strikeFault();
      const deciding = this.#authorize();
      if (deciding) await deciding;
      this.#phases.decidedMs = performance.now();
      // Only now, so that a refused caller uses no memory.
      const receiving = this.#body.begin();
      if (receiving) await receiving;
      this.#phases.receivedMs = performance.now();
      const checking = this.#checkBody?.(this.#body.received);
      if (checking) await checking;
      if (this.#openBody) this.#body.open(this.#openBody);
      const waiting = (this.#found as Found).route.compiled.beforeFirstUse();
      if (waiting) await waiting;
      const decoding = this.#decode();
      const input = decoding instanceof Promise ? await decoding : decoding;
      const handling = this.#handle(input);
      const result = handling instanceof Promise ? await handling : handling;
      if (this.#phases.handledMs === 0) this.#phases.handledMs = performance.now();
      else this.#phases.committedMs = performance.now();
      this.#answer(result, input);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#body.release();
      underWay.remove(this);
    }
  }
  timeOut(): void {
    this.#fail(kernelErrors.timedOut("The request took too long."));
  }

  #locate(mounts: MountTable): Located {
    const { headers } = this.#request;
    const { rawPath } = this.#call;
    const located = mounts.locate(headers.host ?? "", rawPath);
    const isSpeltOut = located.mount.protocol.resolvesPaths && hasDotSegments(rawPath);
    const settled = isSpeltOut ? mounts.locate(headers.host ?? "", withoutDotSegments(rawPath)) : located;
    this.#located = settled;
    refuseAmbiguous(this.#request);
    return settled;
  }
  #findDialect(): void {
    const { mount, path } = this.#located as Located;
    const { headers, rawQuery } = this.#call;
    const dialect = mount.dialects.find((one) => one.detect({ path, headers, rawQuery }));
    if (!dialect) return;
    this.#dialect = dialect;
    this.#call.headers = dialect.neutralHeaders(headers) as Call["headers"];
  }
  #route(): void {
    const { mount, path } = this.#located as Located;
    const { rawPath } = this.#call;
    const neutral = this.#dialect?.neutralPath(path) ?? path;
    this.#found = mount.find(this.#call.method, neutral);
    if (this.#found) {
      this.deadlineMs = this.#phases.startedMs + (this.#operation.timeoutSeconds ?? TIMEOUT_SECONDS) * 1000;
      this.#body.isFor(this.#operation);
      return;
    }
    const methods = mount.methodsAt(neutral);
    if (methods.length > 0)
      throw kernelErrors.methodNotAllowed(`${this.#call.method} is not possible here.`, {
        headers: { allow: methods.join(", ") },
      });
    throw kernelErrors.routeNotFound(`Nothing answers at ${rawPath === "" ? "/" : rawPath.slice(0, 200)}.`);
  }
  #checkHost(): void {
    if (!isSoundHost(this.#host)) throw kernelErrors.invalidInput("The Host header does not name a host.");
  }
  /** Only after the size checks: parsing a long query takes long. */
  #readQuery(): void {
    if (this.#call.rawQuery === "") return;
    const given = parsePairs(this.#call.rawQuery, QUERY_KEYS_MAX);
    const query = this.#dialect ? this.#dialect.neutralQuery(given) : given;
    const { anyCaseNames } = this.#service.protocol;
    const { compiled } = (this.#found as Found).route;
    const spelt = anyCaseNames ? respelt(query, compiled.namesByLetters(anyCaseNames)) : query;
    this.#call.query = eachOnce(spelt, (name) => compiled.takesSeveral(name));
  }
  #noteCaller(): Promise<void> | undefined {
    if (!this.#operation.notesCallers) return undefined;
    const { params } = this.#found as Found;
    return findNotedCaller(this.#kernel, this.#service, this.#call, params).then((caller) => {
      this.#knownCaller = caller;
      if (caller) this.#body.isFromKnownCaller();
    });
  }
  #authenticate(): Promise<void> | undefined {
    const { guessing } = this.#kernel;
    if (!guessing.isQuiet && !isKnownGood(this.#kernel, this.#service.protocol, this.#call))
      guessing.refuseTooMany(guessOf(this.#call));
    const { params } = this.#found as Found;
    const state = this.#kernel.stateOf(this.#service.name);
    const found = this.#service.protocol.authenticate(this.#call, this.#kernel, params, state);
    if (found instanceof Promise) return found.then((known) => this.#keepCaller(known));
    this.#keepCaller(found);
    return undefined;
  }
  #keepCaller({ principal, region, resource, checkBody, openBody }: Authenticated): void {
    this.#principal = principal;
    this.#body.isFromKnownCaller();
    this.#checkBody = checkBody;
    this.#openBody = openBody;
    if (principal.credentialKind === "basic") noteGoodPassword(this.#kernel, this.#call);
    if (region !== undefined) this.#region = region;
    if (resource !== undefined) this.#addressed = resource;
    this.#service.protocol.check?.(this.#call);
  }
  #strikeFault(): Promise<void> {
    const target = {
      service: this.#service.name,
      operation: this.#operation.id,
      account: this.#principal.account,
    };
    return strikeFault(this.#kernel, target, this.#nameOf(kernelErrors.unavailable), (delayMs) => {
      this.deadlineMs += delayMs;
    });
  }
  #authorize(): Promise<void> | undefined {
    return authorize(this.#kernel.accounts, this.#principal, this.#operation, this.#addressed);
  }

  #decode(): OperationInput | Promise<OperationInput> {
    const { compiled } = (this.#found as Found).route;
    const input: OperationInput = {
      params: compiled.read("params", (this.#found as Found).params, true),
      query: compiled.read("query", this.#call.query, true),
      headers: compiled.read("headers", this.#call.headers, true),
      body: undefined,
    };
    if (!compiled.wantsBody) {
      this.#noteUnknown(undefined);
      return this.#permit(input);
    }
    if (this.#body.file) return this.#permit({ ...input, body: this.#body.file });
    const contentType = String(this.#request.headers["content-type"] ?? "");
    const decoding = decodeBody(this.#operation, contentType, this.#body.bytes);
    const complete = (decoded: DecodedBody) => this.#permit({ ...input, body: this.#neutralBody(decoded) });
    return decoding instanceof Promise ? decoding.then(complete) : complete(decoding);
  }
  #permit(input: OperationInput): OperationInput | Promise<OperationInput> {
    return permit(this.#kernel.accounts, this.#principal, this.#operation, input, this.#region);
  }
  #neutralBody({ value, fromText }: DecodedBody): unknown {
    const { compiled } = (this.#found as Found).route;
    if (value === undefined && this.#operation.bodyOptional) return undefined;
    const maps = compiled.textMaps;
    this.#dialect ??= this.#located?.mount.dialects.find((dialect) => dialect.detectBody(value, maps));
    const neutral = this.#dialect ? this.#dialect.neutralBody(this.#operation.id, value, maps) : value;
    const body = compiled.read("body", neutral ?? {}, fromText);
    this.#noteUnknown(body);
    return body;
  }

  #noteUnknown(body: unknown): void {
    const unknown = (this.#found as Found).route.compiled.unknownIn(body, this.#call.query);
    if (!unknown) return;
    const { readOnlyNames } = this.#service.protocol;
    if (readOnlyNames) refuseUnknown(unknown, readOnlyNames);
    this.#unknown = unknown;
  }

  #handle(input: OperationInput): unknown {
    const { compiled } = (this.#found as Found).route;
    const who = new Caller(this.#service.name, this.#principal, () => this.#requestInfo(), {
      mayBeOld: mayReadOld(this.#kernel.database, compiled.operation, this.#call.headers),
      resource: compiled.resourceOf(this.#principal.account, this.#call.rawPath),
    });
    if (compiled.transaction === "write") {
      return inTransaction(this.#kernel, who, async (context) => {
        const result = await compiled.operation.handle(input, context);
        this.#phases.handledMs = performance.now();
        return result;
      });
    }
    return compiled.operation.handle(input, new WorkContext(this.#kernel, who, undefined));
  }
  /** With a public address, the Host header is ignored, so that nobody can forge it. */
  #mountUrl(): string {
    const { publicUrl } = this.#kernel.config;
    if (publicUrl !== undefined) return `${publicUrl}${this.#located?.mount.path ?? ""}`;
    return `${this.#scheme}://${this.#host}${this.#located?.prefix ?? ""}`;
  }
  #callerAddress(): string {
    const { headers, socket } = this.#request;
    const { trustedProxies } = this.#kernel.config;
    return callerAddress(socket.remoteAddress ?? "", headers["x-forwarded-for"], trustedProxies);
  }
  #requestInfo(): RequestInfo {
    return {
      id: this.id,
      method: this.#call.method,
      operation: this.#operation.id,
      mountUrl: this.#mountUrl(),
      rawUrl: this.#request.url ?? "/",
      headers: this.#call.headers,
      remoteAddress: this.#callerAddress(),
      region: this.#region,
      dialect: this.#dialect?.name,
      knownCaller: this.#knownCaller,
    };
  }

  #answer(result: unknown, input: OperationInput): void {
    const { compiled } = (this.#found as Found).route;
    const plain = result instanceof Answer ? result : new Answer(compiled.defaultStatus, result);
    if (this.#kernel.config.strictAnswers) checkAnswer(plain, input, compiled, this.#kernel.recorder);
    // A stream is passed on as it comes, so it cannot be respelt.
    const { status, headers } = plain;
    const body =
      this.#dialect && !isStreamed(plain.body)
        ? this.#dialect.makersBody(this.#operation.id, status, plain.body, headers, compiled.textMaps)
        : plain.body;
    const outgoing = renderAnswer(this.#operation, status, body, headers);
    if (isEndless(outgoing) && !this.#writer.endless.add(this.#callerAddress(), this.#response)) {
      discardBody(outgoing);
      throw kernelErrors.throttled("Too many streams are open from this address: close some of them.");
    }
    this.#send(outgoing);
  }
  #fail(error: unknown): void {
    if (error instanceof WrongCredential) this.#kernel.guessing.note(guessOf(this.#call), error.secret);
    const known = knownFailure(error, this.#kernel, this.#found?.route, this.id);
    const [code, status] = this.#nameOf(known.kind);
    if (this.#found && !known.kind.kernel) this.#kernel.recorder?.noteError(this.#operation.id, code, status);
    const { kind, message, extras } = known;
    const told = { code, status, message, extras };
    this.#send(
      renderFailure(kind, told, {
        protocol: this.#protocol,
        operation: this.#found?.route.compiled.operation,
        dialect: this.#dialect,
        call: this,
        isWritten: (word) => (this.#request.url ?? "").includes(word) || this.#body.bytes.includes(word),
      }),
    );
  }
  #nameOf(kind: ErrorKind): readonly [code: string, status: number] {
    return nameOf(kind, this.#answering);
  }
  /** The service, or the first service of the mount if no operation was found. */
  get #answering(): Service | undefined {
    return this.#found?.route.service ?? this.#located?.mount.services[0];
  }

  #send(outgoing: Outgoing): void {
    this.#sending.send(outgoing, {
      call: this,
      phases: this.#phases,
      located: this.#located,
      route: this.#found?.route,
      answering: this.#answering,
      protocol: this.#protocol,
      dialect: this.#dialect,
      principal: this.#principal,
      unknown: this.#unknown,
      received: this.#body.logged,
    });
  }
  /** Undefined until the route is known. */
  get operationId(): string | undefined {
    return this.#found?.route.compiled.operation.id;
  }
  get headers(): Call["headers"] {
    return this.#call.headers;
  }
  get #host(): string {
    return this.#request.headers.host || "localhost";
  }
  /** The protocol of the mount if no operation was found. */
  get #protocol(): Protocol | undefined {
    return this.#found?.route.service.protocol ?? this.#located?.mount.protocol;
  }
  get #operation() {
    return (this.#found as Found).route.compiled.operation;
  }
  get #service() {
    return (this.#found as Found).route.service;
  }
}

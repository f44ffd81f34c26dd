/**
 * Runs inside a function's own process, alone: loads its code and answers requests on a socket. It is copied beside that code, so
 * it imports nothing but Node.
 */
import { existsSync, readFileSync, writeSync } from "node:fs";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

type Members = Record<string, unknown>;
type Handler = (...args: unknown[]) => unknown;
type Signature = "http" | "cloudevent" | "event";
type Registered = { readonly signature: Signature; readonly handler: Handler };

const BODY_BYTES_MAX = 32 * 1024 * 1024;
/** More than the server lets in. */
const HEAD_BYTES_MAX = 256 * 1024;
const READY_PIPE = 3;
const REGISTERED = Symbol.for("medley.functions.registered");
const MAIN_FILES = ["index.js", "index.mjs", "index.cjs", "function.js"];

type Instructions = {
  readonly variables: Readonly<Record<string, string>>;
  readonly code: string;
  readonly socket: string;
  /** Whoever knows it asks whether the process still answers. */
  readonly check: string;
};
const INPUT = 0;
const { variables, code, socket, check } = JSON.parse(readFileSync(INPUT, "utf8")) as Instructions;
Object.assign(process.env, variables);
const target = process.env.FUNCTION_TARGET ?? "";
const wanted = process.env.FUNCTION_SIGNATURE_TYPE as Signature;

const tell = (message: object): void => {
  writeSync(READY_PIPE, `${JSON.stringify(message)}\n`);
};
/** Where the source lies on the machine is nobody's business. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .replaceAll(`${pathToFileURL(code).href}/`, "")
    .replaceAll(`${code}/`, "");
const MISSING_MODULE = /^Cannot find (?:module|package) '([^'./][^']*)'/;
/** The package that a source wants and does not bring. */
function missingOf(error: unknown): string | undefined {
  const { code: kind = "", message = "" } = error as NodeJS.ErrnoException;
  return kind.endsWith("MODULE_NOT_FOUND") ? MISSING_MODULE.exec(message)?.[1] : undefined;
}
/** Something that no request can be blamed for: the process cannot be trusted any more. */
function crash(error: unknown): void {
  process.stderr.write(`${JSON.stringify({ severity: "ERROR", message: wordsOf(error) })}\n`);
  process.exit(1);
}
/** The server holds the other end: when that is gone, so is whoever could ask for anything. */
new Socket({ fd: READY_PIPE, readable: true, writable: false })
  .on("end", () => process.exit())
  .on("error", () => process.exit())
  .resume()
  .unref();
process.on("uncaughtException", crash);
process.on("unhandledRejection", crash);

function mainFile(): string {
  const description = join(code, "package.json");
  const { main } = existsSync(description)
    ? (JSON.parse(readFileSync(description, "utf8")) as { main?: string })
    : {};
  const candidates = main === undefined ? MAIN_FILES : [main, `${main}.js`, join(main, "index.js")];
  const found = candidates.map((file) => join(code, file)).find((file) => existsSync(file));
  if (!found) throw new Error(`The source has none of ${candidates.join(", ")}.`);
  return found;
}

function findRegistered(): Registered | undefined {
  const own = (globalThis as Members)[REGISTERED as unknown as string] as Map<string, Registered> | undefined;
  const registered = own?.get(target);
  if (registered) return registered;
  // A source that brings the public framework itself registers there.
  const require = createRequire(join(code, "noop.js"));
  const file = Object.keys(require.cache).find((path) =>
    path.endsWith("functions-framework/build/src/function_registry.js"),
  );
  const registry =
    file === undefined
      ? undefined
      : (require(file) as {
          getRegisteredFunction(name: string): { signatureType: string; userFunction: Handler } | undefined;
        });
  const found = registry?.getRegisteredFunction(target);
  return found && { signature: found.signatureType as Signature, handler: found.userFunction };
}
async function load(): Promise<Registered> {
  const module = (await import(pathToFileURL(mainFile()).href)) as Members;
  const registered = findRegistered();
  if (registered) return registered;
  const handler = [module, module.default]
    .map((from) => memberAt(from, target))
    .find((one) => typeof one === "function");
  if (!handler) throw new Error(`The source exports no function named ${target}.`);
  return { signature: wanted, handler: handler as Handler };
}
const memberAt = (from: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => (value as Members | undefined)?.[name], from);

/** What people know of requests and answers from the usual web framework, as far as functions use it. */
function extend(): void {
  const define = (prototype: object, members: Record<string, PropertyDescriptor>) =>
    Object.defineProperties(prototype, members);
  const method = (value: (...args: never[]) => unknown): PropertyDescriptor => ({
    value,
    writable: true,
    configurable: true,
  });
  const getter = (get: () => unknown): PropertyDescriptor => ({ get, configurable: true });
  const urlOf = (request: IncomingMessage) => new URL(request.url ?? "/", "http://function");
  define(IncomingMessage.prototype, {
    get: method(function get(this: IncomingMessage, name: string) {
      return this.headers[name.toLowerCase()];
    }),
    header: method(function header(this: IncomingMessage, name: string) {
      return this.headers[name.toLowerCase()];
    }),
    is: method(function is(this: IncomingMessage, type: string) {
      const content = this.headers["content-type"] ?? "";
      return content.includes(type) ? content.split(";")[0] : false;
    }),
    path: getter(function path(this: IncomingMessage) {
      return urlOf(this).pathname;
    } as () => unknown),
    query: getter(function query(this: IncomingMessage) {
      return valuesOf(urlOf(this).searchParams);
    } as () => unknown),
    hostname: getter(function hostname(this: IncomingMessage) {
      return (this.headers.host ?? "").split(":")[0];
    } as () => unknown),
    originalUrl: getter(function originalUrl(this: IncomingMessage) {
      return this.url;
    } as () => unknown),
    ip: getter(function ip(this: IncomingMessage) {
      return String(this.headers["x-forwarded-for"] ?? "").split(",")[0];
    } as () => unknown),
    protocol: getter(function protocol(this: IncomingMessage) {
      return this.headers["x-forwarded-proto"] ?? "http";
    } as () => unknown),
  });
  define(ServerResponse.prototype, {
    status: method(function status(this: ServerResponse, code: number) {
      this.statusCode = code;
      return this;
    } as never),
    set: method(setHeaders as never),
    header: method(setHeaders as never),
    get: method(function get(this: ServerResponse, name: string) {
      return this.getHeader(name);
    } as never),
    type: method(function type(this: ServerResponse, name: string) {
      this.setHeader("content-type", TYPES[name] ?? name);
      return this;
    } as never),
    json: method(function json(this: ServerResponse, value: unknown) {
      if (!this.hasHeader("content-type")) this.setHeader("content-type", "application/json; charset=utf-8");
      return send.call(this, JSON.stringify(value));
    } as never),
    send: method(send as never),
    sendStatus: method(function sendStatus(this: ServerResponse, code: number) {
      this.statusCode = code;
      return send.call(this, String(code));
    } as never),
    redirect: method(function redirect(this: ServerResponse, first: number | string, second?: string) {
      this.statusCode = typeof first === "number" ? first : 302;
      this.setHeader("location", typeof first === "number" ? String(second) : first);
      return this.end();
    } as never),
    cookie: method(function cookie(this: ServerResponse, name: string, value: string) {
      this.appendHeader("set-cookie", `${name}=${encodeURIComponent(value)}; Path=/`);
      return this;
    } as never),
  });
}
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  text: "text/plain; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  json: "application/json; charset=utf-8",
  css: "text/css; charset=utf-8",
  xml: "application/xml",
  png: "image/png",
};
function setHeaders(this: ServerResponse, name: string | Members, value?: unknown): ServerResponse {
  if (typeof name === "string") this.setHeader(name, value as string);
  else for (const [one, content] of Object.entries(name)) this.setHeader(one, content as string);
  return this;
}
function send(this: ServerResponse, body?: unknown): ServerResponse {
  const isBytes = body instanceof Uint8Array;
  if (body !== null && typeof body === "object" && !isBytes) {
    if (!this.hasHeader("content-type")) this.setHeader("content-type", "application/json; charset=utf-8");
    return this.end(JSON.stringify(body));
  }
  if (!this.hasHeader("content-type"))
    this.setHeader("content-type", isBytes ? "application/octet-stream" : "text/html; charset=utf-8");
  return this.end(body === undefined || body === null ? "" : isBytes ? body : String(body));
}
function valuesOf(pairs: URLSearchParams): Members {
  const values: Members = {};
  for (const name of new Set(pairs.keys())) {
    const all = pairs.getAll(name);
    values[name] = all.length === 1 ? all[0] : all;
  }
  return values;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > BODY_BYTES_MAX) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}
function bodyOf(bytes: Buffer, contentType: string): unknown {
  if (bytes.length === 0) return {};
  if (/^application\/([\w.-]+\+)?json/.test(contentType)) return JSON.parse(bytes.toString("utf8"));
  if (contentType.startsWith("application/x-www-form-urlencoded"))
    return valuesOf(new URLSearchParams(bytes.toString("utf8")));
  return contentType.startsWith("text/") ? bytes.toString("utf8") : bytes;
}
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
/** Of either HTTP mode. */
function eventOf({ headers }: IncomingMessage, bytes: Buffer): Members {
  const contentType = headers["content-type"] ?? "";
  if (contentType.startsWith("application/cloudevents+json")) return JSON.parse(bytes.toString("utf8"));
  const event: Members = { datacontenttype: contentType || undefined };
  for (const [name, value] of Object.entries(headers))
    if (name.startsWith("ce-")) event[name.slice(3)] = value;
  const text = bytes.toString("utf8");
  return { ...event, data: contentType.includes("json") ? parsed(text) : text };
}

const answerFailure = (response: ServerResponse, status: number, words: string): void => {
  if (response.headersSent) response.destroy();
  else
    response.writeHead(status, { "content-type": "text/plain", "x-medley-function-error": "1" }).end(words);
};
async function answer(
  { signature, handler }: Registered,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const bytes = await bytesOf(request);
  if (!bytes) return answerFailure(response, 413, "The request is too large.");
  if (signature === "http") {
    const whole = request as IncomingMessage & { rawBody: Buffer; body: unknown };
    whole.rawBody = bytes;
    try {
      whole.body = bodyOf(bytes, String(request.headers["content-type"] ?? ""));
    } catch {
      return answerFailure(response, 400, "The body is not what its type says.");
    }
    await handler(request, response);
    return;
  }
  const event = eventOf(request, bytes);
  if (signature === "event")
    await handler(event.data, {
      eventId: event.id,
      eventType: event.type,
      timestamp: event.time,
      resource: event.source,
    });
  else await called(handler, event);
  response.writeHead(204).end();
}
/** Older functions take a callback and say by it when they are done. */
async function called(handler: Handler, event: Members): Promise<void> {
  if (handler.length < 2) {
    await handler(event);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    handler(event, (error: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

try {
  const registered = await load();
  extend();
  const server = createServer({ maxHeaderSize: HEAD_BYTES_MAX }, (request, response) => {
    if (request.headers["x-medley-check"] === check) {
      response.writeHead(204).end();
      return;
    }
    answer(registered, request, response).catch((error: unknown) => {
      process.stderr.write(`${JSON.stringify({ severity: "ERROR", message: wordsOf(error) })}\n`);
      answerFailure(response, 500, "Internal Server Error");
    });
  });
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.listen(socket, () => tell({ ready: true }));
} catch (error) {
  tell({ problem: wordsOf(error).slice(0, 4000), missing: missingOf(error) });
  process.exit(1);
}

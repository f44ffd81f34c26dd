/** The request and response members of the common web framework that functions use. */
import { IncomingMessage, ServerResponse } from "node:http";

type Members = Record<string, unknown>;

export function extend(): void {
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
/** One value, or a list for a repeated name. */
export function valuesOf(pairs: URLSearchParams): Members {
  const values: Members = {};
  for (const name of new Set(pairs.keys())) {
    const all = pairs.getAll(name);
    values[name] = all.length === 1 ? all[0] : all;
  }
  return values;
}

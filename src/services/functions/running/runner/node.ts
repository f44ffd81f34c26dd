/**
 * Runs inside a function's process: loads the function's code and answers the server's requests. This folder is copied
 * beside that code, so the file imports only its siblings and Node.
 */
import { existsSync, readFileSync, writeSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { backgroundOf } from "./background.ts";
import { Exchange } from "./exchange.ts";
import { creditOf, FRAME, FrameReader, FrameWriter, frameOf } from "./frames.ts";
import { extend, valuesOf } from "./styles.ts";

type Members = Record<string, unknown>;
type Handler = (...args: unknown[]) => unknown;
type Signature = "http" | "cloudevent" | "event" | "typed" | "command";
/** How a typed function parses its input and formats its result; JSON by default. */
type Format = {
  deserializeRequest(request: object): unknown;
  serializeResponse(response: object, result: unknown): void;
};
type Registered = { readonly signature: Signature; readonly handler: Handler; readonly format?: Format };

const BODY_BYTES_MAX = 32 * 1024 * 1024;
/** The server holds the other end. */
const LINK = 3;
const REGISTERED: unique symbol = Symbol.for("medley.functions.registered");
const MAIN_FILES = ["index.js", "index.mjs", "index.cjs", "function.js"];

type Instructions = {
  readonly variables: Readonly<Record<string, string>>;
  readonly code: string;
  /** Whether the source names the program to run. */
  readonly isCommand: boolean;
};
const INPUT = 0;
const { variables, code, isCommand } = JSON.parse(readFileSync(INPUT, "utf8")) as Instructions;
Object.assign(process.env, variables);
const target = process.env.FUNCTION_TARGET ?? "";
const wanted = process.env.FUNCTION_SIGNATURE_TYPE as Signature;

const tell = (message: object): void => {
  writeSync(LINK, frameOf(FRAME.ready, 0, Buffer.from(JSON.stringify(message))));
};
/** Removes the path of the source from messages. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error))
    .replaceAll(`${pathToFileURL(code).href}/`, "")
    .replaceAll(`${code}/`, "");
const MISSING_MODULE = /^Cannot find (?:module|package) '([^'./][^']*)'/;
/** The package that the source requires but does not contain. */
function missingOf(error: unknown): string | undefined {
  const { code: kind = "", message = "" } = error as NodeJS.ErrnoException;
  return kind.endsWith("MODULE_NOT_FOUND") ? MISSING_MODULE.exec(message)?.[1] : undefined;
}
/** Something that no request can be blamed for: the process cannot be trusted any more. */
function crash(error: unknown): void {
  process.stderr.write(`${JSON.stringify({ severity: "ERROR", message: wordsOf(error) })}\n`);
  process.exit(1);
}
/** When the server closes the link, the process ends. */
const link = new Socket({ fd: LINK, readable: true, writable: true })
  .on("end", () => process.exit())
  .on("error", () => process.exit());
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
  type Own = Map<string, { readonly signature: Signature; readonly given: Given }>;
  const { [REGISTERED]: own } = globalThis as { [REGISTERED]?: Own };
  const registered = own?.get(target);
  if (registered) return registeredOf(registered.signature, registered.given);
  // A source that brings the public framework itself registers there.
  const require = createRequire(join(code, "noop.js"));
  const file = Object.keys(require.cache).find((path) =>
    path.endsWith("functions-framework/build/src/function_registry.js"),
  );
  const registry =
    file === undefined
      ? undefined
      : (require(file) as {
          getRegisteredFunction(name: string): { signatureType: string; userFunction: Given } | undefined;
        });
  const found = registry?.getRegisteredFunction(target);
  return found && registeredOf(found.signatureType as Signature, found.userFunction);
}
type Given = Handler | { readonly handler: Handler; readonly format: Format };
/** A typed one may come with its format. */
const registeredOf = (signature: Signature, given: Given): Registered =>
  typeof given === "function" ? { signature, handler: given } : { signature, ...given };

async function load(): Promise<Registered> {
  if (isCommand) {
    // Loaded only then: other functions start sooner without it.
    const { startCommand } = await import("./command.ts");
    return { signature: "command", handler: (await startCommand(code, crash)) as Handler };
  }
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
const json: Format = {
  deserializeRequest: (request) => JSON.parse((request as { body(): string }).body()),
  serializeResponse(response, result) {
    const writer = response as Pick<ServerResponse, "setHeader" | "end">;
    writer.setHeader("content-type", "application/json");
    writer.end(JSON.stringify(result));
  },
};
async function answerTyped(
  { handler, format = json }: Registered,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Promise<void> {
  let input: unknown;
  try {
    input = format.deserializeRequest({
      body: () => bytes.toString("utf8"),
      header: (name: string) => request.headers[name.toLowerCase()],
    });
  } catch (error) {
    process.stderr.write(`${JSON.stringify({ severity: "ERROR", message: wordsOf(error) })}\n`);
    return answerFailure(response, 400, "The body is not what the function takes.");
  }
  const result = await handler(input);
  format.serializeResponse(
    {
      setHeader: (name: string, value: string) => void response.setHeader(name, value),
      write: (part: string | Buffer) => void response.write(part),
      end: (part?: string | Buffer) => void response.end(part),
    },
    result,
  );
}
async function answer(
  registered: Registered,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Promise<void> {
  const { signature, handler } = registered;
  if (signature === "command") {
    await handler(request, response, bytes);
    return;
  }
  if (signature === "typed") return answerTyped(registered, request, response, bytes);
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
  const { data, context } = backgroundOf(event);
  await called(handler, signature === "event" ? [data, context] : [event]);
  response.writeHead(204).end();
}
/** Some functions take a callback as the last argument and call it when they are done. */
async function called(handler: Handler, given: readonly unknown[]): Promise<void> {
  if (handler.length <= given.length) {
    await handler(...given);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    handler(...given, (error: unknown) => (error ? reject(error as Error) : resolve()));
  });
}

/** Requests under way. */
const exchanges = new Map<number, Exchange>();
const writer = new FrameWriter(link);
const forget = (id: number): void => {
  exchanges.delete(id);
};

function run(registered: Registered, { request, response, bodyParts }: Exchange): void {
  const bytes = bodyParts.length === 1 ? (bodyParts[0] as Buffer) : Buffer.concat(bodyParts);
  answer(registered, request, response, bytes).catch((error: unknown) => {
    process.stderr.write(`${JSON.stringify({ severity: "ERROR", message: wordsOf(error) })}\n`);
    answerFailure(response, 500, "Internal Server Error");
  });
}
function begin(id: number, head: Buffer): Exchange {
  const exchange = new Exchange(id, head.toString("latin1"), writer, forget);
  exchanges.set(id, exchange);
  return exchange;
}
/** The request has been read to its end when the function sees it. */
function end(exchange: Exchange): Exchange {
  const { request } = exchange;
  request.complete = true;
  request.push(null);
  return exchange;
}
function takeBody(exchange: Exchange, part: Buffer): void {
  exchange.bodyBytes += part.length;
  if (exchange.bodyBytes > BODY_BYTES_MAX) {
    if (!exchange.response.writableEnded) answerFailure(exchange.response, 413, "The request is too large.");
    return;
  }
  exchange.bodyParts.push(part);
  writer.add(FRAME.credit, exchange.id, creditOf(part.length));
}
function takeOf(registered: Registered, kind: number, exchange: Exchange, content: Buffer): void {
  if (kind === FRAME.data) takeBody(exchange, content);
  else if (kind === FRAME.end)
    end(exchange)
      .request.once("end", () => run(registered, exchange))
      .resume();
  else if (kind === FRAME.stop) exchange.stop();
  else if (kind === FRAME.credit) exchange.credit(content.readUInt32LE());
}
function take(registered: Registered, kind: number, id: number, content: Buffer): void {
  if (kind === FRAME.request) run(registered, end(begin(id, content)));
  else if (kind === FRAME.requestWithBody) begin(id, content);
  else if (kind === FRAME.check) writer.add(FRAME.check, id);
  else {
    const exchange = exchanges.get(id);
    if (exchange) takeOf(registered, kind, exchange, content);
  }
}

try {
  const registered = await load();
  extend();
  const reader = new FrameReader((kind, id, content) => take(registered, kind, id, content));
  link.on("data", (part) => reader.read(part));
  tell({ ready: true });
} catch (error) {
  tell({ problem: wordsOf(error).slice(0, 4000), missing: missingOf(error) });
  process.exit(1);
}

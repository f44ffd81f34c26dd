/** A server of feeds that does what servers do to each other, and a client of the podcast directory. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import type { Instance, SendOptions, Sent } from "./medley.ts";

export type FeedAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export class FeedServer {
  readonly #server: Server;
  readonly #answers = new Map<string, FeedAnswer>();
  /** Paths in the order they were asked for. */
  readonly asked: { readonly path: string; readonly headers: IncomingMessage["headers"] }[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }
  static async start(): Promise<FeedServer> {
    const server = createServer();
    const feeds = new FeedServer(server);
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      const path = request.url ?? "/";
      feeds.asked.push({ path, headers: request.headers });
      const answer = feeds.#answers.get(path);
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return feeds;
  }
  url(path: string): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }
  answer(path: string, answer: FeedAnswer): string {
    this.#answers.set(path, answer);
    return this.url(path);
  }
  /** A document as it is, conditional requests included. */
  serve(path: string, document: string | Buffer, headers: Record<string, string> = {}): string {
    return this.answer(path, (request, response) => {
      const { etag } = headers;
      if (etag !== undefined && request.headers["if-none-match"] === etag) response.writeHead(304).end();
      else response.writeHead(200, { "content-type": "application/rss+xml", ...headers }).end(document);
    });
  }
  servePacked(path: string, document: string): string {
    return this.serve(path, gzipSync(document), { "content-encoding": "gzip" });
  }
  redirect(path: string, status: number, to: string): string {
    return this.answer(path, (_request, response) => response.writeHead(status, { location: to }).end());
  }
  countOf(path: string): number {
    return this.asked.filter((one) => one.path === path).length;
  }
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export type FeedItem = {
  readonly guid?: string;
  readonly title: string;
  readonly date?: string;
  readonly about?: string;
  readonly more?: string;
};
const NAMESPACES =
  'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:psc="http://podlove.org/simple-chapters"';
/** RSS 2.0 of what is given; the audio of each item is named after its guid. */
export function feedOf(title: string, items: readonly FeedItem[], channel = ""): string {
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" ${NAMESPACES}><channel><title>${title}</title><link>https://shows.example.org/${encodeURIComponent(title)}</link><language>en-us</language><description>About ${title}.</description><itunes:author>Ann Example</itunes:author><itunes:owner><itunes:email>ann@example.org</itunes:email></itunes:owner><itunes:category text="Technology"/>${channel}${items
    .map(
      ({
        guid,
        title: name,
        date = "Mon, 02 Nov 2026 10:00:00 GMT",
        about = `All about ${name}.`,
        more = "",
      }) =>
        `<item><title>${name}</title>${guid === undefined ? "" : `<guid isPermaLink="false">${guid}</guid>`}<pubDate>${date}</pubDate><description>${about}</description><enclosure url="https://audio.example.org/${encodeURIComponent(guid ?? name)}.mp3" type="audio/mpeg" length="1000"/><itunes:duration>10:00</itunes:duration>${more}</item>`,
    )
    .join("")}</channel></rss>`;
}

export class Directory {
  readonly #instance: () => Instance;
  constructor(instance: () => Instance) {
    this.#instance = instance;
  }
  send(method: string, below: string, options: SendOptions = {}): Promise<Sent> {
    return this.#instance().apiKey("X-Vendor-Api-Key", method, `/podcasts/api/v2${below}`, options);
  }
  /** What a successful answer holds. */
  async read(below: string, options: SendOptions = {}): Promise<any> {
    const { status, body, text } = await this.send("GET", below, options);
    expect(status, text).toBe(200);
    return body;
  }
  submit(rss: string, more: Record<string, string> = {}): Promise<Sent> {
    return this.send("POST", "/podcasts/submit", { body: new URLSearchParams({ rss, ...more }) });
  }
  /** Submits, and waits for the decision. */
  async decide(rss: string, more: Record<string, string> = {}): Promise<any> {
    const first = await this.submit(rss, more);
    expect(first.status, first.text).toBe(200);
    if (first.body.status !== "in review") return first.body;
    return eventually(async () => {
      const { body } = await this.submit(rss);
      return body.status !== "in review" && body;
    });
  }
  /** Hands a feed over as a file. */
  async handOver(name: string, document: string | Buffer): Promise<any> {
    const { status, body, text } = await this.send("POST", `/feeds?name=${encodeURIComponent(name)}`, {
      body: typeof document === "string" ? Buffer.from(document) : document,
      headers: { "content-type": "application/xml" },
    });
    expect(status, text).toBe(200);
    return body;
  }
  async refresh(id: string) {
    const { status, body, text } = await this.send("POST", `/podcasts/${id}/rss`);
    expect(status, text).toBe(200);
    return body;
  }
}

/** Episodes of a day each. */
export const items = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({
    guid: `e${from + at}`,
    title: `Episode ${from + at}`,
    date: new Date(Date.UTC(2026, 0, 1 + from + at, 10)).toUTCString(),
  }));

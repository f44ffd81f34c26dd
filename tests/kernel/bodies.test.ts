/** Bodies: of whom they are read, how much of them, and how many at once. */
import { createHash } from "node:crypto";
import { connect, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Instance, onBothDatabases, startInstance } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";

const options = { services: [], extraServices: allSamples };
const key = "X-Vendor-Key: first-api-key-0001";
const PIECE = Buffer.alloc(64 * 1024, "x");
/** What lies in the buffers of both ends of a connection although nobody reads it. */
const BUFFERED_BYTES_MAX = 24 * 1024 * 1024;

/** A connection on which a head and as much of a body is sent as the other side takes. */
class Upload {
  readonly socket: Socket;
  answer = "";
  sentBytes = 0;
  closed = false;
  constructor(instance: Instance, method: string, path: string, headers: readonly string[]) {
    this.socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
    this.socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.join("\r\n")}\r\n\r\n`);
    this.socket.on("data", (chunk) => {
      this.answer += chunk;
    });
    this.socket.on("error", () => {});
    this.socket.on("close", () => {
      this.closed = true;
    });
  }
  send(bytes: Buffer | string): void {
    this.socket.write(bytes);
  }
  /** Until all was sent, or the other side has closed. */
  async pump(bytes: number): Promise<void> {
    const write = () =>
      new Promise<boolean>((resolve) => this.socket.write(PIECE, (error) => resolve(!error)));
    while (this.sentBytes < bytes && (await write())) this.sentBytes += PIECE.length;
    if (this.sentBytes < bytes) await eventually(() => this.closed, "the end of the connection");
  }
  get status(): number {
    return Number(/HTTP\/1\.1 (\d+)/.exec(this.answer)?.[1] ?? 0);
  }
  answered(): Promise<boolean> {
    return eventually(() => this.answer.includes("\r\n\r\n"), "an answer");
  }
  end(): void {
    this.socket.destroy();
  }
}
const HUGE = 500 * 1024 * 1024;
const STREAM_BYTES_MAX = 8 * 1024 * 1024;
const ofLength = (bytes: number) => `Content-Length: ${bytes}`;

onBothDatabases(
  "bodies",
  (instance) => {
    // Each waits for the moment in which what is still on its way is let go: they wait together.
    it.concurrent.each([
      ["no API key", "/sample-key/stream", []],
      ["a wrong API key", "/sample-key/stream", ["X-Vendor-Key: wrong"]],
      ["no bearer token", "/sample-bearer/v1/stream", []],
      ["a wrong bearer token", "/sample-arm/stream?api-version=1", ["Authorization: Bearer wrong"]],
      ["no token of that cloud", "/sample-google/stream", []],
      ["a wrong password", "/sample-basic/stream", ["Authorization: Basic Zmlyc3Q6d3Jvbmc="]],
      ["no signature", "/sample-signed/stream", []],
      ["a token of no admin", "/_medley/state", ["Authorization: Bearer second-token-0002"], "PUT"],
      ["nobody", "/_medley/state", [], "PUT"],
    ] as const)("of a caller with %s is not read", async (_who, path, headers, method: string = "POST") => {
      for (const length of [ofLength(HUGE), "Transfer-Encoding: chunked"]) {
        const upload = new Upload(instance(), method, path, [...headers, length]);
        if (length.startsWith("Transfer")) upload.send(`${HUGE.toString(16)}\r\n`);
        await upload.pump(HUGE);
        expect(upload.sentBytes).toBeLessThan(BUFFERED_BYTES_MAX);
        expect([401, 403]).toContain(upload.status);
        expect(upload.answer.toLowerCase()).toContain("connection: close");
      }
    });
    it.concurrent("of a caller whose signature is wrong is not read, whether or not a header tells its hash", async () => {
      const now = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
      const credential = `MDLYSTRANGER/${now.slice(0, 8)}/us-east-1/sample/aws4_request`;
      for (const hashed of [true, false]) {
        const names = hashed ? "host;x-amz-content-sha256;x-amz-date" : "host;x-amz-date";
        const upload = new Upload(instance(), "POST", "/sample-signed/stream", [
          ofLength(HUGE),
          `X-Amz-Date: ${now}`,
          ...(hashed ? [`X-Amz-Content-Sha256: ${"0".repeat(64)}`] : []),
          `Authorization: AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${"0".repeat(64)}`,
        ]);
        await upload.pump(HUGE);
        expect([upload.status, upload.sentBytes < BUFFERED_BYTES_MAX]).toEqual([403, true]);
      }
    });
    it.concurrent("of a caller without permission is not read", async () => {
      const policies = [{ effect: "Allow", actions: ["sample-key:GetNote"], resources: ["*"] }];
      const made = await instance().bearer("POST", "/_medley/credentials", {
        body: { accounts: [{ id: "444444444444", apiKeys: ["reader-api-key-0004"], policies }] },
      });
      expect(made.status).toBeLessThan(300);
      const upload = new Upload(instance(), "POST", "/sample-key/stream", [
        "X-Vendor-Key: reader-api-key-0004",
        ofLength(8 * 1024 * 1024),
      ]);
      await upload.answered();
      expect(upload.status).toBe(403);
      upload.end();
    });
    it.concurrent("are refused by their length before a byte is read, and cut off at the limit where they tell none", async () => {
      const announced = new Upload(instance(), "POST", "/sample-key/notes", [key, ofLength(HUGE)]);
      await announced.answered();
      expect([announced.status, announced.answer]).toEqual([413, expect.stringContaining("PayloadTooLarge")]);
      announced.end();
      for (const path of ["/sample-key/notes", "/sample-key/stream"]) {
        const chunked = new Upload(instance(), "POST", path, [key, "Transfer-Encoding: chunked"]);
        chunked.send(`${HUGE.toString(16)}\r\n`);
        await chunked.pump(HUGE);
        expect([path, chunked.status, chunked.sentBytes < BUFFERED_BYTES_MAX]).toEqual([path, 413, true]);
      }
    });
    it.each([
      ["of a length", "bytes", 65_536, 200],
      ["of a length", "bytes", 65_537, 413],
      ["in chunks", "bytes", 65_536, 200],
      ["in chunks", "bytes", 65_537, 413],
      ["of a length", "stream", STREAM_BYTES_MAX, 200],
      ["of a length", "stream", STREAM_BYTES_MAX + 1, 413],
      ["in chunks", "stream", STREAM_BYTES_MAX, 200],
      ["in chunks", "stream", STREAM_BYTES_MAX + 1, 413],
    ])("%s, to /%s, %d bytes: %d", async (how, path, bytes, status) => {
      const isChunked = how === "in chunks";
      const length = isChunked ? "Transfer-Encoding: chunked" : ofLength(bytes);
      const type = "Content-Type: application/octet-stream";
      const upload = new Upload(instance(), "POST", `/sample-key/${path}`, [key, type, length]);
      const content = Buffer.alloc(bytes, "x");
      const parts = isChunked ? [`${bytes.toString(16)}\r\n`, content, "\r\n0\r\n\r\n"] : [content];
      for (const part of parts) upload.send(part);
      await upload.answered();
      expect(upload.status).toBe(status);
      upload.end();
    });
    it.each([
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync],
    ])("that are packed (%s) are not unpacked", async (coding, pack) => {
      const packed = pack(Buffer.from(`{"text":"${"a".repeat(50_000)}"}`));
      const headers = {
        "X-Vendor-Key": "first-api-key-0001",
        "content-type": "application/json",
        "content-encoding": coding,
      };
      const sent = await instance().send("POST", "/sample-key/notes", { headers, body: packed });
      expect([sent.status, sent.body.error.code]).toEqual([400, "MalformedBody"]);
    });
    it("that are asked about beforehand are sent for only when caller and size are right", async () => {
      const expecting = (headers: string[], path = "/sample-key/bytes") =>
        new Upload(instance(), "POST", path, [...headers, "Expect: 100-continue"]);
      const type = "Content-Type: application/octet-stream";
      const welcome = expecting([key, type, ofLength(5)]);
      await eventually(() => welcome.answer.startsWith("HTTP/1.1 100 Continue\r\n\r\n"));
      welcome.send("hello");
      await eventually(() => welcome.answer.endsWith("hello"));
      welcome.end();
      for (const [headers, status] of [
        [[type, ofLength(5)], 401],
        [[key, type, ofLength(100_000)], 413],
      ] as const) {
        const refused = expecting([...headers]);
        await refused.answered();
        expect([refused.status, refused.answer.toLowerCase()]).toEqual([
          status,
          expect.stringContaining("connection: close"),
        ]);
        refused.end();
      }
    });
    it("that are small leave the connection usable when the caller is refused", async () => {
      const upload = new Upload(instance(), "POST", "/sample-key/notes", ["X-Vendor-Key: no", ofLength(5)]);
      await upload.answered();
      upload.send("hello");
      upload.send("GET /sample-key/open HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await eventually(() => upload.answer.includes("mountUrl"));
      expect(upload.status).toBe(401);
      upload.end();
    });
    it("that are large are streamed, whole", async () => {
      const body = Buffer.alloc(7 * 1024 * 1024, "one line\n");
      const sent = await instance().send("POST", "/sample-key/stream", {
        headers: { "x-vendor-key": "first-api-key-0001", "content-type": "text/plain" },
        body,
      });
      const sha256 = createHash("sha256").update(body).digest("hex");
      expect(sent.body).toEqual({ size: body.length, sha256, lines: Math.floor(body.length / 9) });
      const signed = await instance().signed("sample", "POST", "/sample-signed/stream", { body: "a\nb" });
      expect(signed.body).toMatchObject({ size: 3, lines: 1 });
      const forged = await instance().signed("sample", "POST", "/sample-signed/stream", {
        body: "a\nb",
        headers: { "x-amz-content-sha256": sha256 },
      });
      expect([forged.status, forged.body.__type]).toEqual([403, "InvalidSignatureException"]);
      const nothing = await instance().send("POST", "/sample-key/stream", {
        headers: { "x-vendor-key": "first-api-key-0001" },
      });
      expect(nothing.body).toMatchObject({ size: 0, lines: 0 });
    });
    it("that are broken off are forgotten", async () => {
      for (const path of ["/sample-key/stream", "/sample-key/notes"]) {
        const upload = new Upload(instance(), "POST", path, [key, ofLength(500_000)]);
        await upload.pump(PIECE.length);
        upload.end();
      }
      expect((await instance().send("GET", "/sample-key/open")).status).toBe(200);
    });
  },
  options,
);

describe("bodies under way at once", () => {
  const MEMORY = 1024 * 1024;
  const LARGE = 700_000;
  let instance: Instance;
  beforeAll(async () => {
    instance = await startInstance({ ...options, bodyMemoryBytesMax: MEMORY, bodyDiskBytesMax: MEMORY });
  });
  afterAll(() => instance.stop());
  const held = async (name: string) =>
    Number(
      new RegExp(`^medley_${name} (\\d+)$`, "m").exec(
        (await instance.send("GET", "/_medley/metrics")).text,
      )?.[1],
    );

  it.each([
    ["memory", "/sample-key/notes", "body_memory_bytes", { text: "x".repeat(90_000) }, 201],
    ["disk", "/sample-key/stream", "body_disk_bytes", "x".repeat(LARGE), 200],
  ] as const)(
    "take no more %s than there is for them, and others are told when to come back",
    async (_where, path, gauge, body, status) => {
      const send = () =>
        instance.send("POST", path, { headers: { "x-vendor-key": "first-api-key-0001" }, body });
      const holding = new Upload(instance, "POST", path, [key, ofLength(MEMORY)]);
      holding.send(Buffer.alloc(MEMORY - 1000, " "));
      await eventually(async () => (await held(gauge)) === MEMORY - 1000, "the first body");
      const refused = await send();
      expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
        503,
        "ServiceUnavailable",
        "1",
      ]);
      expect((await instance.send("GET", "/sample-key/open")).status).toBe(200);
      holding.end();
      await eventually(async () => (await held(gauge)) === 0, "the end of the first");
      expect((await send()).status).toBe(status);
      expect(await held(gauge)).toBe(0);
    },
  );
});

/** Addresses, bodies, limits and errors, over HTTP. */
import { request } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { type Instance, onBothDatabases } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";
import { sendBytes } from "../support/send-bytes.ts";

const options = { services: [], extraServices: allSamples };
const key = { "x-vendor-key": "first-api-key-0001" };

/** Sends a request exactly as written, to a host of one's own choice. */
function raw(
  instance: Instance,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<{ status: number; body: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${instance.url}${path}`, { method, headers }, (answer) => {
      let body = "";
      answer.on("data", (chunk) => {
        body += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }));
    });
    sent.on("error", reject);
    sent.end();
  });
}

onBothDatabases(
  "HTTP",
  (instance) => {
    it("serves one service at its path, at its own host name and at an unambiguous root path", async () => {
      await instance().bearer("PUT", "/sample-bearer/v1/notes/addressed", { body: { text: "here" } });
      const token = { authorization: "Bearer first-token-0001" };
      expect((await raw(instance(), "/sample-bearer/v1/notes/addressed", token)).status).toBe(200);
      expect(
        (await raw(instance(), "/v1/notes/addressed", { ...token, host: "sample-bearer.localhost:4020" }))
          .status,
      ).toBe(200);
      expect((await raw(instance(), "/v1/notes/addressed", token)).status).toBe(200);
      const open = await raw(instance(), "/v1/open", { host: "sample-bearer.localhost:4020" });
      expect(JSON.parse(open.body)).toEqual({ mountUrl: "http://sample-bearer.localhost:4020/v1" });
    });
    it("takes a trailing slash or leaves it", async () => {
      for (const path of ["/sample-key/open", "/sample-key/open/"])
        expect((await instance().send("GET", path)).status).toBe(200);
      for (const path of ["/sample-key/arns/a/tags", "/sample-key/arns/a/tags/"])
        expect((await instance().send("GET", path, { headers: key })).status).toBe(200);
    });
    it("keeps a percent-encoded name with slashes in one segment", async () => {
      const arn = "arn:vendor:x:us-east-1:111111111111:group/one two";
      const answer = await instance().send("GET", `/sample-key/arns/${encodeURIComponent(arn)}/tags`, {
        headers: key,
      });
      expect(answer.body).toEqual({ arn });
    });
    it("tells colon verbs from names with colons", async () => {
      await instance().send("PUT", "/sample-key/notes/verbs", { headers: key, body: { text: "x" } });
      expect(
        (await instance().send("POST", "/sample-key/notes/verbs:count", { headers: key, body: {} })).status,
      ).toBe(202);
      expect((await instance().send("GET", "/sample-key/notes/verbs:other", { headers: key })).status).toBe(
        404,
      );
    });
    it("matches resource-manager paths whatever their case, and only those", async () => {
      const put = await instance().bearer("PUT", "/sample-arm/NOTES/CaseKept?api-version=1", {
        body: { text: "x" },
      });
      expect(put.body.id).toBe("CaseKept");
      expect((await instance().send("GET", "/sample-key/OPEN")).status).toBe(404);
    });
    it("answers HEAD like GET without the body", async () => {
      const head = await instance().send("HEAD", "/sample-key/open");
      expect(head.status).toBe(200);
      expect(head.text).toBe("");
      expect(Number(head.headers.get("content-length"))).toBeGreaterThan(10);
    });
    it("takes JSON, forms and multipart, and an empty body under a JSON type", async () => {
      const form = await instance().send("POST", "/sample-key/notes", {
        headers: { ...key, "content-type": "application/x-www-form-urlencoded" },
        body: "text=a+b&count=7",
      });
      expect(form.body).toMatchObject({ text: "a b", count: 7 });
      const parts = new FormData();
      parts.set("text", "in parts");
      parts.set("count", "3");
      expect(
        (await instance().send("POST", "/sample-key/notes", { headers: key, body: parts })).body,
      ).toMatchObject({ text: "in parts", count: 3 });
      for (let i = 0; i < 1100; i += 1) parts.append("more", "x");
      const tooMany = await instance().send("POST", "/sample-key/notes", { headers: key, body: parts });
      expect([tooMany.status, tooMany.body.error.message]).toEqual([
        400,
        "The multipart form is not valid: it has too many parts.",
      ]);
      expect(
        (
          await instance().send("GET", "/sample-key/notes", {
            headers: { ...key, "content-type": "application/json" },
          })
        ).status,
      ).toBe(200);
      const bytesSent = Buffer.from([0, 1, 2, 255]);
      expect(
        (
          await instance().send("POST", "/sample-key/bytes", {
            headers: { ...key, "content-type": "application/octet-stream" },
            body: bytesSent,
          })
        ).bytes,
      ).toEqual(bytesSent);
    });
    it("refuses what is malformed, of the wrong type, too large or too long, in the service's own shape", async () => {
      const post = (body: string, type = "application/json") =>
        instance().send("POST", "/sample-key/notes", { headers: { ...key, "content-type": type }, body });
      const cases: [Promise<{ status: number; body: any }>, number, string][] = [
        [post("{"), 400, "MalformedBody"],
        [post('{"text":1}'), 400, "InvalidInput"],
        [post('{"count":1}'), 400, "InvalidInput"],
        [post('{"text":"a","count":1001}'), 400, "InvalidInput"],
        [post('{"text":"a","__proto__":{"admin":true}}'), 400, "MalformedBody"],
        [post('{"text":"a","more":[{"__pr\\u006fto__":{"admin":true}}]}'), 400, "MalformedBody"],
        [post('{"text":"half \\ud83d of it"}'), 400, "MalformedBody"],
        [post("[".repeat(100_000)), 400, "MalformedBody"],
        [post("x", "image/png"), 415, "UnsupportedMediaType"],
        [post("--x", "multipart/form-data; boundary=x"), 400, "MalformedBody"],
        [post(`{"text":"${"a".repeat(2_000_000)}"}`), 413, "PayloadTooLarge"],
        [
          instance().send("GET", `/sample-key/notes?next=${"a".repeat(20_000)}`, { headers: key }),
          414,
          "UriTooLong",
        ],
        [
          instance().send("GET", "/sample-key/open", { headers: { "x-long": "a".repeat(70_000) } }),
          431,
          "HeadersTooLarge",
        ],
        [instance().send("GET", "/sample-key/notes?next=forged", { headers: key }), 400, "InvalidInput"],
        [instance().send("GET", "/sample-key/nowhere", { headers: key }), 404, "NotFound"],
        [instance().send("GET", "/sample-key/notes/%zz", { headers: key }), 404, "NotFound"],
        [instance().send("PATCH", "/sample-key/notes", { headers: key }), 405, "MethodNotAllowed"],
        [instance().send("GET", "/nowhere-at-all"), 404, "NotFound"],
        [instance().send("GET", "/sample-key/slow?ms=5000", { headers: key }), 503, "TimedOut"],
      ];
      for (const [sent, status, code] of cases) {
        const answer = await sent;
        expect([answer.status, answer.body.error.code, typeof answer.body.error.message]).toEqual([
          status,
          code,
          "string",
        ]);
      }
    });
    it("takes text that only speaks of what would be refused", async () => {
      const text = "about __proto__ and \\u0000, \\ud83d and 😀";
      const sent = await instance().send("POST", "/sample-key/notes", {
        headers: { ...key, "content-type": "application/json" },
        body: JSON.stringify({ text }),
      });
      expect([sent.status, sent.body.text]).toEqual([201, text]);
    });
    it("names the allowed methods with a 405", async () => {
      expect(
        (await instance().send("PATCH", "/sample-key/notes", { headers: key })).headers.get("allow"),
      ).toBe("GET, HEAD, POST");
    });
    it("answers what is not HTTP, and goes on", async () => {
      expect(await sendBytes(instance(), "NONSENSE\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
      expect(
        await sendBytes(instance(), `GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(1_200_000)}\r\n\r\n`),
      ).toMatch(/^HTTP\/1.1 431/);
      expect((await instance().send("GET", "/_medley/health")).status).toBe(200);
    });
    it("lets go of a caller who is no HTTP client and never closes", async () => {
      const port = Number(new URL(instance().url).port);
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () =>
        socket.write("NONSENSE\r\n\r\n"),
      );
      socket.on("error", () => {}).resume();
      await eventually(() => socket.readableEnded, "the answer's end");
      // Only a connection that the other side has given up refuses to be written to.
      await eventually(() => {
        if (!socket.destroyed) socket.write("x");
        return socket.destroyed;
      }, "the end of the connection");
    });
    it("puts a request id on every answer", async () => {
      const ids = new Set<string | null>();
      for (const path of ["/sample-key/open", "/sample-key/nowhere", "/sample-key/notes"])
        ids.add((await instance().send("GET", path)).headers.get("x-request-id"));
      expect(ids.size).toBe(3);
      expect(ids.has(null)).toBe(false);
    });
    it("tells nothing of its own mistakes but that there was one", async () => {
      const lenient = await instance().send("POST", "/sample-key/crash", { headers: key });
      expect(lenient.status).toBe(500);
      expect(lenient.body.error.code).toBe("InternalError");
    });
    it("pages by keyset: every row once, also while others are written", async () => {
      for (let i = 0; i < 25; i += 1)
        await instance().send("PUT", `/sample-key/notes/page-${String(i).padStart(2, "0")}`, {
          headers: { "x-vendor-key": "second-api-key-0002" },
          body: { text: "x" },
        });
      const seen: string[] = [];
      let next: string | undefined;
      do {
        const page = await instance().send("GET", `/sample-key/notes?size=10${next ? `&next=${next}` : ""}`, {
          headers: { "x-vendor-key": "second-api-key-0002" },
        });
        seen.push(...page.body.notes.map((note: { id: string }) => note.id));
        next = page.body.next;
        await instance().send("PUT", `/sample-key/notes/page-00-late-${seen.length}`, {
          headers: { "x-vendor-key": "second-api-key-0002" },
          body: { text: "x" },
        });
      } while (next);
      expect(seen.filter((id) => /^page-\d\d$/.test(id))).toHaveLength(25);
      expect(new Set(seen).size).toBe(seen.length);
    });
    it("keeps two accounts apart", async () => {
      await instance().send("PUT", "/sample-key/notes/mine", { headers: key, body: { text: "secret" } });
      expect(
        (
          await instance().send("GET", "/sample-key/notes/mine", {
            headers: { "x-vendor-key": "second-api-key-0002" },
          })
        ).status,
      ).toBe(404);
    });
    it("understands and answers in the maker's spelling", async () => {
      const put = await instance().send("PUT", "/sample-key/notes/spelt", {
        headers: { "x-maker-key": "first-api-key-0001" },
        body: { makers_text: "hello" },
      });
      expect(put.status).toBe(201);
      expect(put.body).toEqual({ id: "spelt", makers_text: "hello", count: 0 });
      expect(put.headers.get("x-maker-request-id")).toBeTruthy();
      expect((await instance().send("GET", "/sample-key/notes/spelt", { headers: key })).body.text).toBe(
        "hello",
      );
    });
    it("lets only one of many racing writers win", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () =>
          instance().send("PUT", "/sample-key/notes/raced", { headers: key, body: { text: "x" } }),
        ),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...new Array(19).fill(409)]);
    });
  },
  options,
);

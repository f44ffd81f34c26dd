/** Requests that are not HTTP/1.0 or HTTP/1.1: each gets one answer at most, in its turn, and the connection ends. */
import { connect } from "node:net";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { accounts, type Instance, onBothDatabases } from "../support/medley.ts";
import { allSamples } from "../support/sample.ts";
import { sendBytes } from "../support/send-bytes.ts";

const options = { services: [], extraServices: allSamples, requestLogSize: 10 };
const headers = `Host: x\r\nX-Vendor-Key: first-api-key-0001\r\nAuthorization: Bearer ${accounts.first.tokens[0]}\r\n`;
const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\n${headers}${more}\r\n`;
const post = (path: string, more: string): string => `POST ${path} HTTP/1.1\r\n${headers}${more}\r\n`;
const statusesOf = (text: string): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = ""]) => status);
const NONSENSE = "NONSENSE\r\n\r\n";

/** Sends one text after the other; each waits until the answer so far contains the given text. */
function converse(instance: Instance, steps: readonly (readonly [text: string, awaited: string])[]) {
  return new Promise<string>((resolve, reject) => {
    let heard = "";
    let isClosed = false;
    const socket = connect(Number(new URL(instance.url).port), "127.0.0.1");
    socket.on("data", (part) => {
      heard += part;
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      isClosed = true;
    });
    const talk = async () => {
      for (const [text, awaited] of steps) {
        socket.write(text);
        await eventually(() => heard.includes(awaited), awaited);
      }
      await eventually(() => isClosed, "the end of the connection");
      resolve(heard);
    };
    talk().catch(reject);
  });
}

onBothDatabases(
  "broken requests",
  (instance) => {
    it.each([
      ["GET /sample-key/open HTTP/0.9\r\nHost: x\r\n\r\n", "505"],
      ["GET /sample-key/open\r\n\r\n", "505"],
      ["GET /sample-key/open\r\nHost: x\r\n\r\n", "505"],
      ["GET /sample-key/open HTTP/1.2\r\nHost: x\r\n\r\n", "400"],
      ["GET /sample-key/open HTTP/2.0\r\nHost: x\r\n\r\n", "505"],
      ["POST /sample-key/notes HTTP/2.0\r\nHost: x\r\nContent-Length: 9\r\n\r\n{", "505"],
      ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400"],
      ["GET /sample-key/open HTTP/3.0\r\nHost: x\r\n\r\n", "400"],
      [NONSENSE, "400"],
      ["CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: x\r\n\r\n", "405"],
      [`CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: x\r\n\r\n${get("/sample-key/open")}`, "405"],
      ["CONNECT /sample-key/open HTTP/1.1\r\nHost: x\r\n\r\n", "405"],
      ["GET * HTTP/1.1\r\nHost: x\r\n\r\n", "400"],
      ["GET ftp://x/sample-key/open HTTP/1.1\r\nHost: x\r\n\r\n", "400"],
      ["GET http:///sample-key/open HTTP/1.1\r\nHost: x\r\n\r\n", "400"],
      ["FOO /sample-key/open HTTP/1.1\r\nHost: x\r\n\r\n", "400"],
      ["GET /sample-key/open HTTP/1.1\r\nConnection: close\r\n\r\n", "400"],
      ["GET /sample-key/open HTTP/1.1\r\nHost: x\r\nX\u00e4: y\r\n\r\n", "400"],
      ["GET /sample-key/open HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n", "400"],
      ["GET /sample-key/open HTTP/1.1\nHost: x\n\n", "400"],
    ])("%j gets one answer and the connection ends", async (text, status) => {
      const answer = await sendBytes(instance(), text);
      expect(statusesOf(answer)).toEqual([status]);
      expect(answer.toLowerCase()).toContain("\r\nconnection: close\r\n");
    });
    it("the requests before CONNECT are answered first", async () => {
      const tunnel = `CONNECT elsewhere.test:443 HTTP/1.1\r\nHost: x\r\n\r\n${get("/sample-key/open")}`;
      const answer = await sendBytes(
        instance(),
        get("/sample-key/slow?ms=200") + get("/sample-key/open") + tunnel,
      );
      expect(statusesOf(answer)).toEqual(["200", "200", "405"]);
    });
    it.each([
      ["TRACE /sample-key/open", "", "405"],
      ["PROPFIND /sample-key/open", "", "405"],
      ["OPTIONS *", "", "405"],
      ["GET /sample-key/open", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n", "200"],
      ["GET /sample-key/open", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n", "200"],
      ["GET /sample-key/open", "Expect: 200-ok\r\n", "417"],
      ["GET /sample-key/open", "Expect: 100-continue\r\n", "100"],
      ["GET http://x/sample-key/open", "", "200"],
      ["GET HTTPS://x:80/sample-key/open?a=b", "", "200"],
      ["GET http://x", "", "302"],
      ["GET http://x?a=b", "", "302"],
      ["GET http://user:password@x/sample-key/open", "", "400"],
      ["GET http://x y/sample-key/open", "", "400"],
      ["GET //x/sample-key/open", "", "404"],
    ])("%s with %j is answered by %s", async (line, more, status) => {
      const connection = more.startsWith("Upgrade") ? "Upgrade, close" : "close";
      const request = `${line} HTTP/1.1\r\n${headers}${more}Connection: ${connection}\r\n\r\n`;
      expect(statusesOf(await sendBytes(instance(), request))[0]).toBe(status);
    });
    it("the host of a whole address takes the place of the Host header", async () => {
      const request = (target: string, host: string) =>
        sendBytes(instance(), `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      const own = await request("/", "sample-key.localhost");
      const named = await request("http://sample-key.localhost/", "x");
      const headless = (text: string): string => text.slice(text.indexOf("\r\n\r\n"));
      expect([statusesOf(named), headless(named)]).toEqual([statusesOf(own), headless(own)]);
      expect(headless(await request("http://x/", "sample-key.localhost"))).not.toBe(headless(own));
    });
    it("megabytes of chunk extensions and trailers are refused, and small chunks are taken", async () => {
      const chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n";
      const sent = (body: string) => sendBytes(instance(), post("/sample-key/notes", chunked) + body);
      const long = "x".repeat(2_000_000);
      const note = '{"text":"a"}';
      const whole = `${note.length.toString(16)}\r\n${note}\r\n`;
      expect(statusesOf(await sent(`1;a=${long}\r\n{\r\n0\r\n\r\n`))).toEqual(["400"]);
      expect(statusesOf(await sent(`${whole}0\r\nX: ${long}\r\n\r\n`))).toEqual(["431"]);
      expect(statusesOf(await sent(`${whole}0\r\n${"Abcde: vwxyz\r\n".repeat(200_000)}\r\n`))).toEqual([
        "431",
      ]);
      expect(statusesOf(await sent(`${"1\r\n \r\n".repeat(20_000)}${whole}0\r\n\r\n`))).toEqual(["201"]);
    });
    it("a request behind one of another version is not answered", async () => {
      const answer = await sendBytes(
        instance(),
        `GET /sample-key/open HTTP/2.0\r\n${headers}\r\n${get("/sample-key/open")}`,
      );
      expect(statusesOf(answer)).toEqual(["505"]);
    });
    it("the requests before a broken one are answered first", async () => {
      const answer = await sendBytes(
        instance(),
        get("/sample-key/slow?ms=200") + get("/sample-key/open") + NONSENSE,
      );
      expect(statusesOf(answer)).toEqual(["200", "200", "400"]);
    });
    it("what follows a request with `Connection: close` gets no answer", async () => {
      for (const rest of [get("/sample-key/open"), NONSENSE]) {
        const slow = get("/sample-key/slow?ms=200", "Connection: close\r\n");
        expect(statusesOf(await sendBytes(instance(), slow + rest))).toEqual(["200"]);
      }
    });
    it("a body that breaks is answered once, before and after the answer has begun", async () => {
      const chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
      const breaking = `${post("/sample-key/notes", chunked)}1\r\n{\r\nnot a length\r\n`;
      expect(statusesOf(await sendBytes(instance(), breaking))).toEqual(["400"]);
      const refused = await converse(instance(), [
        [`${post("/sample-key/nowhere", chunked)}1\r\n{\r\n`, "Nothing answers"],
        ["not a length\r\n", "Nothing answers"],
      ]);
      expect(statusesOf(refused)).toEqual(["404"]);
    });
    it("a body that breaks behind other requests is answered in its turn", async () => {
      const chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n";
      const breaking = `${post("/sample-key/notes", chunked)}1\r\n{\r\nnot a length\r\n`;
      const answer = await sendBytes(instance(), get("/sample-key/slow?ms=200") + breaking);
      expect(statusesOf(answer)).toEqual(["200", "400"]);
    });
    it("a stream of answers is not interrupted by another answer", async () => {
      const stream = await converse(instance(), [
        [get("/_medley/requests/stream"), ": listening"],
        [`${NONSENSE}${NONSENSE}`, ": listening"],
      ]);
      expect(statusesOf(stream)).toEqual(["200"]);
    });
  },
  options,
);

/** Functions that violate the protocol with the server, and accounts that ask for data of others. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Functions } from "../../../tests/support/functions.ts";
import { type Instance, startInstance } from "../../../tests/support/medley.ts";
import { sendBytes } from "../../../tests/support/send-bytes.ts";

const SOURCE = `
const fs = require("node:fs");
const HOW = {
  "no head": (s) => s.socket.write("no HTTP at all\\r\\n\\r\\n"),
  "two lengths": (s) => s.socket.write("HTTP/1.1 200 OK\\r\\ncontent-length: 1\\r\\ncontent-length: 2\\r\\n\\r\\nab"),
  "too long": (s) => { s.writeHead(200, { "content-length": "2" }); s.write("ab"); s.write("HTTP/1.1 200 OK\\r\\n\\r\\n"); s.end(); },
  "too short": (s) => { s.writeHead(200, { "content-length": "20" }); s.end("ab"); },
  "destroyed": (s) => s.destroy(),
  "no frames": () => fs.writeSync(3, Buffer.alloc(64, 255)),
  "chunked": (s) => { s.setHeader("transfer-encoding", "chunked"); s.write("a"); s.end("b"); },
  "head": (s, bytes) => { s.writeHead(200, { "content-length": "0", x: "" }); s._header = s._header.replace("x: ", "x: " + "y".repeat(Number(bytes) + 4 - s._header.length)); s.end(); },
  "early": (s) => { s.writeContinue(); s.end("late"); },
  "a thousand pieces of a head": (s) => { for (const letter of "x".repeat(1000)) s.socket.write(letter); },
  "a thousand pieces": (s) => {
    s.flushHeaders();
    for (let n = 0; n < 1000; n += 1) s.socket.write("a");
    s.end();
  },
  "no name": (s) => lateAnswer(s, "x y: 1"),
  "no name of a length": (s) => lateAnswer(s, "content-length : 2"),
  "two lines in a value": (s) => lateAnswer(s, "x: 1\\nset-cookie: medley_session=1"),
  "7000 interim answers": (s) => s.socket.write("HTTP/1.1 100 \\r\\n\\r\\n".repeat(7000)),
};
/** The head comes before the body, so the server cannot hold it back. */
const lateAnswer = (s, header) => {
  s.socket.write("HTTP/1.1 200 OK\\r\\n" + header + "\\r\\nok: yes\\r\\n\\r\\n");
  setTimeout(() => s.socket.write("late"), 100);
  setTimeout(() => s.socket.destroy(), 200);
};
exports.breaks = (request, response) => (HOW[request.query.how] ?? (() => response.send("fine")))(response, request.query.bytes);`;

let instance: Instance;
let url: string;
const functions = new Functions(() => instance);
beforeAll(async () => {
  instance = await startInstance({ services: ["functions"] });
  url = await functions.running("breaks", { source: SOURCE, service: { timeoutSeconds: 20 } });
}, 120_000);
afterAll(() => instance.stop());

describe("an answer that breaks the rules", () => {
  const outcome = async (how: string): Promise<number> =>
    (await functions.call(`${url}?how=${encodeURIComponent(how)}`)).status;
  it.each([
    ["no head", 502],
    ["two lengths", 502],
    ["too long", 502],
    ["too short", 502],
    ["destroyed", 500],
    ["no frames", 500],
    ["7000 interim answers", 502],
    ["a thousand pieces of a head", 502],
  ])("%s", async (how, expected) => {
    expect(await outcome(how)).toBe(expected);
    expect((await functions.call(url)).text).toBe("fine");
  });
  it("a head of more than 120 KiB", async () => {
    // Common clients take no such heads.
    const outcomeOf = async (bytes: number): Promise<string> => {
      const { host, pathname } = new URL(url);
      const line = `GET ${pathname}?how=head&bytes=${bytes} HTTP/1.1`;
      const answer = await sendBytes(instance, `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      return answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length);
    };
    const most = 120 * 1024;
    expect([await outcomeOf(most), await outcomeOf(most + 1)]).toEqual(["200", "502"]);
    expect((await functions.call(url)).text).toBe("fine");
  });
  it("a body in very many pieces is gathered", async () => {
    const { host, pathname } = new URL(url);
    const line = `GET ${pathname}?how=a%20thousand%20pieces HTTP/1.1`;
    const answer = await sendBytes(instance, `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer.match(/a/g)?.length).toBeGreaterThan(999);
    expect(answer.split("\r\n").length).toBeLessThan(200);
  });
  it.each(["no name", "no name of a length", "two lines in a value"])("a header with %s", async (how) => {
    const { host, pathname } = new URL(url);
    const line = `GET ${pathname}?how=${encodeURIComponent(how)} HTTP/1.1`;
    const answer = await sendBytes(instance, `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    const [head = "", body] = answer.toLowerCase().split("\r\n\r\n");
    expect(head).toContain("\r\nok: yes\r\n");
    expect(head).not.toMatch(/x|content-length|medley/);
    expect(body).toContain("late");
    expect((await functions.call(url)).text).toBe("fine");
  });
  it.each([
    ["chunked", "ab"],
    ["early", "late"],
  ])("%s is none", async (how, text) => {
    expect((await functions.call(`${url}?how=${how}`)).text).toBe(text);
  });
});

it("an account reaches no function of another's by its name", async () => {
  const theirs = new Functions(() => instance, functions.place, "second");
  const name = functions.nameOf("breaks");
  const statusOf = async (method: string, path: string, body?: object) =>
    [method, path, (await theirs.send(method, path, body && { body })).status] as const;
  for (const [method, path, body] of [
    ["GET", name],
    ["DELETE", name],
    ["PATCH", name, { labels: { taken: "over" } }],
    ["GET", `${name}/logs`],
    ["GET", `${name}/logs:follow`],
    ["GET", `${name}/figures`],
    ["POST", `${name}:generateDownloadUrl`, {}],
    ["GET", `${name}:getIamPolicy`],
    ["POST", `${name}:setIamPolicy`, { policy: { bindings: [] } }],
  ] as const)
    expect(await statusOf(method, path, body)).toEqual([method, path, 403]);
});

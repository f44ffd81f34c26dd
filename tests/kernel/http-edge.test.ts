/** What proxies, signers and attackers send: two hosts, dots in paths, unsigned bodies, very wide JSON. */
import { request } from "node:http";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import { expect, it } from "vitest";
import { accounts, type Instance, onBothDatabases, startInstance } from "../support/medley.ts";
import { processorMs } from "../support/processor-time.ts";
import { allSamples, samples } from "../support/sample.ts";
import { sendBytes } from "../support/send-bytes.ts";

const key = { "x-vendor-key": "first-api-key-0001" };

/** Signed by an official signer, and sent to the very path given: `fetch` would resolve its dots. */
async function sendSigned(
  instance: Instance,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number; text: string }> {
  const { host, hostname, port } = new URL(instance.url);
  const [{ id, secret }] = accounts.first.accessKeys as [{ id: string; secret: string }];
  const signer = new SignatureV4({
    service: "sample",
    region: "us-east-1",
    sha256: Sha256,
    credentials: { accessKeyId: id, secretAccessKey: secret },
  });
  const signed = await signer.sign(
    new HttpRequest({
      method,
      protocol: "http:",
      hostname,
      port: Number(port),
      path,
      headers: { host, ...headers },
      ...(body !== undefined && { body }),
    }),
  );
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers: signed.headers }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

onBothDatabases(
  "HTTP's edge",
  (instance) => {
    it.each([
      "/sample-key/open",
      "/sample-arm/open?api-version=1",
      "/sample-signed/open",
      "/nowhere",
      "/console",
      "/_medley/health",
    ])("refuses two Host headers at %s", async (path) => {
      const heads = ["Host: a\r\nHost: b", "Host: a\r\nhost: a", "HOST: a\r\nX: y\r\nHost: b"];
      for (const head of heads)
        expect(
          await sendBytes(instance(), `GET ${path} HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`),
        ).toMatch(/^HTTP\/1.1 400 [\s\S]*more than one Host header/);
    });
    it.each(["/sample-key/notes", "/nowhere", "/functions/run/any"])(
      "refuses transfer codings besides chunked at %s",
      async (path) => {
        for (const coding of ["gzip, chunked", "identity, chunked"])
          expect(
            await sendBytes(
              instance(),
              `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\nConnection: close\r\n\r\n0\r\n\r\n`,
            ),
          ).toMatch(/^HTTP\/1.1 400 [\s\S]*transfer coding/);
        expect(
          await sendBytes(
            instance(),
            `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
          ),
        ).not.toContain("transfer coding");
      },
    );
    it("names the address as its caller wrote it where nothing answers", async () => {
      for (const [path, as] of [
        ["/sample-key/nowhere", key],
        ["/sample-bearer/v1/nowhere/at-all", {}],
        ["/sample-google/", {}],
        ["/nowhere", {}],
      ] as const) {
        const { status, body } = await instance().send("GET", path, { headers: as });
        expect([status, body.error.message]).toEqual([404, `Nothing answers at ${path}.`]);
      }
    });
    it("answers at a signed path with dots as at the path that the signer resolved it to", async () => {
      const put = { method: "PUT", headers: { "content-type": "application/json" }, body: '{"text":"x"}' };
      expect((await sendSigned(instance(), "/sample-signed/notes/dotted", put)).status).toBe(201);
      for (const path of [
        "/sample-signed/./notes/dotted",
        "/sample-signed/notes/other/../dotted",
        "/sample-signed//notes//dotted",
        "/sample-key/../sample-signed/notes/dotted",
      ])
        expect([path, (await sendSigned(instance(), path)).status]).toEqual([
          path,
          path.startsWith("/sample-key") ? 404 : 200,
        ]);
      expect((await sendSigned(instance(), "/sample-signed/notes/a%2Fb:c")).text).toContain("NoteNotFound");
    });
    it("refuses a signature that leaves the body out", async () => {
      const unsigned = {
        method: "PUT",
        headers: { "content-type": "application/json", "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
        body: '{"text":"x"}',
      };
      const refused = await sendSigned(instance(), "/sample-signed/notes/unsigned", unsigned);
      expect([refused.status, JSON.parse(refused.text).__type]).toEqual([403, "InvalidSignatureException"]);
    });
    it("refuses JSON of very many members before it parses it", async () => {
      const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`k${i}`, 1])));
      const long = `{"text":"a","more":[${"1,".repeat(200_000)}1]}`;
      const texts = `{"text":${JSON.stringify(`${'","a":['.repeat(12_000)}`)}}`;
      for (const [body, status, words] of [
        [wide, 400, "more than 10000 members"],
        [long, 400, "more than 100000 items"],
        [texts, 201, ""],
      ] as const) {
        const sent = await instance().send("POST", "/sample-key/notes", {
          headers: { ...key, "content-type": "application/json" },
          body,
        });
        expect([sent.status, sent.text]).toEqual([status, expect.stringContaining(words)]);
      }
    });
  },
  { services: [], extraServices: allSamples },
);

it("accepts a body outside the signature where a setting says so", async () => {
  const instance = await startInstance({
    services: [],
    extraServices: [samples.signed],
    allowUnsignedPayload: true,
  });
  const unsigned = {
    method: "PUT",
    headers: { "content-type": "application/json", "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
    body: '{"text":"x"}',
  };
  expect((await sendSigned(instance, "/sample-signed/notes/unsigned", unsigned)).status).toBe(201);
  await instance.stop();
});

it("counting costs a fraction of parsing", async () => {
  const { measureJson } = await import("../../src/kernel/http/json-size.ts");
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`k${i}`, 1])));
  const parse = processorMs(() => JSON.parse(text));
  const most = { depth: 1, members: 80_000, items: 79_999 };
  expect(measureJson(text, most)).toEqual(most);
  const counts = Array.from({ length: 5 }, () => processorMs(() => measureJson(text, most)));
  expect(Math.min(...counts)).toBeLessThan(Math.max(parse, 5));
});
it("counting stops where something is too much", async () => {
  const { measureJson } = await import("../../src/kernel/http/json-size.ts");
  const most = { depth: 3, members: 3, items: 3 };
  expect(measureJson("[".repeat(9), most)).toEqual({ depth: 4, members: 0, items: 0 });
  expect(measureJson("[1,1,1,1,1,1]", most)).toEqual({ depth: 1, members: 0, items: 4 });
  expect(measureJson('{"a":{"a":{"a":1},"a":1}}', most)).toEqual({ depth: 3, members: 4, items: 1 });
});

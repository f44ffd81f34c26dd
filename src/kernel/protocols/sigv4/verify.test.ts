/** The verifier against an official signer, in both forms, and every reason to refuse. */
import { createHash, createHmac } from "node:crypto";
import { Sha256 } from "@aws-crypto/sha256-js";
import { HttpRequest } from "@smithy/protocol-http";
import { SignatureV4 } from "@smithy/signature-v4";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sigV4Errors } from "./refusal.ts";
import { type AccessKey, type SignedRequest, verifySigV4 } from "./verify.ts";

const NOW_MS = Date.UTC(2025, 5, 15, 12, 0, 0);
const MINUTE_MS = 60_000;
const KEY: AccessKey = { id: "AKIDMEDLEY", secret: "a secret/with+signs" };
const SESSION: AccessKey = { id: "ASIAMEDLEY", secret: "another", sessionToken: "token//with+signs==" };
const ARN_PATH = "/backup/tags/arn%3Aaws%3Abackup%3Aeu-west-1%3A123456789012%3Aplan%2Fone%20two/";

type Query = Record<string, string | string[]>;
type Draft = {
  method?: string;
  path?: string;
  query?: Query;
  headers?: Record<string, string>;
  body?: string;
  key?: AccessKey;
  atMs?: number;
  region?: string;
  service?: string;
};

function signerOf({ key = KEY, region = "eu-west-1", service = "backup" }: Draft): SignatureV4 {
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret, sessionToken: key.sessionToken };
  return new SignatureV4({ service, region, credentials, sha256: Sha256 });
}

function requestOf({ method = "GET", path = "/backup/plans/", query = {}, headers = {}, body }: Draft) {
  const host = { host: "127.0.0.1:4020" };
  return new HttpRequest({ method, path, query, headers: { ...host, ...headers }, body });
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** As it would arrive: the query unsorted, and headers beside it that nobody signs. */
function received(
  signed: Pick<HttpRequest, "method" | "path" | "headers" | "query">,
  body = "",
): SignedRequest {
  const parts = Object.entries(signed.query ?? {}).flatMap(([key, value]) =>
    [value ?? ""].flat().map((one) => `${encode(key)}=${encode(one)}`),
  );
  const rawHeaders = ["Connection", "keep-alive", "User-Agent", "test  client"];
  for (const [name, value] of Object.entries(signed.headers)) rawHeaders.push(name, value);
  const rawQuery = parts.reverse().join("&");
  return { method: signed.method, rawPath: signed.path, rawQuery, rawHeaders, body: Buffer.from(body) };
}

async function sign(draft: Draft = {}): Promise<SignedRequest> {
  const signed = await signerOf(draft).sign(requestOf(draft), {
    signingDate: new Date(draft.atMs ?? NOW_MS),
  });
  return received(signed as HttpRequest, draft.body);
}

async function presign(draft: Draft & { expiresIn?: number } = {}): Promise<SignedRequest> {
  const options = { signingDate: new Date(draft.atMs ?? NOW_MS), expiresIn: draft.expiresIn ?? 3600 };
  return received((await signerOf(draft).presign(requestOf(draft), options)) as HttpRequest, draft.body);
}

function findKey(id: string): AccessKey | undefined {
  return [KEY, SESSION].find((key) => key.id === id);
}

const options = { nowMs: NOW_MS, service: "backup", findKey };

function reasonOf(request: SignedRequest, more: Partial<Parameters<typeof verifySigV4>[1]> = {}): string {
  const verification = verifySigV4(request, { ...options, ...more, findKey });
  return verification.ok ? "ok" : verification.reason;
}

function headerIndex(request: SignedRequest, name: string): number {
  return request.rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
}

function withHeader(request: SignedRequest, name: string, change: (value: string) => string): SignedRequest {
  const index = headerIndex(request, name);
  expect(index, `${name} in ${request.rawHeaders}`).not.toBe(-1);
  return {
    ...request,
    rawHeaders: request.rawHeaders.with(index + 1, change(request.rawHeaders[index + 1] ?? "")),
  };
}

function withoutHeader(request: SignedRequest, name: string): SignedRequest {
  return { ...request, rawHeaders: request.rawHeaders.toSpliced(headerIndex(request, name), 2) };
}

function plusHeader(request: SignedRequest, name: string, value: string): SignedRequest {
  return { ...request, rawHeaders: [...request.rawHeaders, name, value] };
}

function withQuery(request: SignedRequest, from: string | RegExp, to: string): SignedRequest {
  const rawQuery = request.rawQuery.replace(from, to);
  expect(rawQuery).not.toBe(request.rawQuery);
  return { ...request, rawQuery };
}

/** Signs texts written out by hand, for requests the official signer never makes. */
function signByHand(canonicalRequest: string, timestamp: string): string {
  const scope = ["20250615", "eu-west-1", "backup", "aws4_request"];
  let key: Buffer = Buffer.from(`AWS4${KEY.secret}`);
  for (const step of scope) key = createHmac("sha256", key).update(step).digest();
  const digest = createHash("sha256").update(canonicalRequest).digest("hex");
  const text = `AWS4-HMAC-SHA256\n${timestamp}\n${scope.join("/")}\n${digest}`;
  return createHmac("sha256", key).update(text).digest("hex");
}

const EMPTY_HASH = createHash("sha256").digest("hex");
const CREDENTIAL = `Credential=${KEY.id}/20250615/eu-west-1/backup/aws4_request`;

describe("what an official signer signed is accepted", () => {
  const drafts: Record<string, Draft> = {
    "a plain request": {},
    "the root path": { path: "/" },
    "an ARN percent-encoded in one segment": { path: ARN_PATH },
    "signs in the path that clients leave alone": { path: "/groups/a!b*c'd(e)~f$g@h:i=j+k,l" },
    "a query with repeated, unsorted and empty parameters": {
      query: { zone: ["b", "a", "a b"], "a-b": "1", a: "2", A: "3", empty: "", "sp ace": "x/y=z&+*'()" },
    },
    "letters beyond ASCII in the query": { query: { "naïve ключ": ["日本", "🐘"] } },
    "headers with runs of space": {
      headers: { "x-amz-note": "  two   words\tand a tab ", "my-header": " a  b " },
    },
    "an empty header": { headers: { "x-amz-note": "" } },
    "a body": {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: '{"name":"žluťoučký"}',
    },
    "an unsigned payload": {
      method: "PUT",
      headers: { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" },
      body: "anything",
    },
    "a session token": { key: SESSION, path: ARN_PATH, query: { tagKeys: ["b", "a"] } },
    "another region": { region: "us-gov-west-1" },
  };

  for (const [name, draft] of Object.entries(drafts)) {
    test(`${name}, in the header`, async () => {
      const key = draft.key ?? KEY;
      const region = draft.region ?? "eu-west-1";
      expect(verifySigV4(await sign(draft), options)).toEqual({
        ok: true,
        accessKey: key,
        region,
        service: "backup",
      });
    });
    test(`${name}, presigned`, async () => {
      expect(verifySigV4(await presign(draft), options)).toMatchObject({
        ok: true,
        accessKey: draft.key ?? KEY,
      });
    });
  }

  test("whatever the path, query, headers and body hold, and nothing else than that", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 12 });
    const segment = text.map(encode).filter((value) => value !== "" && value !== "." && value !== "..");
    const query = fc.dictionary(
      text.filter((key) => !/^(?:|__proto__|x-amz-.*)$/i.test(key)),
      fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
      { maxKeys: 4 },
    );
    const note = fc.string({ unit: fc.constantFrom(...' \tabcXYZ019;,=/"éž'), maxLength: 20 });
    const draft = fc.record({ path: fc.array(segment, { maxLength: 4 }), query, note, body: text });
    const arrives = fc.asyncProperty(draft, async ({ path, note, ...rest }) => {
      const whole = { ...rest, method: "POST", path: `/${path.join("/")}`, headers: { "x-amz-note": note } };
      const request = await sign(whole);
      expect(reasonOf(request)).toBe("ok");
      expect(reasonOf({ ...request, rawPath: `${request.rawPath}x` })).toBe("badSignature");
      expect(reasonOf({ ...request, rawQuery: `${request.rawQuery}&x` })).toBe("badSignature");
      expect(reasonOf({ ...request, body: Buffer.from(`${rest.body}x`) })).toBe("bodyHashMismatch");
      expect(reasonOf(await presign(whole))).toBe("ok");
    });
    await fc.assert(arrives, { numRuns: 60 });
  });
});

describe("the same request in other spellings", () => {
  test("header names in any case, and values sent apart", async () => {
    const request = await sign({ headers: { "my-header": "one,two,one" } });
    const apart = withoutHeader(request, "my-header");
    const lines = ["My-Header", " one ", "MY-HEADER", "two", "my-header", "one"];
    expect(reasonOf({ ...apart, rawHeaders: [...apart.rawHeaders, ...lines] })).toBe("ok");
    const reordered = ["my-header", "two", "my-header", "one", "my-header", "one"];
    expect(reasonOf({ ...apart, rawHeaders: [...apart.rawHeaders, ...reordered] })).toBe("badSignature");
  });

  test("a header folded over lines", async () => {
    const request = await sign({ headers: { "my-header": "one two three" } });
    expect(reasonOf(withHeader(request, "my-header", () => "one\r\n  two\r\n\tthree"))).toBe("ok");
  });

  test("a header's UTF-8 bytes or the one byte of a Latin-1 letter", async () => {
    const request = await sign({ headers: { "my-header": "café à" } });
    const bytes = Buffer.from("café à", "utf8").toString("latin1");
    expect(reasonOf(withHeader(request, "my-header", () => bytes))).toBe("ok");
    expect(reasonOf(request)).toBe("ok");
    expect(reasonOf(withHeader(request, "my-header", () => "cafe a"))).toBe("badSignature");
  });

  test("a query with bare names, lower-case escapes, needless escapes, raw bytes and plus for space", async () => {
    const request = await sign({ query: { flag: "", name: "a b/ž", tilde: "~" } });
    const raw = Buffer.from("ž", "utf8").toString("latin1");
    for (const rawQuery of [
      "flag&name=a%20b%2f%c5%be&tilde=%7e",
      "tilde=~&name=a+b/%C5%BE&flag=",
      `&&n%61me=a%20b/${raw}&tilde=~&flag`,
    ]) {
      expect(reasonOf({ ...request, rawQuery }), rawQuery).toBe("ok");
    }
    for (const rawQuery of ["flag&name=a%2Bb%2F%C5%BE&tilde=~", "flag&name=a%20b/%C5%zz&tilde=~"]) {
      expect(reasonOf({ ...request, rawQuery }), rawQuery).toBe("badSignature");
    }
  });

  test("the Authorization header without spaces and in another order", async () => {
    const request = await sign();
    const tight = withHeader(request, "authorization", (value) => value.replaceAll(", ", ","));
    expect(reasonOf(tight)).toBe("ok");
    const turned = withHeader(request, "authorization", (value) => {
      const [algorithm = "", ...parts] = value.split(/,? /);
      return `${algorithm} ${parts.reverse().join(" , ")}`;
    });
    expect(reasonOf(turned)).toBe("ok");
  });

  test("a path as received, unless it is to be normalised", async () => {
    // The official signer signs the path that dots and doubled slashes come to.
    for (const path of ["/a/../backup//plans/", "//backup/./plans/", "/../backup/plans/"]) {
      const request = await sign({ path });
      expect(reasonOf(request), path).toBe("badSignature");
      expect(reasonOf(request, { normalizePath: true }), path).toBe("ok");
      expect(reasonOf({ ...request, rawPath: "/backup/plans/" }), path).toBe("ok");
    }
    expect(reasonOf({ ...(await sign({ path: "/.." })), rawPath: "" })).toBe("ok");
  });

  test("a Date header in place of X-Amz-Date, in either form", () => {
    for (const date of ["Sun, 15 Jun 2025 12:00:00 GMT", "20250615T120000Z"]) {
      const canonical = `GET\n/groups\n\ndate:${date}\nhost:localhost\n\ndate;host\n${EMPTY_HASH}`;
      const signature = signByHand(canonical, "20250615T120000Z");
      const authorization = `AWS4-HMAC-SHA256 ${CREDENTIAL}, SignedHeaders=date;host, Signature=${signature}`;
      const rawHeaders = ["Host", "localhost", "Date", date, "Authorization", authorization];
      const request = { method: "GET", rawPath: "/groups", rawQuery: "", rawHeaders, body: Buffer.alloc(0) };
      expect(reasonOf(request)).toBe("ok");
      expect(reasonOf(withHeader(request, "date", () => "Sun, 15 Jun 2025 12:00:01 GMT"))).toBe(
        "badSignature",
      );
      expect(reasonOf(withHeader(request, "date", () => "yesterday"))).toBe("incompleteSignature");
    }
  });
});

describe("incomplete signatures", () => {
  test("no credential at all", async () => {
    expect(reasonOf(withoutHeader(await sign(), "authorization"))).toBe("missingToken");
  });

  const spoilt: Record<string, (authorization: string) => string> = {
    "another scheme": () => "Bearer abc",
    "another algorithm": (value) => value.replace("HMAC-SHA256", "ECDSA-P256-SHA256"),
    "only the algorithm": () => "AWS4-HMAC-SHA256",
    "no signature": (value) => value.replace(/, Signature=.*/, ""),
    "no signed headers": (value) => value.replace(/SignedHeaders=[^,]*, /, ""),
    "an empty credential": (value) => value.replace(/Credential=[^,]*/, "Credential="),
    "two signatures": (value) => `${value}, Signature=${"0".repeat(64)}`,
    "a part nobody knows": (value) => `${value}, Colour=blue`,
    "a short scope": (value) => value.replace("/backup/aws4_request", "/aws4_request"),
    "a long scope": (value) => value.replace("/backup/", "/backup/backup/"),
    "signed headers out of order": (value) =>
      value.replace(/SignedHeaders=host;/, "SignedHeaders=x-amz-date;host;"),
  };
  for (const [name, change] of Object.entries(spoilt)) {
    test(`an Authorization header with ${name}`, async () => {
      expect(reasonOf(withHeader(await sign(), "authorization", change))).toBe("incompleteSignature");
    });
  }

  test("a date that is missing or none", async () => {
    const request = await sign();
    expect(reasonOf(withoutHeader(request, "x-amz-date"))).toBe("incompleteSignature");
    for (const date of [
      "",
      "2025-06-15T12:00:00Z",
      "20250631T120000Z",
      "20251301T120000Z",
      "20250615T240000Z",
    ]) {
      expect(reasonOf(withHeader(request, "x-amz-date", () => date)), date).toBe("incompleteSignature");
    }
    const both = plusHeader(
      withHeader(request, "x-amz-date", () => "x"),
      "Date",
      "Sun, 15 Jun 2025 12:00:00 GMT",
    );
    expect(reasonOf(both)).toBe("incompleteSignature");
  });

  test("a presigned query with a part missing, doubled or out of bounds", async () => {
    const request = await presign();
    for (const part of ["Algorithm", "Credential", "Date", "Expires", "SignedHeaders", "Signature"]) {
      const pattern = new RegExp(`X-Amz-${part}=([^&]*)`);
      expect(reasonOf(withQuery(request, pattern, "")), part).toBe("incompleteSignature");
      expect(reasonOf(withQuery(request, pattern, "$&&$&")), part).toBe("incompleteSignature");
      expect(reasonOf(withQuery(request, pattern, `X-Amz-${part}=%ff`)), part).toBe("incompleteSignature");
    }
    for (const seconds of ["0", "-1", "604801", "9999999", "1.5", "1e3", "abc"]) {
      expect(reasonOf(withQuery(request, "Expires=3600", `Expires=${seconds}`)), seconds).toBe(
        "incompleteSignature",
      );
    }
    expect(reasonOf(withQuery(request, "HMAC-SHA256", "HMAC-SHA1"))).toBe("incompleteSignature");
    expect(reasonOf(withQuery(request, /X-Amz-Date=\w+/, "X-Amz-Date=20250615"))).toBe("incompleteSignature");
  });

  test("both forms at once", async () => {
    // The signer leaves this parameter out of what it signs, so which of the two counts would be a guess.
    const request = await sign({ query: { "X-Amz-Signature": "x" } });
    const verification = verifySigV4(request, options);
    expect(verification).toMatchObject({
      reason: "incompleteSignature",
      message: expect.stringContaining("both"),
    });
  });
});

describe("keys and tokens", () => {
  test("an unknown key", async () => {
    expect(reasonOf(await sign({ key: { id: "AKIDSTRANGER", secret: KEY.secret } }))).toBe("unknownKey");
  });

  test("a session token that is missing, wrong or too many", async () => {
    const { sessionToken: _, ...bare } = SESSION;
    expect(reasonOf(await sign({ key: bare }))).toBe("badSessionToken");
    expect(reasonOf(await sign({ key: { ...SESSION, sessionToken: "token//with+signs=?" } }))).toBe(
      "badSessionToken",
    );
    expect(reasonOf(await sign({ key: { ...KEY, sessionToken: "x" } }))).toBe("badSessionToken");
    expect(reasonOf(await presign({ key: { ...KEY, sessionToken: "x" } }))).toBe("badSessionToken");
    expect(reasonOf(await presign({ key: bare }))).toBe("badSessionToken");
  });

  test("a session that has ended, told only to who can sign with it", async () => {
    const ended = { ...SESSION, expiresAtMs: NOW_MS };
    const request = await sign({ key: SESSION });
    expect(verifySigV4(request, { ...options, findKey: () => ended })).toMatchObject({
      reason: "expiredToken",
    });
    expect(verifySigV4(request, { ...options, nowMs: NOW_MS - 1, findKey: () => ended }).ok).toBe(true);
    const forged = await sign({ key: { ...SESSION, secret: "guess" } });
    expect(verifySigV4(forged, { ...options, findKey: () => ended })).toMatchObject({
      reason: "badSignature",
    });
  });

  test("a changed secret ends what the old one signed, at once", async () => {
    const request = await sign();
    expect(reasonOf(request)).toBe("ok");
    const renewed = { ...KEY, secret: "renewed" };
    const renewedOptions = { ...options, findKey: () => renewed };
    expect(verifySigV4(request, renewedOptions)).toMatchObject({ reason: "badSignature" });
    expect(verifySigV4(await sign({ key: renewed }), renewedOptions).ok).toBe(true);
    expect(reasonOf(request)).toBe("ok");
  });

  test("more scopes than are remembered", async () => {
    const first = await sign({ region: "region-0" });
    for (let index = 0; index < 1100; index += 1) {
      expect(reasonOf(index === 0 ? first : await sign({ region: `region-${index}` }))).toBe("ok");
    }
    expect(reasonOf(first)).toBe("ok");
  });

  test("keys that take time to find", async () => {
    const slow = { ...options, findKey: async (id: string) => findKey(id) };
    const verification = verifySigV4(await sign(), slow);
    expect(verification).toBeInstanceOf(Promise);
    expect(await verification).toMatchObject({ ok: true, accessKey: KEY });
    const stranger = await sign({ key: { id: "AKIDSTRANGER", secret: "x" } });
    expect(await verifySigV4(stranger, slow)).toMatchObject({ reason: "unknownKey" });
    const lost = { ...options, findKey: () => Promise.reject(new Error("no database")) };
    await expect(verifySigV4(await sign(), lost)).rejects.toThrow("no database");
  });
});

describe("scope and time", () => {
  test("a scope for another service, region, day or protocol", async () => {
    expect(reasonOf(await sign({ service: "s3" }))).toBe("wrongScope");
    expect(reasonOf(await presign({ service: "s3" }))).toBe("wrongScope");
    expect(reasonOf(await sign(), { regions: ["us-east-1"] })).toBe("wrongScope");
    expect(reasonOf(await sign(), { regions: ["us-east-1", "eu-west-1"] })).toBe("ok");
    expect(reasonOf(await sign({ region: "eu west" }))).toBe("wrongScope");
    for (const [from, to] of [
      ["/20250615/", "/20250614/"],
      ["aws4_request", "aws5_request"],
    ] as const) {
      const request = withHeader(await sign(), "authorization", (value) => value.replace(from, to));
      expect(reasonOf(request), to).toBe("wrongScope");
    }
  });

  test("clocks may differ by fifteen minutes either way, or by what is allowed", async () => {
    for (const sense of [-1, 1]) {
      const edge = await sign({ atMs: NOW_MS + sense * 15 * MINUTE_MS });
      expect(reasonOf(edge)).toBe("ok");
      expect(reasonOf(edge, { nowMs: NOW_MS - sense })).toBe("skewed");
      expect(reasonOf(edge, { skewMsMax: 5 * MINUTE_MS })).toBe("skewed");
    }
  });

  test("a presigned request lasts as long as it says", async () => {
    const request = await presign({ expiresIn: 604_800 });
    const endMs = NOW_MS + 604_800_000;
    expect(reasonOf(request, { nowMs: endMs })).toBe("ok");
    expect(reasonOf(request, { nowMs: endMs + 1 })).toBe("expired");
    expect(reasonOf(request, { nowMs: NOW_MS - 15 * MINUTE_MS - 1 })).toBe("skewed");
    expect(reasonOf(withQuery(await presign({ expiresIn: 60 }), "Expires=60", "Expires=6000"))).toBe(
      "badSignature",
    );
  });
});

describe("headers and payload", () => {
  test("the host and every x-amz header must be signed", async () => {
    const unhosted = withHeader(await sign(), "authorization", (value) => value.replace("host;", ""));
    expect(reasonOf(unhosted)).toBe("unsignedHeader");
    expect(reasonOf(plusHeader(await sign(), "X-Amz-Target", "Other"))).toBe("unsignedHeader");
    expect(reasonOf(plusHeader(await presign(), "x-amz-acl", "public"))).toBe("unsignedHeader");
    expect(reasonOf(plusHeader(await sign(), "Content-Type", "application/json"))).toBe("ok");
    expect(reasonOf(plusHeader(await sign(), "X-Amzn-Trace-Id", "Root=1"))).toBe("ok");
  });

  test("a signed header must arrive, unchanged", async () => {
    const request = await sign({ headers: { "my-header": "one" } });
    expect(reasonOf(withoutHeader(request, "my-header"))).toBe("badSignature");
    expect(reasonOf(withHeader(request, "my-header", () => "two"))).toBe("badSignature");
    expect(reasonOf(withHeader(request, "host", () => "elsewhere"))).toBe("badSignature");
  });

  test("a body must be the one that was hashed", async () => {
    const draft = { method: "POST", body: "{}" };
    const declared = { ...(await sign(draft)), body: Buffer.from("[]") };
    expect(reasonOf(declared)).toBe("bodyHashMismatch");
    expect(reasonOf({ ...(await presign(draft)), body: Buffer.from("[]") })).toBe("badSignature");
    expect(reasonOf(await sign({ ...draft, headers: { "x-amz-content-sha256": EMPTY_HASH } }))).toBe(
      "bodyHashMismatch",
    );
    expect(reasonOf(await sign({ ...draft, headers: { "x-amz-content-sha256": "none" } }))).toBe(
      "bodyHashMismatch",
    );
    const hoisted = await presign({ ...draft, headers: { "x-amz-content-sha256": EMPTY_HASH } });
    expect(reasonOf(hoisted)).toBe("bodyHashMismatch");
  });

  test("a payload signed in chunks is refused by name", async () => {
    const headers = { "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" };
    expect(reasonOf(await sign({ method: "PUT", headers, body: "x" }))).toBe("unsupportedPayload");
  });
});

describe("a signature that does not match", () => {
  test("is refused whatever it looks like", async () => {
    for (const signature of ["", "x", "0".repeat(64), "é".repeat(64), "0".repeat(63)]) {
      const request = withHeader(await sign(), "authorization", (value) =>
        value.replace(/Signature=.*/, `Signature=${signature}`),
      );
      expect(reasonOf(request), signature).toBe("badSignature");
    }
    const upper = withHeader(await sign(), "authorization", (value) =>
      value.replace(/[0-9a-f]{64}/, (digits) => digits.toUpperCase()),
    );
    expect(reasonOf(upper)).toBe("badSignature");
    expect(reasonOf({ ...(await sign()), method: "DELETE" })).toBe("badSignature");
  });

  test("is explained with what was calculated, but never with a secret or a token", async () => {
    const message = async (key: AccessKey) => {
      const verification = verifySigV4({ ...(await sign({ key })), rawPath: "/a%3Ab" }, options);
      return verification.ok ? "" : verification.message;
    };
    expect(await message(KEY)).toContain("GET\n/a%253Ab\n\nhost:127.0.0.1:4020\n");
    expect(await message(KEY)).toContain(
      "AWS4-HMAC-SHA256\n20250615T120000Z\n20250615/eu-west-1/backup/aws4_request\n",
    );
    expect(await message(KEY)).not.toContain(KEY.secret);
    expect(await message(SESSION)).not.toContain(SESSION.sessionToken);
  });
});

test("failures have the names clients know", () => {
  expect(sigV4Errors.missingToken).toEqual({ name: "MissingAuthenticationTokenException", status: 403 });
  expect(sigV4Errors.incompleteSignature).toEqual({ name: "IncompleteSignatureException", status: 400 });
  expect(sigV4Errors.unknownKey).toEqual({ name: "UnrecognizedClientException", status: 403 });
  expect(sigV4Errors.expiredToken).toEqual({ name: "ExpiredTokenException", status: 403 });
  expect(sigV4Errors.skewed).toEqual({ name: "InvalidSignatureException", status: 403 });
});

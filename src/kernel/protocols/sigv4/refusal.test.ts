/** What is incomplete, out of scope or time, or does not match is refused, under the names that clients know. */
import { describe, expect, test } from "vitest";
import {
  EMPTY_HASH,
  KEY,
  MINUTE_MS,
  NOW_MS,
  options,
  plusHeader,
  presign,
  reasonOf,
  SESSION,
  sign,
  withHeader,
  withoutHeader,
  withQuery,
} from "../../../../tests/support/sigv4.ts";
import { sigV4Errors } from "./refusal.ts";
import { type AccessKey, verifySigV4 } from "./verify.ts";

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

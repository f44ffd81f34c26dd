/** What an official signer signed is accepted, however it is spelt. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  ARN_PATH,
  type Arrived,
  arrived,
  CREDENTIAL,
  type Draft,
  EMPTY_HASH,
  encode,
  findKey,
  KEY,
  NOW_MS,
  options,
  presign,
  reasonOf,
  SESSION,
  sign,
  signByHand,
  withHeader,
  withoutHeader,
} from "../../../../tests/support/sigv4.ts";
import { verifySigV4 } from "./verify.ts";

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
    "a session token": { key: SESSION, path: ARN_PATH, query: { tagKeys: ["b", "a"] } },
    "another region": { region: "us-gov-west-1" },
  };

  for (const [name, draft] of Object.entries(drafts)) {
    test(`${name}, in the header`, async () => {
      const key = draft.key ?? KEY;
      const region = draft.region ?? "eu-west-1";
      expect(verifySigV4(await sign(draft), options)).toMatchObject({
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

test("a body that is left out of the signature is refused, unless that is allowed", async () => {
  const draft = { method: "PUT", headers: { "x-amz-content-sha256": "UNSIGNED-PAYLOAD" }, body: "anything" };
  for (const request of [await sign(draft), await presign(draft)]) {
    expect(reasonOf(request)).toBe("unsupportedPayload");
    expect(reasonOf(request, { allowsUnsignedPayload: true })).toBe("ok");
  }
});

describe("the body", () => {
  const unasked = (request: Arrived) => ({
    ...request,
    hashBody(): string {
      throw new Error("the body was asked for");
    },
  });
  const draft = { method: "POST", body: "{}" };

  test("is not waited for where a header tells its hash", async () => {
    const verification = verifySigV4(unasked(await sign(draft)), options);
    expect(verification).toMatchObject({ ok: true, bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });
  test("is asked for where only its hash can prove the signature, and only of those whose key is known", async () => {
    const presigned = await presign(draft);
    expect(() => verifySigV4(unasked(presigned), options)).toThrow("asked for");
    const stranger = await presign({ ...draft, key: { id: "AKIDSTRANGER", secret: "x" } });
    expect(verifySigV4(unasked(stranger), options)).toMatchObject({ reason: "unknownKey" });
    const late = await presign({ ...draft, atMs: NOW_MS - 2 * 3600_000 });
    expect(verifySigV4(unasked(late), options)).toMatchObject({ reason: "expired" });
    const slowly = { ...presigned, hashBody: async () => presigned.hashBody() };
    expect(await verifySigV4(slowly, options)).toMatchObject({ ok: true });
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

  test("a path with dots and doubled slashes, which the official signer resolves", async () => {
    for (const path of ["/a/../backup//plans/", "//backup/./plans/", "/../backup/plans/"]) {
      const request = await sign({ path });
      expect(reasonOf(request), path).toBe("ok");
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
      const request = arrived(
        { method: "GET", rawPath: "/groups", rawQuery: "", rawHeaders },
        Buffer.alloc(0),
      );
      expect(reasonOf(request)).toBe("ok");
      expect(reasonOf(withHeader(request, "date", () => "Sun, 15 Jun 2025 12:00:01 GMT"))).toBe(
        "badSignature",
      );
      expect(reasonOf(withHeader(request, "date", () => "yesterday"))).toBe("incompleteSignature");
    }
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

/** No spelling of a secret is shown, and what is none stays readable. */
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Operation } from "../operation/operation.ts";
import { secret, secretPartsOf } from "../operation/secrets.ts";
import { redactBody, redactHeaders, redactUrl } from "./redact.ts";

const SECRET = "hunter2hunter2";
const shown = (text: string | Uint8Array, contentType = "application/json", operation?: Operation) =>
  redactBody({
    bytes: typeof text === "string" ? Buffer.from(text) : text,
    contentType,
    declared: operation && secretPartsOf(operation),
    isHiddenWhole: false,
  });

describe("a body hides", () => {
  it.each([
    `{"password":"${SECRET}"}`,
    `{"Password" : "${SECRET}"}`,
    `{"user":{"api_key":"${SECRET}"}}`,
    `{"tokens":["${SECRET}",{"a":"${SECRET}"}]}`,
    `{"credentials":{"a":{"b":["${SECRET}"]}}}`,
    `{"secretNumber":12345,"client-secret":"${SECRET}"}`,
    `{"pass\\u0077ord":"${SECRET}"}`,
    `{"password":"${SECRET}`,
    `{"password":"a\\"${SECRET}"}`,
    `{"password":"a\\\\","token":"${SECRET}"}`,
    `{"a":1,"tokens":["x","${SECRET}`,
    `{"a":1,"tokens":["]","${SECRET}"]`,
    `{"a":1,"tokens":[["x"],["${SECRET}"]`,
    `{password:"${SECRET}"}`,
    `{'password':'${SECRET}'}`,
    `{password: ${SECRET}, other: 1}`,
    `{"a":"{\\"password\\":\\"${SECRET}\\"}"}`,
    `{"a":"{\\"password\\":\\"x\\\\\\"${SECRET}\\"}"`,
    `{"a":"{\\"tokens\\":[\\"${SECRET}\\"]}"`,
    `{"url":"https://ann:${SECRET}@example.org/"}`,
    `{"url":"https://ann:${SECRET}${"x".repeat(2000)}@example.org/"}`,
    `{"url":"https://example.org/?sig=${SECRET}&b=1"}`,
    `{"a":"Endpoint=https://x;Id=1;Secret=${SECRET}"}`,
    `{"connectionString":"Endpoint=https://x;Id=1;Secret=${SECRET}"}`,
    `password=${SECRET}&other=1`,
    `password: ${SECRET}`,
    `[]{"password":"${SECRET}"}`,
    `{"a":1}\n{"password":"${SECRET}"}\n`,
    `{"a":${"[".repeat(30)}{"password":"${SECRET}"}${"]".repeat(30)}}`,
  ])("what follows a secret name: %s", (text) => {
    for (const type of ["application/json", "", "text/plain", "application/x-ndjson"])
      expect(shown(text, type)).not.toContain(SECRET);
  });
  it.each([
    [`password=${SECRET}&b=1`, "application/x-www-form-urlencoded"],
    [`b=1&user%5Bpass%77ord%5D=${SECRET},;${SECRET}`, "application/x-www-form-urlencoded"],
    [
      `next=${encodeURIComponent(`https://x.test/?access_token=${SECRET}`)}`,
      "application/x-www-form-urlencoded",
    ],
    [`<input type="hidden" name="csrf_token" value="${SECRET}">`, "text/html"],
    [`<a><password kind="x">my ${SECRET}</password></a>`, "application/xml"],
    [`Authorization: Basic ${SECRET}`, "text/plain"],
  ])("%s under its own type", (text, type) => {
    expect(shown(text, type)).not.toContain(SECRET);
  });
  it("bytes that call themselves text", () => {
    const archive = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4, 0xff]), Buffer.from(SECRET)]);
    expect(shown(archive, "text/plain")).toBe(`<${archive.length} bytes of text/plain>`);
    expect(shown(Buffer.from(`a\0${SECRET}`), "text/plain")).not.toContain(SECRET);
  });
  it("whatever the operation has declared", () => {
    const operation = {
      body: Type.Object({
        riddle: secret(Type.String()),
        list: Type.Array(Type.Object({ pin: secret(Type.Integer()) })),
      }),
      answers: { 200: secret(Type.String()) },
    } as unknown as Operation;
    const text = `{"riddle":"${SECRET}","list":[{"pin":4711}],"plain":"seen"}`;
    expect(shown(text, "application/json", operation)).toBe(
      '{"riddle":"[redacted]","list":[{"pin":"[redacted]"}],"plain":"seen"}',
    );
    expect(shown(text.slice(0, -1), "application/json", operation)).not.toMatch(/hunter|4711/);
    expect(redactUrl(`/a?riddle=${SECRET}`, secretPartsOf(operation))).toBe("/a?riddle=[redacted]");
    expect(secretPartsOf(operation).wholeAnswers).toEqual(new Set([200]));
  });
  it("every value under a secret name, however JSON writes it, also when it is cut off anywhere", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.nat(), fc.boolean(), (noise, cut, inner) => {
        const text = JSON.stringify({ noise, token: [noise, { deep: SECRET }, SECRET], more: noise });
        const body = inner ? JSON.stringify({ text }) : text;
        const whole = shown(body);
        expect(whole).not.toContain(SECRET);
        expect(shown(body.slice(0, body.length - (cut % body.length)))).not.toContain(SECRET);
        expect(() => JSON.parse(whole)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe("a body shows", () => {
  it.each([
    ['{"text":"a \\"word\\"","count":3,"list":[1,{"b":null}]}', undefined],
    ['{"error":{"code":404,"message":"Nothing answers at /x."}}', undefined],
    ['{"error":{"code":"ValidationError","details":[{"code":"MissingName"}]}}', undefined],
    ['{"text":"a","more":{"b":[1,2', undefined],
    ['{"token":null,"tokenValid":true}', undefined],
    ["don't mind: it's text", "text/plain"],
    ["text=a+b&count=7", "application/x-www-form-urlencoded"],
  ])("what is no secret as it was: %s", (text, type) => {
    expect(shown(text, type)).toBe(text);
  });
});

it("headers hide credentials, also inside addresses", () => {
  const headers = {
    authorization: `Bearer ${SECRET}`,
    "x-vendor-key": SECRET,
    "x-amz-security-token": SECRET,
    "set-cookie": [`sid=${SECRET}`],
    location: `https://x.test/cb?code=${SECRET}&state=1`,
    referer: `https://x.test/?id_token=${SECRET}`,
    link: [`<https://x.test/?sig=${SECRET}>; rel="next"`],
    "content-type": "application/json; charset=utf-8",
  };
  const hidden = redactHeaders(headers);
  expect(JSON.stringify(hidden)).not.toContain(SECRET);
  expect(hidden["content-type"]).toBe("application/json; charset=utf-8");
  expect(hidden.location).toMatch(/^https:\/\/x\.test\/cb\?code=\[redacted\]/);
});

it.each([
  [`/a?token=${SECRET}`, "/a?token=[redacted]"],
  [`/a?subscription-key=${SECRET}&q=1`, "/a?subscription-key=[redacted]&q=1"],
  [
    `/a?b=1&X-Amz-Signature=${SECRET}#id_token=${SECRET}`,
    "/a?b=1&X-Amz-Signature=[redacted]#id_token=[redacted]",
  ],
  [`/a?to%6ben=${SECRET}&c=2`, "/a?to%6ben=[redacted]&c=2"],
  ["/a?key=colour&label=x", "/a?key=colour&label=x"],
  ["/a?b=%zz&c", "/a?b=%zz&c"],
])("the address %s is shown as %s", (url, expected) => {
  expect(redactUrl(url)).toBe(expected);
});

it("a body is shown down to twelve levels", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
  expect([shown(nested(13)), shown(nested(14))].map((text) => text?.includes("1"))).toEqual([true, false]);
});

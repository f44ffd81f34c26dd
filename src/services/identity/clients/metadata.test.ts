/** What an owner may say about a client. */
import { describe, expect, it } from "vitest";
import type { ClientBody } from "../wire.ts";
import { mayRedirectTo, needsConfirmation, readMetadata } from "./metadata.ts";

const body = (change: Partial<ClientBody> = {}): ClientBody => ({
  client_name: "App",
  client_uri: "https://app.example.org",
  redirect_uris: ["https://app.example.org/answer"],
  ...change,
});

describe("client metadata", () => {
  it("fills in what was left out", () => {
    expect(readMetadata(body())).toMatchObject({
      applicationType: "web",
      responseTypes: expect.arrayContaining(["code", "code token id_token"]),
      grantTypes: ["authorization_code", "implicit"],
      idTokenAlgorithm: "RS256",
      testMode: false,
    });
  });
  it("reads response types in any order of words", () => {
    const metadata = readMetadata(body({ response_types: ["id_token code", "code id_token"] }));
    expect(metadata.responseTypes).toEqual(["code id_token"]);
    expect(metadata.grantTypes).toEqual(["authorization_code", "implicit"]);
  });
  it.each([
    ["client_name", { client_name: "  " }],
    ["client_name", { client_name: "two\nlines" }],
    ["client_uri", { client_uri: "javascript:alert(1)" }],
    ["client_uri", { client_uri: "app" }],
    ["logo_uri", { logo_uri: "data:image/png;base64,AA" }],
    ["policy_uri", { policy_uri: "ftp://app.example.org" }],
    ["tos_uri", { tos_uri: "https://user@app.example.org" }],
    ["redirect_uris", { redirect_uris: ["https://app.example.org/#x"] }],
    ["post_logout_redirect_uris", { post_logout_redirect_uris: ["http://app.example.org/"] }],
    ["response_types", { response_types: ["code device"] }],
    ["grant_types", { grant_types: ["password"] }],
    ["grant_types", { response_types: ["code"], grant_types: ["implicit"] }],
    ["application_type", { application_type: "service" }],
    ["contacts", { contacts: ["nobody"] }],
    ["scope", { scope: "openid everything" }],
    ["default_scopes", { default_scopes: ["openid", "braille:*"] }],
    ["token_endpoint_auth_method", { token_endpoint_auth_method: "private_key_jwt" }],
    ["id_token_signed_response_alg", { id_token_signed_response_alg: "none" }],
    [
      "id_token_signed_response_alg",
      { id_token_signed_response_alg: "HS256", token_endpoint_auth_method: "none" },
    ],
  ] satisfies [string, Partial<ClientBody>][])("refuses a bad %s", (member, change) => {
    expect(() => readMetadata(body(change))).toThrow(new RegExp(`^${member}:`));
  });
});

describe("redirects", () => {
  it("must be spelt exactly as registered", () => {
    const metadata = readMetadata(body());
    expect(mayRedirectTo(metadata, "https://app.example.org/answer")).toBe("registered");
    for (const trick of [
      "https://app.example.org/answer/",
      "https://app.example.org/Answer",
      "https://APP.example.org/answer",
      "https://app.example.org./answer",
      "https://app.example.org/%61nswer",
      "https://app.example.org/answer?x=1",
      "https://app.example.org/x/../answer",
      "https://app.example.org:443/answer",
      "https://app.example.org@evil.example.org/answer",
      "http://app.example.org/answer",
    ])
      expect(mayRedirectTo(metadata, trick), trick).toBeUndefined();
  });
  it("need not be registered in test mode, but then the person confirms those outside loopback", () => {
    const metadata = readMetadata(body({ test_mode: true }));
    expect(mayRedirectTo(metadata, "https://other.example.org/")).toBe("test-mode");
    expect(needsConfirmation(metadata, "https://other.example.org/")).toBe(true);
    expect(needsConfirmation(metadata, "http://localhost:3000/")).toBe(false);
    expect(needsConfirmation(metadata, "https://app.example.org/answer")).toBe(false);
    expect(mayRedirectTo(metadata, "javascript:alert(1)")).toBeUndefined();
  });
});

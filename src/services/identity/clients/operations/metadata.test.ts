/** Client metadata that an owner may set. */
import { describe, expect, it } from "vitest";
import { Shape } from "#kernel/shape";
import { mayRedirectTo, needsConfirmation } from "../domain/metadata.ts";
import { ClientBody } from "../wire/index.ts";
import { metadataOf } from "./metadata.ts";

const shape = new Shape(ClientBody);
const body = (change: Partial<ClientBody> = {}): ClientBody => ({
  client_name: "App",
  client_uri: "https://app.example.org",
  redirect_uris: ["https://app.example.org/answer"],
  ...change,
});

describe("client metadata", () => {
  it("fills in what was left out", () => {
    expect(metadataOf(body())).toMatchObject({
      applicationType: "web",
      responseTypes: expect.arrayContaining(["code", "code token id_token"]),
      grantTypes: ["authorization_code", "implicit"],
      idTokenAlgorithm: "RS256",
      testMode: false,
    });
  });
  it("reads response types in any order of words", () => {
    const metadata = metadataOf(body({ response_types: ["id_token code", "code id_token"] }));
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
    ["subject_type", { subject_type: "Pairwise" }],
    [
      "subject_type",
      { subject_type: "pairwise", redirect_uris: ["https://a.example.org/", "https://b.example.org/"] },
    ],
    ["subject_type", { subject_type: "pairwise", redirect_uris: [] }],
    [
      "subject_type",
      { subject_type: "pairwise", application_type: "native", redirect_uris: ["com.example.app:/answer"] },
    ],
    ["sector_identifier_uri", { sector_identifier_uri: "http://app.example.org/sector" }],
    ["backchannel_logout_uri", { backchannel_logout_uri: "http://app.example.org/out" }],
    ["backchannel_logout_uri", { backchannel_logout_uri: "https://app.example.org/out#x" }],
    ["backchannel_logout_uri", { backchannel_logout_uri: "file:///etc/passwd" }],
    ["backchannel_logout_uri", { backchannel_logout_uri: "https://a:b@app.example.org/out" }],
    ["frontchannel_logout_uri", { frontchannel_logout_uri: "https://other.example.org/out" }],
    ["frontchannel_logout_uri", { frontchannel_logout_uri: "https://app.example.org:8443/out" }],
    ["frontchannel_logout_uri", { frontchannel_logout_uri: "javascript:alert(1)" }],
    [
      "id_token_signed_response_alg",
      { id_token_signed_response_alg: "HS256", token_endpoint_auth_method: "none" },
    ],
  ] as [string, Partial<ClientBody>][])("refuses a bad %s", (member, change) => {
    const { problems } = shape.read(body(change));
    expect(problems.map(({ path }) => path.replace(/\[.*/, ""))).toEqual([member]);
  });
});

describe("sectors and addresses for sign-outs", () => {
  it("are kept as they were said; a sector is a host, whatever the port and path", () => {
    expect(metadataOf(body())).not.toHaveProperty("sector");
    const shared = ["https://app.example.org:8443/a", "https://app.example.org/b"];
    expect(metadataOf(body({ subject_type: "pairwise", redirect_uris: shared })).sector).toBe(
      "app.example.org",
    );
    const sector_identifier_uri = "https://sector.example.org/list.json";
    expect(metadataOf(body({ subject_type: "pairwise", sector_identifier_uri })).sector).toBe(
      "sector.example.org",
    );
    const told = {
      backchannel_logout_uri: "https://elsewhere.example.org/out?from=medley",
      frontchannel_logout_uri: "https://app.example.org/out",
      frontchannel_logout_session_required: true,
    };
    expect(metadataOf(body(told))).toMatchObject({
      backchannelLogoutUri: told.backchannel_logout_uri,
      backchannelSessionRequired: false,
      frontchannelLogoutUri: told.frontchannel_logout_uri,
      frontchannelSessionRequired: true,
    });
  });
});

describe("redirects", () => {
  it("must be spelt exactly as registered", () => {
    const metadata = metadataOf(body());
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
    const metadata = metadataOf(body({ test_mode: true }));
    expect(mayRedirectTo(metadata, "https://other.example.org/")).toBe("test-mode");
    expect(needsConfirmation(metadata, "https://other.example.org/")).toBe(true);
    expect(needsConfirmation(metadata, "http://localhost:3000/")).toBe(false);
    expect(needsConfirmation(metadata, "https://app.example.org/answer")).toBe(false);
    expect(mayRedirectTo(metadata, "javascript:alert(1)")).toBeUndefined();
  });
});

/** The pure parts of pages: escaping, policies, the client form, snippets. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attributes, html, Markup } from "#kernel/html";
import { bodyOf, findShapeProblem, freshValues, valuesOf } from "./client-form.ts";
import { pages } from "./layout.ts";
import { initials } from "./parts.ts";
import { snippetsFor } from "./snippets.ts";

describe("templates", () => {
  it("escape whatever is put into them, in text and in attributes", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const page = html`<p title="${text}">${[text, undefined, null, false]}</p>`.text;
        expect(page.match(/[<>]/g)).toHaveLength(4);
        expect(page.match(/"/g)).toHaveLength(2);
        expect(attributes({ value: text, checked: true, hidden: false, id: undefined }).text).toMatch(
          /^ value="[^"<>]*" checked$/,
        );
      }),
    );
  });
  it("leave markup as it is", () => {
    expect(html`<b>${new Markup("<i>x</i>")}${1}</b>`.text).toBe("<b><i>x</i>1</b>");
  });
});

describe("the content security policy", () => {
  it("lets a page show frames of exactly the origins that were asked for", () => {
    expect(pages.policyOf({ framedOrigins: ["https://a.example", "* https://b.example"] })).toContain(
      "; frame-src https://a.example; ",
    );
    expect(pages.policyOf({})).not.toContain("frame-src");
  });
  it("names nothing but what was asked for", () => {
    const policy = pages.policyOf({
      formTargets: ["https://a.example:8443"],
      frameOrigins: ["http://localhost:3000"],
    });
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' https:\/\/a\.example:8443; frame-ancestors http:\/\/localhost:3000; base-uri 'none'$/,
    );
    expect(pages.policyOf({ formTargets: ["com.example.app:"] })).toContain(
      "form-action 'self' com.example.app:;",
    );
  });
  it("cannot be widened by an origin that is none", () => {
    const hostile = [
      "*",
      "'unsafe-inline'",
      "https://a; script-src *",
      "https:// *",
      "",
      "https://*.example",
    ];
    const policy = pages.policyOf({ formTargets: hostile, frameOrigins: hostile, withScript: true });
    expect(policy).toContain("form-action 'self'; frame-ancestors 'none';");
    expect(policy).not.toMatch(/unsafe|\*/);
  });
});

it.each([
  ["Garden planner", "GP"],
  ["  élan vital extra ", "ÉV"],
  ["<script>", "S"],
  ["...", "?"],
  ["李小龙", "李"],
])("%s is shown as %s", (name, letters) => {
  expect(initials(name, "app").text).toContain(`>${letters}</span>`);
});

describe("the client form", () => {
  it("becomes a client body, without what was left empty", () => {
    expect(
      bodyOf({
        ...freshValues,
        client_name: " Bird watch ",
        client_uri: "https://b.example",
        redirect_uris: "https://b.example/a\r\n\r\n  https://b.example/b ",
        default_max_age: "60",
        logo_uri: " ",
      }),
    ).toEqual({
      client_name: "Bird watch",
      client_uri: "https://b.example",
      redirect_uris: ["https://b.example/a", "https://b.example/b"],
      post_logout_redirect_uris: [],
      response_types: ["code"],
      application_type: "web",
      id_token_signed_response_alg: "RS256",
      contacts: [],
      default_scopes: [],
      default_max_age: 60,
      test_mode: false,
    });
  });
  it("says which field has the wrong shape", () => {
    const body = bodyOf({ ...freshValues, client_name: "x", client_uri: "https://b.example" });
    expect(findShapeProblem(body)).toBeUndefined();
    expect(findShapeProblem({ ...body, client_name: "" })?.field).toBe("client_name");
    expect(findShapeProblem({ ...body, response_types: [] })?.field).toBe("response_types");
    expect(findShapeProblem({ ...body, default_max_age: Number.NaN })?.field).toBe("default_max_age");
  });
  it("shows a client as it is, so that saving changes nothing", () => {
    const client = {
      client_id: "app_1",
      client_id_issued_at: 1,
      client_name: "Bird watch",
      client_uri: "https://b.example",
      redirect_uris: ["https://b.example/a"],
      post_logout_redirect_uris: ["https://b.example/"],
      response_types: ["code", "code id_token"],
      grant_types: ["authorization_code", "implicit"],
      application_type: "native",
      contacts: ["a@b.example"],
      default_scopes: ["openid", "email"],
      id_token_signed_response_alg: "ES256",
      test_mode: true,
      logo_uri: "https://b.example/logo",
      default_max_age: 60,
      scope: "braille:*",
      subject_type: "pairwise",
      sector_identifier_uri: "https://b.example/sector",
      backchannel_logout_uri: "https://b.example/back",
      backchannel_logout_session_required: true,
      frontchannel_logout_uri: "https://b.example/front",
      frontchannel_logout_session_required: true,
      token_endpoint_auth_method: "client_secret_basic",
      registration_client_uri: "https://b.example/client/app_1",
    };
    const {
      client_id: _id,
      client_id_issued_at: _at,
      registration_client_uri: _uri,
      grant_types: _grants,
      ...rest
    } = client;
    expect(bodyOf(valuesOf(client))).toEqual(rest);
  });
});

describe("snippets", () => {
  const facts = {
    issuer: "http://localhost:4020/identity",
    clientId: "app_1",
    redirectUri: "http://localhost:3000/answer",
    scopes: "openid email",
  };
  it("name the issuer and the client, and never hold a secret", () => {
    for (const { text } of snippetsFor({ ...facts, hasSecret: true })) {
      expect(text).toContain("app_1");
      expect(text).toContain("http://localhost:4020/identity");
    }
  });
  it("do without a secret for public clients", () => {
    for (const { text } of snippetsFor({ ...facts, hasSecret: false }))
      expect(text).not.toMatch(/CLIENT_SECRET/);
  });
});

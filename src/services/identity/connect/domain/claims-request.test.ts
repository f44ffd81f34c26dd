/** The `claims` parameter: parsing, consent and the returned claims. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Profile } from "../../people/index.ts";
import { consentItems, grantedClaims, readClaims, scopesAmong, wishedClaims } from "./claims-request.ts";

const read = (given: unknown) => readClaims(JSON.stringify(given));
const ann: Profile = {
  id: "usr_1",
  account: "111111111111",
  username: "ann",
  name: "Ann Example",
  email: "ann@example.org",
  emailVerified: true,
  phoneNumberVerified: false,
  location: { latitude: 1, longitude: 2 },
  updatedAtMs: 5000,
};

describe("reading", () => {
  it("keeps known claims of both members and ignores everything else", () => {
    const given = {
      userinfo: { name: null, email: { essential: true }, shoe_size: null, "aq:location": null },
      id_token: { nickname: { values: ["a", "b"] }, locale: { value: "de", purpose: "x" }, auth_time: null },
      other: 7,
    };
    expect(read(given)).toEqual({
      claims: {
        userinfo: [{ name: "name" }, { name: "email" }, { name: "aq:location" }],
        idToken: [
          { name: "nickname", values: ["a", "b"] },
          { name: "locale", values: ["de"] },
        ],
      },
      subjects: undefined,
      demandsContext: false,
    });
    expect(read({})).toMatchObject({ claims: { userinfo: [], idToken: [] } });
  });
  it.each([
    [[]],
    [null],
    ["text"],
    [{ userinfo: [] }],
    [{ id_token: "name" }],
    [{ userinfo: { name: true } }],
    [{ userinfo: { name: { essential: "yes" } } }],
    [{ id_token: { name: { values: "a" } } }],
  ])("finds %j malformed", (given) => {
    expect(read(given)).toBeUndefined();
  });
  it("never breaks, whatever the text", () => {
    for (const text of ["", "{", "{}x", '{"userinfo":{"__proto__":null,"constructor":null}}'])
      expect(() => readClaims(text)).not.toThrow();
    fc.assert(
      fc.property(fc.json(), (text) => {
        readClaims(text);
      }),
    );
    expect(readClaims('{"userinfo":{"__proto__":null,"constructor":null}}')?.claims.userinfo).toEqual([]);
  });
  it("knows whom the answer must be about", () => {
    expect(read({ id_token: { sub: { value: "a" } } })?.subjects).toEqual(["a"]);
    expect(read({ id_token: { sub: { values: ["a", "b", 3] } } })?.subjects).toEqual(["a", "b"]);
    const both = { id_token: { sub: { values: ["a", "b"] } }, userinfo: { sub: { value: "b" } } };
    expect(read(both)?.subjects).toEqual(["b"]);
    expect(read({ id_token: { sub: { value: 3 } } })?.subjects).toEqual([]);
    expect(read({ id_token: { sub: null } })?.subjects).toBeUndefined();
  });
  it("only an essential acr with values is a demand", () => {
    expect(read({ id_token: { acr: { essential: true, values: ["gold"] } } })?.demandsContext).toBe(true);
    for (const acr of [null, { values: ["gold"] }, { value: "gold" }, { essential: true }])
      expect(read({ id_token: { acr } })?.demandsContext).toBe(false);
  });
});

describe("consent", () => {
  const claims = {
    idToken: [{ name: "email" }],
    userinfo: [{ name: "name" }, { name: "email" }, { name: "phone_number" }],
  };
  it("is asked for each claim that no scope opens", () => {
    expect(consentItems({ scopes: ["openid", "vendor:name"], claims })).toEqual([
      "openid",
      "vendor:name",
      "claim email",
      "claim phone_number",
    ]);
    expect(consentItems({ scopes: ["openid", "profile", "email", "phone"], claims })).toEqual([
      "openid",
      "profile",
      "email",
      "phone",
    ]);
    expect(consentItems({ scopes: ["openid"] })).toEqual(["openid"]);
  });
  it("gives what was agreed to and nothing else", () => {
    const agreed = ["openid", "vendor:name", "claim email"];
    expect(scopesAmong(agreed)).toEqual(["openid", "vendor:name"]);
    expect(grantedClaims(claims, agreed)).toEqual({
      idToken: [{ name: "email" }],
      userinfo: [{ name: "name" }, { name: "email" }],
    });
    expect(grantedClaims(claims, ["openid"])).toBeUndefined();
    // A permission may be called anything that has no space in it.
    expect(grantedClaims(claims, ["openid", "claim:email"])).toBeUndefined();
  });
});

describe("telling", () => {
  it("leaves out what is unknown, and what was wanted with another value", () => {
    const wishes = [
      { name: "name" },
      { name: "nickname" },
      { name: "email", values: ["bob@example.org", "ann@example.org"] },
      { name: "email_verified", values: [false] },
      { name: "aq:location" },
    ];
    expect(wishedClaims(ann, wishes)).toEqual({
      name: "Ann Example",
      email: "ann@example.org",
      "aq:location": ann.location,
    });
  });
});

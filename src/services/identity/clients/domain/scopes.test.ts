/** Requested scopes. */
import { describe, expect, it } from "vitest";
import { grantableScopes, permissionsOf, readScopes } from "./scopes.ts";

describe("reading scopes", () => {
  it("drops marks and repetitions, and knows the maker's word for openid", () => {
    expect(readScopes("oidc  email~rs email phone~s openid")).toEqual(["openid", "email", "phone"]);
  });
  it("ignores what it does not know, and permissions that the client was not given", () => {
    const asked = ["openid", "wonder", "braille:Translate", "bank:*"];
    expect(grantableScopes(asked, ["bank:*"])).toEqual(["openid", "bank:*"]);
  });
  it("tells permissions from scopes of identity, in either spelling", () =>
    expect(permissionsOf(" openid aq:name braille:* email  bank:* ")).toEqual(["braille:*", "bank:*"]));
});

/**
 * The maker's spelling. It lives inside lists of scopes and in the names of claims, so it is a table that the scope
 * rules read rather than an edge dialect: whoever asks for `aq:location` gets the claim `aq:location`.
 */
export const makersScopes: Readonly<Record<string, string>> = {
  oidc: "openid",
  "aq:name": "vendor:name",
  "aq:location": "vendor:location",
  "aq:push": "vendor:push",
};
/** `email~rs` marks a scope as required or to be signed; everything here is consented to as a whole and signed. */
export const SCOPE_MARKS = /~[rs]{1,2}$/;

/**
 * Descriptions of members that many shapes share. A client is answered with the members it was registered
 * with.
 */
import { type SharedWords, wordsFrom } from "#kernel/operation";
import { ClientBody } from "./clients/index.ts";

export const sharedWords: SharedWords = {
  ...wordsFrom(ClientBody),
  token_type: { description: "How the token is to be shown.", example: "Bearer" },
  access_token: { description: "Opens userinfo, and what its scope names.", example: "SlAV32hkKG" },
  id_token: {
    description: "Who signed in, as a signed token.",
    example: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl",
  },
  expires_in: { example: 3600 },
  expires_at: { example: 1767229200 },
  active: { description: "Whether the token is good now." },
  username: { description: "The name that the person signs in with.", example: "ann" },
  exp: { description: "When it expires, in epoch seconds.", example: 1767229200 },
  iat: { description: "When it was issued, in epoch seconds.", example: 1767225600 },
  sub: { description: "The person, by a name that never changes.", example: "4f1c9e1a2b3d" },
  aud: { description: "Whom the token is for.", example: "app_1" },
  iss: { description: "Who issued it.", example: "http://127.0.0.1:4020/identity" },
  jti: { description: "The token's own name.", example: "8c3d2b1a0f9e" },
  name: { description: "The person's name.", example: "Ann Example" },
  given_name: { description: "The first name.", example: "Ann" },
  family_name: { description: "The family's name.", example: "Example" },
  email: { description: "Where mails reach the person.", example: "ann@example.org" },
  email_verified: { description: "Whether the person has shown that mails reach them." },
  phone_number: { description: "Where calls reach the person.", example: "+15550100" },
  phone_number_verified: { description: "Whether the person has shown that calls reach them." },
  address: { description: "Where the person lives." },
  formatted: {
    description: "The address as it stands on a letter.",
    example: "1 Garden Street\nSpringfield",
  },
  street_address: { description: "Street and number.", example: "1 Garden Street" },
  locality: { description: "The city.", example: "Springfield" },
  region: { description: "The state or province.", example: "Bavaria" },
  postal_code: { description: "The postal code.", example: "12345" },
  country: { description: "The country.", example: "Germany" },
  client_id_issued_at: { example: 1767225600 },
  registration_client_uri: {
    description: "Where the client's own record is.",
    example: "http://127.0.0.1:4020/identity/clients/app_1",
  },
  client_secret_expires_at: { example: 0 },
  registration_access_token: { example: "rat_kX2vQ9mTz7" },
  keys: {
    description: "The public keys that tokens are signed with.",
    example: [{ kty: "RSA", use: "sig", kid: "k1", n: "0vx7ago", e: "AQAB" }],
  },
};

/** Shapes on the wire, spelt as clients spell them. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

const Optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

/** A parameter sent twice arrives as a list, which OAuth forbids: the handler says so. */
const Parameter = (description?: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], description === undefined ? {} : { description }),
  );
export const AuthorizeParameters = Type.Object({
  client_id: Parameter("Required."),
  response_type: Parameter("Required: code, id_token, token, or a combination."),
  scope: Parameter("Required: space-separated, with openid among them."),
  redirect_uri: Parameter("Required: one of the registered redirect URLs."),
  state: Parameter("Required: returned unchanged."),
  response_mode: Parameter("query, fragment or form_post."),
  nonce: Parameter("Copied into ID tokens; required where one comes through the browser."),
  display: Parameter("page, popup or modal."),
  prompt: Parameter("none, login, consent, select_account."),
  max_age: Parameter("Seconds since the person last proved who they are."),
  ui_locales: Parameter("Accepted and ignored."),
  id_token_hint: Parameter(),
  login_hint: Parameter(),
  claims: Parameter("JSON: claims asked for by name, in the ID token or at userinfo."),
  code_challenge: Parameter(),
  code_challenge_method: Parameter("S256 or plain."),
  request: Parameter("Not supported."),
  request_uri: Parameter("Not supported."),
  registration: Parameter("Not supported."),
});
export type AuthorizeParameters = Static<typeof AuthorizeParameters>;

export const TokenBody = Type.Object({
  grant_type: Parameter("authorization_code."),
  code: Parameter(),
  redirect_uri: Parameter("The one used at /authorize."),
  client_id: Parameter(),
  client_secret: Parameter(),
  code_verifier: Parameter(),
});
export type TokenBody = Static<typeof TokenBody>;
export const TokenAnswer = Type.Object({
  token_type: Type.Literal("Bearer"),
  access_token: Type.String(),
  id_token: Type.String(),
  expires_in: Type.Integer({ description: "Seconds." }),
  expires_at: Type.Integer({ description: "Epoch seconds." }),
  scope: Type.String(),
});

/** For revocation and introspection. */
export const TokenQuestion = Type.Object({
  token: Parameter("Required."),
  token_type_hint: Parameter(),
  client_id: Parameter(),
  client_secret: Parameter(),
});
export type TokenQuestion = Static<typeof TokenQuestion>;
export const Introspection = Type.Object({
  active: Type.Boolean(),
  scope: Optional(Type.String()),
  client_id: Optional(Type.String()),
  username: Optional(Type.String()),
  token_type: Optional(Type.String()),
  exp: Optional(Type.Integer()),
  iat: Optional(Type.Integer()),
  sub: Optional(Type.String()),
  aud: Optional(Type.String()),
  iss: Optional(Type.String()),
  jti: Optional(Type.String()),
});

export const Address = Type.Object({
  formatted: Optional(Type.String()),
  street_address: Optional(Type.String()),
  locality: Optional(Type.String()),
  region: Optional(Type.String()),
  postal_code: Optional(Type.String()),
  country: Optional(Type.String()),
});
export const UserInfo = Type.Object(
  {
    sub: Type.String(),
    name: Optional(Type.String()),
    given_name: Optional(Type.String()),
    family_name: Optional(Type.String()),
    email: Optional(Type.String()),
    email_verified: Optional(Type.Boolean()),
    phone_number: Optional(Type.String()),
    phone_number_verified: Optional(Type.Boolean()),
    address: Optional(Address),
  },
  { additionalProperties: true },
);

export const LogoutParameters = Type.Object({
  id_token_hint: Parameter(),
  client_id: Parameter(),
  post_logout_redirect_uri: Parameter(),
  state: Parameter(),
  logout_hint: Parameter(),
  ui_locales: Parameter(),
});
export type LogoutParameters = Static<typeof LogoutParameters>;

export const JwkSet = Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) });

/** Shapes on the wire, spelt as clients spell them. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { demanded } from "#kernel/shape";

const Optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

/** The largest size of a form. The handler refuses longer parameters with an OAuth error. */
const PARAMETER_LENGTH_MAX = 65_536;
const PARAMETERS_MAX = 100;
const text = Type.String({ maxLength: PARAMETER_LENGTH_MAX });
/** OAuth forbids a repeated parameter. It arrives as a list, and the handler refuses it. */
const once = (description: string, example: string) =>
  Type.Union([text, Type.Array(text, { maxItems: PARAMETERS_MAX })], { description, examples: [example] });
const Parameter = (description: string, example: string) => Type.Optional(once(description, example));
/** A required parameter. The handler reports its absence, by a redirect to the client if possible. */
const Demanded = (description: string, example: string) => demanded(once(description, example));
const ID_TOKEN = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl";
const clientId = (description = "The client's id.") => Parameter(description, "app_1");
const clientSecret = () =>
  Parameter("The client's secret, where it is not sent as Basic credentials.", "kX2vQ9mTz7");
const idTokenHint = () => Parameter("An ID token of the person who is meant.", ID_TOKEN);
const uiLocales = () => Parameter("Accepted and ignored.", "en de");

export const AuthorizeParameters = Type.Object({
  client_id: Demanded("The client that asks.", "app_1"),
  response_type: Demanded("code, id_token, token, or a combination.", "code"),
  scope: Demanded("Space-separated, with openid among them.", "openid profile email"),
  redirect_uri: Demanded("One of the registered redirect URLs.", "https://app.example.org/answer"),
  state: Demanded("Returned unchanged.", "af0ifjsldkj"),
  response_mode: Parameter("query, fragment or form_post.", "query"),
  nonce: Parameter("Copied into ID tokens; required where one comes through the browser.", "n-0S6_WzA2Mj"),
  display: Parameter("page, popup or modal.", "page"),
  prompt: Parameter("none, login, consent, select_account.", "login"),
  max_age: Parameter("Seconds since the person last proved who they are.", "3600"),
  ui_locales: uiLocales(),
  id_token_hint: idTokenHint(),
  login_hint: Parameter("The name to sign in with, filled in beforehand.", "ann"),
  claims: Parameter(
    "JSON: claims asked for by name, in the ID token or at userinfo.",
    '{"userinfo":{"email":null}}',
  ),
  code_challenge: Parameter(
    "Made of a secret text that only the client knows until it exchanges the code.",
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  ),
  code_challenge_method: Parameter("S256 or plain.", "S256"),
  request: Parameter("Not supported.", ID_TOKEN),
  request_uri: Parameter("Not supported.", "https://app.example.org/request"),
  registration: Parameter("Not supported.", "{}"),
});
export type AuthorizeParameters = Static<typeof AuthorizeParameters>;

export const TokenBody = Type.Object({
  grant_type: Demanded("authorization_code.", "authorization_code"),
  code: Demanded("The code that /authorize sent.", "SplxlOBeZQQYbYS6WxSbIA"),
  redirect_uri: Demanded("The one used at /authorize.", "https://app.example.org/answer"),
  client_id: clientId(),
  client_secret: clientSecret(),
  code_verifier: Parameter(
    "The secret text that the code challenge was made of.",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  ),
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
  token: Demanded("The token that is meant.", "SlAV32hkKG"),
  token_type_hint: Parameter("What kind of token it is.", "access_token"),
  client_id: clientId(),
  client_secret: clientSecret(),
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
  id_token_hint: idTokenHint(),
  client_id: clientId("The client that asks, where no ID token says so."),
  post_logout_redirect_uri: Parameter(
    "Where the browser goes afterwards: one of the registered URLs.",
    "https://app.example.org/signed-out",
  ),
  state: Parameter("Returned unchanged.", "af0ifjsldkj"),
  logout_hint: Parameter("Accepted and ignored.", "ann"),
  ui_locales: uiLocales(),
});
export type LogoutParameters = Static<typeof LogoutParameters>;

export const JwkSet = Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) });

/** Shapes on the wire, spelt as clients spell them. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

const Optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const Uri = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description });

export const URIS_MAX = 50;

/** The Client Object as an owner sends it. What is wrong inside a member is told by `clients/metadata.ts`. */
export const ClientBody = Type.Object({
  client_id: Optional(
    Type.String({ maxLength: 128, description: "Chosen by the service; only repeated on update." }),
  ),
  client_secret: Optional(
    Type.String({ maxLength: 512, description: "The present secret, where an update needs it as a key." }),
  ),
  client_name: Type.String({ minLength: 1, maxLength: 200, description: "Shown to people who sign in." }),
  client_uri: Uri("Home page of the application."),
  redirect_uris: Optional(Type.Array(Uri("Where answers may go."), { maxItems: URIS_MAX })),
  post_logout_redirect_uris: Optional(Type.Array(Uri("Where a sign-out may lead."), { maxItems: URIS_MAX })),
  response_types: Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 20 })),
  grant_types: Optional(Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: 10 })),
  application_type: Optional(Type.String({ maxLength: 16, description: "web or native." })),
  contacts: Optional(Type.Array(Type.String({ minLength: 1, maxLength: 320 }), { maxItems: 20 })),
  logo_uri: Optional(Uri("A picture of the application.")),
  policy_uri: Optional(Uri("How the application uses data.")),
  tos_uri: Optional(Uri("Terms of service.")),
  default_max_age: Optional(Type.Integer({ minimum: 0, maximum: 31_536_000 })),
  default_scopes: Optional(Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 50 })),
  scope: Optional(
    Type.String({ maxLength: 2000, description: "Permissions its tokens may carry, such as braille:*." }),
  ),
  token_endpoint_auth_method: Optional(Type.String({ maxLength: 64 })),
  id_token_signed_response_alg: Optional(Type.String({ maxLength: 16 })),
  subject_type: Optional(
    Type.String({ maxLength: 16, description: "public, or pairwise: names of its own for people." }),
  ),
  sector_identifier_uri: Optional(
    Uri("A JSON list of redirect URLs; clients that share it have the same names for people."),
  ),
  backchannel_logout_uri: Optional(Uri("Gets a logout token by POST when a session ends.")),
  backchannel_logout_session_required: Optional(
    Type.Boolean({ description: "Logout tokens must name the session; they always do." }),
  ),
  frontchannel_logout_uri: Optional(Uri("Shown in a frame when the person signs out in their browser.")),
  frontchannel_logout_session_required: Optional(
    Type.Boolean({ description: "The frame's address must name the session; it always does." }),
  ),
  test_mode: Optional(
    Type.Boolean({ description: "Redirect URLs need not be registered while this is true." }),
  ),
});
export type ClientBody = Static<typeof ClientBody>;

export const ClientAnswer = Type.Object({
  client_id: Type.String(),
  client_id_issued_at: Type.Integer({ description: "Epoch seconds." }),
  client_name: Type.String(),
  client_uri: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  post_logout_redirect_uris: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  grant_types: Type.Array(Type.String()),
  application_type: Type.String(),
  contacts: Type.Array(Type.String()),
  default_scopes: Type.Array(Type.String()),
  id_token_signed_response_alg: Type.String(),
  test_mode: Type.Boolean(),
  subject_type: Type.String(),
  sector_identifier_uri: Optional(Type.String()),
  backchannel_logout_uri: Optional(Type.String()),
  backchannel_logout_session_required: Optional(Type.Boolean()),
  frontchannel_logout_uri: Optional(Type.String()),
  frontchannel_logout_session_required: Optional(Type.Boolean()),
  logo_uri: Optional(Type.String()),
  policy_uri: Optional(Type.String()),
  tos_uri: Optional(Type.String()),
  default_max_age: Optional(Type.Integer()),
  scope: Optional(Type.String()),
  token_endpoint_auth_method: Optional(Type.String()),
  registration_client_uri: Type.String(),
  client_secret: Optional(Type.String({ description: "Shown once." })),
  client_secret_expires_at: Optional(Type.Integer({ description: "0: never." })),
  registration_access_token: Optional(
    Type.String({ description: "Shown once; opens this client's own record." }),
  ),
});
export type ClientAnswer = Static<typeof ClientAnswer>;

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

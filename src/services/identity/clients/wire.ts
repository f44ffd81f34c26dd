/** The Client Object on the wire, spelt as clients spell them. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

const Optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const Uri = (description: string, path = "") =>
  Type.String({
    minLength: 1,
    maxLength: 2048,
    description,
    examples: [`https://garden.example.org${path}`],
  });
const list = <S extends TSchema>(item: S, description: string, example: string, limits: object) =>
  Type.Array(item, { ...limits, description, examples: [[example]] });

export const URIS_MAX = 50;

/** The Client Object as an owner sends it. What is wrong inside a member is told by `operations/metadata.ts`. */
export const ClientBody = Type.Object({
  client_id: Optional(
    Type.String({
      maxLength: 128,
      description: "Chosen by the service; only repeated on update.",
      examples: ["app_1"],
    }),
  ),
  client_secret: Optional(
    Type.String({
      maxLength: 512,
      description: "The present secret, where an update needs it as a key.",
      examples: ["kX2vQ9mTz7"],
    }),
  ),
  client_name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: "Shown to people who sign in.",
    examples: ["Garden planner"],
  }),
  client_uri: Uri("Home page of the application."),
  redirect_uris: Optional(
    list(Uri("Where answers may go."), "Where answers may go.", "https://garden.example.org/signed-in", {
      maxItems: URIS_MAX,
    }),
  ),
  post_logout_redirect_uris: Optional(
    list(Uri("Where a sign-out may lead."), "Where a sign-out may lead.", "https://garden.example.org/bye", {
      maxItems: URIS_MAX,
    }),
  ),
  response_types: Optional(
    list(Type.String({ maxLength: 64 }), "What it may ask /authorize for.", "code", {
      minItems: 1,
      maxItems: 20,
    }),
  ),
  grant_types: Optional(
    list(Type.String({ maxLength: 64 }), "How it gets tokens.", "authorization_code", {
      minItems: 1,
      maxItems: 10,
    }),
  ),
  application_type: Optional(
    Type.String({ maxLength: 16, description: "web or native.", examples: ["web"] }),
  ),
  contacts: Optional(
    list(Type.String({ minLength: 1, maxLength: 320 }), "Whom to write to.", "ann@example.org", {
      maxItems: 20,
    }),
  ),
  logo_uri: Optional(Uri("A picture of the application.", "/logo.png")),
  policy_uri: Optional(Uri("How the application uses data.", "/privacy")),
  tos_uri: Optional(Uri("Terms of service.", "/terms")),
  default_max_age: Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description: "Seconds since people last proved who they are, where a request does not say.",
      examples: [3600],
    }),
  ),
  default_scopes: Optional(
    list(
      Type.String({ minLength: 1, maxLength: 128 }),
      "Scopes it asks for where a request does not say.",
      "openid",
      { maxItems: 50 },
    ),
  ),
  scope: Optional(
    Type.String({
      maxLength: 2000,
      description: "Permissions its tokens may carry, such as braille:*.",
      examples: ["braille:*"],
    }),
  ),
  token_endpoint_auth_method: Optional(
    Type.String({
      maxLength: 64,
      description: "How it shows its secret: client_secret_basic, client_secret_post or none.",
      examples: ["client_secret_basic"],
    }),
  ),
  id_token_signed_response_alg: Optional(
    Type.String({ maxLength: 16, description: "How its ID tokens are signed.", examples: ["RS256"] }),
  ),
  subject_type: Optional(
    Type.String({
      maxLength: 16,
      description: "public, or pairwise: names of its own for people.",
      examples: ["public"],
    }),
  ),
  sector_identifier_uri: Optional(
    Uri(
      "A JSON list of redirect URLs; clients that share it have the same names for people.",
      "/sector.json",
    ),
  ),
  backchannel_logout_uri: Optional(Uri("Gets a logout token by POST when a session ends.", "/session-ended")),
  backchannel_logout_session_required: Optional(
    Type.Boolean({ description: "Logout tokens must name the session; they always do." }),
  ),
  frontchannel_logout_uri: Optional(
    Uri("Shown in a frame when the person signs out in their browser.", "/frame"),
  ),
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

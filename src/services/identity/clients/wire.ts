/** The Client Object on the wire, spelt as clients spell them. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

const Optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
const Uri = (description: string) => Type.String({ minLength: 1, maxLength: 2048, description });

export const URIS_MAX = 50;

/** The Client Object as an owner sends it. What is wrong inside a member is told by `operations/metadata.ts`. */
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

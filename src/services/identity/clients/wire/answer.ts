/** The Client Object in answers. Its descriptions are those of the request. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";

const Optional = <S extends TSchema>(schema: S) => Type.Optional(schema);

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

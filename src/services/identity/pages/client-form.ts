/** The dashboard's form for a client: from its fields to a client body and back. Pure. */
import { Shape } from "#kernel/shape";
import { type ClientAnswer, ClientBody } from "../clients/index.ts";

export const CLIENT_FIELDS = [
  "client_name",
  "client_uri",
  "redirect_uris",
  "post_logout_redirect_uris",
  "application_type",
  "token_endpoint_auth_method",
  "id_token_signed_response_alg",
  "contacts",
  "logo_uri",
  "policy_uri",
  "tos_uri",
  "default_scopes",
  "default_max_age",
  "scope",
  "subject_type",
  "sector_identifier_uri",
  "backchannel_logout_uri",
  "backchannel_logout_session_required",
  "frontchannel_logout_uri",
  "frontchannel_logout_session_required",
  "test_mode",
  "client_secret",
] as const;
export type ClientField = (typeof CLIENT_FIELDS)[number];
export type ClientValues = Readonly<Partial<Record<ClientField, string>>> & {
  readonly response_types?: readonly string[];
};

const linesOf = (text: string | undefined): string[] =>
  (text ?? "").split(/\s+/).filter((line) => line !== "");
const textOf = (text: string | undefined): string | undefined => {
  const plain = text?.trim();
  return plain === "" ? undefined : plain;
};

const ticked = (text: string | undefined): true | undefined => (text === "on" ? true : undefined);

export function bodyOf(values: ClientValues): ClientBody {
  const age = textOf(values.default_max_age);
  const body = {
    client_name: textOf(values.client_name) ?? "",
    client_uri: textOf(values.client_uri) ?? "",
    redirect_uris: linesOf(values.redirect_uris),
    post_logout_redirect_uris: linesOf(values.post_logout_redirect_uris),
    response_types: [...(values.response_types ?? [])],
    application_type: textOf(values.application_type),
    token_endpoint_auth_method: textOf(values.token_endpoint_auth_method),
    id_token_signed_response_alg: textOf(values.id_token_signed_response_alg),
    contacts: linesOf(values.contacts),
    logo_uri: textOf(values.logo_uri),
    policy_uri: textOf(values.policy_uri),
    tos_uri: textOf(values.tos_uri),
    default_scopes: linesOf(values.default_scopes),
    default_max_age: age === undefined ? undefined : Number(age),
    scope: textOf(values.scope),
    client_secret: textOf(values.client_secret),
    subject_type: textOf(values.subject_type),
    sector_identifier_uri: textOf(values.sector_identifier_uri),
    backchannel_logout_uri: textOf(values.backchannel_logout_uri),
    frontchannel_logout_uri: textOf(values.frontchannel_logout_uri),
    backchannel_logout_session_required: ticked(values.backchannel_logout_session_required),
    frontchannel_logout_session_required: ticked(values.frontchannel_logout_session_required),
    test_mode: values.test_mode === "on",
  };
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as ClientBody;
}

export function valuesOf(client: ClientAnswer): ClientValues {
  return {
    client_name: client.client_name,
    client_uri: client.client_uri,
    redirect_uris: client.redirect_uris.join("\n"),
    post_logout_redirect_uris: client.post_logout_redirect_uris.join("\n"),
    response_types: client.response_types,
    application_type: client.application_type,
    token_endpoint_auth_method: client.token_endpoint_auth_method ?? "",
    id_token_signed_response_alg: client.id_token_signed_response_alg,
    contacts: client.contacts.join("\n"),
    logo_uri: client.logo_uri ?? "",
    policy_uri: client.policy_uri ?? "",
    tos_uri: client.tos_uri ?? "",
    default_scopes: client.default_scopes.join(" "),
    default_max_age: client.default_max_age === undefined ? "" : String(client.default_max_age),
    scope: client.scope ?? "",
    subject_type: client.subject_type,
    sector_identifier_uri: client.sector_identifier_uri ?? "",
    backchannel_logout_uri: client.backchannel_logout_uri ?? "",
    backchannel_logout_session_required: client.backchannel_logout_session_required ? "on" : "",
    frontchannel_logout_uri: client.frontchannel_logout_uri ?? "",
    frontchannel_logout_session_required: client.frontchannel_logout_session_required ? "on" : "",
    test_mode: client.test_mode ? "on" : "",
  };
}

export const freshValues: ClientValues = {
  response_types: ["code"],
  application_type: "web",
  id_token_signed_response_alg: "RS256",
};

export type ClientProblem = { readonly field: string; readonly text: string };
const texts: Readonly<Partial<Record<string, string>>> = {
  client_name: "Please give it a name of up to 200 characters.",
  client_uri: "Please enter the address of its home page.",
  response_types: "Please choose at least one.",
  default_max_age: "A whole number of seconds, up to a year.",
};
const shape = new Shape(ClientBody);
/** The errors of the wire shape, as messages for the form. */
export function findShapeProblem(body: ClientBody): ClientProblem | undefined {
  const [first] = shape.read(body).problems;
  if (!first) return undefined;
  const [field = ""] = first.path.split(/[.[]/);
  return { field, text: texts[field] ?? `This ${first.says}.` };
}

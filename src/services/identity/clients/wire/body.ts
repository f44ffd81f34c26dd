/** The Client Object as an owner sends it. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { reportedAs, ruled } from "#kernel/shape";
import { AUTH_METHODS, GRANT_TYPES, ID_TOKEN_ALGORITHMS, SUBJECT_TYPES } from "../domain/metadata.ts";
import { findCallbackProblem, findLinkProblem } from "../domain/redirect-uris.ts";
import { errors } from "../errors.ts";
import { metadataRules, permissionsRule, responseTypeRule } from "./rules.ts";

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

const wrong = <S extends TSchema>(schema: S) => reportedAs(errors.invalidClientMetadata, schema);
const choice = <const T extends readonly [string, ...string[]]>(
  words: T,
  description: string,
  example: T[number],
) =>
  wrong(
    Type.Unsafe<T[number]>(
      Type.Union(
        words.map((word) => Type.Literal(word)),
        { description, examples: [example] },
      ),
    ),
  );
/** An address of which something more must hold. */
const uriWith =
  (name: string, says: string, findProblem: (uri: string) => string | undefined) =>
  (description: string, path = "") =>
    wrong(
      ruled(Uri(description, path), {
        name,
        says,
        check: (uri: string) => {
          const problem = findProblem(uri);
          return problem === undefined || `is refused: ${problem}`;
        },
      }),
    );
const Link = uriWith("link", "must be an address that people may be led to", findLinkProblem);
const Callback = uriWith("callback", "must be https, or http on a loopback address", findCallbackProblem);
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@.<>"]{1,63}(?:\.[^\s@.<>"]{1,63}){0,8}$/;
const CONTROL = /\p{Cc}/u;
const readableName = {
  name: "readable",
  says: "must be a line of readable text",
  check: (name: string) => name.trim() !== "" && !CONTROL.test(name.trim()),
};
const Contact = ruled(
  Type.String({
    minLength: 1,
    maxLength: 320,
    description: "An e-mail address.",
    examples: ["ann@example.org"],
  }),
  { name: "mailAddress", says: "must be an e-mail address", check: (text: string) => EMAIL.test(text) },
);

const members = Type.Object({
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
  client_name: wrong(
    ruled(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "Shown to people who sign in.",
        examples: ["Garden planner"],
      }),
      readableName,
    ),
  ),
  client_uri: Link("Home page of the application."),
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
    wrong(
      list(
        ruled(Type.String({ maxLength: 64 }), responseTypeRule),
        "What it may ask /authorize for.",
        "code",
        { minItems: 1, maxItems: 20 },
      ),
    ),
  ),
  grant_types: Optional(
    wrong(
      list(
        choice(GRANT_TYPES, "How it gets a token.", "authorization_code"),
        "How it gets tokens.",
        "authorization_code",
        {
          minItems: 1,
          maxItems: 10,
        },
      ),
    ),
  ),
  application_type: Optional(
    choice(["web", "native"], "Runs on a server, or on people's own machines; web when left out.", "web"),
  ),
  contacts: Optional(wrong(list(Contact, "Whom to write to.", "ann@example.org", { maxItems: 20 }))),
  logo_uri: Optional(Link("A picture of the application.", "/logo.png")),
  policy_uri: Optional(Link("How the application uses data.", "/privacy")),
  tos_uri: Optional(Link("Terms of service.", "/terms")),
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
    wrong(
      ruled(
        Type.String({
          maxLength: 2000,
          description: "Permissions its tokens may carry, such as braille:*.",
          examples: ["braille:*"],
        }),
        permissionsRule,
      ),
    ),
  ),
  token_endpoint_auth_method: Optional(
    choice(AUTH_METHODS, "How it shows its secret; either way when left out.", "client_secret_basic"),
  ),
  id_token_signed_response_alg: Optional(
    choice(ID_TOKEN_ALGORITHMS, "How its ID tokens are signed; RS256 when left out.", "RS256"),
  ),
  subject_type: Optional(
    choice(SUBJECT_TYPES, "public, or pairwise: names of its own for people.", "public"),
  ),
  sector_identifier_uri: Optional(
    Callback(
      "A JSON list of redirect URLs; clients that share it have the same names for people.",
      "/sector.json",
    ),
  ),
  backchannel_logout_uri: Optional(
    Callback("Gets a logout token by POST when a session ends.", "/session-ended"),
  ),
  backchannel_logout_session_required: Optional(
    Type.Boolean({ description: "Logout tokens must name the session; they always do." }),
  ),
  frontchannel_logout_uri: Optional(
    Callback("Shown in a frame when the person signs out in their browser.", "/frame"),
  ),
  frontchannel_logout_session_required: Optional(
    Type.Boolean({ description: "The frame's address must name the session; it always does." }),
  ),
  test_mode: Optional(
    Type.Boolean({ description: "Redirect URLs need not be registered while this is true." }),
  ),
});
/** The body, with the rules between its members. */
export const ClientBody = ruled(members, ...metadataRules);
export type ClientBody = Static<typeof ClientBody>;

/**
 * Bearer tokens, and anonymous readers. A request without a token reads the public part of the account whose
 * public record it names. If it names none, a token is required. A hidden record gets the same answer as a
 * missing one.
 */
import { kernelErrors, type Principal } from "#kernel/operation";
import {
  type Authenticated,
  type AuthenticationTools,
  asRenderedError,
  bearer,
  bearerTokenOf,
  type Call,
  type ErrorToRender,
  type PathParams,
  type Protocol,
  plain,
} from "#kernel/protocols";
import { ANONYMOUS, FULL, STRANGERS_ACTIONS } from "./domain/access.ts";
import { renderProblemPage } from "./page/site.ts";
import { findPublicAccount } from "./store/public-records.ts";

/** The mount, also if the host name replaces its first part. */
const MOUNT = /^\/(?:contributions\/)?(?:1\/)?/;
const pathOf = ({ rawPath }: Call): string => rawPath.replace(MOUNT, "");
const CHALLENGE = { headers: { "www-authenticate": 'Bearer realm="contributions"' } };

/** The scope `full` allows all of this service. Any token allows at least what is public. */
function withScopes(principal: Principal): Principal {
  if (principal.scopes === undefined) return principal;
  const full = principal.scopes.includes(FULL) ? ["contributions:*"] : [];
  return { ...principal, scopes: [...full, ...principal.scopes, ...STRANGERS_ACTIONS] };
}

/** Query parameters that name a record, and the kind of record. */
const NAMED_BY: readonly (readonly [parameter: string, kind: string])[] = [
  ["assignment", "assignments"],
  ["ownedBy", "users"],
  ["user", "users"],
  ["form", "forms"],
  ["tagSet", "tagsets"],
  ["contribution", "contributions"],
  ["ids", "contributions"],
];
function namedRecords(call: Call, params: PathParams): { kind: string; id: string }[] {
  const [kind = ""] = pathOf(call).split("/");
  const named = params.id === undefined ? [] : [{ kind, id: params.id }];
  for (const [parameter, of] of NAMED_BY) {
    const value = call.query[parameter];
    if (typeof value === "string" && value !== "")
      named.push({ kind: of, id: (value.split(",")[0] ?? "").trim() });
  }
  return named;
}

/** Reads of records with a public side, flags, and the actions on an assignment's page. */
const OPEN_TO_READ =
  /^(?:assignments|contributions|contribution-refinements|tags|tagsets|forms|users(?!\/[^/]*\/linked)|media|pages)(?:\/|$)/;
const OPEN_TO_SEND = /^(?:contributions\/[^/]*\/flag|pages\/.*)$/;
function isOpenToStrangers(call: Call): boolean {
  const path = pathOf(call);
  return call.method === "GET" || call.method === "HEAD" ? OPEN_TO_READ.test(path) : OPEN_TO_SEND.test(path);
}

async function asStranger(
  call: Call,
  { database, clock }: AuthenticationTools,
  params: PathParams,
): Promise<Authenticated> {
  const named = isOpenToStrangers(call) ? namedRecords(call, params) : [];
  for (const { kind, id } of named) {
    const account = await findPublicAccount(database.read, kind, id, clock.nowMs());
    if (account === undefined) continue;
    const principal = { account, name: ANONYMOUS, credentialKind: ANONYMOUS, admin: false };
    return { principal: { ...principal, scopes: STRANGERS_ACTIONS } };
  }
  throw kernelErrors.unauthenticated(
    "A bearer token is required, or the id of something that is public.",
    CHALLENGE,
  );
}

async function authenticate(
  call: Call,
  tools: AuthenticationTools,
  params: PathParams,
): Promise<Authenticated> {
  if (bearerTokenOf(call) === undefined && call.headers.authorization === undefined)
    return asStranger(call, tools, params);
  const { principal } = await bearer.authenticate(call, tools);
  return { principal: withScopes(principal) };
}

const fieldsOf = ({ target, details }: ErrorToRender["extras"], message: string) =>
  details?.map((one) => ({ name: one.target ?? "", message: one.message })) ??
  (target === undefined ? [] : [{ name: target, message }]);

const errorSchema = {
  type: "object",
  required: ["message", "fields"],
  properties: {
    message: {
      type: "string",
      description: "What is wrong, in words for people.",
      examples: ["'name' must be given."],
    },
    fields: {
      type: "array",
      description: "Each member that is wrong, where it can be told.",
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: { type: "string", description: "The member's name.", examples: ["name"] },
          message: {
            type: "string",
            description: "What is wrong with it.",
            examples: ["This field is required."],
          },
        },
      },
    },
  },
};
const oauthSchema = {
  type: "object",
  required: ["error", "error_description"],
  properties: {
    error: { type: "string", description: "A fixed name for programs.", examples: ["invalid_grant"] },
    error_description: {
      type: "string",
      description: "The same in words, for people.",
      examples: ["The user name or password is wrong."],
    },
  },
};

export const protocol: Protocol = {
  ...plain({
    scheme: bearer,
    errorBody: ({ message, extras }) => ({ message, fields: fieldsOf(extras, message) }),
    errorSchema,
    errorNames: { forbidden: ["NotPermitted", 403] },
  }),
  authenticate,
  security: {
    name: "oauth",
    scheme: {
      type: "oauth2",
      flows: {
        password: { tokenUrl: "/contributions/1/token", scopes: { [FULL]: "Everything a person may do." } },
      },
    },
  },
  errorShapes: {
    page: {
      mediaType: "text/html",
      schema: { type: "string" },
      render: ({ status, message }) => asRenderedError(renderProblemPage(status, message)),
    },
    oauth: {
      mediaType: "application/json",
      schema: oauthSchema,
      render: ({ status, code, message }) => ({
        status,
        headers: {},
        body: { error: code, error_description: message },
      }),
    },
  },
};

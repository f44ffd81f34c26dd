/**
 * Reads an authentication request. Pure: problems are returned and not thrown, because the answer is a
 * redirect.
 */
import {
  type Client,
  carriesTokens,
  defaultResponseMode,
  grantableScopes,
  mayRedirectTo,
  normalResponseType,
  OPENID,
  RESPONSE_MODES,
  type ResponseMode,
  readScopes,
} from "../../clients/index.ts";
import { type ClaimsRequest, readClaims } from "./claims-request.ts";
import type { Display } from "./interaction.ts";
import type { Parameters } from "./parameters.ts";

export type Prompt = "none" | "login" | "consent" | "select_account";
export type ChallengeMethod = "S256" | "plain";
export type AuthorizationRequest = {
  readonly clientId: string;
  readonly responseType: string;
  readonly responseMode: ResponseMode;
  readonly redirectUri: string;
  readonly state: string;
  readonly scopes: readonly string[];
  readonly nonce?: string;
  readonly display: Display;
  readonly prompts: readonly Prompt[];
  readonly maxAgeSeconds?: number;
  readonly loginHint?: string;
  /** Claims asked for by name. */
  readonly claims?: ClaimsRequest;
  /** The expected person in the client's naming: from an ID token hint, or from a requested `sub`. */
  readonly expectedSubjects?: readonly string[];
  readonly codeChallenge?: string;
  readonly codeChallengeMethod: ChallengeMethod;
};

/** The address of the answer, for success and for errors. */
export type ReplyAddress = {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state?: string | undefined;
};
export type Problem = { readonly error: string; readonly description: string };
export type Reading =
  | { readonly request: AuthorizationRequest; readonly idTokenHint: string | undefined }
  | { readonly problem: Problem };

const PROMPTS: readonly Prompt[] = ["none", "login", "consent", "select_account"];
const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;
/** `touch` and `wap` are of the standard; both are shown as a page. */
const DISPLAYS: Readonly<Record<string, Display>> = {
  page: "page",
  popup: "popup",
  modal: "modal",
  touch: "page",
  wap: "page",
};

class Wrong extends Error {
  readonly problem: Problem;
  constructor(error: string, description: string) {
    super(description);
    this.problem = { error, description };
  }
}
const invalid = (description: string) => new Wrong("invalid_request", description);

/** The address must be known to be right before anything is sent to it. */
export function findReplyAddress(parameters: Parameters, client: Client): ReplyAddress | undefined {
  const { redirect_uri: redirectUri, response_type: type = "", response_mode: mode, state } = parameters;
  if (redirectUri === undefined || mayRedirectTo(client.metadata, redirectUri) === undefined)
    return undefined;
  const usual = defaultResponseMode(type);
  const known = RESPONSE_MODES.find((one) => one === mode);
  const safe = known !== undefined && !(known === "query" && usual === "fragment");
  return { redirectUri, responseMode: safe ? known : usual, state };
}

export function readAuthorizationRequest(
  parameters: Parameters,
  client: Client,
  { redirectUri, responseMode }: ReplyAddress,
): Reading {
  try {
    refuseUnsupported(parameters);
    const responseType = readResponseType(parameters, client);
    const { state } = parameters;
    if (state === undefined) throw invalid("state is required.");
    const request: AuthorizationRequest = {
      clientId: client.clientId,
      redirectUri,
      responseMode,
      responseType,
      state,
      scopes: readScope(parameters, client),
      display: readDisplay(parameters.display),
      prompts: readPrompts(parameters.prompt),
      ...readNonce(parameters, responseType),
      ...readMaxAge(parameters, client),
      ...readChallenge(parameters, client, responseType),
      ...readClaimsParameter(parameters),
      ...(parameters.login_hint !== undefined && { loginHint: parameters.login_hint }),
    };
    return { request, idTokenHint: parameters.id_token_hint };
  } catch (error) {
    if (error instanceof Wrong) return { problem: error.problem };
    throw error;
  }
}

function refuseUnsupported({ request, request_uri, registration }: Parameters): void {
  if (request !== undefined) throw new Wrong("request_not_supported", "Request objects are not supported.");
  if (request_uri !== undefined)
    throw new Wrong("request_uri_not_supported", "Request objects by reference are not supported.");
  if (registration !== undefined)
    throw new Wrong("registration_not_supported", "Registration within a request is not supported.");
}

function readResponseType(parameters: Parameters, { metadata }: Client): string {
  const { response_type: given, response_mode: mode } = parameters;
  if (given === undefined) throw invalid("response_type is required.");
  const responseType = normalResponseType(given);
  if (responseType === undefined)
    throw new Wrong("unsupported_response_type", "response_type is not one of the seven supported values.");
  if (!metadata.responseTypes.includes(responseType))
    throw new Wrong("unauthorized_client", `This client may not use the response type ${responseType}.`);
  if (mode !== undefined && !RESPONSE_MODES.some((known) => known === mode))
    throw invalid("response_mode must be query, fragment or form_post.");
  if (mode === "query" && carriesTokens(responseType))
    throw invalid("Tokens are not sent in a query: use the response mode fragment or form_post.");
  return responseType;
}

function readScope({ scope }: Parameters, { metadata }: Client): string[] {
  if (scope === undefined && metadata.defaultScopes.length === 0) throw invalid("scope is required.");
  const asked = scope === undefined ? [...metadata.defaultScopes] : readScopes(scope);
  if (!asked.includes(OPENID)) throw new Wrong("invalid_scope", "scope must include openid.");
  return grantableScopes(asked, metadata.permissions);
}

function readDisplay(given: string | undefined): Display {
  const display = DISPLAYS[given ?? "page"];
  if (display === undefined) throw invalid("display must be page, popup or modal.");
  return display;
}

function readPrompts(given: string | undefined): Prompt[] {
  const words = (given ?? "").split(" ").filter((word) => word !== "");
  const prompts = words.map((word) => {
    const known = PROMPTS.find((prompt) => prompt === word);
    if (known === undefined) throw invalid("prompt may hold none, login, consent and select_account.");
    return known;
  });
  if (prompts.includes("none") && prompts.length > 1) throw invalid("prompt none stands alone.");
  return [...new Set(prompts)];
}

/** An ID token that comes through the browser could be an old one played back, were there no nonce. */
function readNonce({ nonce }: Parameters, responseType: string): { nonce?: string } {
  if (nonce === undefined && responseType.split(" ").includes("id_token"))
    throw invalid("nonce is required where an ID token is returned by the authorization endpoint.");
  return nonce === undefined ? {} : { nonce };
}

function readMaxAge({ max_age: given }: Parameters, { metadata }: Client): { maxAgeSeconds?: number } {
  if (given === undefined)
    return metadata.defaultMaxAgeSeconds === undefined
      ? {}
      : { maxAgeSeconds: metadata.defaultMaxAgeSeconds };
  if (!/^\d{1,10}$/.test(given)) throw invalid("max_age must be a number of seconds.");
  return { maxAgeSeconds: Number(given) };
}

function readClaimsParameter({
  claims: text,
}: Parameters): Pick<AuthorizationRequest, "claims" | "expectedSubjects"> {
  if (text === undefined) return {};
  const read = readClaims(text);
  if (!read) throw invalid("claims must be JSON as OpenID Connect Core 5.5 describes it.");
  if (read.demandsContext)
    throw new Wrong("unmet_authentication_requirements", "None of the acr values demanded is known here.");
  return { claims: read.claims, ...(read.subjects && { expectedSubjects: read.subjects }) };
}

function readChallenge(
  { code_challenge: challenge, code_challenge_method: method }: Parameters,
  { metadata }: Client,
  responseType: string,
): { codeChallenge?: string; codeChallengeMethod: ChallengeMethod } {
  if (method !== undefined && method !== "S256" && method !== "plain")
    throw invalid("code_challenge_method must be S256 or plain.");
  if (challenge === undefined) {
    if (method !== undefined) throw invalid("code_challenge_method was sent without a code_challenge.");
    if (metadata.authMethod === "none" && responseType.split(" ").includes("code"))
      throw invalid("This client is public: code_challenge is required.");
    return { codeChallengeMethod: "plain" };
  }
  if (!CHALLENGE.test(challenge)) throw invalid("code_challenge must be 43 to 128 unreserved characters.");
  return { codeChallenge: challenge, codeChallengeMethod: method ?? "plain" };
}

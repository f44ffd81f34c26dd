/** The authorization endpoint: from a request to an answer, with a person in between where one is needed. */
import type { Context } from "#kernel/operation";
import { type Client, findClient, needsConfirmation, originOf, subjectFor } from "../clients/index.ts";
import { type BrowserSession, findBrowserSession, findConsent, findProfileByHint } from "../people/index.ts";
import { issueAccessToken } from "./access-token.ts";
import { type ReplyParameters, replyWith } from "./answer-address.ts";
import { ATTEMPTS_WINDOW_MS } from "./attempts.ts";
import {
  type AuthorizationRequest,
  findReplyAddress,
  type Problem,
  type ReplyAddress,
  readAuthorizationRequest,
} from "./domain/authorization-request.ts";
import type { Grant } from "./domain/grant.ts";
import { interactionPath, resumePath } from "./domain/interaction.ts";
import { type Decision, decideNextStep, type Progress } from "./domain/next-step.ts";
import { type GivenParameters, readParameters } from "./domain/parameters.ts";
import { sessionStateOf } from "./domain/session-state.ts";
import { createGrant } from "./grants.ts";
import { claimsForIdToken, findHint, issueIdToken } from "./id-token.ts";
import { beginInteraction, findWaiting, progressOf } from "./interactions.ts";
import { type Outcome, type ProblemPage, problemPage, seeOther } from "./outcome.ts";
import type { State } from "./state.ts";
import * as store from "./store/interactions.ts";
import type { InteractionRow, Tables } from "./tables.ts";

type Db = Context<Tables, State>;
const SALT_LENGTH = 16;

const replyProblem = (context: Db, address: ReplyAddress, { error, description }: Problem) =>
  replyWith(address, { error, error_description: description, iss: context.request.mountUrl });

/** `posted`: by a form of another site, where browsers may hold back our cookies. */
export async function authorize(
  context: Db,
  given: GivenParameters,
  { posted = false } = {},
): Promise<Outcome> {
  const { parameters, problem } = readParameters(given);
  const client = await findClient(context.db, parameters.client_id ?? "");
  if (!client)
    return problemPage(400, "invalid_client", "No application is registered under this client_id.");
  const address = findReplyAddress(parameters, client);
  if (!address)
    return problemPage(
      400,
      "invalid_redirect_uri",
      "The redirect_uri is not registered for this application.",
    );
  if (problem !== undefined)
    return replyProblem(context, address, { error: "invalid_request", description: problem });
  const reading = readAuthorizationRequest(parameters, client, address);
  if ("problem" in reading) return replyProblem(context, address, reading.problem);
  const request = await withHint(context, client, reading.request, reading.idTokenHint);
  if (!request)
    return replyProblem(context, address, {
      error: "invalid_request",
      description: "id_token_hint is not an ID token issued to this client.",
    });
  if (posted && isCrossSite(context)) return bounce(context, client, request);
  return proceed(context, client, request, undefined);
}

/** Replaces the ID token hint by the subject that it names. Returns undefined if the token is not genuine. */
async function withHint(
  context: Db,
  client: Client,
  request: AuthorizationRequest,
  token: string | undefined,
): Promise<AuthorizationRequest | undefined> {
  if (token === undefined) return request;
  const hint = await findHint(context, client, token);
  if (!hint) return undefined;
  const { expectedSubjects = [hint.subject] } = request;
  return { ...request, expectedSubjects: expectedSubjects.filter((one) => one === hint.subject) };
}

const isCrossSite = ({ request }: Db): boolean => request.headers["sec-fetch-site"] === "cross-site";
/** One more step inside our own site, where the browser shows its cookies. */
async function bounce(context: Db, client: Client, request: AuthorizationRequest): Promise<Outcome> {
  if (isAskingTooOften(context)) return tooOften();
  const begun = await begin(context, client, request, { step: "sign-in", mustReauthenticate: false });
  return seeOther(context, resumePath(begun.id), begun.cookies);
}

/** After each step of a person. */
export async function resumeAuthorization(context: Db, id: string): Promise<Outcome> {
  const row = await findWaiting(context, id);
  const client = row?.kind === "authorize" ? await findClient(context.db, row.client_id ?? "") : undefined;
  if (!row || !client)
    return problemPage(400, "invalid_request", "This request has expired or was answered already.");
  const request: AuthorizationRequest = JSON.parse(row.request);
  if (row.denied === 0) return proceed(context, client, request, row);
  await context.transact(({ db }) => store.deleteInteraction(db, row.id));
  return replyProblem(context, request, {
    error: "access_denied",
    description: "The person refused.",
  });
}

async function proceed(
  context: Db,
  client: Client,
  request: AuthorizationRequest,
  row: InteractionRow | undefined,
): Promise<Outcome> {
  const session = await findSessionFor(context, client);
  const decision = await decide(context, client, request, session, row ? progressOf(row) : {});
  if (decision.kind === "answer") return grantAndReply(context, client, request, decision, row);
  if (decision.kind === "ask") return askPerson(context, client, request, decision, row);
  const { error, description } = decision.problem;
  return replyWith(request, {
    error,
    error_description: description,
    iss: context.request.mountUrl,
    session_state: sessionStateFor(context, request, session),
  });
}

async function findSessionFor(context: Db, client: Client): Promise<BrowserSession | undefined> {
  const session = await findBrowserSession(context);
  return session?.account === client.account ? session : undefined;
}

async function decide(
  context: Db,
  client: Client,
  request: AuthorizationRequest,
  session: BrowserSession | undefined,
  progress: Progress,
): Promise<Decision> {
  const { db, clock } = context;
  const hinted =
    session && request.loginHint !== undefined
      ? await findProfileByHint(db, client.account, request.loginHint)
      : undefined;
  return decideNextStep({
    request,
    nowMs: clock.nowMs(),
    session,
    subject: session && (await subjectFor(context, client, session.userId)),
    consent: session ? await findConsent(db, session.userId, client.clientId) : [],
    progress,
    loginHintUserId: hinted?.id,
    confirmRedirect: needsConfirmation(client.metadata, request.redirectUri),
  });
}

type Question = {
  readonly step: "sign-in" | "choose-account" | "consent";
  readonly mustReauthenticate: boolean;
};

async function askPerson(
  context: Db,
  client: Client,
  request: AuthorizationRequest,
  { step, mustReauthenticate }: Question,
  row: InteractionRow | undefined,
): Promise<Outcome> {
  if (row) {
    const change = { step, must_reauthenticate: mustReauthenticate ? 1 : 0 };
    await context.transact(({ db }) => store.updateInteraction(db, row.id, change));
    return seeOther(context, interactionPath(row.id), []);
  }
  if (isAskingTooOften(context)) return tooOften();
  const begun = await begin(context, client, request, { step, mustReauthenticate });
  return seeOther(context, interactionPath(begun.id), begun.cookies);
}

function begin(context: Db, client: Client, request: AuthorizationRequest, question: Question) {
  return beginInteraction(context, {
    account: client.account,
    clientId: client.clientId,
    kind: "authorize",
    request,
    ...question,
  });
}

function sessionStateFor(
  { ids }: Db,
  { clientId, redirectUri }: AuthorizationRequest,
  session: BrowserSession | undefined,
): string | undefined {
  const origin = originOf(redirectUri);
  if (origin === undefined) return undefined;
  const browserState = session?.browserState ?? "";
  return sessionStateOf({ clientId, origin, browserState, salt: ids.secret(SALT_LENGTH) });
}

type Yes = { readonly session: BrowserSession; readonly scopes: readonly string[] };

/** The request is used up and the grant made in one transaction; signing comes after it. */
async function grantAndReply(
  context: Db,
  client: Client,
  request: AuthorizationRequest,
  { session, scopes }: Yes,
  row: InteractionRow | undefined,
): Promise<Outcome> {
  const made = await context.transact(async (inner) => {
    if (row && !(await store.deleteInteraction(inner.db, row.id))) return undefined;
    return createGrant(inner, client, session, request, scopes);
  });
  if (!made) return problemPage(400, "invalid_request", "This request was answered already.");
  const parameters = await issueFor(context, client, request, made.grant, made.code);
  return replyWith(request, {
    ...parameters,
    iss: context.request.mountUrl,
    session_state: sessionStateFor(context, request, session),
  });
}

async function issueFor(
  context: Db,
  client: Client,
  request: AuthorizationRequest,
  grant: Grant,
  code: string | undefined,
): Promise<ReplyParameters> {
  const wanted = request.responseType.split(" ");
  const access = wanted.includes("token") ? await issueAccessToken(context, client, grant) : undefined;
  const idToken = wanted.includes("id_token")
    ? await issueIdToken(context, client, grant, {
        accessToken: access?.token,
        code,
        personClaims: await claimsForIdToken(context, grant, { all: wanted.length === 1 }),
      })
    : undefined;
  return {
    code,
    access_token: access?.token,
    token_type: access && "Bearer",
    expires_in: access?.expiresInSeconds,
    expires_at: access?.expiresAtSeconds,
    scope: access && grant.scopes.join(" "),
    id_token: idToken,
  };
}

const tooOften = (): ProblemPage => ({
  ...problemPage(429, "temporarily_unavailable", "Too many requests; try again in a minute."),
  waitMs: ATTEMPTS_WINDOW_MS,
});
/** Anonymous requests create a record each, so they are rate limited. */
const isAskingTooOften = ({ state, request }: Db): boolean =>
  !state.authorizations.take(request.remoteAddress);

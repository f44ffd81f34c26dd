/** Sign-out begun by an application (OpenID Connect RP-Initiated Logout). */
import { answer, type Context } from "#kernel/operation";
import { type Client, findClient, sessionNameFor, subjectFor } from "../clients/index.ts";
import { type BrowserSession, findBrowserSession } from "../people/index.ts";
import { addressWith } from "./answer-address.ts";
import { interactionPath } from "./domain/interaction.ts";
import { type GivenParameters, readParameters } from "./domain/parameters.ts";
import { audienceOf, findHint, type Hint } from "./id-token.ts";
import { beginInteraction, findWaiting, type LogoutRequest } from "./interactions.ts";
import { type Outcome, problemPage, seeOther } from "./outcome.ts";
import { signOutHere } from "./sign-outs/sessions.ts";
import * as store from "./store/interactions.ts";
import type { Tables } from "./tables.ts";

type Db = Context<Tables>;
const problem = (description: string) => problemPage(400, "invalid_request", description);

export async function logout(context: Db, given: GivenParameters): Promise<Outcome> {
  const { parameters, problem: wrong } = readParameters(given);
  if (wrong !== undefined) return problem(wrong);
  const { id_token_hint: token, post_logout_redirect_uri: target, state } = parameters;
  const clientId = parameters.client_id ?? (token === undefined ? undefined : audienceOf(token));
  const client = clientId === undefined ? undefined : await findClient(context.db, clientId);
  if (clientId !== undefined && !client) return problem("No application is registered under this client_id.");
  if (target !== undefined && !client?.metadata.postLogoutRedirectUris.includes(target))
    return problem("The post_logout_redirect_uri is not registered for this application.");
  const hint = client && token !== undefined ? await findHint(context, client, token) : undefined;
  if (token !== undefined && !hint) return problem("id_token_hint is not an ID token of ours.");
  const request: LogoutRequest = {
    ...(target !== undefined && { postLogoutRedirectUri: target }),
    ...(state !== undefined && { state }),
  };
  return (await isSureOf(context, client, hint, await findBrowserSession(context)))
    ? signOut(context, client, request)
    : confirm(context, client, request);
}

/** The ID token proves that the request is for the signed-in person, or that nobody is signed in. */
async function isSureOf(
  context: Db,
  client: Client | undefined,
  hint: Hint | undefined,
  session: BrowserSession | undefined,
): Promise<boolean> {
  if (!session) return true;
  if (!client || !hint || hint.subject !== (await subjectFor(context, client, session.userId))) return false;
  const { sessionName } = hint;
  return sessionName === undefined || sessionName === (await sessionNameFor(context, client, session.id));
}

/** Any site could send a browser here, so the person must confirm. */
async function confirm(context: Db, client: Client | undefined, request: LogoutRequest): Promise<Outcome> {
  const session = await findBrowserSession(context);
  const begun = await beginInteraction(context, {
    account: session?.account ?? client?.account ?? "",
    clientId: client?.clientId,
    kind: "logout",
    request,
    step: "sign-out",
    mustReauthenticate: false,
  });
  return seeOther(context, interactionPath(begun.id), begun.cookies);
}

async function signOut(context: Db, client: Client | undefined, request: LogoutRequest): Promise<Outcome> {
  const { cookies, frames } = await context.transact((inner) => signOutHere(inner));
  return leave(client, { ...request, frames }, cookies);
}

function leave(
  client: Client | undefined,
  { postLogoutRedirectUri: target, state, frames = [] }: LogoutRequest,
  cookies: readonly string[],
): Outcome {
  const next = target === undefined || state === undefined ? target : addressWith(target, "query", { state });
  if (next === undefined || frames.length > 0)
    return { page: "signed-out", clientName: client?.metadata.name, frames, next, cookies };
  return answer(302, undefined, {
    "cache-control": "no-store",
    ...(cookies.length > 0 && { "set-cookie": cookies }),
    location: next,
  });
}

/** After the person has answered. Who refused stays signed in and here: the application would think otherwise. */
export async function resumeLogout(context: Db, id: string): Promise<Outcome> {
  const row = await findWaiting(context, id);
  if (row?.kind !== "logout") return problem("This request has expired or was answered already.");
  const client = row.client_id === null ? undefined : await findClient(context.db, row.client_id);
  await context.transact(({ db }) => store.deleteInteraction(db, row.id));
  return row.denied === 1 ? seeOther(context, "/account", []) : leave(client, JSON.parse(row.request), []);
}

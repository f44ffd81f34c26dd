/** Where people allow applications to act for them, and where applications fetch the keys to that. */
import { timingSafeEqual } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { digestOf } from "#kernel/auth";
import type { Page } from "#kernel/html";
import { Answer, anyone, media, noBody, secret } from "#kernel/operation";
import {
  type BankContext,
  happened,
  isPermitted,
  type KeyRow,
  type OauthClientRow,
  operation,
  takeId,
} from "../../book/index.ts";
import { findKey, insertKey, renderProblem } from "../../money/index.ts";
import { type Asked, renderAuthorize } from "../pages/oauth.ts";
import { findOauthClientByName, insertOauthCode, takeOauthCode } from "../store/oauth.ts";
import { callbackUrlsOf } from "./oauth-clients.ts";

const CODE_MS = 5 * 60_000;
const CODE_LENGTH = 64;
const KEY_LENGTH = 64;
const Html = media("text/html; charset=utf-8");
const shown = ({ status, html, headers }: Page) => new Answer(status, html, headers);

const AskedMembers = {
  client_id: Type.String({ maxLength: 100 }),
  redirect_uri: Type.String({ maxLength: 1000 }),
  state: Type.Optional(Type.String({ maxLength: 500 })),
};
/**
 * All parameters are optional, because a person in a browser should get a page instead of an error in JSON.
 */
const AskedQuery = Type.Partial(Type.Object(AskedMembers)).properties;
type Members = { readonly client_id: string; readonly redirect_uri: string; readonly state?: string };
/** Errors are shown to the person instead of redirected: the redirect address is not verified yet. */
async function findAsked(
  { db }: BankContext,
  { client_id, redirect_uri, state = "" }: Members,
): Promise<{ readonly client: OauthClientRow; readonly asked: Asked } | string> {
  const client = await findOauthClientByName(db, client_id);
  if (client?.status !== "ACTIVE") return "No application of this name is registered.";
  if (!(await callbackUrlsOf({ db }, client)).includes(redirect_uri))
    return "The application does not name this address as its own.";
  return {
    client,
    asked: { clientId: client_id, name: client.display_name, redirectUri: redirect_uri, state },
  };
}

const showAuthorize = operation({
  id: "bank.ShowAuthorize",
  summary: "Shows the page on which a user allows an application to act for them",
  description:
    "The application redirects a browser here with its client id and one of its registered redirect addresses. The user enters their own key and allows or refuses (`bank.DecideAuthorize`). Errors are shown as a page and never redirected.",
  method: "GET",
  path: "/oauth/authorize",
  permission: anyone,
  transaction: "manual",
  tags: ["page"],
  query: Type.Object({
    response_type: Type.Optional(Type.String({ maxLength: 20 })),
    ...AskedQuery,
  }),
  answers: { 200: Html, 400: Html },
  async handle({ query }, context) {
    if ((query.response_type ?? "code") !== "code")
      return shown(renderProblem(400, "Only response_type code is known here."));
    const { client_id, redirect_uri } = query;
    if (client_id === undefined || redirect_uri === undefined)
      return shown(renderProblem(400, "The application does not say who it is and where it leads back to."));
    const found = await findAsked(context, { ...query, client_id, redirect_uri });
    return shown(typeof found === "string" ? renderProblem(400, found) : renderAuthorize(found.asked));
  },
});

function ledTo(redirectUri: string, members: Readonly<Record<string, string>>): Answer<undefined> {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(members)) if (value !== "") url.searchParams.set(name, value);
  return new Answer(303, undefined, { location: url.href });
}
/** One code, good once and for a few minutes. */
async function giveCode(
  { state, ids, clock }: BankContext,
  client: OauthClientRow,
  user: KeyRow,
  uri: string,
) {
  const code = ids.secret(CODE_LENGTH);
  await state.instance.transactAs("bank", client.account, async (context) => {
    const own = context as BankContext;
    await insertOauthCode(own.db, {
      hash: digestOf(code),
      account: client.account,
      oauth_client_id: client.id,
      user_id: user.user_id,
      redirect_uri: uri,
      expires_at: clock.nowMs() + CODE_MS,
    });
    await happened(own, {
      category: "OAUTH",
      action: "CREATE",
      userId: user.user_id,
      object: { type: "OauthClient", id: client.id, body: { display_name: client.display_name } },
    });
  });
  return code;
}
/**
 * The holder of a key may grant access to an application. An application may not pass on the access it was
 * granted.
 */
function mayAllow({ request }: BankContext, client: OauthClientRow, key: KeyRow): boolean {
  const { account, status, oauth_client_id, permitted_ips } = key;
  const isOwn = account === client.account && status === "ACTIVE" && oauth_client_id === null;
  return isOwn && (permitted_ips === "" || isPermitted(JSON.parse(permitted_ips), request.remoteAddress));
}
const decide = operation({
  id: "bank.DecideAuthorize",
  summary: "Allows or refuses the application, and redirects to it",
  description: `The redirect has a code, or \`error=access_denied\`, and the given \`state\`. \`bank.CreateOauthToken\` exchanges the code once, within ${CODE_MS / 60_000} minutes. The key of an application cannot allow another application.`,
  method: "POST",
  path: "/oauth/authorize",
  permission: anyone,
  transaction: "manual",
  tags: ["page"],
  bodyKinds: ["form"],
  body: Type.Object({
    ...AskedMembers,
    key: Type.Optional(secret(Type.String({ maxLength: 200 }))),
    decision: Type.String({ maxLength: 10 }),
  }),
  answers: { 303: noBody, 400: Html },
  async handle({ body }, context) {
    const found = await findAsked(context, body);
    if (typeof found === "string") return shown(renderProblem(400, found));
    const { client, asked } = found;
    const { redirectUri, state } = asked;
    if (body.decision !== "allow") return ledTo(redirectUri, { error: "access_denied", state });
    const user = body.key ? await findKey(context.db, digestOf(body.key)) : undefined;
    if (!user || !mayAllow(context, client, user))
      return shown(renderAuthorize(asked, "This is the key of no user of this bank."));
    return ledTo(redirectUri, { code: await giveCode(context, client, user, redirectUri), state });
  },
});

const TokenBody = Type.Object({
  grant_type: Type.String({ maxLength: 50 }),
  code: secret(Type.String({ maxLength: 200 })),
  redirect_uri: Type.String({ maxLength: 1000 }),
  client_id: Type.String({ maxLength: 100 }),
  client_secret: secret(Type.String({ maxLength: 200 })),
});
const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)));

async function giveKey(context: BankContext, given: Static<typeof TokenBody>) {
  const refusal = (error: string, error_description: string) =>
    new Answer(400, { error, error_description }, { "cache-control": "no-store" });
  if (given.grant_type !== "authorization_code")
    return refusal("unsupported_grant_type", "Only authorization_code is known here.");
  const client = await findOauthClientByName(context.db, given.client_id);
  if (client?.status !== "ACTIVE" || !isSame(context.secrets.open(client.secret), given.client_secret))
    return refusal("invalid_client", "client_id and client_secret do not fit.");
  const key = context.ids.secret(KEY_LENGTH);
  const isGiven = await context.state.instance.transactAs("bank", client.account, async (inner) => {
    const { db, account, clock } = inner as BankContext;
    const id = await takeId(db, account);
    const code = await takeOauthCode(db, digestOf(given.code));
    if (code?.oauth_client_id !== client.id || code.account !== account) return false;
    const nowMs = clock.nowMs();
    if (code.redirect_uri !== given.redirect_uri || code.expires_at <= nowMs) return false;
    await insertKey(db, {
      hash: digestOf(key),
      account,
      id,
      user_id: code.user_id,
      oauth_client_id: client.id,
      description: client.display_name,
      permitted_ips: "",
      status: "ACTIVE",
      created_at: nowMs,
      updated_at: nowMs,
    });
    return true;
  });
  if (!isGiven) return refusal("invalid_grant", "The code is unknown, used before, or too old.");
  return { access_token: key, token_type: "bearer" };
}
const token = operation({
  id: "bank.CreateOauthToken",
  summary: "Gives an application the key of the user who allowed it",
  description:
    "The key opens sessions like any other key. The answer names the user that the application acts for.",
  method: "POST",
  path: "/oauth/token",
  permission: anyone,
  transaction: "manual",
  tags: ["page"],
  noStore: true,
  bodyKinds: ["form", "json"],
  body: TokenBody,
  answers: {
    200: Type.Object({ access_token: secret(Type.String()), token_type: Type.String() }),
    400: Type.Object({ error: Type.String(), error_description: Type.String() }),
  },
  handle: ({ body }, context) => giveKey(context, body),
});

export const oauthPageOperations = [showAuthorize, decide, token];

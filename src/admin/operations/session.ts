/** Sign-in and sign-out of the console. */
import { type Static, Type } from "@sinclair/typebox";
import { AccountId, accountsStore, digestOf } from "#kernel/auth";
import { isoOf } from "#kernel/clock";
import {
  answer,
  anyone,
  type Context,
  kernelErrors,
  noBody,
  operationsFor,
  type RequestInfo,
  secret,
} from "#kernel/operation";
import { WrongCredential } from "#kernel/protocols";
import type { Kernel, KernelTables } from "#kernel/runtime";
import { endUsers } from "#ports/end-users";
import { CSRF_HEADER, fetchSiteOf, SESSION_COOKIE, sessionSecretOf } from "../protocol.ts";
import { csrfOf, isCsrfOf, type Proven, SESSION_SECONDS, type Sessions } from "../sessions.ts";
import { hasResources } from "../store/resources.ts";

const operation = operationsFor<KernelTables>();
const BODY_BYTES_MAX = 8192;
const WRONG = "The token is not valid, or the name or password is wrong.";

const SignIn = Type.Object(
  {
    token: Type.Optional(
      secret(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          description: "A token of the account; the rest of the body is then left out.",
          examples: ["kX2vQ9mTz7aa"],
        }),
      ),
    ),
    username: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 320,
        description: "Instead: the name or address of a person whom the owner of an admin account names.",
        examples: ["ann"],
      }),
    ),
    password: Type.Optional(secret(Type.String({ minLength: 1, maxLength: 1024 }))),
    account: Type.Optional(AccountId),
  },
  { additionalProperties: false },
);
const SessionView = Type.Object({
  signedIn: Type.Boolean({ description: "Whether somebody is; the rest is told only then." }),
  account: Type.Optional(Type.String()),
  accountName: Type.Optional(Type.String({ description: "The account's name.", examples: ["Demo"] })),
  admin: Type.Optional(Type.Boolean()),
  name: Type.Optional(
    Type.String({ description: "The person, or the beginning of the token.", examples: ["ann"] }),
  ),
  kind: Type.Optional(
    Type.Union([Type.Literal("token"), Type.Literal("user")], { description: "What was signed in with." }),
  ),
  csrf: Type.Optional(
    secret(
      Type.String({
        description: `What every further call shows in the header ${CSRF_HEADER}.`,
        examples: ["n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"],
      }),
    ),
  ),
  expiresAt: Type.Optional(Type.String({ description: "When it ends, on the machine's clock." })),
  hasResources: Type.Optional(
    Type.Boolean({
      description: "Whether the account has any; where not, the console offers the demo data.",
    }),
  ),
});
type SessionView = Static<typeof SessionView>;
type Given = Static<typeof SignIn>;
type SignInContext = Context<KernelTables>;

const cookieOf = ({ mountUrl }: RequestInfo, value: string, maxAgeSeconds: number): string =>
  [
    `${SESSION_COOKIE}=${value}`,
    `Path=${new URL(mountUrl).pathname}`,
    `Max-Age=${maxAgeSeconds}`,
    "HttpOnly",
    "SameSite=Strict",
    ...(mountUrl.startsWith("https:") ? ["Secure"] : []),
  ].join("; ");

/** Rejects sign-ins from pages of other sites (login CSRF). */
function refuseOtherSites({ headers, mountUrl }: RequestInfo): void {
  const site = fetchSiteOf({ headers });
  const isOwn =
    (site === undefined || site === "same-origin" || site === "none") &&
    (headers.origin === undefined || headers.origin === new URL(mountUrl).origin);
  if (!isOwn) throw kernelErrors.forbidden("Sign in on the console's own page.");
}

async function proveByToken(kernel: Kernel, { db }: SignInContext, token: string): Promise<Proven> {
  const principal = await kernel.accounts.byToken(token);
  const row = principal && (await accountsStore.findCredential(db, "token", digestOf(token)));
  if (!row) throw new WrongCredential(token, WRONG);
  return { account: row.account, kind: "token", credential: row.id, stamp: "", name: row.name };
}

/** Unknown names are tried like known ones, so that timing and attempt limits do not reveal them. */
async function chooseAccount(context: SignInContext, accounts: readonly string[], given: string | undefined) {
  const admins = (await accountsStore.listAccounts(context.db)).filter(({ admin }) => admin === 1);
  const open = admins.map(({ id }) => id).filter((id) => given === undefined || id === given);
  const naming = open.filter((id) => accounts.includes(id));
  if (naming.length > 1)
    throw kernelErrors.invalidInput("Several accounts name this person: say which account is meant.");
  return naming[0] ?? open[0];
}
async function proveByPassword(
  kernel: Kernel,
  context: SignInContext,
  { username: name, password, account: wanted }: { username: string; password: string; account?: string },
): Promise<Proven> {
  const people = kernel.findPort(endUsers);
  const account =
    people && (await chooseAccount(context, await people.listAccountsNaming(context, name), wanted));
  if (!people || account === undefined) throw new WrongCredential(password, WRONG);
  const outcome = await people.signIn(context, { account, name, password });
  if (outcome.kind === "locked")
    throw kernelErrors.throttled("Too many wrong passwords; try again later.", {
      headers: { "retry-after": String(Math.ceil(outcome.waitMs / 1000)) },
    });
  if (outcome.kind === "wrong") throw new WrongCredential(password, WRONG);
  const { userId: credential, username, stamp } = outcome;
  return { account, kind: "user", credential, stamp, name: username };
}
function prove(kernel: Kernel, context: SignInContext, given: Given): Promise<Proven> {
  const { token, username, password, account } = given;
  if (token !== undefined) return proveByToken(kernel, context, token);
  if (username === undefined || password === undefined)
    throw kernelErrors.invalidInput("Say a token, or a username and a password.");
  return proveByPassword(kernel, context, { username, password, ...(account !== undefined && { account }) });
}

async function viewOf(kernel: Kernel, sessions: Sessions, shown: string | undefined): Promise<SessionView> {
  const session = shown === undefined ? undefined : await sessions.find(shown);
  if (!session || shown === undefined) return { signedIn: false };
  const { row, principal, accountName } = session;
  return {
    signedIn: true,
    account: row.account,
    accountName,
    admin: principal.admin,
    name: row.name,
    kind: row.kind,
    csrf: csrfOf(shown),
    expiresAt: isoOf(row.expires_at),
    hasResources: await hasResources(kernel.database.read, row.account),
  };
}

export const sessionOperations = (kernel: Kernel, sessions: Sessions) => [
  operation({
    id: "medley.session.show",
    summary: "Returns the console session of this browser",
    description:
      "Includes the CSRF token that further requests need. Answered to pages of the same origin only.",
    method: "GET",
    path: "/session",
    permission: anyone,
    noStore: true,
    answers: { 200: SessionView },
    handle(_input, { request }) {
      const site = fetchSiteOf(request);
      const isOwn = site === undefined || site === "same-origin" || site === "none";
      return viewOf(kernel, sessions, isOwn ? sessionSecretOf(request) : undefined);
    },
  }),
  operation({
    id: "medley.session.begin",
    summary: "Signs in to the console",
    description:
      "Sets a cookie for twelve hours. With a token of any account, or with name and password of a person of an admin account. Repeated failures are throttled. Changes afterwards need the CSRF token of the response.",
    method: "POST",
    path: "/session",
    permission: anyone,
    transaction: "manual",
    noStore: true,
    bodyBytesMax: BODY_BYTES_MAX,
    body: SignIn,
    answers: { 200: SessionView },
    examples: { body: { token: "kX2vQ9mTz7aa" } },
    async handle({ body }, context) {
      const { request } = context;
      refuseOtherSites(request);
      const { guessing } = kernel;
      if (!guessing.isQuiet) guessing.refuseTooMany({ address: request.remoteAddress, name: undefined });
      const shown = await sessions.begin(await prove(kernel, context, body));
      return answer(200, await viewOf(kernel, sessions, shown), {
        "set-cookie": cookieOf(request, shown, SESSION_SECONDS),
      });
    },
  }),
  operation({
    id: "medley.session.end",
    summary: "Signs out of the console",
    description:
      "Deletes the session and its cookie. Needs the CSRF token. Without a session nothing happens.",
    method: "DELETE",
    path: "/session",
    permission: anyone,
    transaction: "manual",
    noStore: true,
    answers: { 204: noBody },
    async handle(_input, { request }) {
      const shown = sessionSecretOf(request);
      if (shown !== undefined) {
        if (!isCsrfOf(shown, request.headers[CSRF_HEADER]))
          throw kernelErrors.forbidden(`The header ${CSRF_HEADER} is missing or wrong.`);
        await sessions.end(shown);
      }
      return answer(204, undefined, { "set-cookie": cookieOf(request, "", 0) });
    },
  }),
];

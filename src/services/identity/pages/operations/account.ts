/** One's own account: every operation needs a session, every change a genuine form. */
import { Type } from "@sinclair/typebox";
import type { Answer, Context } from "#kernel/operation";
import { cardOf, findClient } from "../../clients/client.ts";
import { revokeGrants } from "../../connect/grants.ts";
import { forgetConsent, listConsents } from "../../people/consents.ts";
import { isGenuineForm } from "../../people/forgery.ts";
import { countAttempt, inMinutes, limits } from "../../people/guessing.ts";
import { sendTokenMail } from "../../people/mails.ts";
import { findPasswordProblem, keyOf } from "../../people/names.ts";
import { addPasskey, findRelyingParty, listPasskeys, removePasskey } from "../../people/passkeys.ts";
import { hashPassword } from "../../people/passwords.ts";
import { profileFields, readProfile, valuesOf } from "../../people/profile-form.ts";
import {
  endBrowserSession,
  endOtherSessions,
  endSessionOf,
  listSessions,
  noteSeen,
  startBrowserSession,
} from "../../people/sessions.ts";
import { signInByPassword } from "../../people/sign-in.ts";
import type { UserRow } from "../../people/tables.ts";
import { changePassword, changeProfile, deleteUser, findUser, profileOf } from "../../people/users.ts";
import {
  type ConnectedApplication,
  type ProfileView,
  renderApplications,
  renderProfile,
  renderSecurity,
  type SecurityView,
} from "../account-pages.ts";
import { askingOf } from "../asking.ts";
import {
  EXPIRED_FORM,
  findSignedIn,
  formAnswers,
  formBody,
  formSettings,
  leadTo,
  operation,
  pageAnswers,
  type SignedIn,
  show,
  type Tables,
} from "./page-operation.ts";

const messages: Readonly<Record<string, string>> = {
  profile: "Saved.",
  mail: "Saved. We sent a message to your new address; please confirm it.",
  "mail-again": "A message is on its way.",
  password: "Your password is changed. Your other browsers are signed out.",
  passkey: "The passkey is added.",
  "passkey-removed": "The passkey is removed.",
  session: "Signed out there.",
  application: "The application is removed and has lost its access.",
};
const Done = Type.Object({ done: Type.Optional(Type.String({ maxLength: 40 })) });
const messageOf = (done: string | undefined) =>
  done !== undefined && Object.hasOwn(messages, done) ? messages[done] : undefined;

type Extras<View> = Partial<Pick<View, Exclude<keyof View, "asking" | "person">>>;

function showProfile(context: Context<Tables>, { user }: SignedIn, extras: Extras<ProfileView> = {}) {
  const person = profileOf(user);
  return show(
    renderProfile({
      asking: askingOf(context, undefined),
      person,
      values: valuesOf(person),
      problems: {},
      ...extras,
    }),
  );
}
async function showSecurity(
  context: Context<Tables>,
  { user, session }: SignedIn,
  extras: Extras<SecurityView> = {},
): Promise<Answer<string>> {
  return show(
    renderSecurity({
      asking: askingOf(context, undefined),
      person: profileOf(user),
      current: session,
      sessions: await listSessions(context, user.id),
      passkeys: await listPasskeys(context.db, user.id),
      passkeysPossible: findRelyingParty(context) !== undefined,
      problems: {},
      ...extras,
    }),
  );
}
async function showApplications(context: Context<Tables>, { user }: SignedIn, message: string | undefined) {
  const connected: ConnectedApplication[] = [];
  for (const consent of await listConsents(context.db, user.id)) {
    const client = await findClient(context.db, consent.client_id);
    if (client) connected.push({ consent, client: cardOf(client) });
  }
  const person = profileOf(user);
  return show(renderApplications({ asking: askingOf(context, undefined), person, connected, message }));
}

const toSignIn = (context: Context<Tables>) => leadTo(context, "/sign-in");

/** Undefined when it is right; otherwise what to say. For changes that could lock the owner out. */
async function findPasswordRefusal(
  context: Context<Tables>,
  { account, username, id }: UserRow,
  password: string,
): Promise<string | undefined> {
  if (password === "") return "Please enter your current password.";
  const outcome = await signInByPassword(context, { account, name: username, password });
  if (outcome.kind === "locked") return `Too many attempts. Please wait ${inMinutes(outcome.waitMs)}.`;
  return outcome.kind === "proven" && outcome.user.id === id ? undefined : "The password is not right.";
}

const pages = [
  operation({
    id: "identity.pages.account",
    summary: "One's own profile",
    method: "GET",
    path: "/account",
    permission: "anyone",
    transaction: "manual",
    query: Done,
    answers: pageAnswers,
    async handle({ query }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      await context.transact(noteSeen);
      return showProfile(context, signedIn, { message: messageOf(query.done) });
    },
  }),
  operation({
    id: "identity.pages.security",
    summary: "One's own password, passkeys and sessions",
    method: "GET",
    path: "/account/security",
    permission: "anyone",
    query: Done,
    answers: pageAnswers,
    async handle({ query }, context) {
      const signedIn = await findSignedIn(context);
      return signedIn
        ? showSecurity(context, signedIn, { message: messageOf(query.done) })
        : toSignIn(context);
    },
  }),
  operation({
    id: "identity.pages.applications",
    summary: "Applications one has connected",
    method: "GET",
    path: "/account/applications",
    permission: "anyone",
    query: Done,
    answers: pageAnswers,
    async handle({ query }, context) {
      const signedIn = await findSignedIn(context);
      return signedIn ? showApplications(context, signedIn, messageOf(query.done)) : toSignIn(context);
    },
  }),
];

async function takeProfile(
  context: Context<Tables>,
  signedIn: SignedIn,
  body: Readonly<Record<string, string | undefined>>,
): Promise<Answer<string | undefined>> {
  const { values, problems, about, email } = readProfile(body);
  const again = (extras: Extras<ProfileView>) =>
    showProfile(context, signedIn, { values, problems, status: 400, ...extras });
  if (!isGenuineForm(context, body.form_token)) return again({ problem: EXPIRED_FORM, status: 403 });
  if (Object.keys(problems).length > 0) return again({ problem: "Please look at the marked fields." });
  const changesEmail = (email === undefined ? null : keyOf(email)) !== signedIn.user.email_key;
  const passwordProblem = changesEmail
    ? await findPasswordRefusal(context, signedIn.user, body.password ?? "")
    : undefined;
  if (passwordProblem !== undefined) return again({ passwordProblem });
  await context.transact(async (inner) => {
    const changed = await changeProfile(inner, signedIn.user, { about, email });
    const user = changed ? await findUser(inner.db, signedIn.user.id) : undefined;
    if (user) await sendTokenMail(inner, user, "verify");
  });
  return leadTo(context, `/account?done=${changesEmail && email !== undefined ? "mail" : "profile"}`);
}

async function takeNewPassword(
  context: Context<Tables>,
  signedIn: SignedIn,
  body: { form_token?: string; password?: string; new_password?: string },
): Promise<Answer<string | undefined>> {
  const { user } = signedIn;
  if (!isGenuineForm(context, body.form_token))
    return showSecurity(context, signedIn, { problem: EXPIRED_FORM, status: 403 });
  const next = body.new_password ?? "";
  const problems = {
    new_password: findPasswordProblem(next, [user.username, user.email ?? ""]),
    password: await findPasswordRefusal(context, user, body.password ?? ""),
  };
  if (problems.new_password !== undefined || problems.password !== undefined)
    return showSecurity(context, signedIn, { problems, status: 400 });
  const passwordHash = await hashPassword(next);
  const cookies = await context.transact(async (inner) => {
    await changePassword(inner.db, user.id, passwordHash);
    const started = await startBrowserSession(inner, user, ["pwd"]);
    await endOtherSessions(inner.db, user.id, started.session);
    return started.cookies;
  });
  return leadTo(context, "/account/security?done=password", cookies);
}

const profileChanges = [
  operation({
    id: "identity.pages.takeProfile",
    summary: "Changes one's own profile",
    ...formSettings,
    path: "/account/profile",
    transaction: "manual",
    body: formBody(...profileFields, "password"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      return signedIn ? takeProfile(context, signedIn, body) : toSignIn(context);
    },
  }),
  operation({
    id: "identity.pages.confirmMail",
    summary: "Sends the message that confirms one's address again",
    ...formSettings,
    path: "/account/confirm-mail",
    body: formBody(),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      if (!isGenuineForm(context, body.form_token)) return leadTo(context, "/account");
      const waitMs = await countAttempt(context, limits.mailName, signedIn.user.id);
      if (waitMs === undefined) await sendTokenMail(context, signedIn.user, "verify");
      return leadTo(context, "/account?done=mail-again");
    },
  }),
  operation({
    id: "identity.pages.takeNewPassword",
    summary: "Changes one's own password and signs out everywhere else",
    ...formSettings,
    path: "/account/password",
    transaction: "manual",
    body: formBody("password", "new_password"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      return signedIn ? takeNewPassword(context, signedIn, body) : toSignIn(context);
    },
  }),
];

async function takeNewPasskey(
  context: Context<Tables>,
  signedIn: SignedIn,
  body: { form_token?: string; passkey?: string; passkey_name?: string; passkey_password?: string },
): Promise<Answer<string | undefined>> {
  if (!isGenuineForm(context, body.form_token))
    return showSecurity(context, signedIn, { problem: EXPIRED_FORM, status: 403 });
  const refusal = await findPasswordRefusal(context, signedIn.user, body.passkey_password ?? "");
  if (refusal !== undefined)
    return showSecurity(context, signedIn, { problems: { passkey_password: refusal }, status: 400 });
  const { problem } = await addPasskey(context, signedIn.user, {
    answer: body.passkey ?? "",
    name: body.passkey_name ?? "",
  });
  return problem === undefined
    ? leadTo(context, "/account/security?done=passkey")
    : showSecurity(context, signedIn, { problem, status: 400 });
}

const securityChanges = [
  operation({
    id: "identity.pages.takeNewPasskey",
    summary: "Adds a passkey",
    ...formSettings,
    path: "/account/passkeys",
    transaction: "manual",
    body: formBody("passkey", "passkey_name", "passkey_password"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      return signedIn ? takeNewPasskey(context, signedIn, body) : toSignIn(context);
    },
  }),
  operation({
    id: "identity.pages.removePasskey",
    summary: "Removes a passkey",
    ...formSettings,
    path: "/account/passkeys/remove",
    body: formBody("credential"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      if (!isGenuineForm(context, body.form_token))
        return showSecurity(context, signedIn, { problem: EXPIRED_FORM, status: 403 });
      const removed = await removePasskey(context.db, signedIn.user.id, body.credential ?? "");
      return leadTo(context, `/account/security${removed ? "?done=passkey-removed" : ""}`);
    },
  }),
  operation({
    id: "identity.pages.endSession",
    summary: "Signs out another browser, or all others",
    ...formSettings,
    path: "/account/sessions/end",
    body: formBody("session"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      const { user, session } = signedIn;
      if (!isGenuineForm(context, body.form_token))
        return showSecurity(context, signedIn, { problem: EXPIRED_FORM, status: 403 });
      if (body.session === "others") await endOtherSessions(context.db, user.id, session);
      else if (body.session !== session.id) await endSessionOf(context.db, user.id, body.session ?? "");
      return leadTo(context, "/account/security?done=session");
    },
  }),
  operation({
    id: "identity.pages.removeApplication",
    summary: "Takes back what an application was allowed, with everything issued to it",
    ...formSettings,
    path: "/account/applications/remove",
    body: formBody("client_id"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      if (!isGenuineForm(context, body.form_token)) return leadTo(context, "/account/applications");
      const { id: userId, account } = signedIn.user;
      const clientId = body.client_id ?? "";
      if (await forgetConsent(context.db, userId, clientId))
        await revokeGrants(context, { account, userId, clientId });
      return leadTo(context, "/account/applications?done=application");
    },
  }),
  operation({
    id: "identity.pages.deleteAccount",
    summary: "Deletes one's own account with everything in it",
    ...formSettings,
    path: "/account/delete",
    transaction: "manual",
    body: formBody("delete_password"),
    answers: formAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return toSignIn(context);
      if (!isGenuineForm(context, body.form_token))
        return showSecurity(context, signedIn, { problem: EXPIRED_FORM, status: 403 });
      const refusal = await findPasswordRefusal(context, signedIn.user, body.delete_password ?? "");
      if (refusal !== undefined)
        return showSecurity(context, signedIn, { problems: { delete_password: refusal }, status: 400 });
      const { id: userId, account } = signedIn.user;
      const cookies = await context.transact(async (inner) => {
        const forgetting = await endBrowserSession(inner);
        await revokeGrants(inner, { account, userId });
        await deleteUser(inner.db, userId);
        return forgetting;
      });
      return leadTo(context, "/sign-in", cookies);
    },
  }),
];

export const accountOperations = [...pages, ...profileChanges, ...securityChanges];

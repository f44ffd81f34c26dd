/** The person's own account. Every operation needs a session, and every change a genuine form. */
import type { Answer, Context } from "#kernel/operation";
import { cardOf, findClient } from "../../clients/index.ts";
import { revokeGrants, signIn, signOutElsewhere, signOutHere, signOutThere } from "../../connect/index.ts";
import {
  addPasskey,
  changePassword,
  changeProfile,
  countAttempt,
  deleteUser,
  findPasswordProblem,
  findRelyingParty,
  findUser,
  forgetConsent,
  hashPassword,
  inMinutes,
  keyOf,
  limits,
  listConsents,
  listPasskeys,
  listSessions,
  noteSeen,
  PROFILE_FIELDS,
  profileOf,
  readProfile,
  removePasskey,
  sendTokenMail,
  signInByPassword,
  type UserRow,
  valuesOf,
} from "../../people/index.ts";
import {
  type ConnectedApplication,
  type ProfileView,
  renderApplications,
  renderProfile,
  renderSecurity,
  type SecurityView,
} from "../account-pages.ts";
import { askingOf } from "../asking.ts";
import { accountChange, accountPage } from "./account-operation.ts";
import { EXPIRED_FORM, leadOut, leadTo, type SignedIn, show, type Tables } from "./page-operation.ts";

const messages: Readonly<Record<string, string>> = {
  profile: "Saved.",
  mail: "Saved. We sent a message to your new address; please confirm it.",
  "mail-again": "A message is on its way.",
  "mail-limit": "No message was sent: at most 5 an hour are. Please wait an hour.",
  password: "Your password is changed. Your other browsers are signed out.",
  passkey: "The passkey is added.",
  "passkey-removed": "The passkey is removed.",
  session: "Signed out there.",
  application: "The application is removed and has lost its access.",
};
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

/**
 * Returns undefined if the password is right, otherwise the message. For changes that could lock the owner
 * out.
 */
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
  accountPage(
    {
      id: "identity.pages.account",
      summary: "Shows the signed-in person's profile",
      description:
        "Records that the session was used, at most every 5 minutes. Without a session it redirects to the sign-in page.",
      path: "/account",
      transaction: "manual",
    },
    async (context, signedIn, done) => {
      await context.transact(noteSeen);
      return showProfile(context, signedIn, { message: messageOf(done) });
    },
  ),
  accountPage(
    {
      id: "identity.pages.security",
      summary: "Shows the signed-in person's passkeys and sessions",
      description:
        "Lists at most 20 passkeys and 50 sessions, and has the forms to change the password and to delete the account. Without a session it redirects to the sign-in page.",
      path: "/account/security",
    },
    (context, signedIn, done) => showSecurity(context, signedIn, { message: messageOf(done) }),
  ),
  accountPage(
    {
      id: "identity.pages.applications",
      summary: "Shows the clients that the signed-in person has given consent to",
      description: "Lists at most 200 consents. Without a session it redirects to the sign-in page.",
      path: "/account/applications",
    },
    (context, signedIn, done) => showApplications(context, signedIn, messageOf(done)),
  ),
];

type ProfileForm = Readonly<Record<string, string | undefined>>;
const showProfileAgain = (
  context: Context<Tables>,
  signedIn: SignedIn,
  form: ProfileForm,
  extras: Extras<ProfileView>,
) => {
  const { values, problems } = readProfile(form);
  return showProfile(context, signedIn, { values, problems, status: 400, ...extras });
};

async function takeProfile(
  context: Context<Tables>,
  signedIn: SignedIn,
  form: ProfileForm,
): Promise<Answer<string | undefined>> {
  const { problems, about, email } = readProfile(form);
  if (Object.keys(problems).length > 0)
    return showProfileAgain(context, signedIn, form, { problem: "Please look at the marked fields." });
  const changesEmail = (email === undefined ? null : keyOf(email)) !== signedIn.user.email_key;
  const passwordProblem = changesEmail
    ? await findPasswordRefusal(context, signedIn.user, form.password ?? "")
    : undefined;
  if (passwordProblem !== undefined) return showProfileAgain(context, signedIn, form, { passwordProblem });
  await context.transact(async (inner) => {
    const changed = await changeProfile(inner, signedIn.user, { about, email });
    const user = changed ? await findUser(inner.db, signedIn.user.id) : undefined;
    if (user) await sendTokenMail(inner, user, "verify");
  });
  return leadTo(context, `/account?done=${changesEmail && email !== undefined ? "mail" : "profile"}`);
}

const profileChanges = [
  accountChange(
    {
      id: "identity.pages.takeProfile",
      summary: "Changes the signed-in person's profile",
      description:
        "Replaces all fields of the profile. A new e-mail address needs the current password, is unverified again, and gets a verification mail. Clients see the change at their next `identity.userinfo` call; ID tokens that were issued before do not change.",
      path: "/account/profile",
      transaction: "manual",
      fields: [...PROFILE_FIELDS, "password"],
    },
    (context, signedIn, form) =>
      showProfileAgain(context, signedIn, form, { problem: EXPIRED_FORM, status: 403 }),
    takeProfile,
  ),
  accountChange(
    {
      id: "identity.pages.confirmMail",
      summary: "Sends the verification mail again",
      description:
        "The new link works for 48 hours and replaces earlier ones. At most 5 mails an hour; after them the page says that none was sent.",
      path: "/account/confirm-mail",
      fields: [],
    },
    (context) => leadTo(context, "/account"),
    async (context, { user }) => {
      const waitMs = await countAttempt(context, limits.mailName, user.id);
      if (waitMs !== undefined) return leadTo(context, "/account?done=mail-limit");
      await sendTokenMail(context, user, "verify");
      return leadTo(context, "/account?done=mail-again");
    },
  ),
];

const refuseSecurityForm = (context: Context<Tables>, signedIn: SignedIn) =>
  showSecurity(context, signedIn, { problem: EXPIRED_FORM, status: 403 });

async function takeNewPassword(
  context: Context<Tables>,
  signedIn: SignedIn,
  form: { password?: string; new_password?: string },
): Promise<Answer<string | undefined>> {
  const { user } = signedIn;
  const next = form.new_password ?? "";
  const problems = {
    new_password: findPasswordProblem(next, [user.username, user.email ?? ""]),
    password: await findPasswordRefusal(context, user, form.password ?? ""),
  };
  if (problems.new_password !== undefined || problems.password !== undefined)
    return showSecurity(context, signedIn, { problems, status: 400 });
  const passwordHash = await hashPassword(next);
  const cookies = await context.transact(async (inner) => {
    await changePassword(inner.db, user.id, passwordHash);
    const started = await signIn(inner, user, ["pwd"]);
    await signOutElsewhere(inner, user.id, started.session);
    return started.cookies;
  });
  return leadTo(context, "/account/security?done=password", cookies);
}

async function takeNewPasskey(
  context: Context<Tables>,
  signedIn: SignedIn,
  form: { passkey?: string; passkey_name?: string; passkey_password?: string },
): Promise<Answer<string | undefined>> {
  const refusal = await findPasswordRefusal(context, signedIn.user, form.passkey_password ?? "");
  if (refusal !== undefined)
    return showSecurity(context, signedIn, { problems: { passkey_password: refusal }, status: 400 });
  const { problem } = await addPasskey(context, signedIn.user, {
    answer: form.passkey ?? "",
    name: form.passkey_name ?? "",
  });
  return problem === undefined
    ? leadTo(context, "/account/security?done=passkey")
    : showSecurity(context, signedIn, { problem, status: 400 });
}

async function deleteOwnAccount(
  context: Context<Tables>,
  signedIn: SignedIn,
  form: { delete_password?: string },
): Promise<Answer<string | undefined>> {
  const refusal = await findPasswordRefusal(context, signedIn.user, form.delete_password ?? "");
  if (refusal !== undefined)
    return showSecurity(context, signedIn, { problems: { delete_password: refusal }, status: 400 });
  const { id: userId } = signedIn.user;
  const signedOut = await context.transact(async (inner) => {
    const here = await signOutHere(inner);
    await signOutElsewhere(inner, userId, undefined);
    await revokeGrants(inner, { userId });
    await deleteUser(inner.db, userId);
    return here;
  });
  return leadOut(context, "/sign-in", signedOut);
}

const securityChanges = [
  accountChange(
    {
      id: "identity.pages.takeNewPassword",
      summary: "Changes the signed-in person's password",
      description:
        "Needs the current password. Starts a new session here and ends all others, which notifies the clients that used them. Access tokens stay valid until they expire.",
      path: "/account/password",
      transaction: "manual",
      fields: ["password", "new_password"],
    },
    refuseSecurityForm,
    takeNewPassword,
  ),
  accountChange(
    {
      id: "identity.pages.takeNewPasskey",
      summary: "Adds a passkey to the signed-in person",
      description:
        "Needs the current password and the device's response to a challenge from `identity.pages.newPasskeyOptions`. A person may have 20 passkeys. A passkey works only under the host name on which it was added.",
      path: "/account/passkeys",
      transaction: "manual",
      fields: ["passkey", "passkey_name", "passkey_password"],
    },
    refuseSecurityForm,
    takeNewPasskey,
  ),
  accountChange(
    {
      id: "identity.pages.removePasskey",
      summary: "Removes a passkey of the signed-in person",
      description:
        "Sessions that were started with it continue. Removing an unknown passkey changes nothing. The key on the device itself is not deleted.",
      path: "/account/passkeys/remove",
      fields: ["credential"],
    },
    refuseSecurityForm,
    async (context, { user }, form) => {
      const removed = await removePasskey(context.db, user.id, form.credential ?? "");
      return leadTo(context, `/account/security${removed ? "?done=passkey-removed" : ""}`);
    },
  ),
  accountChange(
    {
      id: "identity.pages.endSession",
      summary: "Ends another session of the signed-in person, or all others",
      description:
        "`others` ends all sessions except this one. Clients that used an ended session are notified by a back-channel job. The current session is never ended here; use `identity.pages.signOut`.",
      path: "/account/sessions/end",
      fields: ["session"],
    },
    refuseSecurityForm,
    async (context, { user, session }, form) => {
      if (form.session === "others") await signOutElsewhere(context, user.id, session);
      else if (form.session !== session.id) await signOutThere(context, user.id, form.session ?? "");
      return leadTo(context, "/account/security?done=session");
    },
  ),
  accountChange(
    {
      id: "identity.pages.removeApplication",
      summary: "Revokes a client's consent and its tokens for the signed-in person",
      description:
        "Access tokens and unused codes of this person stop working: immediately on this node, within a second on others. The client must ask for consent again.",
      path: "/account/applications/remove",
      fields: ["client_id"],
    },
    (context) => leadTo(context, "/account/applications"),
    async (context, { user: { id: userId } }, form) => {
      const clientId = form.client_id ?? "";
      if (await forgetConsent(context.db, userId, clientId))
        await revokeGrants(context, { userId, clientId });
      return leadTo(context, "/account/applications?done=application");
    },
  ),
  accountChange(
    {
      id: "identity.pages.deleteAccount",
      summary: "Deletes the signed-in person's account",
      description:
        "Needs the password. Ends all sessions, revokes all tokens, and deletes the profile, passkeys and consents. This cannot be undone. Clients are notified of the sign-out.",
      path: "/account/delete",
      transaction: "manual",
      fields: ["delete_password"],
    },
    refuseSecurityForm,
    deleteOwnAccount,
  ),
];

export const accountOperations = [...pages, ...profileChanges, ...securityChanges];

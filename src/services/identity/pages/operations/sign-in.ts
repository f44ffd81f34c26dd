/** Signing in, with or without an application that asks for it. */

import { Type } from "@sinclair/typebox";
import { networkOf } from "#kernel/auth";
import { type Answer, answer, type Context } from "#kernel/operation";
import { type Interaction, noteSignIn, resumePath, signIn, signOutHere } from "../../connect/index.ts";
import {
  countAttempt,
  createOptions,
  findByPasskey,
  inMinutes,
  isGenuineForm,
  limits,
  type SignInOutcome,
  signInByPassword,
  signInOptions,
  type UserRow,
  waitHeaders,
} from "../../people/index.ts";
import { askingOf } from "../asking.ts";
import { renderSignIn, type SignInView } from "../sign-in-page.ts";
import { askedForm, askedPage } from "./asked-operation.ts";
import {
  EXPIRED_FORM,
  findSignedIn,
  formAnswers,
  formBody,
  formSettings,
  leadOut,
  leadTo,
  operation,
  pageAnswers,
  show,
  type Tables,
} from "./page-operation.ts";

const ACCOUNT = /^[0-9]{12}$/;
const PASSWORD_METHODS = ["pwd"];
/** `hwk`: a hardware key; `user`: the device verified the person. */
const PASSKEY_METHODS = ["hwk", "user"];
/** One text for an unknown name and a wrong password. */
const WRONG = "The name or the password is not right.";

const showSignIn = (
  context: Context<Tables>,
  interaction: Interaction | undefined,
  view: SignInView,
  waitMs?: number,
): Answer<string> => show(renderSignIn(askingOf(context, interaction), view), [], waitMs);

/** The only place where a person becomes signed in after authentication. */
async function finish(
  context: Context<Tables>,
  interaction: Interaction | undefined,
  user: UserRow,
  methods: readonly string[],
): Promise<Answer<undefined>> {
  const cookies = await context.transact(async (inner) => {
    const started = await signIn(inner, user, methods);
    if (interaction) await noteSignIn(inner, interaction.id, started.session);
    return started.cookies;
  });
  return leadTo(context, interaction ? resumePath(interaction.id) : "/account", cookies);
}

function refusalOf(
  outcome: Exclude<SignInOutcome, { kind: "proven" }>,
): Pick<SignInView, "problem" | "status" | "askAccount"> {
  if (outcome.kind === "locked")
    return {
      status: 429,
      problem: `Too many attempts. Please wait ${inMinutes(outcome.waitMs)}, or choose a new password by mail.`,
    };
  if (outcome.kind === "ambiguous")
    return {
      status: 400,
      problem: "Please say which account you mean and enter your password again.",
      askAccount: true,
    };
  return { status: 401, problem: WRONG };
}

type SignInForm = { form_token?: string; username?: string; password?: string; account?: string };
async function takePassword(
  context: Context<Tables>,
  interaction: Interaction | undefined,
  { form_token, username = "", password = "", account }: SignInForm,
): Promise<Answer<string | undefined>> {
  if (!isGenuineForm(context, form_token))
    return showSignIn(context, interaction, { username, problem: EXPIRED_FORM, status: 403 });
  if (username.trim() === "" || password === "")
    return showSignIn(context, interaction, {
      username,
      problem: "Please enter your name and your password.",
      status: 400,
    });
  const named = account !== undefined && ACCOUNT.test(account) ? account : undefined;
  const outcome = await signInByPassword(context, {
    account: interaction?.account ?? named,
    name: username,
    password,
  });
  if (outcome.kind === "proven") return finish(context, interaction, outcome.user, PASSWORD_METHODS);
  const view = { username, ...refusalOf(outcome), ...(account !== undefined && { askAccount: true }) };
  return showSignIn(context, interaction, view, outcome.kind === "locked" ? outcome.waitMs : undefined);
}

async function takePasskey(
  context: Context<Tables>,
  interaction: Interaction | undefined,
  { form_token, passkey = "" }: { form_token?: string; passkey?: string },
): Promise<Answer<string | undefined>> {
  if (!isGenuineForm(context, form_token))
    return showSignIn(context, interaction, { problem: EXPIRED_FORM, status: 403 });
  const user = await findByPasskey(context, interaction?.account, passkey);
  if (user) return finish(context, interaction, user, PASSKEY_METHODS);
  return showSignIn(context, interaction, {
    problem: "This passkey is not known here. Please use your password.",
    status: 401,
  });
}

const PASSWORD_FIELDS = ["username", "password", "account"] as const;
const PASSKEY_FIELDS = ["passkey"] as const;

const ownSignIn = [
  operation({
    id: "identity.pages.signIn",
    summary: "Shows the sign-in page for the person's own account",
    description: "Redirects to `/account` if this browser already has a session.",
    method: "GET",
    path: "/sign-in",
    permission: "anyone",
    answers: pageAnswers,
    async handle(_input, context) {
      if (await findSignedIn(context)) return leadTo(context, "/account");
      return showSignIn(context, undefined, {});
    },
  }),
  operation({
    id: "identity.pages.takeSignIn",
    summary: "Signs in to the person's own account with name and password",
    description:
      "Starts a session of 30 days in this browser and ends the browser's earlier session. A person has at most 50 sessions; the oldest end first. After 5 failures for a name or 100 from a network within 15 minutes, further attempts get 429 for 15 minutes. If the credentials fit people of several accounts, the page asks for the account number.",
    ...formSettings,
    path: "/sign-in",
    transaction: "manual",
    body: formBody(...PASSWORD_FIELDS),
    answers: formAnswers,
    handle: ({ body }, context) => takePassword(context, undefined, body),
  }),
  operation({
    id: "identity.pages.takePasskey",
    summary: "Signs in to the person's own account with a passkey",
    description:
      "Needs the device's response to a challenge from `identity.pages.passkeyOptions`. A challenge works once, for 5 minutes, in the same browser. An unknown passkey gets 401; these failures do not lock the name.",
    ...formSettings,
    path: "/sign-in/passkey",
    transaction: "manual",
    body: formBody(...PASSKEY_FIELDS),
    answers: formAnswers,
    handle: ({ body }, context) => takePasskey(context, undefined, body),
  }),
  operation({
    id: "identity.pages.signOut",
    summary: "Signs out in this browser",
    description:
      "Ends the session and clears its cookies. Clients that used the session are notified: by a back-channel job, and by frames on the next page. Access tokens that were issued before stay valid until they expire.",
    ...formSettings,
    path: "/sign-out",
    body: formBody(),
    answers: formAnswers,
    async handle({ body }, context) {
      if (!isGenuineForm(context, body.form_token)) return leadTo(context, "/account");
      return leadOut(context, "/sign-in", await signOutHere(context));
    },
  }),
];

const askedSignIn = [
  askedPage(
    {
      id: "identity.pages.interactionSignIn",
      summary: "Shows the sign-in page for a client's request",
      description:
        "Prefills the name from `login_hint`. The request must have started in this browser, at most 30 minutes ago.",
      path: "/sign-in",
    },
    (context, interaction) => showSignIn(context, interaction, { username: interaction.loginHint }),
  ),
  askedForm(
    {
      id: "identity.pages.interactionTakeSignIn",
      summary: "Signs in for a client's request with name and password",
      description:
        "Only people of the client's account can sign in. Session and attempt limits are the same as for `identity.pages.takeSignIn`. The response redirects to `identity.resumeAuthorization`.",
      path: "/sign-in",
      transaction: "manual",
      fields: PASSWORD_FIELDS,
    },
    takePassword,
  ),
  askedForm(
    {
      id: "identity.pages.interactionTakePasskey",
      summary: "Signs in for a client's request with a passkey",
      description:
        "Only passkeys of people of the client's account are accepted. Otherwise same as `identity.pages.takePasskey`. The response redirects to `identity.resumeAuthorization`.",
      path: "/sign-in/passkey",
      transaction: "manual",
      fields: PASSKEY_FIELDS,
    },
    takePasskey,
  ),
];

const Options = Type.Record(Type.String(), Type.Unknown());
const Refused = Type.Object({
  error: Type.String({
    description: "What is wrong, in words for people.",
    examples: ["That passkey is not known here."],
  }),
});
const optionsAnswers = { 200: Options, 400: Refused, 401: Refused, 403: Refused, 429: Refused };

/** Every question costs a row until it runs out, so there is a limit. */
const waitBeforeAsking = (context: Context<Tables>): Promise<number | undefined> =>
  context.transact((inner) =>
    countAttempt(inner, limits.passkeyAddress, networkOf(context.request.remoteAddress)),
  );

async function passkeyOptions(
  context: Context<Tables>,
  token: string | undefined,
  make: () => Promise<object | undefined>,
) {
  if (!isGenuineForm(context, token)) return answer(403, { error: "form_expired" });
  const waitMs = await waitBeforeAsking(context);
  if (waitMs !== undefined) return answer(429, { error: "too_many_attempts" }, waitHeaders(waitMs));
  const options = await make();
  return options
    ? answer(200, { ...options } as Record<string, unknown>, { "cache-control": "no-store" })
    : answer(400, { error: "passkeys_need_a_host_name" });
}

const options = [
  operation({
    id: "identity.pages.passkeyOptions",
    summary: "Creates a challenge for signing in with a passkey",
    description:
      "Stores a challenge that works once, for 5 minutes, in this browser. It names no person: the device chooses the passkey. A network may request 200 challenges in 15 minutes. Passkeys need a host name, so an IP address gets 400.",
    ...formSettings,
    path: "/passkey-options",
    transaction: "manual",
    body: formBody(),
    answers: optionsAnswers,
    handle: ({ body }, context) => passkeyOptions(context, body.form_token, () => signInOptions(context)),
  }),
  operation({
    id: "identity.pages.newPasskeyOptions",
    summary: "Creates a challenge for adding a passkey",
    description:
      "Stores a challenge that works once, for 5 minutes, in this browser. The options exclude passkeys that the person already has for this host name. Shares the limit of 200 challenges in 15 minutes per network. Send the device's response to `identity.pages.takeNewPasskey`.",
    ...formSettings,
    path: "/account/passkey-options",
    transaction: "manual",
    body: formBody(),
    answers: optionsAnswers,
    async handle({ body }, context) {
      const signedIn = await findSignedIn(context);
      if (!signedIn) return answer(401, { error: "sign_in_first" });
      return passkeyOptions(context, body.form_token, () => createOptions(context, signedIn.user));
    },
  }),
];

export const signInOperations = [...ownSignIn, ...askedSignIn, ...options];

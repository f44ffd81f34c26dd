/** Forgotten passwords and addresses to confirm: both by a token that a mail carries. */

import { Type } from "@sinclair/typebox";
import { networkOf } from "#kernel/auth";
import type { Answer, Context } from "#kernel/operation";
import { signOutElsewhere } from "../../connect/index.ts";
import {
  bringNamedUsers,
  changePassword,
  countAttempt,
  findMailToken,
  findPasswordProblem,
  findUser,
  forgetGuesses,
  hashPassword,
  inMinutes,
  isGenuineForm,
  keyOf,
  limits,
  listMailCandidates,
  type MailTokenRow,
  proveEmail,
  sendTokenMail,
  takeMailToken,
  type UserRow,
} from "../../people/index.ts";
import { askingOf } from "../asking.ts";
import { fieldWords } from "../field-words.ts";
import {
  type ResetView,
  renderForgotten,
  renderMailSent,
  renderReset,
  renderResetDone,
  renderVerified,
  renderVerify,
} from "../password-pages.ts";
import {
  EXPIRED_FORM,
  formAnswers,
  formBody,
  formSettings,
  operation,
  pageAnswers,
  show,
  type Tables,
} from "./page-operation.ts";

const USED_UP = "This link or code is unknown, used, or too old. Please ask for a new message.";
const WithToken = Type.Object({
  token: Type.Optional(Type.String({ ...fieldWords.token, maxLength: 64 })),
});

/**
 * Neither the answer nor its time reveals whether the person exists: the work differs only by a row or two.
 */
async function askForMail(context: Context<Tables>, name: string): Promise<number | undefined> {
  const waitMs = await countAttempt(context, limits.mailAddress, networkOf(context.request.remoteAddress));
  if (waitMs !== undefined) return waitMs;
  // Above the limit for one name, no mail is sent, and the answer does not reveal it.
  if ((await countAttempt(context, limits.mailName, keyOf(name))) !== undefined) return undefined;
  await bringNamedUsers(context, undefined, name);
  for (const user of await listMailCandidates(context.db, undefined, name))
    await sendTokenMail(context, user, "reset");
  return undefined;
}

const forgotten = [
  operation({
    id: "identity.pages.forgotten",
    summary: "Shows the form to request a new password",
    description: "The form sends a user name or an address to `identity.pages.takeForgotten`.",
    method: "GET",
    path: "/forgotten",
    permission: "anyone",
    answers: pageAnswers,
    handle: (_input, context) => show(renderForgotten(askingOf(context, undefined), {})),
  }),
  operation({
    id: "identity.pages.takeForgotten",
    summary: "Sends a mail with a single-use link to set a new password",
    description:
      "The link works for one hour and replaces earlier ones. The response is the same if nobody has this name or address. Limits: 50 requests per network in an hour (429), and 5 mails per name in an hour; further mails are silently not sent.",
    ...formSettings,
    path: "/forgotten",
    body: formBody("username"),
    answers: formAnswers,
    async handle({ body }, context) {
      const asking = askingOf(context, undefined);
      const name = (body.username ?? "").trim().slice(0, 320);
      if (!isGenuineForm(context, body.form_token))
        return show(renderForgotten(asking, { name, problem: EXPIRED_FORM, status: 403 }));
      if (name === "")
        return show(renderForgotten(asking, { problem: "Please enter a name or an address.", status: 400 }));
      const waitMs = await askForMail(context, name);
      if (waitMs === undefined) return show(renderMailSent(asking));
      const problem = `Too many messages for your network. Please wait ${inMinutes(waitMs)}.`;
      return show(renderForgotten(asking, { name, problem, status: 429 }), [], waitMs);
    },
  }),
];

type Claim = { readonly token: MailTokenRow; readonly user: UserRow };
async function findClaim(
  context: Context<Tables>,
  token: string,
  purpose: "reset" | "verify",
): Promise<Claim | undefined> {
  const found = token === "" ? undefined : await findMailToken(context, token, purpose);
  const user = found && (await findUser(context.db, found.user_id));
  return found && user ? { token: found, user } : undefined;
}

/** Returns false if the token was used by a concurrent request. */
async function resetPassword(context: Context<Tables>, claim: Claim, password: string): Promise<boolean> {
  const passwordHash = await hashPassword(password);
  return context.transact(async (inner) => {
    if (!(await takeMailToken(inner.db, claim.token))) return false;
    await changePassword(inner.db, claim.user.id, passwordHash);
    await signOutElsewhere(inner, claim.user.id, undefined);
    await forgetGuesses(inner, claim.user);
    // Reading the mail proves that the person owns the mailbox.
    await proveEmail(inner, claim.user, claim.token.email);
    return true;
  });
}

async function takeReset(
  context: Context<Tables>,
  body: { form_token?: string; token?: string; password?: string },
): Promise<Answer<string>> {
  const asking = askingOf(context, undefined);
  const token = (body.token ?? "").trim().slice(0, 64);
  const again = (view: Partial<ResetView>) =>
    show(renderReset(asking, { token, askToken: false, status: 400, ...view }));
  if (!isGenuineForm(context, body.form_token)) return again({ problem: EXPIRED_FORM, status: 403 });
  const claim = await findClaim(context, token, "reset");
  if (!claim) return again({ askToken: true, problem: USED_UP });
  const { username, email } = claim.user;
  const password = body.password ?? "";
  const passwordProblem = findPasswordProblem(password, [username, email ?? ""]);
  if (passwordProblem !== undefined) return again({ username, passwordProblem });
  return (await resetPassword(context, claim, password))
    ? show(renderResetDone(asking))
    : again({ askToken: true, problem: USED_UP });
}

const reset = [
  operation({
    id: "identity.pages.reset",
    summary: "Shows the form to set a new password with a token",
    description:
      "Does not use the token up. An unknown, used or expired token gets 400 and a field to enter another.",
    method: "GET",
    path: "/reset",
    permission: "anyone",
    query: WithToken,
    answers: formAnswers,
    async handle({ query }, context) {
      const asking = askingOf(context, undefined);
      const { token = "" } = query;
      if (token === "") return show(renderReset(asking, { token, askToken: true }));
      const claim = await findClaim(context, token, "reset");
      return show(
        claim
          ? renderReset(asking, { token, askToken: false, username: claim.user.username })
          : renderReset(asking, { token: "", askToken: true, problem: USED_UP, status: 400 }),
      );
    },
  }),
  operation({
    id: "identity.pages.takeReset",
    summary: "Sets a new password with the token of a mail",
    description:
      "Uses the token up, ends all sessions of the person, clears their failed sign-in attempts, and marks the address as verified. Access tokens stay valid until they expire. Afterwards, sign in with the new password.",
    ...formSettings,
    path: "/reset",
    transaction: "manual",
    body: formBody("token", "password", "username"),
    answers: formAnswers,
    handle: ({ body }, context) => takeReset(context, body),
  }),
];

const verify = [
  operation({
    id: "identity.pages.verify",
    summary: "Shows the form to verify an e-mail address with a token",
    description:
      "Opening the link changes nothing: only the form verifies the address, so that mail scanners cannot.",
    method: "GET",
    path: "/verify",
    permission: "anyone",
    query: WithToken,
    answers: pageAnswers,
    handle: ({ query: { token = "" } }, context) =>
      show(renderVerify(askingOf(context, undefined), { token, askToken: token === "" })),
  }),
  operation({
    id: "identity.pages.takeVerify",
    summary: "Verifies an e-mail address with the token of a mail",
    description:
      "Uses the token up; a token works for 48 hours. Refused with 400 if another person of the account has verified the address, or if this person's address has changed since. A verified address can be used for sign-in.",
    ...formSettings,
    path: "/verify",
    body: formBody("token"),
    answers: formAnswers,
    async handle({ body }, context) {
      const asking = askingOf(context, undefined);
      const token = (body.token ?? "").trim().slice(0, 64);
      if (!isGenuineForm(context, body.form_token))
        return show(renderVerify(asking, { token, askToken: false, problem: EXPIRED_FORM, status: 403 }));
      const claim = await findClaim(context, token, "verify");
      const taken = claim !== undefined && (await takeMailToken(context.db, claim.token));
      if (!claim || !taken)
        return show(renderVerify(asking, { token: "", askToken: true, problem: USED_UP, status: 400 }));
      if (await proveEmail(context, claim.user, claim.token.email)) return show(renderVerified(asking));
      const problem = "This address belongs to somebody else here, or you have changed yours since.";
      return show(renderVerify(asking, { token: "", askToken: true, problem, status: 400 }));
    },
  }),
];

export const passwordOperations = [...forgotten, ...reset, ...verify];

/** New people: they come with an application, and belong to its account. */
import { networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import { type Interaction, noteSignIn, resumePath, signIn } from "../../connect/index.ts";
import {
  bringNamedUsers,
  countAttempt,
  createPerson,
  findEmailProblem,
  findPasswordProblem,
  findUsernameProblem,
  hashPassword,
  inMinutes,
  isGenuineForm,
  limits,
  sendTokenMail,
} from "../../people/index.ts";
import { askingOf } from "../asking.ts";
import { renderSignUp, type SignUpView } from "../sign-in-page.ts";
import { askedForm, askedPage } from "./asked-operation.ts";
import { EXPIRED_FORM, leadTo, show, type Tables } from "./page-operation.ts";

const NAME_LENGTH_MAX = 200;
type Entered = { name: string; username: string; email: string; password: string };

function problemsOf({ name, username, email, password }: Entered): SignUpView["problems"] {
  return {
    name:
      name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)
        ? `Use up to ${NAME_LENGTH_MAX} readable characters.`
        : undefined,
    username: findUsernameProblem(username),
    email: findEmailProblem(email),
    password: findPasswordProblem(password, [username, email, name]),
  };
}

/** `taken`, or the cookies of the new session. */
async function signUp(
  context: Context<Tables>,
  interaction: Interaction,
  { name, username, email, password }: Entered,
): Promise<"taken" | readonly string[]> {
  const passwordHash = await hashPassword(password);
  return context.transact(async (inner) => {
    await bringNamedUsers(inner, interaction.account, username);
    const user = await createPerson(inner, {
      account: interaction.account,
      username,
      email,
      emailProven: false,
      passwordHash,
      about: name === "" ? {} : { name },
    });
    if (!user) return "taken";
    await sendTokenMail(inner, user, "verify");
    const { session, cookies } = await signIn(inner, user, ["pwd"]);
    await noteSignIn(inner, interaction.id, session);
    return cookies;
  });
}

const waitBeforeSignUp = (context: Context<Tables>): Promise<number | undefined> =>
  context.transact((inner) =>
    countAttempt(inner, limits.signUpAddress, networkOf(context.request.remoteAddress)),
  );

async function takeSignUp(
  context: Context<Tables>,
  interaction: Interaction,
  body: Partial<Entered> & { form_token?: string },
) {
  const entered: Entered = {
    name: (body.name ?? "").trim(),
    username: (body.username ?? "").trim(),
    email: (body.email ?? "").trim(),
    password: body.password ?? "",
  };
  const again = (view: Partial<SignUpView>, waitMs?: number) =>
    show(
      renderSignUp(askingOf(context, interaction), { values: entered, problems: {}, status: 400, ...view }),
      [],
      waitMs,
    );
  if (!isGenuineForm(context, body.form_token)) return again({ problem: EXPIRED_FORM, status: 403 });
  const problems = problemsOf(entered);
  if (Object.values(problems).some((problem) => problem !== undefined)) return again({ problems });
  const waitMs = await waitBeforeSignUp(context);
  if (waitMs !== undefined)
    return again(
      { problem: `Too many new accounts from your network. Please wait ${inMinutes(waitMs)}.`, status: 429 },
      waitMs,
    );
  const outcome = await signUp(context, interaction, entered);
  return outcome === "taken"
    ? again({ problems: { username: "This name is taken. Please choose another." } })
    : leadTo(context, resumePath(interaction.id), outcome);
}

export const signUpOperations = [
  askedPage(
    {
      id: "identity.pages.signUp",
      summary: "Shows the sign-up page for a client's request",
      description:
        "People can sign up only through a client's request, because they belong to the client's account.",
      path: "/sign-up",
    },
    (context, interaction) =>
      show(renderSignUp(askingOf(context, interaction), { values: {}, problems: {} })),
  ),
  askedForm(
    {
      id: "identity.pages.takeSignUp",
      summary: "Creates a person in the client's account and signs them in",
      description:
        "Queues a mail that confirms the address; its link works for 48 hours. A network may create 100 people in an hour. A taken user name, an invalid address or a weak password is shown on the form (400). The response redirects to `identity.resumeAuthorization`.",
      path: "/sign-up",
      transaction: "manual",
      fields: ["name", "username", "email", "password"],
    },
    takeSignUp,
  ),
];

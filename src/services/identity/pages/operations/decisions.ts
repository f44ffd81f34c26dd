/** Operations on a pending request: sign in, choose, consent, sign out. */
import type { Answer, Context } from "#kernel/operation";
import {
  type Interaction,
  interactionPath,
  logoutResumePath,
  noteAccountChosen,
  noteConsent,
  noteDenial,
  noteFrames,
  resumePath,
  signOutHere,
} from "../../connect/index.ts";
import { inMinutes, isGenuineForm, profileOf, recordConsent, signInByPassword } from "../../people/index.ts";
import { askingOf } from "../asking.ts";
import { type ConsentView, renderChooseAccount, renderConsent, renderSignOut } from "../consent-page.ts";
import { renderSignIn } from "../sign-in-page.ts";
import { askedForm, askedPage } from "./asked-operation.ts";
import {
  EXPIRED_FORM,
  findSignedIn,
  leadOut,
  leadTo,
  type SignedIn,
  show,
  type Tables,
} from "./page-operation.ts";

/** A sign-in this recent proves a deliberate action of the person. */
const JUST_NOW_MS = 5 * 60_000;

const continuePath = ({ id, step }: Interaction): string =>
  step === "sign-out" ? logoutResumePath(id) : resumePath(id);

/** A session of another account counts as none. */
async function findPerson(context: Context<Tables>, interaction: Interaction): Promise<SignedIn | undefined> {
  const signedIn = await findSignedIn(context);
  return signedIn?.session.account === interaction.account ? signedIn : undefined;
}

/** The application that shows the frame gains from a click, so in a frame a click is not enough. */
const mustAskPassword = (
  context: Context<Tables>,
  interaction: Interaction,
  { session }: SignedIn,
): boolean =>
  askingOf(context, interaction).framed && context.clock.nowMs() - session.authTimeMs > JUST_NOW_MS;

type Refusal = Pick<ConsentView, "problem" | "status"> & { readonly waitMs?: number };
const showConsent = (
  context: Context<Tables>,
  interaction: Interaction,
  signedIn: SignedIn,
  { waitMs, ...view }: Refusal = {},
): Answer<string> =>
  show(
    renderConsent(askingOf(context, interaction), {
      person: profileOf(signedIn.user),
      askPassword: mustAskPassword(context, interaction, signedIn),
      ...view,
    }),
    [],
    waitMs,
  );

async function showStep(context: Context<Tables>, interaction: Interaction): Promise<Answer<string>> {
  const asking = askingOf(context, interaction);
  if (interaction.step === "sign-out") {
    const signedIn = await findSignedIn(context);
    return show(renderSignOut(asking, signedIn && profileOf(signedIn.user)));
  }
  const signedIn = await findPerson(context, interaction);
  if (!signedIn || interaction.step === "sign-in")
    return show(renderSignIn(asking, { username: interaction.loginHint ?? signedIn?.user.username }));
  if (interaction.step === "choose-account")
    return show(renderChooseAccount(asking, profileOf(signedIn.user)));
  return showConsent(context, interaction, signedIn);
}

/** The problem of the password that a framed consent requires, or undefined. */
async function findPasswordRefusal(
  context: Context<Tables>,
  interaction: Interaction,
  signedIn: SignedIn,
  password: string,
): Promise<Refusal | undefined> {
  if (!mustAskPassword(context, interaction, signedIn)) return undefined;
  const { username, account, id } = signedIn.user;
  const outcome = await signInByPassword(context, { account, name: username, password });
  if (outcome.kind === "proven" && outcome.user.id === id) return undefined;
  if (outcome.kind === "locked")
    return {
      status: 429,
      problem: `Too many attempts. Please wait ${inMinutes(outcome.waitMs)}.`,
      waitMs: outcome.waitMs,
    };
  return { status: 401, problem: "The password is not right." };
}

async function takeConsent(
  context: Context<Tables>,
  interaction: Interaction,
  body: { form_token?: string; decision?: string; password?: string },
): Promise<Answer<string | undefined>> {
  const signedIn = await findPerson(context, interaction);
  // The step may have changed meanwhile, in another tab: whatever it is now decides.
  if (!signedIn || interaction.step !== "consent" || !interaction.client)
    return leadTo(context, continuePath(interaction));
  if (!isGenuineForm(context, body.form_token))
    return showConsent(context, interaction, signedIn, { problem: EXPIRED_FORM, status: 403 });
  if (body.decision !== "allow")
    return showConsent(context, interaction, signedIn, { problem: "Please decide.", status: 400 });
  const refusal = await findPasswordRefusal(context, interaction, signedIn, body.password ?? "");
  if (refusal) return showConsent(context, interaction, signedIn, refusal);
  const { clientId } = interaction.client;
  await context.transact(async (inner) => {
    const { scopes, account } = interaction;
    await recordConsent(inner, { account, userId: signedIn.user.id, clientId, scopes });
    await noteConsent(inner, interaction.id, signedIn.session, scopes);
  });
  return leadTo(context, continuePath(interaction));
}

const again = ({ id }: Interaction, context: Context<Tables>) => leadTo(context, interactionPath(id));

export const decisionOperations = [
  askedPage(
    {
      id: "identity.pages.interaction",
      summary: "Shows the page for the current step of a pending request",
      description:
        "The step is sign-in, account choice, consent or sign-out. The request must have started in this browser, at most 30 minutes ago. Otherwise the response is a 404 page.",
      path: "",
    },
    showStep,
  ),
  askedForm(
    {
      id: "identity.pages.takeConsent",
      summary: "Records the person's consent and continues the request",
      description: `Stores the scopes for this person and client, so later requests for the same scopes do not ask again. A form inside a frame also needs the password if the sign-in is older than ${JUST_NOW_MS / 60_000} minutes. Wrong passwords count towards the sign-in limit. The response redirects to \`identity.resumeAuthorization\`.`,
      path: "/consent",
      transaction: "manual",
      fields: ["decision", "password"],
    },
    takeConsent,
  ),
  askedForm(
    {
      id: "identity.pages.deny",
      summary: "Records that the person refuses a pending request",
      description:
        "Allowed at every step. The client then gets `access_denied`; a refused sign-out leaves the person signed in.",
      path: "/deny",
      fields: [],
    },
    async (context, interaction, form) => {
      if (!isGenuineForm(context, form.form_token)) return again(interaction, context);
      await noteDenial(context, interaction.id);
      return leadTo(context, continuePath(interaction));
    },
  ),
  askedForm(
    {
      id: "identity.pages.chooseAccount",
      summary: "Continues a pending request with the current session",
      description:
        "Answers a request with `prompt=select_account`. Without a session of the client's account, the page is shown again.",
      path: "/choose",
      fields: [],
    },
    async (context, interaction, form) => {
      const signedIn = await findPerson(context, interaction);
      if (!signedIn || !isGenuineForm(context, form.form_token)) return again(interaction, context);
      await noteAccountChosen(context, interaction.id, signedIn.session);
      return leadTo(context, continuePath(interaction));
    },
  ),
  askedForm(
    {
      id: "identity.pages.switchPerson",
      summary: "Signs out in this browser, so that another person can sign in",
      description:
        "Ends the session here and notifies the clients that used it, then shows the sign-in step of the same request. The request itself stays pending.",
      path: "/switch",
      fields: [],
    },
    async (context, interaction, form) =>
      isGenuineForm(context, form.form_token)
        ? leadOut(context, continuePath(interaction), await signOutHere(context))
        : again(interaction, context),
  ),
  askedForm(
    {
      id: "identity.pages.takeSignOut",
      summary: "Records the person's answer to a client's sign-out request",
      description:
        "`sign-out` ends the session of this browser and notifies the clients that used it. Any other decision leaves the person signed in. The response redirects to `identity.resumeLogout`.",
      path: "/sign-out",
      fields: ["decision"],
    },
    async (context, interaction, form) => {
      if (interaction.step !== "sign-out" || !isGenuineForm(context, form.form_token))
        return again(interaction, context);
      if (form.decision === "sign-out") {
        const { cookies, frames } = await signOutHere(context);
        await noteFrames(context, interaction.id, frames);
        return leadTo(context, continuePath(interaction), cookies);
      }
      await noteDenial(context, interaction.id);
      return leadTo(context, continuePath(interaction));
    },
  ),
];

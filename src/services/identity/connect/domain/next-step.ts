/** Decides the next step before a request can be answered. Pure. */

import { OPENID } from "../../clients/index.ts";
import type { BrowserSession } from "../../people/index.ts";
import type { AuthorizationRequest, Problem } from "./authorization-request.ts";
import { consentItems } from "./claims-request.ts";

/** The steps that are done for this request. */
export type Progress = {
  readonly signedInSessionId?: string | undefined;
  readonly chosenSessionId?: string | undefined;
  /** The consent given in this request; undefined if the person was not asked. */
  readonly agreement?: Agreement | undefined;
};
export type Agreement = { readonly userId: string; readonly scopes: readonly string[] };
export type Situation = {
  readonly request: AuthorizationRequest;
  readonly nowMs: number;
  /** Of the client's account; a session of another account counts as none. */
  readonly session: BrowserSession | undefined;
  /** The client's name for the signed-in person. */
  readonly subject: string | undefined;
  readonly consent: readonly string[];
  readonly progress: Progress;
  /** The person that `login_hint` names, when there is one. */
  readonly loginHintUserId: string | undefined;
  /** An unregistered redirect of a client in test mode is confirmed by the person every time. */
  readonly confirmRedirect: boolean;
};
export type Decision =
  /** `scopes`: with claims that none of them opens among them, as `consentItems` spells them. */
  | { readonly kind: "answer"; readonly session: BrowserSession; readonly scopes: readonly string[] }
  | {
      readonly kind: "ask";
      readonly step: "sign-in" | "choose-account" | "consent";
      readonly mustReauthenticate: boolean;
    }
  | { readonly kind: "refuse"; readonly problem: Problem };

const refuse = (error: string, description: string): Decision => ({
  kind: "refuse",
  problem: { error, description },
});
const ask = (step: "sign-in" | "choose-account" | "consent", mustReauthenticate = false): Decision => ({
  kind: "ask",
  step,
  mustReauthenticate,
});

export function decideNextStep(situation: Situation): Decision {
  const decision = decideInteractively(situation);
  if (decision.kind !== "ask" || !situation.request.prompts.includes("none")) return decision;
  return refuseSilently(decision.step, situation);
}

function refuseSilently(step: "sign-in" | "choose-account" | "consent", situation: Situation): Decision {
  if (step === "sign-in") return refuse("login_required", "Nobody is signed in, or not recently enough.");
  if (step === "choose-account")
    return refuse("account_selection_required", "Somebody else than the person hinted at is signed in.");
  const onlyConfirmation = missingScopes(situation).length === 0;
  return onlyConfirmation
    ? refuse("interaction_required", "The redirect is not registered, so the person has to confirm it.")
    : refuse("consent_required", "The person has not agreed to all of this yet.");
}

function decideInteractively(situation: Situation): Decision {
  const { session, progress } = situation;
  if (!session) return ask("sign-in");
  const isFresh = progress.signedInSessionId === session.id;
  if (isSomebodyElse(situation))
    return isFresh
      ? refuse("login_required", "Somebody else signed in than the request names.")
      : ask("sign-in");
  if (!isFresh && needsSignIn(situation, session)) return ask("sign-in", true);
  if (!isFresh && progress.chosenSessionId !== session.id && needsChoice(situation, session))
    return ask("choose-account");
  return decideConsent(situation, session);
}

const isSomebodyElse = ({ request: { expectedSubjects }, subject = "" }: Situation): boolean =>
  expectedSubjects !== undefined && !expectedSubjects.includes(subject);
function needsSignIn({ request, nowMs }: Situation, session: BrowserSession): boolean {
  if (request.prompts.includes("login")) return true;
  return request.maxAgeSeconds !== undefined && nowMs - session.authTimeMs > request.maxAgeSeconds * 1000;
}
function needsChoice({ request, loginHintUserId }: Situation, session: BrowserSession): boolean {
  if (request.prompts.includes("select_account")) return true;
  return loginHintUserId !== undefined && loginHintUserId !== session.userId;
}

const missingScopes = ({ request, consent }: Situation): readonly string[] =>
  consentItems(request).filter((item) => !consent.includes(item));

function decideConsent(situation: Situation, session: BrowserSession): Decision {
  const { request, progress, confirmRedirect } = situation;
  const { agreement } = progress;
  if (agreement?.userId === session.userId) {
    const scopes = consentItems(request).filter((item) => item === OPENID || agreement.scopes.includes(item));
    return { kind: "answer", session, scopes };
  }
  const mustAsk =
    request.prompts.includes("consent") || confirmRedirect || missingScopes(situation).length > 0;
  return mustAsk ? ask("consent") : { kind: "answer", session, scopes: consentItems(request) };
}

/** The data of a pending request for the pages. */
import type { ClientCard } from "../../clients/index.ts";

export type Display = "page" | "popup" | "modal";

/** Addresses below the mount. */
export const interactionPath = (interactionId: string): string => `/interaction/${interactionId}`;
export const resumePath = (interactionId: string): string => `/authorize/resume/${interactionId}`;
export const logoutResumePath = (interactionId: string): string => `/logout/resume/${interactionId}`;

/**
 * A request that waits for a person. `/interaction/{id}` shows what `step` asks for; when that
 * is done the browser is sent (303) to `resumePath(id)` (`logoutResumePath(id)` for the step `sign-out`), which either
 * answers the application or leads back here with the next step.
 */
export type Interaction = {
  readonly id: string;
  readonly account: string;
  readonly step: "sign-in" | "choose-account" | "consent" | "sign-out";
  readonly display: Display;
  readonly client: ClientCard | undefined;
  /** Known requested scopes, and claims requested by name. The pages describe what each one shares. */
  readonly scopes: readonly string[];
  readonly loginHint: string | undefined;
  /** True when the person must prove themselves again although a session exists. */
  readonly mustReauthenticate: boolean;
  /**
   * The origin of the answer, for `form-action` in the content security policy: browsers check the whole chain of
   * redirects after a form against it. Undefined if there is none.
   */
  readonly answerOrigin: string | undefined;
  /** Origins that may frame the modal, for `frame-ancestors`: only those of registered redirects. */
  readonly frameOrigins: readonly string[];
  readonly expiresAtMs: number;
};

/** Public interface of `connect`: from the authorization request to tokens, and to their revocation. */
export { findTokenPrincipal } from "./access-token.ts";
export { authorize, resumeAuthorization } from "./authorize.ts";
export { deleteClient } from "./client-deletion.ts";
export { findMarkedClaim, wishedClaims } from "./domain/claims-request.ts";
export {
  type Display,
  type Interaction,
  interactionPath,
  logoutResumePath,
  resumePath,
} from "./domain/interaction.ts";
export { sessionStateOf } from "./domain/session-state.ts";
export { revokeGrants } from "./grants.ts";
export {
  findInteraction,
  noteAccountChosen,
  noteConsent,
  noteDenial,
  noteFrames,
  noteSignIn,
} from "./interactions.ts";
export { jobs as connectJobs } from "./jobs.ts";
export { logout, resumeLogout } from "./logout.ts";
export { migrations as connectMigrations } from "./migrations.ts";
export { operations as connectOperations } from "./operations/index.ts";
export type { Outcome, ProblemPage, SignedOutPage } from "./outcome.ts";
export { findOwner, issueOwnerToken } from "./owner-token.ts";
export { issueByPassword } from "./password-grant.ts";
export { type SignedOut, signIn, signOutElsewhere, signOutHere, signOutThere } from "./sign-outs/sessions.ts";
export { forget, type State, start } from "./state.ts";
export { type Tables as ConnectTables, tables as connectTables } from "./tables.ts";
export { AuthorizeParameters, LogoutParameters } from "./wire.ts";

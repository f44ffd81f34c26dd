/** Public interface of `people`: people, their credentials and their consents. Imports no other room. */
export {
  findConsent,
  forgetConsent,
  forgetConsentsOfClient,
  listConsents,
  recordConsent,
} from "./consents.ts";
export {
  basePathOf,
  clearOpenCookie,
  findCookie,
  hostCookie,
  listHostCookies,
  openCookie,
} from "./cookies.ts";
export type { BrowserSession } from "./domain/browser-session.ts";
export { findEmailProblem, findPasswordProblem, findUsernameProblem, keyOf } from "./domain/names.ts";
export type { Address, Profile } from "./domain/profile.ts";
export {
  PROFILE_FIELDS,
  type ProfileField,
  type ProfileProblems,
  type ProfileValues,
  readProfile,
  valuesOf,
} from "./domain/profile-form.ts";
export { describeAgent } from "./domain/user-agents.ts";
export { endUsersPort } from "./end-users.ts";
export { type FormGuard, guardForms, isGenuineForm } from "./forgery.ts";
export {
  countAttempt,
  findWaitMs,
  forgetAttempts,
  inMinutes,
  limits,
  rememberedMs,
  waitHeaders,
} from "./guessing.ts";
export { jobs as peopleJobs } from "./jobs.ts";
export { findPerson } from "./known-person.ts";
export { findMailToken, sendTokenMail, takeMailToken } from "./mails.ts";
export { migrations as peopleMigrations } from "./migrations.ts";
export { bringNamedUsers } from "./named-users.ts";
export {
  addPasskey,
  createOptions,
  findByPasskey,
  findRelyingParty,
  listPasskeys,
  removePasskey,
  signInOptions,
} from "./passkeys.ts";
export { hashPassword } from "./passwords.ts";
export {
  endBrowserSession,
  endOtherSessions,
  endSessionOf,
  findBrowserSession,
  listSessions,
  noteSeen,
  type StartedSession,
  startBrowserSession,
} from "./sessions.ts";
export { forgetGuesses, type SignInOutcome, signInByPassword } from "./sign-in.ts";
export {
  type ConsentRow,
  type MailTokenRow,
  type PasskeyRow,
  type SessionRow,
  type Tables as PeopleTables,
  tables as peopleTables,
  type UserRow,
} from "./tables.ts";
export {
  changePassword,
  changeProfile,
  createPerson,
  deleteUser,
  findProfile,
  findProfileByHint,
  findUser,
  listMailCandidates,
  profileOf,
  proveEmail,
} from "./users.ts";

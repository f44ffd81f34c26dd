/**
 * The border between the two halves of this service: `connect/` and `clients/` speak the protocol to applications,
 * `people/` and `pages/` speak to people in browsers. Both halves rely on these types and names, and on nothing else
 * of each other. Imports run pages -> connect -> people, file to file, never in a circle.
 */
import type { Context } from "#kernel/operation";

// --- Names that both halves spell the same way -------------------------------------------------------------------

/** Readable by script on purpose: the session iframe watches it. Empty or absent means that nobody is signed in. */
export const BROWSER_STATE_COOKIE = "identity_browser_state";
/** Holds an owner's access token; honoured below `/dashboard` only, so that it cannot be abused against `/client`. */
export const OWNER_COOKIE = "identity_owner";
/** Ids of operations that answer with pages begin so; their errors are rendered as pages. */
export const PAGE_OPERATION_PREFIX = "identity.pages.";
/** The operation that takes `username` and `password` (or `token`) of an account owner as a form; see `protocol.ts`. */
export const OWNER_SIGN_IN_PATH = "/dashboard/sign-in";

/** Addresses below the mount. */
export const interactionPath = (interactionId: string): string => `/interaction/${interactionId}`;
export const resumePath = (interactionId: string): string => `/authorize/resume/${interactionId}`;
export const logoutResumePath = (interactionId: string): string => `/logout/resume/${interactionId}`;

// --- What people/ offers to connect/ -------------------------------------------------------------------------------

/** `people/sessions.ts`: somebody signed in at this browser. */
export type BrowserSession = {
  /** Public name of the session (the `sid` claim); never the secret inside the cookie. */
  readonly id: string;
  readonly account: string;
  readonly userId: string;
  /** When the person last actively proved who they are. */
  readonly authTimeMs: number;
  /** The value of the browser-state cookie that goes with this session. */
  readonly browserState: string;
  /** Authentication methods as RFC 8176 names them: `pwd`, `hwk`, … */
  readonly methods: readonly string[];
};
/** Reads the cookie of the request. Works in and outside transactions. */
export type FindBrowserSession = (context: Context) => Promise<BrowserSession | undefined>;
/** Ends the session of this browser, if any, and answers the `set-cookie` values that make the browser forget it. */
export type EndBrowserSession = (
  context: Context,
) => Promise<{ readonly endedId: string | undefined; readonly cookies: readonly string[] }>;

export type Address = {
  readonly formatted?: string;
  readonly street_address?: string;
  readonly locality?: string;
  readonly region?: string;
  readonly postal_code?: string;
  readonly country?: string;
};
/** `people/users.ts`: what is known about a person, in the words of OpenID Connect. */
export type Profile = {
  readonly id: string;
  readonly account: string;
  readonly username: string;
  readonly name?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly nickname?: string;
  readonly picture?: string;
  readonly website?: string;
  readonly gender?: string;
  readonly birthdate?: string;
  readonly zoneinfo?: string;
  readonly locale?: string;
  readonly email?: string;
  readonly emailVerified: boolean;
  readonly phoneNumber?: string;
  readonly phoneNumberVerified: boolean;
  readonly address?: Address;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly address?: Address };
  readonly updatedAtMs: number;
};
export type FindProfile = (db: Context["db"], userId: string) => Promise<Profile | undefined>;
/** By user name or e-mail within an account: to compare a `login_hint` with the person who is signed in. */
export type FindProfileByHint = (
  db: Context["db"],
  account: string,
  hint: string,
) => Promise<Profile | undefined>;

/** `people/consents.ts`: scopes a person has agreed to share with a client; empty when none. */
export type FindConsent = (db: Context["db"], userId: string, clientId: string) => Promise<readonly string[]>;
/** Adds to what was agreed before. Needs a transaction. */
export type RecordConsent = (
  context: Context,
  agreement: {
    readonly account: string;
    readonly userId: string;
    readonly clientId: string;
    readonly scopes: readonly string[];
  },
) => Promise<void>;
/** A deleted client is forgotten. Needs a transaction. */
export type ForgetConsentsOfClient = (context: Context, clientId: string) => Promise<void>;

// --- What pages/ offers to connect/ --------------------------------------------------------------------------------

/** A page ready to be answered: `answer(page.status, page.html, page.headers)` with `media("text/html; charset=utf-8")`. */
export type Page = {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
};
/** `pages/error-page.ts`. Pure: no database. `description` is safe to show; `code` is an OAuth error name. */
export type RenderErrorPage = (problem: {
  readonly status: number;
  readonly code: string;
  readonly description: string;
}) => Page;
/**
 * `pages/signed-out-page.ts`: after a sign-out that leads nowhere else, or that other applications have to be told of
 * first: each `frames` is shown, then the browser goes on to `next`.
 */
export type RenderSignedOutPage = (
  clientName: string | undefined,
  onward?: { readonly frames: readonly string[]; readonly next: string | undefined },
) => Page;

// --- What connect/ offers to pages/ --------------------------------------------------------------------------------

export type Display = "page" | "popup" | "modal";

/** What the pages may say about the application that asks. */
export type ClientCard = {
  readonly clientId: string;
  readonly account: string;
  readonly name: string;
  readonly uri: string;
  readonly logoUri?: string;
  readonly policyUri?: string;
  readonly tosUri?: string;
  readonly testMode: boolean;
};

/**
 * `connect/interactions.ts`: a request that waits for a person. `/interaction/{id}` shows what `step` asks for; when that
 * is done the browser is sent (303) to `resumePath(id)` (`logoutResumePath(id)` for the step `sign-out`), which either
 * answers the application or leads back here with the next step.
 */
export type Interaction = {
  readonly id: string;
  readonly account: string;
  readonly step: "sign-in" | "choose-account" | "consent" | "sign-out";
  readonly display: Display;
  readonly client: ClientCard | undefined;
  /** Scopes asked for, known ones only, and claims asked for by name; the pages say in words what each of them shares. */
  readonly scopes: readonly string[];
  readonly loginHint: string | undefined;
  /** True when the person must prove themselves again although a session exists. */
  readonly mustReauthenticate: boolean;
  /**
   * Where the answer will go, for `form-action` in the content security policy: browsers hold the whole chain of
   * redirects after a form against it. Undefined where there is none.
   */
  readonly answerOrigin: string | undefined;
  /** Origins that may show the modal in a frame, for `frame-ancestors`: those of registered redirects alone. */
  readonly frameOrigins: readonly string[];
  readonly expiresAtMs: number;
};
/** Undefined when unknown, expired, answered, or begun in another browser (a cookie ties it to one). */
export type FindInteraction = (context: Context, id: string) => Promise<Interaction | undefined>;
/** The person signed in (or proved themselves again) within this interaction. Needs a transaction. */
export type NoteSignIn = (context: Context, id: string, session: BrowserSession) => Promise<void>;
/** The person goes on with the session that is there, where `choose-account` was asked for. Needs a transaction. */
export type NoteAccountChosen = (context: Context, id: string, session: BrowserSession) => Promise<void>;
/** The person agreed; also call RecordConsent. Counts for nobody else. Needs a transaction. */
export type NoteConsent = (
  context: Context,
  id: string,
  session: BrowserSession,
  scopes: readonly string[],
) => Promise<void>;
/** The person refused, at any step; the application is told `access_denied`. Needs a transaction. */
export type NoteDenial = (context: Context, id: string) => Promise<void>;

/**
 * `connect/grants.ts`: everything issued to a client (to all clients when absent) in a person's name stops working.
 * For "connected applications: remove" and for deleted people. Needs a transaction.
 */
export type RevokeGrants = (
  context: Context,
  whose: { readonly account: string; readonly userId: string; readonly clientId?: string },
) => Promise<void>;

/**
 * `connect/owner-token.ts`: a short-lived token for the caller of the sign-in operation, to be put in OWNER_COOKIE; it
 * ends with the credential that was shown.
 */
export type IssueOwnerToken = (
  context: Context,
  shown: { readonly username?: string; readonly token?: string },
) => Promise<{ readonly token: string; readonly maxAgeSeconds: number }>;

// `connect/sign-outs/sessions.ts`: pages end and begin sessions through it alone, so that applications are told.

// `clients/registry.ts` offers the dashboard what the wire operations use themselves: `listClients(context)`,
// `getClient(context, clientId)`, `createClient(context, body)`, `updateClient(context, clientId, body)`,
// `rotateSecret(context, clientId)` and `deleteClient(context, clientId)`, all on `context.account`, with the bodies
// of `wire.ts` (ClientBody in, ClientAnswer out); they throw the errors of `errors.ts`.

// --- What each half gives to index.ts ------------------------------------------------------------------------------

// `people/index.ts`: `peopleMigrations` (Record<string, Migration>, names beginning "people-"), `peopleTables`
// (table names beginning `identity_`), `peopleJobs`, `endUsersPort` (the implementation of `#ports/end-users`).
// `pages/index.ts`: `pageOperations` (ids beginning PAGE_OPERATION_PREFIX).
//
// The session cookie, its CSRF defences and all `set-cookie` of sign-in belong to people/. Cookie paths: the path of
// `context.request.mountUrl`, or `/` where that is empty. One browser holds one session; a session of another account
// than the client's counts as none. Users belong to the account of the client they sign in for.

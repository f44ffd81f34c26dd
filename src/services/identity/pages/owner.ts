/** Names that the dashboard's sign-in shares with the reading of credentials. */

/** Holds an owner's access token; honoured below `/dashboard` only, so that it cannot be abused against `/client`. */
export const OWNER_COOKIE = "identity_owner";
/** The operation that takes `username` and `password` (or `token`) of an account owner as a form; see `protocol.ts`. */
export const OWNER_SIGN_IN_PATH = "/dashboard/sign-in";

/** The tables of people, as rows. Times are milliseconds on the kernel clock. */

export type UserRow = {
  /** The subject that clients get to see. */
  id: string;
  account: string;
  username: string;
  /** The user name as it is compared: names that look alike but for case are one name. */
  username_key: string;
  email: string | null;
  email_key: string | null;
  /** Set once the address is proven. It is unique, so that nobody else can prove the same address. */
  proven_email_key: string | null;
  password_hash: string;
  /** JSON of `Profile`. */
  profile: string;
  /** Where this person signed in last: the address that mails may safely lead to. */
  home_url: string | null;
  created_at: number;
  updated_at: number;
};
/** A person named in the credentials file. These people survive a reset of state, like the account itself. */
export type NamedUserRow = {
  account: string;
  username_key: string;
  email_key: string | null;
  user_id: string;
  username: string;
  email: string | null;
  name: string | null;
  password_hash: string;
};
export type SessionRow = {
  id: string;
  account: string;
  secret_digest: string;
  /** Changes only when a different person signs in. */
  browser_state: string;
  user_id: string;
  /** JSON array of how they proved who they are: `pwd`, or `hwk` and `user` for a passkey. */
  methods: string;
  created_at: number;
  authenticated_at: number;
  seen_at: number;
  expires_at: number;
  address: string;
  agent: string;
};
export type AttemptRow = {
  /** `sign-in-name:<digest>`, `sign-in-address:<digest>` and the like. */
  key: string;
  account: string;
  count: number;
  window_ends_at: number;
};
export type MailTokenRow = {
  digest: string;
  account: string;
  user_id: string;
  purpose: string;
  email: string;
  created_at: number;
  expires_at: number;
};
export type PasskeyRow = {
  credential_id: string;
  account: string;
  user_id: string;
  /** The host name it was made for; browsers offer it nowhere else. */
  relying_party: string;
  public_key: string;
  counter: number;
  transports: string;
  name: string;
  created_at: number;
  used_at: number | null;
};
export type ChallengeRow = {
  challenge: string;
  account: string;
  purpose: string;
  /** Ties the challenge to the browser it was made for. */
  browser_digest: string;
  expires_at: number;
};
export type ConsentRow = {
  user_id: string;
  client_id: string;
  account: string;
  /** JSON array of the agreed scopes. */
  scopes: string;
  granted_at: number;
  updated_at: number;
};

export type Tables = {
  identity_user: UserRow;
  identity_named_user: NamedUserRow;
  identity_session: SessionRow;
  identity_attempt: AttemptRow;
  identity_mail_token: MailTokenRow;
  identity_passkey: PasskeyRow;
  identity_challenge: ChallengeRow;
  identity_consent: ConsentRow;
};
/** Without `identity_named_user`: people in the credentials file survive a reset, like other credentials. */
export const tables: readonly (keyof Tables)[] = [
  "identity_user",
  "identity_session",
  "identity_attempt",
  "identity_mail_token",
  "identity_passkey",
  "identity_challenge",
  "identity_consent",
];

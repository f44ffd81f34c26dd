/** Row types. */
export type RoleRow = {
  account: string;
  name: string;
  description: string | null;
  /** The policy document as it was given; null where the role may do what its account may. */
  policy: string | null;
  /** A list of accounts. */
  trusted: string;
  external_id: string | null;
  seconds_max: number;
  created_at: number;
  updated_at: number;
};
export type SessionRow = {
  account: string;
  /** The access key's. */
  id: string;
  secret: string;
  token: string;
  /** Who it stands for: an access key's id, or the name of a role's session. */
  name: string;
  scopes: string | null;
  /** Lists of policies, each of which restricts. */
  restrictions: string;
  issued_to: string | null;
  created_at: number;
  expires_at: number;
};
export type Tables = { security_tokens_role: RoleRow; security_tokens_session: SessionRow };
export const tables = ["security_tokens_role", "security_tokens_session"];

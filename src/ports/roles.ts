/** Roles that signed callers may assume, as named in the credentials file. */
import type { RoleFile } from "#kernel/auth";
import { type Context, definePort } from "#kernel/operation";

export type Roles = {
  /** Creates or replaces the roles. */
  ensure(context: Context, roles: readonly RoleFile[]): Promise<void>;
};
export const roles = definePort<Roles>("roles");

/** Roles that signed callers may assume, as the credentials file names them. */
import type { RoleFile } from "#kernel/auth";
import { type Context, definePort } from "#kernel/operation";

export type Roles = {
  /** Makes them, or replaces what they say. */
  ensure(context: Context, roles: readonly RoleFile[]): Promise<void>;
};
export const roles = definePort<Roles>("roles");

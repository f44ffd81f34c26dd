/** People who sign in through the identity service, as the credentials file names them. */
import type { EndUser } from "#kernel/auth";
import { type Context, definePort } from "#kernel/operation";

export type EndUsers = {
  /** Makes them if they are not there yet, and sets their passwords; joins the context's transaction where it can. */
  ensure(context: Context, users: readonly EndUser[]): Promise<void>;
};
export const endUsers = definePort<EndUsers>("end-users");

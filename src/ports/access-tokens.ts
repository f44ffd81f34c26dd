/** Signed access tokens of the identity service, which open every other service as well. */
import { type Context, definePort, type Principal } from "#kernel/operation";

export type AccessTokens = {
  /** Whom the token speaks for; undefined when it is none, has expired or was revoked. Reads no database as a rule. */
  findPrincipal(context: Context, token: string): Promise<Principal | undefined>;
};
export const accessTokens = definePort<AccessTokens>("access-tokens");

/** Signed access tokens of the identity service. Every other service accepts them. */
import { type Context, definePort, type Principal } from "#kernel/operation";

export type AccessTokens = {
  /**
   * Principal of a token. Undefined if the token is invalid, expired or revoked. It usually needs no
   * database query.
   */
  findPrincipal(context: Context, token: string): Promise<Principal | undefined>;
};
export const accessTokens = definePort<AccessTokens>("access-tokens");

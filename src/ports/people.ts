/**
 * Users of the identity service, for services that record who did something. Without it, no user is known.
 */
import { type Context, defineJoinedPort, firstAnswer } from "#kernel/operation";

export type Person = {
  readonly id: string;
  readonly username: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly picture?: string | undefined;
  readonly profile?: string | undefined;
  readonly registeredAtMs: number;
};
/** Parameters of a token request. Basic credentials are read from the request. */
export type PasswordGrant = Readonly<Record<string, string | readonly string[] | undefined>>;
export type IssuedToken = {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly account: string;
  readonly userId: string;
};
export type People = {
  /** Finds a user of the context's account. */
  find(context: Context, userId: string): Promise<Person | undefined>;
  /** Name of a registered client. */
  findClientName(context: Context, clientId: string): Promise<string | undefined>;
  /**
   * Issues an access token for a user's name and password, requested by a registered client. Throws the
   * errors of the token endpoint. Undefined if no service issues tokens. Must not run in a transaction.
   */
  issueByPassword(
    context: Context,
    given: PasswordGrant,
    scopes: readonly string[],
  ): Promise<IssuedToken | undefined>;
};
export const people = defineJoinedPort(
  "people",
  firstAnswer<People>({ find: undefined, findClientName: undefined, issueByPassword: undefined }),
);

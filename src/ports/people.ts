/** People of the identity service, for services that know who did something; without it nobody is known. */
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
/** As a client shows it at a token address; Basic credentials are read from the request. */
export type PasswordGrant = Readonly<Record<string, string | readonly string[] | undefined>>;
export type IssuedToken = {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly account: string;
  readonly userId: string;
};
export type People = {
  /** Of the context's account. */
  find(context: Context, userId: string): Promise<Person | undefined>;
  /** What a registered client is called. */
  findClientName(context: Context, clientId: string): Promise<string | undefined>;
  /**
   * An access token for a person's name and password, shown by a registered client; throws the token address's errors.
   * Undefined where nobody issues any. Not inside a transaction.
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

/** Results of the endpoints that a browser visits. `connect` decides, and `pages` renders what people see. */
import { type Answer, answer, type Context } from "#kernel/operation";

/** There is no safe redirect for the error, so it is shown to the person. `code` is an OAuth error name. */
export type ProblemPage = {
  readonly page: "problem";
  readonly status: number;
  readonly code: string;
  readonly description: string;
  readonly waitMs?: number;
};
/**
 * The page after a sign-out without a redirect, or before it if other applications must be notified. It loads each of
 * `frames`, and then the browser continues to `next`.
 */
export type SignedOutPage = {
  readonly page: "signed-out";
  readonly clientName: string | undefined;
  readonly frames: readonly string[];
  readonly next: string | undefined;
  readonly cookies: readonly string[];
};
export type Outcome = Answer<string | undefined> | ProblemPage | SignedOutPage;

export const problemPage = (status: number, code: string, description: string): ProblemPage => ({
  page: "problem",
  status,
  code,
  description,
});

export const seeOther = (
  { request }: Pick<Context, "request">,
  path: string,
  cookies: readonly string[],
): Answer<undefined> =>
  answer(303, undefined, {
    "cache-control": "no-store",
    location: `${request.mountUrl}${path}`,
    ...(cookies.length > 0 && { "set-cookie": cookies }),
  });

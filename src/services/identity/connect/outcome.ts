/** What the endpoints that a browser visits come to. Connect decides; what is for a person's eyes, the pages render. */
import { type Answer, answer, type Context } from "#kernel/operation";

/** There is nowhere safe to send an error, so the person is told. `code` is an OAuth error name. */
export type ProblemPage = {
  readonly page: "problem";
  readonly status: number;
  readonly code: string;
  readonly description: string;
  readonly waitMs?: number;
};
/**
 * After a sign-out that leads nowhere else, or that other applications have to be told of first: each of `frames` is
 * shown, then the browser goes on to `next`.
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

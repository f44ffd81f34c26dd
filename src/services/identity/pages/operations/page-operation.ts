/** Code that all page operations share: answers, redirects and forms. */
import { type Static, Type } from "@sinclair/typebox";
import type { Page } from "#kernel/html";
import { type Answer, answer, type Context, media, noBody, operationsFor } from "#kernel/operation";
import { demanded } from "#kernel/shape";
import type { ConnectTables, Outcome, SignedOut, State } from "../../connect/index.ts";
import {
  type BrowserSession,
  basePathOf,
  findBrowserSession,
  findUser,
  type PeopleTables,
  type UserRow,
  waitHeaders,
} from "../../people/index.ts";
import { renderErrorPage } from "../error-page.ts";
import { type FieldName, fieldWords, isDemanded } from "../field-words.ts";
import { renderSignedOutPage } from "../signed-out-page.ts";

export type Tables = PeopleTables & ConnectTables;
export const operation = operationsFor<Tables, State>();

const Html = media("text/html; charset=utf-8");
/** A page that is shown. */
export const pageAnswers = { 200: Html, 303: noBody, 404: Html };
/** A form redirects, or is shown again with its errors. */
export const formAnswers = { 200: Html, 303: noBody, 400: Html, 401: Html, 403: Html, 404: Html, 429: Html };

export const FORM_BYTES_MAX = 64 * 1024;

/** Members may be missing; the handler reports it on the page. Repeated names are refused earlier. */
const textOf = (name: FieldName) => {
  const text = Type.String({ ...fieldWords[name] });
  return isDemanded(name) ? demanded(text) : Type.Optional(text);
};
export const formBody = <Name extends FieldName>(...names: readonly Name[]) =>
  Type.Object(
    Object.fromEntries([...names, "form_token" as const].map((name) => [name, textOf(name)])) as Record<
      Name | "form_token",
      ReturnType<typeof textOf>
    >,
  );
/** The pending request that a page returns to. */
export const Interaction = Type.Object({
  interaction: Type.String({
    maxLength: 128,
    description: "The request that waited for the person.",
    examples: ["k3Jx0Qm2vT"],
  }),
});
/** The change to report on the page. */
export const Done = Type.Object({
  done: Type.Optional(
    Type.String({ maxLength: 40, description: "What was just done.", examples: ["profile"] }),
  ),
});
export type FormOf<Name extends FieldName> = Static<ReturnType<typeof formBody<Name>>>;
/** Declarations of every operation with a form. */
export const formSettings = {
  method: "POST",
  permission: "anyone",
  bodyKinds: ["form"],
  bodyBytesMax: FORM_BYTES_MAX,
} as const;

export type PageAnswer = Answer<string | undefined>;
/** The part of an operation's declaration that differs from its siblings. */
export type Declared<Path extends string> = {
  readonly id: `identity.pages.${string}`;
  readonly summary: string;
  readonly description: string;
  readonly path: Path;
  /** For slow work such as hashing a password. */
  readonly transaction?: "manual";
};

/** `waitMs`: the time to wait after a refusal. */
export const show = (page: Page, cookies: readonly string[] = [], waitMs?: number): Answer<string> => {
  const given = page.headers["set-cookie"] ?? [];
  const all = [...(typeof given === "string" ? [given] : given), ...cookies];
  return answer(page.status, page.html, {
    ...page.headers,
    ...(all.length > 0 && { "set-cookie": all }),
    ...(waitMs !== undefined && waitHeaders(waitMs)),
  });
};

/** Renders the result that `connect` decided on. */
export function showOutcome(outcome: Outcome): PageAnswer {
  if (!("page" in outcome)) return outcome;
  return outcome.page === "problem"
    ? show(renderErrorPage(outcome), [], outcome.waitMs)
    : show(renderSignedOutPage(outcome), outcome.cookies);
}

/** Only ever to a path of our own. */
export const leadTo = (
  context: Pick<Context, "request">,
  path: string,
  cookies: readonly string[] = [],
): Answer<undefined> =>
  answer(303, undefined, {
    location: `${basePathOf(context)}${path}`,
    "cache-control": "no-store",
    ...(cookies.length > 0 && { "set-cookie": cookies }),
  });

/** Redirects only to our own paths, through a page that notifies other applications first if necessary. */
export const leadOut = (
  context: Pick<Context, "request">,
  path: string,
  { cookies, frames }: SignedOut,
): PageAnswer =>
  frames.length === 0
    ? leadTo(context, path, cookies)
    : show(
        renderSignedOutPage({ clientName: undefined, frames, next: `${basePathOf(context)}${path}` }),
        cookies,
      );

export type SignedIn = { readonly session: BrowserSession; readonly user: UserRow };
export async function findSignedIn(context: Context<PeopleTables>): Promise<SignedIn | undefined> {
  const session = await findBrowserSession(context);
  const user = session && (await findUser(context.db, session.userId));
  return session && user ? { session, user } : undefined;
}

export const EXPIRED_FORM =
  "This page had been open for too long, or cookies are switched off. Please try again.";

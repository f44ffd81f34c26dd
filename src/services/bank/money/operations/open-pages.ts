/** Code that all public pages share. */
import { Type } from "@sinclair/typebox";
import type { Page } from "#kernel/html";
import { Answer, anyone, media } from "#kernel/operation";
import {
  type BankContext,
  errors,
  findOpenPage,
  type OpenPageRow,
  type RateLimit,
} from "../../book/index.ts";

export const Html = media("text/html; charset=utf-8");
const FORM_BYTES_MAX = 16 * 1024;
const uuidParams = Type.Object({ uuid: Type.String({ minLength: 1, maxLength: 100 }) });
const atPage = { permission: anyone, params: uuidParams, tags: ["pages"], transaction: "manual" } as const;
/** The part that all operations share that show a public page. */
export const publicPage = { ...atPage, method: "GET", answers: { 200: Html, 404: Html } } as const;
/** The same of operations that take the form of a public page. */
export const publicForm = {
  ...atPage,
  method: "POST",
  bodyKinds: ["form"],
  bodyBytesMax: FORM_BYTES_MAX,
} as const;
export const show = ({ status, html, headers }: Page): Answer<string> => new Answer(status, html, headers);
export const see = (location: string): Answer<undefined> => new Answer(303, undefined, { location });

export const basePathOf = ({ request }: BankContext): string =>
  new URL(request.mountUrl).pathname.replace(/\/$/, "");
/** The rate limit is per page, because visitors of a public page are anonymous. */
const PRESSED: RateLimit = { requests: 60, windowMs: 60_000 };
/**
 * Handles a submitted form within the rate limit. Pages that do not exist are not counted. It counts before the
 * transaction, because a transaction may run again.
 */
export async function pressed<T>(
  context: BankContext,
  uuid: string,
  work: (inner: BankContext, page: OpenPageRow) => Promise<T>,
): Promise<T | undefined> {
  const page = await findOpenPage(context.db, uuid);
  if (!page) return undefined;
  if (context.state.rates.count(`page ${uuid}`, PRESSED, context.clock.nowMs()).isOver)
    throw errors.badRequest("Too much happens on this page: try again in a minute.");
  return context.state.actFor(page.account, (inner) => work(inner, page));
}
/** Runs in a transaction for the account that owns the page. The address alone identifies the page. */
export async function behind<T>(
  context: BankContext,
  uuid: string,
  work: (inner: BankContext, page: OpenPageRow) => Promise<T>,
): Promise<T | undefined> {
  const page = await findOpenPage(context.db, uuid);
  return page && context.state.actFor(page.account, (inner) => work(inner, page));
}

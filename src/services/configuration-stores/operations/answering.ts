/** Common parts of data responses: links to further pages, entity tags and past instants. */
import { hash } from "node:crypto";
import { httpDateOf, parseInstant } from "#kernel/clock";
import { type Context, operationsFor } from "#kernel/operation";
import type { Page, PageRequest } from "#kernel/paging";
import { PERMISSIONS } from "../access/protocol.ts";
import { invalidArgument } from "../errors.ts";
import type { State } from "../state.ts";
import type { Tables } from "../tables.ts";

export const operation = operationsFor<Tables, State>();
export const permission = (action: string): string => `${PERMISSIONS}/${action}`;
const PAGE_SIZE = 100;

export type DataContext = Context<Tables, State>;
export const storeOf = (params: { readonly store: string }): string => params.store.toLowerCase();

/** Reads are always consistent here. The token only serves clients that pass it on. */
export function syncToken(context: DataContext, store: string): Record<string, string> {
  const at = context.clock.machineNowMs();
  const id = Buffer.from(store).toString("base64url");
  return { "sync-token": `${id}=${Buffer.from(`0:${at}`).toString("base64")};sn=${at}` };
}

/** Instant of `Accept-Datetime`. Undefined means now. */
export function instantOf(headers: { readonly "accept-datetime"?: string }): number | undefined {
  const text = headers["accept-datetime"];
  if (text === undefined || text === "") return undefined;
  const ms = parseInstant(text);
  if (ms === undefined) throw invalidArgument("Accept-Datetime", "Accept-Datetime: Invalid date");
  return ms;
}
export const mementoHeaders = (atMs: number | undefined): Record<string, string> =>
  atMs === undefined ? {} : { "memento-datetime": httpDateOf(atMs) };

type ListedQuery = {
  readonly "api-version": string;
  readonly $select?: string;
  readonly $Select?: string;
  readonly after?: string;
};
/** A page token is bound to the store and to the filters of its query. `$select` may differ between pages. */
export function pageRequestOf(
  store: string,
  { after: token, "api-version": _version, $select: _select, $Select: _makersSelect, ...filter }: ListedQuery,
  atMs?: number,
): PageRequest {
  const invalid = () => invalidArgument("after", "after: Invalid continuation token");
  return { size: PAGE_SIZE, token, filter: { store, atMs, ...filter }, invalid };
}

type NextLinks = { readonly body: string; readonly header: string };
/**
 * URL of the next page. In the body, it is relative to the endpoint, because clients append it to theirs. In
 * the Link header, it has the whole path.
 */
export function nextLinksOf(
  context: DataContext,
  tail: string,
  { nextToken }: Page<unknown>,
): NextLinks | undefined {
  if (nextToken === undefined) return undefined;
  const { rawUrl } = context.request;
  const mark = rawUrl.indexOf("?");
  const query = new URLSearchParams(mark < 0 ? "" : rawUrl.slice(mark + 1));
  const version = query.get("api-version") ?? "";
  query.delete("api-version");
  query.delete("after");
  const rest = [...query].map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join("");
  const search = `?api-version=${encodeURIComponent(version)}${rest}&after=${nextToken}`;
  const path = mark < 0 ? rawUrl : rawUrl.slice(0, mark);
  return { body: `${tail}${search}`, header: `<${path}${search}>; rel="next"` };
}

/** Entity tag of a page. */
export const pageEtagOf = (parts: readonly string[]): string => hash("sha256", parts.join("\n"), "base64url");

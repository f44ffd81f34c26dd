/** Pages of resources: keyset cursors in absolute links, stable while others insert. */
import type { Context } from "../operation/context.ts";
import { cursorOf, readCursor } from "../paging/paging.ts";
import * as store from "./store.ts";
import type { ManagedResource } from "./types.ts";

const PAGE_SIZE = 100;
const READ_AT_ONCE_MAX = 1000;
const SCANNED_AT_ONCE = 200;
const SKIP_TOKEN = "$skipToken";

/** What to list: by subscription, in a resource group, below a parent, or linked to a resource. */
export type ListScope =
  | { readonly subscriptionId: string }
  | { readonly groupKey: string }
  | { readonly parentKey: string }
  | { readonly link: string };
type PageQuery = { readonly $top?: number; readonly $skip?: number; readonly $skipToken?: string };
type Select = (resource: ManagedResource) => boolean;
type Listed = { readonly scope: ListScope; readonly type?: string; readonly exceptType?: string };

/** The same address with another place to go on from; written as the caller wrote it. */
export function nextLinkOf(context: Context, token: string): string {
  const url = new URL(context.request.rawUrl, context.request.mountUrl);
  for (const name of [...url.searchParams.keys()])
    if (["$skiptoken", "$skip"].includes(name.toLowerCase())) url.searchParams.delete(name);
  url.searchParams.set(SKIP_TOKEN, token);
  return url.href;
}

async function* resourcesAfter(
  context: Context,
  { scope, ...types }: Listed,
  after: string,
  limit: number,
): AsyncGenerator<ManagedResource> {
  let last = after;
  for (;;) {
    const range = { account: context.account, ...types, ...scope, after: last, limit };
    const rows = await store.list(context.db, range);
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1)?.key ?? last;
  }
}

/** Reads on until the page is full; one more that fits tells that there is a next page. */
export async function pageOfResources(
  context: Context,
  listed: Listed,
  query: PageQuery,
  select?: Select,
): Promise<{ readonly resources: readonly ManagedResource[]; readonly nextLink?: string }> {
  const list = JSON.stringify(listed).toLowerCase();
  const cursor = readCursor(list, query.$skipToken);
  const after = String(cursor?.[0] ?? "");
  const size = query.$top ?? PAGE_SIZE;
  let left = cursor === undefined ? (query.$skip ?? 0) : 0;
  const limit = select ? SCANNED_AT_ONCE : Math.min(READ_AT_ONCE_MAX, left + size + 1);
  const resources: ManagedResource[] = [];
  for await (const resource of resourcesAfter(context, listed, after, limit)) {
    if (select && !select(resource)) continue;
    if (left > 0) left -= 1;
    else if (resources.length < size) resources.push(resource);
    else
      return { resources, nextLink: nextLinkOf(context, cursorOf(list, [resources.at(-1)?.key ?? after])) };
  }
  return { resources };
}

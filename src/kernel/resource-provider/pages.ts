/** Pages of resources: absolute links from one to the next, stable while others insert. */
import type { Context } from "../operation/context.ts";
import * as store from "./store.ts";
import type { ManagedResource, Properties } from "./types.ts";

const PAGE_SIZE = 100;
const READ_AT_ONCE_MAX = 1000;
const SCANNED_AT_ONCE = 200;
const SUBSCRIPTIONS_AT_ONCE = 100;
const SKIP_TOKEN = "$skipToken";

/** What to list: by subscription, in a resource group, below a parent, or linked to a resource. */
export type ListScope =
  | { readonly subscriptionId: string }
  | { readonly groupKey: string }
  | { readonly parentKey: string }
  | { readonly link: string };
type PageQuery = Properties & {
  readonly $top?: number;
  readonly $skip?: number;
  readonly $skipToken?: string;
};
type Listed = {
  readonly scope: ListScope;
  readonly type?: string;
  readonly exceptType?: string;
  /** Selects resources by the query. */
  readonly select?: ((resource: ManagedResource) => boolean) | undefined;
};

/** The same address with another page token, in the caller's spelling. */
export function nextLinkOf(context: Context, token: string): string {
  const url = new URL(context.request.rawUrl, context.request.mountUrl);
  for (const name of [...url.searchParams.keys()])
    if (["$skiptoken", "$skip"].includes(name.toLowerCase())) url.searchParams.delete(name);
  url.searchParams.set(SKIP_TOKEN, token);
  return url.href;
}

async function* resourcesAfter(
  context: Context,
  { scope, type, exceptType, select }: Listed,
  after: string,
  limit: number,
): AsyncGenerator<ManagedResource> {
  let last = after;
  for (;;) {
    const range = { account: context.account, type, exceptType, ...scope, after: last, limit };
    const rows = await store.list(context.db, range);
    yield* select ? rows.filter(select) : rows;
    if (rows.length < limit) return;
    last = rows.at(-1)?.key ?? last;
  }
}

/** Reads until there are enough, after skipping the first ones. */
async function listAfter(
  context: Context,
  listed: Listed,
  after: string,
  { skip, limit }: { readonly skip: number; readonly limit: number },
): Promise<ManagedResource[]> {
  const atOnce = listed.select ? SCANNED_AT_ONCE : Math.min(READ_AT_ONCE_MAX, skip + limit);
  const found: ManagedResource[] = [];
  let left = skip;
  for await (const resource of resourcesAfter(context, listed, after, atOnce)) {
    if (left > 0) left -= 1;
    else if (found.push(resource) === limit) break;
  }
  return found;
}

export async function pageOfResources(
  context: Context,
  listed: Listed,
  { $top = PAGE_SIZE, $skip = 0, $skipToken, "api-version": _version, ...filter }: PageQuery,
): Promise<{ readonly resources: readonly ManagedResource[]; readonly nextLink?: string }> {
  const { rows, nextToken } = await context.pages.of(
    {
      size: $top,
      token: $skipToken,
      filter: { scope: JSON.stringify(listed.scope).toLowerCase(), ...filter },
    },
    (resource: ManagedResource) => [resource.key],
    (after, limit) => listAfter(context, listed, after?.[0] ?? "", { skip: after ? 0 : $skip, limit }),
  );
  return { resources: rows, ...(nextToken !== undefined && { nextLink: nextLinkOf(context, nextToken) }) };
}

/** The names of those that the account has used. */
export async function pageOfSubscriptions(
  context: Context,
  token: string | undefined,
): Promise<{ readonly names: readonly string[]; readonly nextLink?: string }> {
  const { rows, nextToken } = await context.pages.of(
    { size: SUBSCRIPTIONS_AT_ONCE, token, filter: {} },
    (name: string) => [name],
    (after, limit) => store.listSubscriptions(context.db, context.account, after?.[0] ?? "", limit),
  );
  return { names: rows, ...(nextToken !== undefined && { nextLink: nextLinkOf(context, nextToken) }) };
}

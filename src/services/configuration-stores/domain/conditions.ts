/** Conditional requests: entity tags in `If-Match` and `If-None-Match`. */
import { errors } from "../errors.ts";

export type Conditions = { readonly ifMatch?: string | undefined; readonly ifNoneMatch?: string | undefined };

const bare = (tag: string): string =>
  tag
    .trim()
    .replace(/^W\//, "")
    .replace(/^(["'])(.*)\1$/, "$2");

function names(header: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  return header.split(",").some((one) => {
    const tag = bare(one);
    return tag === "*" || tag === etag;
  });
}

/** Throws if the conditions do not allow a change. `etag`: undefined if nothing exists. */
export function requireConditions({ ifMatch, ifNoneMatch }: Conditions, etag: string | undefined): void {
  const missing = ifMatch !== undefined && !names(ifMatch, etag);
  const present = ifNoneMatch !== undefined && names(ifNoneMatch, etag);
  if (missing || present)
    throw errors.preconditionFailed("The condition of the request does not hold for the current state.");
}

/** True if the reader's copy is current. */
export function isUnchanged({ ifMatch, ifNoneMatch }: Conditions, etag: string): boolean {
  if (ifMatch !== undefined && !names(ifMatch, etag))
    throw errors.preconditionFailed("The entity tag is not the current one.");
  return ifNoneMatch !== undefined && names(ifNoneMatch, etag);
}

export const quoted = (etag: string): string => `"${etag}"`;

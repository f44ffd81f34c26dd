/** Identity of a caller in the fair queue. */
import { isThisMachine, networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import type { Asker } from "../translator/index.ts";

/**
 * Anonymous callers share the queue by network. On this machine, they share it by the site of the page as
 * well, because a page cannot choose these headers. Programs on other machines can, so their headers are
 * ignored.
 */
export function askerOf({ account, request }: Pick<Context, "account" | "request">): Asker {
  if (account !== "") return { name: account, isKnown: true };
  const network = networkOf(request.remoteAddress);
  if (!isThisMachine(network)) return { name: network, isKnown: false };
  const { origin, "sec-fetch-site": site = "" } = request.headers;
  return { name: `${network} ${[origin ?? site].flat().join()}`, isKnown: false };
}

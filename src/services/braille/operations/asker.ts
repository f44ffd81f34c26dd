/** Who waits for a translation: what the queue is shared by. */
import { networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import type { Asker } from "../translator/index.ts";

/** Strangers share by their network, and there by the site whose page asks: a page cannot choose these headers. */
export function askerOf({ account, request }: Pick<Context, "account" | "request">): Asker {
  if (account !== "") return { name: account, isKnown: true };
  const { origin, "sec-fetch-site": site = "" } = request.headers;
  return { name: `${networkOf(request.remoteAddress)} ${[origin ?? site].flat().join()}`, isKnown: false };
}

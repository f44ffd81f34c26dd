/** Who waits for a translation: what the queue is shared by. */
import { isThisMachine, networkOf } from "#kernel/auth";
import type { Context } from "#kernel/operation";
import type { Asker } from "../translator/index.ts";

/**
 * Strangers share by their network. On this machine, sites whose pages ask share as well: a page cannot choose these
 * headers. Programs on other machines can, so they gain nothing by them.
 */
export function askerOf({ account, request }: Pick<Context, "account" | "request">): Asker {
  if (account !== "") return { name: account, isKnown: true };
  const network = networkOf(request.remoteAddress);
  if (!isThisMachine(network)) return { name: network, isKnown: false };
  const { origin, "sec-fetch-site": site = "" } = request.headers;
  return { name: `${network} ${[origin ?? site].flat().join()}`, isKnown: false };
}

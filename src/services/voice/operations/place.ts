/** Where a caller's things are: its account, and the region that the request is signed for. */
import type { Context } from "#kernel/operation";
import type { Place } from "../store.ts";
import type { Tables } from "../tables.ts";

export const placeOf = ({ account, request }: Context<Tables>): Place => ({
  account,
  region: request.region,
});

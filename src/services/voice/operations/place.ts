/** Where a caller's things are: its account, and the region that the request is signed for. */
import type { Context } from "#kernel/operation";
import type { Place, VoiceTables } from "../store.ts";

export const placeOf = ({ account, request }: Context<VoiceTables>): Place => ({
  account,
  region: request.region,
});

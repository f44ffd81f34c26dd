/** Housekeeping: sessions, tokens, challenges and counters that have run out are deleted. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { deleteExpired } from "./store/attempts.ts";
import type { Tables } from "./tables.ts";

const pruneExpired = jobsFor<Tables>()({
  name: "identity.prune-expired",
  payload: Type.Object({}),
  repeat: { everySeconds: 3600 },
  housekeeping: true,
  run: async (_payload, { db, clock }) => deleteExpired(db, clock.nowMs()),
});

export const jobs = [pruneExpired];

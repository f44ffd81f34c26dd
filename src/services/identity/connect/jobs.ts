/** Durable chores. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { tellSignOut } from "./sign-outs/logout-token.ts";
import { announceExpired, tellOfEnds } from "./sign-outs/sessions.ts";
import type { State } from "./state.ts";
import { deleteExpiredGrants } from "./store/grants.ts";
import { deleteExpiredInteractions } from "./store/interactions.ts";
import type { Tables } from "./tables.ts";

const job = jobsFor<Tables, State>();
const ROTATION_CHECK_SECONDS = 6 * 3600;
const PRUNE_SECONDS = 3600;

export const jobs = [
  job({
    name: "identity.rotate-keys",
    payload: Type.Object({}),
    transaction: "manual",
    repeat: { everySeconds: ROTATION_CHECK_SECONDS },
    async run(_payload, context, attempt) {
      attempt.restUntil(await context.state.keyRing.rotate(context));
    },
  }),
  job({
    name: "identity.prune",
    payload: Type.Object({}),
    transaction: "manual",
    sharesCommits: true,
    repeat: { everySeconds: PRUNE_SECONDS },
    housekeeping: true,
    async run(_payload, context) {
      const nowMs = context.clock.nowMs();
      while (await context.transact(({ db }) => deleteExpiredInteractions(db, nowMs)));
      while (await context.transact(({ db }) => deleteExpiredGrants(db, nowMs)));
      await context.transact(announceExpired);
    },
  }),
  tellOfEnds,
  tellSignOut,
];

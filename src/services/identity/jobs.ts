/** Durable chores of the protocol's half. */
import { Type } from "@sinclair/typebox";
import { jobsFor } from "#kernel/operation";
import { tellSignOut } from "./connect/sign-outs/logout-token.ts";
import { announceExpired } from "./connect/sign-outs/sessions.ts";
import { prune } from "./connect/store.ts";
import type { PeopleTables } from "./people/tables.ts";
import type { State } from "./state.ts";
import type { ConnectTables } from "./tables.ts";

const job = jobsFor<ConnectTables & PeopleTables, State>();
const ROTATION_CHECK_SECONDS = 6 * 3600;
const PRUNE_SECONDS = 3600;

export const connectJobs = [
  job({
    name: "identity.rotate-keys",
    payload: Type.Object({}),
    transaction: "manual",
    repeat: { everySeconds: ROTATION_CHECK_SECONDS },
    run: (_payload, context) => context.state.keyRing.rotate(context),
  }),
  job({
    name: "identity.prune",
    payload: Type.Object({}),
    repeat: { everySeconds: PRUNE_SECONDS },
    async run(_payload, context) {
      await prune(context.db, context.clock.nowMs());
      await announceExpired(context);
    },
  }),
  tellSignOut,
];

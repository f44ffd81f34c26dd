/** Demo data; seeding again changes nothing. */
import type { Context } from "#kernel/operation";
import { ROLE_SECONDS } from "./domain/limits.ts";
import { findRole, putRole } from "./store.ts";
import type { Tables } from "./tables.ts";

const READING = ["*:Get*", "*:List*", "*:Describe*", "*:Search*"];

export async function seed({ db, account, clock }: Context<Tables>): Promise<void> {
  if (await findRole(db, account, "reader")) return;
  const nowMs = clock.nowMs();
  await putRole(db, account, {
    name: "reader",
    description: "Looks at everything, changes nothing.",
    policy: JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Action: READING, Resource: "*" }],
    }),
    trusted: "[]",
    external_id: null,
    seconds_max: ROLE_SECONDS,
    created_at: nowMs,
    updated_at: nowMs,
  });
}

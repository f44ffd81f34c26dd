/** Questions that a shop's bank asks the holder of a card: is it you who pays? */
import { Type } from "@sinclair/typebox";
import { concludeChallenge } from "../card-challenges.ts";
import type { ChallengeKept } from "../domain/card-actions.ts";
import { errors } from "../errors.ts";
import { keptIn } from "../records.ts";
import { challengeMembers, challengeView } from "../wire/challenges.ts";
import { userParams } from "../wire/shared.ts";
import { collection } from "./collection.ts";
import { requireUser } from "./operation.ts";

const CHALLENGES_MAX = 10_000;
const ANSWERS = ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE"] as const;
const AFTER = { ACCEPTED_PENDING_RESPONSE: "ACCEPTED", REJECTED_PENDING_RESPONSE: "REJECTED" } as const;

export const challengeOperations = collection({
  kind: "challenge-request",
  name: "ChallengeRequest",
  noun: "challenge",
  path: "/user/{userID}/challenge-request",
  params: userParams,
  wrapper: "MasterCardIdentityCheckChallengeRequest",
  methods: ["read", "update"],
  category: "CARD_TRANSACTION_SUCCESSFUL",
  countMax: CHALLENGES_MAX,
  changed: { status: Type.Union(ANSWERS.map((one) => Type.Literal(one))) },
  shown: challengeMembers,
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  async change(context, record, changed) {
    if (record.status !== "PENDING") throw errors.badRequest(`The challenge is ${record.status} already.`);
    if (keptIn<ChallengeKept>(record).expiresAtMs <= context.clock.nowMs())
      throw errors.badRequest("The challenge has ended.");
    const status = AFTER[changed.status];
    return { status, body: await concludeChallenge(context, record, status) };
  },
  show: challengeView,
});

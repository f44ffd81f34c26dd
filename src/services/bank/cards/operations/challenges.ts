/** Questions that a shop's bank asks the holder of a card: is it you who pays? */

import { collection, errors, keptIn, requireUser, userParams } from "../../book/index.ts";
import { StatusBody } from "../../money/index.ts";
import { concludeChallenge } from "../challenges.ts";
import { ChallengeKept } from "../domain/card-actions.ts";
import { challengeView } from "../views/challenges.ts";
import { challengeMembers } from "../wire/challenges.ts";

const CHALLENGES_MAX = 10_000;

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
  changed: { status: StatusBody },
  shown: challengeMembers,
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  async change(context, record, changed) {
    if (keptIn(ChallengeKept, record).expiresAtMs <= context.clock.nowMs())
      throw errors.badRequest("The challenge has ended.");
    const status = changed.status === "ACCEPTED_PENDING_RESPONSE" ? "ACCEPTED" : "REJECTED";
    return { status, body: await concludeChallenge(context, record, status) };
  },
  show: challengeView,
});

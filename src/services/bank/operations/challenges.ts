/** Questions that a shop's bank asks the holder of a card: is it you who pays? */
import { Type } from "@sinclair/typebox";
import { amountOf } from "../domain/money.ts";
import { errors } from "../errors.ts";
import { findUser } from "../store/index.ts";
import { labelOfUser } from "../wire/accounts.ts";
import { LabelMonetaryAccount, timeText, userParams } from "../wire/shared.ts";
import { collection, recordTimes, timesOf } from "./collection.ts";
import { requireUser } from "./operation.ts";

const CHALLENGES_MAX = 10_000;
const ANSWERS = ["ACCEPTED_PENDING_RESPONSE", "REJECTED_PENDING_RESPONSE"] as const;
const AFTER: Readonly<Record<string, string>> = {
  ACCEPTED_PENDING_RESPONSE: "ACCEPTED",
  REJECTED_PENDING_RESPONSE: "REJECTED",
};

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
  shown: {
    ...recordTimes,
    amount: Type.String({ description: "How much is paid.", examples: ["12.34"] }),
    expiry_time: Type.String(),
    description: Type.String(),
    status: Type.String(),
    counterparty_alias: LabelMonetaryAccount,
    card_id: Type.Integer(),
  },
  placeOf: async (context, { userID = 0 }) => ({ userId: requireUser(context, userID), ownerId: 0 }),
  change({ clock }, { body, status }, changed) {
    if (status !== "PENDING") throw errors.badRequest(`The challenge is ${status} already.`);
    const kept = JSON.parse(body);
    if (kept.expiresAtMs <= clock.nowMs()) throw errors.badRequest("The challenge has ended.");
    return { status: AFTER[changed.status] ?? "REJECTED", body: kept };
  },
  async show({ db, account, clock }, record, body) {
    const user = await findUser(db, account, record.user_id);
    const isOver = record.status === "PENDING" && Number(body.expiresAtMs) <= clock.nowMs();
    return {
      ...timesOf(record),
      amount: amountOf({ minor: Number(body.minor), currency: String(body.currency) }).value,
      expiry_time: timeText(Number(body.expiresAtMs)),
      description: String(body.description),
      status: isOver ? "EXPIRED" : record.status,
      counterparty_alias: {
        display_name: String(body.merchant),
        country: user?.country ?? "NL",
        is_light: false,
        ...(user && { label_user: labelOfUser(user) }),
      },
      card_id: Number(body.cardId),
    };
  },
});

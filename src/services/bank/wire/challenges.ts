/** Questions to the holders of cards. */
import { type Static, Type } from "@sinclair/typebox";
import type { ChallengeKept } from "../domain/card-actions.ts";
import { amountOf } from "../domain/money.ts";
import type { BankContext } from "../state.ts";
import type { RecordRow } from "../tables.ts";
import { LabelMonetaryAccount, timeText } from "./shared.ts";

export const challengeMembers = {
  id: Type.Integer(),
  created: Type.String(),
  updated: Type.String(),
  amount: Type.String({ description: "How much is paid.", examples: ["12.34"] }),
  expiry_time: Type.String(),
  description: Type.String(),
  status: Type.String(),
  counterparty_alias: LabelMonetaryAccount,
  card_id: Type.Integer(),
  event_id: Type.Optional(
    Type.Integer({ description: "The card transaction that came of it.", examples: [57] }),
  ),
};
const Challenge = Type.Object(challengeMembers);

export function challengeView({ clock }: BankContext, record: RecordRow): Static<typeof Challenge> {
  const { use, expiresAtMs, actionId }: ChallengeKept = JSON.parse(record.body);
  const { merchant, billing, cardId } = use;
  const isOver = record.status === "PENDING" && expiresAtMs <= clock.nowMs();
  return {
    id: record.id,
    created: timeText(record.created_at),
    updated: timeText(record.updated_at),
    amount: amountOf(billing).value,
    expiry_time: timeText(expiresAtMs),
    description: `${merchant.name} ${merchant.city}`,
    status: isOver ? "EXPIRED" : record.status,
    counterparty_alias: {
      display_name: merchant.name,
      country: merchant.country,
      is_light: false,
      merchant_category_code: merchant.categoryCode,
    },
    card_id: cardId,
    ...(actionId !== undefined && { event_id: actionId }),
  };
}

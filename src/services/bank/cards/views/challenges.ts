/** Challenges to card holders. */

import { type BankContext, keptIn, type RecordRow, timeText } from "../../book/index.ts";
import { amountOf } from "../../money/index.ts";
import { ChallengeKept } from "../domain/card-actions.ts";

export function challengeView({ clock }: BankContext, record: RecordRow) {
  const { use, expiresAtMs, actionId } = keptIn(ChallengeKept, record);
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
